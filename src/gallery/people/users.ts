import { computed } from '@preact/signals'
import type { Schemas } from '../../client/index.ts'
import { act, api, ask, asOneChange } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { resource } from '../base/resource.ts'
import { session } from '../base/session.ts'
import { allPages } from '../base/slices.ts'

export type User = Schemas['User']
type Rights = Schemas['UserUpdate']

/** What a user may do, as a family would say it. */
export type Role = 'viewer' | 'creator' | 'admin'

/** Returns the role that a user's rights amount to. */
export function roleOf({ is_admin, can_create }: Pick<User, 'is_admin' | 'can_create'>): Role {
  if (is_admin) return 'admin'
  return can_create ? 'creator' : 'viewer'
}

/** Returns the rights of a role. */
export function rightsOf(role: Role): { is_admin: boolean; can_create: boolean } {
  return { is_admin: role === 'admin', can_create: role !== 'viewer' }
}

/** All users; undefined before they are loaded. */
export const users = resource((signal) =>
  allPages((query) => ask(api.GET('/api/v1/users', { params: { query }, signal }))),
)

/** The users by name, in the language's order. */
export const sorted = computed(() =>
  users.data.value?.toSorted((a, b) => a.name.localeCompare(b.name)),
)

function put(user: User): void {
  const others = (users.data.peek() ?? []).filter(({ id }) => id !== user.id)
  users.data.value = [...others, user]
  const own = session.peek()
  // Users that take a right from themselves lose it on this page as well.
  if (own?.user.id === user.id) session.value = { ...own, user }
}

/** Throws an ApiError. */
export async function createUser(body: Schemas['UserCreate']): Promise<void> {
  put((await act(api.POST('/api/v1/users', { body }))).data)
}

/** The changes that have been asked for and not yet answered, and the user as the server has them. */
const changing = new Map<number, { count: number; turn: Promise<unknown>; stored: User }>()

/**
 * Changes a user's rights, and shows that at once; several changes are sent one after another. Throws an ApiError, and
 * shows the rights that the user has unless another change follows.
 */
export async function changeRights(user: User, rights: Rights): Promise<void> {
  users.data.value = users.data
    .peek()!
    .map((one) => (one.id === user.id ? { ...one, ...rights } : one))
  const own = changing.get(user.id) ?? { count: 0, turn: Promise.resolve(), stored: user }
  changing.set(user.id, own)
  own.count++
  const params = { path: { user_id: user.id } }
  const send = () => act(api.PATCH('/api/v1/users/{user_id}', { params, body: rights }))
  const sent = asOneChange(own.turn.then(send))
  own.turn = sent.catch(() => undefined)
  try {
    own.stored = (await sent).data
  } finally {
    if (--own.count === 0) {
      changing.delete(user.id)
      put(own.stored)
    }
  }
}

/** Deletes a user, and removes them from the list at once. Throws an ApiError. */
export async function deleteUser(user: User): Promise<void> {
  users.data.value = users.data.peek()!.filter(({ id }) => id !== user.id)
  const params = { path: { user_id: user.id } }
  try {
    await act(api.DELETE('/api/v1/users/{user_id}', { params }))
  } catch (error) {
    await users.reload()
    throw error
  }
}

/**
 * Returns a new password for a user. `body.current_password` is the admin's own; returns null if the server
 * requires it. Throws an ApiError, such as 403 for a wrong one.
 */
export async function newPassword(
  user: User,
  body: Schemas['PasswordReset'],
): Promise<string | null> {
  const params = { path: { user_id: user.id } }
  try {
    return (await act(api.POST('/api/v1/users/{user_id}/password', { params, body }))).data.password
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status === 403
    if (!isRefused || body.current_password !== undefined) throw error
    // Either the server requires confirmation, or the caller has lost the right.
    const self = await ask(api.GET('/api/v1/users/me'))
    if (self.is_admin) return null
    throw error
  }
}
