import type { Schemas } from '../../client/index.ts'
import { api, ask } from '../base/api.ts'
import { errorOf } from '../base/error.ts'
import { session } from '../base/session.ts'
import { MOST_NAMED, slicesOf } from '../base/slices.ts'
import { PART, sendInParts } from './parts.ts'
import type { Alike, Item, Send } from './queue.ts'
import { transmit } from './transmit.ts'

interface Sent {
  file: Schemas['File']
  isNew: boolean
}

/**
 * Uploads a file with its own time and with tags, and returns the server's file. If a file with the
 * same content exists, that is returned and no other one is created, unless it is in another user's
 * trash. A half of a living picture becomes one with the other half. The browser reads the file from the
 * disk while sending, a large one in parts. Throws an ApiError, or the signal's reason when it is aborted.
 */
export async function sendFile(
  file: File,
  fields: { tagIds: string[]; isHalf: boolean },
  watch: Parameters<Send>[1],
): Promise<Sent> {
  const given = fieldsOf(file, fields)
  const sent = await sendAs('skip', file, given, watch)
  // Only its owner can restore it, and may delete it for good.
  const isLost = !sent.isNew && sent.file.is_deleted && !isOwn(sent.file)
  return isLost ? sendAs('keep', file, given, watch) : sent
}

async function sendAs(
  on_duplicate: 'skip' | 'keep',
  file: File,
  given: Record<string, string>,
  watch: Parameters<Send>[1],
): Promise<Sent> {
  const fields = { ...given, on_duplicate }
  const inParts = file.size >= PART ? await sendInParts(file, fields, watch) : null
  if (inParts) return inParts
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', file, file.name)
  const asked = { method: 'POST', path: '/api/v1/files', body: form }
  const { response, body } = await transmit(asked, watch)
  const sent = (body ?? {}) as Partial<Schemas['File']>
  if (!response.ok || sent.id === undefined) throw errorOf(response, body)
  return { file: sent as Schemas['File'], isNew: response.status === 201 }
}

/** Whether a file belongs to the caller. */
export function isOwn({ creator_id }: Schemas['File']): boolean {
  return creator_id === session.peek()!.user.id
}

/** How many of the newest files are searched for one whose answer was lost. */
const NEWEST = 50

/**
 * Returns the result for a file that was sent without an answer; undefined if it hasn't arrived.
 * `isKnown` returns whether an id belongs to another file of this device.
 */
export async function findStored(
  { file: { name, size }, begun }: Item,
  isKnown: (id: string) => boolean,
): Promise<Sent | undefined> {
  const query = { sort: 'created', order: 'desc', limit: NEWEST } as const
  const call = api.GET('/api/v1/files', { params: { query } })
  const { items } = await ask(call)
  // Some systems write é as two characters, which the server normalizes.
  const isNamed = (other: string | null) => other?.localeCompare(name) === 0
  const file = items.find(
    (file) => isOwn(file) && file.size === size && isNamed(file.original_name) && !isKnown(file.id),
  )
  if (!file) return undefined
  // The clock of this device may differ from the server's.
  const date = (await call).response.headers.get('date')
  const now = date === null ? Date.now() : Date.parse(date)
  return { file, isNew: now - Date.parse(file.created_at) <= Date.now() - begun! }
}

/** Returns those of the caller's own files that are no longer on the server. Throws an ApiError. */
export async function findGone(ids: readonly string[]): Promise<string[]> {
  const gone: string[] = []
  for (const file_ids of slicesOf(ids, 1, MOST_NAMED)) {
    // The request changes nothing, and returns which files don't exist.
    const body = { file_ids }
    gone.push(...(await ask(api.POST('/api/v1/files/bulk/update', { body }))).skipped_ids)
  }
  return gone
}

/**
 * How many bits of the hashes may differ. Copies that were resized or recompressed differ by less;
 * pictures that differ by more often show something else, and nobody asked for this notice.
 */
const ALIKE = 4

/** Returns the file that looks most like another one; undefined without any. Throws an ApiError. */
export async function findAlike(file_id: string): Promise<Alike | undefined> {
  const params = { path: { file_id }, query: { limit: 1, distance: ALIKE } }
  const { items } = await ask(api.GET('/api/v1/files/{file_id}/similar', { params }))
  const found = items[0]?.file
  return found && { id: found.id, name: found.original_name, version: found.version }
}

/** Returns how many files the caller sees. Throws an ApiError. */
export async function countFiles(): Promise<number> {
  return (await ask(api.GET('/api/v1/files/ids', { params: { query: { limit: 1 } } }))).total
}

function fieldsOf(
  file: File,
  { tagIds, isHalf }: Parameters<typeof sendFile>[1],
): Record<string, string> {
  return {
    modified: new Date(file.lastModified).toISOString(),
    ...(tagIds.length > 0 && { tag_ids: tagIds.join(',') }),
    ...(isHalf && { pair: '1' }),
  }
}
