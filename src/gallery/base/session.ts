import { signal } from '@preact/signals'
import type { Schemas } from '../../client/index.ts'
import { isLost, reach, untilBack } from './connection.ts'
import { ApiError, errorOf } from './error.ts'

/** The user that is signed in, and the part of the path under which their pictures are. */
interface Session {
  user: Schemas['User']
  k: string
  hasFiles: boolean
}

interface Admitted {
  access_token: string
  /** Seconds. */
  expires_in: number
  user: Schemas['User']
  has_files: boolean
  media: string
}

/** The current session; null before `resume`, and while nobody is signed in. */
export const session = signal<Session | null>(null)
/** Whether the user may add pictures, tags and pools; undefined while nobody is signed in. */
export function mayCreate(): boolean | undefined {
  const user = session.value?.user
  return user && (user.can_create || user.is_admin)
}

/**
 * Whether the user only looks: may add nothing, and has never added anything. Such users see no tools
 * except for what somebody lets them edit.
 */
export function looksOnly(): boolean {
  return mayCreate() === false && !session.value!.hasFiles
}

/** Whether `resume` has found out who is signed in, if anybody is. */
export const isResumed = signal(false)
/** Whether the session has ended, and its user is asked for the password in place. */
export const isPasswordWanted = signal(false)

/** Milliseconds before its end at which a token is renewed. */
const MARGIN = 30_000

let token: { value: string; ends: number } | null = null
let renewing: Promise<string> | undefined
let isOver = false
/** Continues a request that waits for the password. */
let asked: ((token: string) => void) | undefined
const NEVER = new Promise<never>(() => {})

const others = new BroadcastChannel('tagstead-session')

/** Resumes this browser's session, if there is one, once the server can be reached. */
export async function resume(): Promise<void> {
  try {
    const response = await patientRefresh()
    if (response.status === 200) admit(await response.json())
  } finally {
    isResumed.value = true
    // A message that is missed here is noticed when the next token is refused.
    others.onmessage = ({ data }) => void hear(data as number | null).catch(() => {})
  }
}

// Not only as long as other requests: the page may be the one that is kept for when there is no server.
async function patientRefresh(): Promise<Response> {
  for (;;) {
    try {
      return await post('refresh')
    } catch (error) {
      if (!isLost.peek()) throw error
      await untilBack()
    }
  }
}

/** Signs in; throws an ApiError, for example of status 401, or 429 with `retryAfter`. */
export async function signIn(name: string, password: string): Promise<void> {
  const response = await post('', { name, password })
  if (!response.ok) throw await failed(response)
  const admitted = (await response.json()) as Admitted
  others.postMessage(admitted.user.id)
  await admitSame(admitted)
}

/** Ends the session, in all tabs of this browser. */
export async function signOut(): Promise<void> {
  await reach(new Request('/web/session', { method: 'DELETE', headers: HEADERS }))
  others.postMessage(null)
  // During uploads the browser asks for confirmation, and the user may stay and sign in again.
  location.assign('/')
}

/** Returns whether the page is being left because its content belongs to another user. */
export function isBeingLeft(): boolean {
  return isOver
}

/** Returns a token that is valid for a while; asks for the password if none is available. */
export async function accessToken(): Promise<string> {
  if (token && token.ends - MARGIN > Date.now()) return token.value
  return renew(token?.value)
}

/**
 * Returns a new token in place of the refused one: by the session's cookie or, if that has ended, once
 * the password was given. Throws an ApiError 401 if nobody is signed in.
 */
export function renew(refused: string | undefined): Promise<string> {
  if (isOver) return NEVER
  if (token && token.value !== refused) return Promise.resolve(token.value)
  renewing ??= refresh().finally(() => {
    renewing = undefined
  })
  return renewing
}

async function refresh(): Promise<string> {
  const response = await post('refresh')
  if (response.status === 200) return admitSame(await response.json())
  if (![204, 401].includes(response.status)) throw await failed(response)
  if (!session.peek()) throw new ApiError(401, 'unauthorized')
  isPasswordWanted.value = true
  return new Promise((resolve) => {
    asked = resolve
  })
}

/** Admits the user of the page; if another one has signed in, the page's content must go. */
async function admitSame(admitted: Admitted): Promise<string> {
  const own = session.peek()
  return own !== null && own.user.id !== admitted.user.id ? startAnew() : admit(admitted)
}

function admit({ access_token, expires_in, user, has_files, media }: Admitted): string {
  token = { value: access_token, ends: Date.now() + expires_in * 1000 }
  session.value = { user, k: media, hasFiles: has_files }
  isPasswordWanted.value = false
  asked?.(access_token)
  asked = undefined
  return access_token
}

async function hear(userId: number | null): Promise<void> {
  const own = session.peek()?.user.id
  if (userId !== own) return startAnew()
  // The cookie belongs to another session of the same user, whose pictures have other addresses.
  const response = await post('refresh')
  if (response.status === 200) await admitSame(await response.json())
}

/**
 * Reloads the page, so that one user's content isn't left for the next. A request that waits for a
 * token never gets one, so that it isn't sent as the next user.
 */
function startAnew(): Promise<never> {
  isOver = true
  token = null
  location.assign('/')
  return NEVER
}

const HEADERS = { 'Content-Type': 'application/json', 'X-Tagstead': '1' }

function post(path: '' | 'refresh', body: object = {}): Promise<Response> {
  const place = path === '' ? '/web/session' : `/web/session/${path}`
  const request = new Request(place, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify(body),
  })
  // A refresh whose answer was lost can safely be sent again.
  return reach(request, { isRepeatable: path === 'refresh' })
}

async function failed(response: Response): Promise<ApiError> {
  return errorOf(response, await response.json().catch(() => null))
}
