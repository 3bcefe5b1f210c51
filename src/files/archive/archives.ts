import { randomUUID } from 'node:crypto'
import { AppError } from '../../base/errors.ts'
import { type Clock, MINUTE } from '../../base/time.ts'

// How many requested archives are remembered, in all and per user.
const LISTS = 20
const LISTS_OF_USER = 3
// How many archives are sent at once, in all and to one user.
const DOWNLOADS = 10
const DOWNLOADS_OF_USER = 2
/** Milliseconds within which a download has to begin. */
const LIFETIME = 10 * MINUTE
/** Seconds after which a refused client may try again. */
const RETRY_AFTER = 60

interface List {
  id: string
  user_id: number
  rids: Uint32Array
  expires: number
}

/** The archives that were requested but not yet begun, and those being sent. */
export interface Archives {
  /** Remembers which files a user requested, and returns the id of the archive. */
  add(user_id: number, rids: Uint32Array): string
  /**
   * Returns the files of an archive, which it then drops, and the function to call at the end of the download. Throws
   * not_found for an archive that isn't remembered, and rate_limited, which leaves the archive in place, while others
   * are being sent.
   */
  begin(user_id: number, id: string): { rids: Uint32Array; end: () => void }
}

/** Returns the archives of a server, none requested yet. */
export function createArchives(clock: Clock): Archives {
  /** Oldest first. */
  let lists: List[] = []
  const downloads = new Set<{ user_id: number }>()
  const drop = (which: (list: List) => boolean) => {
    lists = lists.filter((list) => !which(list))
  }

  return {
    add(user_id, rids) {
      const now = clock()
      const id = randomUUID()
      lists.push({ id, user_id, rids, expires: now + LIFETIME })
      drop((list) => list.expires <= now)
      const own = lists.filter((list) => list.user_id === user_id)
      if (own.length > LISTS_OF_USER) drop((list) => list === own[0])
      lists = lists.slice(-LISTS)
      return id
    },
    begin(user_id, id) {
      const list = lists.find((one) => one.id === id && one.user_id === user_id)
      if (!list || list.expires <= clock()) {
        throw new AppError('not_found', 'This archive is no longer available; request it again')
      }
      const own = [...downloads].filter((download) => download.user_id === user_id)
      if (own.length >= DOWNLOADS_OF_USER)
        throw refused(`You may have ${DOWNLOADS_OF_USER} archives`)
      if (downloads.size >= DOWNLOADS) throw refused(`There may be ${DOWNLOADS} archives`)
      drop((one) => one === list)
      const download = { user_id }
      downloads.add(download)
      return { rids: list.rids, end: () => downloads.delete(download) }
    },
  }
}

function refused(limit: string): AppError {
  return new AppError('rate_limited', `${limit} under way at once; try again later`, {
    headers: { 'Retry-After': String(RETRY_AFTER) },
  })
}
