import { readAccess } from '../base/access.ts'
import { api, ask } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { joined } from '../base/joined.ts'
import { MOST_FILES } from '../base/listing.ts'
import { session } from '../base/session.ts'
import { poolBox } from '../text/pool-box.ts'
import type { Pool } from './pools.ts'

/** The most users that one request of the API covers. */
const USERS = 20
/** Of more people only the number is said. */
const NAMED = 3

/** A message about files that were added to an album. */
interface Added {
  text: string
  /** The name of the button that undoes it, if others see the files through the album. */
  undo?: string
}

/** Returns a message that says who sees files now that were just added to an album. */
export async function addedTo(pool: Pool, count: number, ids: string[]): Promise<Added> {
  const words = poolBox()
  const text = words.arePut(count, shortened(pool.name))
  const seen = pool.shares_files && ids.length <= MOST_FILES && (await seenNow(pool, ids))
  return seen ? { text: `${text} ${seen}`, undo: words.takeBack } : { text }
}

/** Returns a sentence about who sees files of an album that shares them, or whose it doesn't share; null for nobody. */
async function seenNow(pool: Pool, file_ids: string[]): Promise<string | null> {
  const words = poolBox()
  try {
    const entries = await readViewers(pool)
    if (entries?.length === 0) return null
    const user_ids = entries?.slice(0, USERS).map(({ user_id }) => user_id) ?? [
      session.peek()!.user.id,
    ]
    const reach = await ask(api.POST('/api/v1/files/reach', { body: { file_ids, user_ids } }))
    if (reach.not_yours > 0) return words.notYours(reach.not_yours)
    if (entries === null || entries.length > USERS) return words.isShared
    const seeing = new Set(
      reach.users.filter(({ seen }) => seen === reach.files).map(({ user_id }) => user_id),
    )
    const names = entries.filter(({ user_id }) => seeing.has(user_id)).map((one) => one.user_name)
    if (names.length === 0) return null
    return words.see(whoOf(names), names.length, file_ids.length)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // They are in the album all the same.
    return words.isShared
  }
}

/** Returns whom an album is shared with; null where the caller may not know that. Throws an ApiError. */
async function readViewers({ id, creator_id }: Pool, signal?: AbortSignal) {
  const { user } = session.peek()!
  if (creator_id !== user.id && !user.is_admin) return null
  const entries = await readAccess('pool', id, signal)
  return entries.filter(({ user_id, can_view }) => can_view && user_id !== creator_id)
}

function whoOf(names: string[]): string {
  return names.length > NAMED ? poolBox().people(names.length) : joined(names.map(shortened))
}

/**
 * Returns a sentence about who will see what is added to an album; null if that shares no files with
 * others. Throws an ApiError.
 */
export async function seenLater(pool: Pool, signal: AbortSignal): Promise<string | null> {
  if (!pool.shares_files) return null
  const words = poolBox()
  const entries = await readViewers(pool, signal)
  if (entries === null) return words.isShared
  const names = entries.map(({ user_name }) => user_name)
  return names.length === 0 ? null : words.seeLater(whoOf(names), names.length)
}

const LONGEST = 40

/** Returns a name that leaves room for the rest of a message. */
function shortened(name: string): string {
  const letters = [...name]
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join('')}…` : name
}
