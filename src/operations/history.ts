import type { AuditAction, Details } from '../audit/details.ts'
import { shownDetails } from '../audit/packed.ts'
import type { Db } from '../db/client.ts'
import { invalid } from '../errors.ts'
import { type FileRecord, findFiles } from '../files/queries.ts'
import { findPools } from '../pools/queries.ts'
import { viewTags } from '../tags/cache.ts'
import { isoTime } from '../time.ts'
import type { User } from '../user.ts'
import { type HistoryRow, listEntriesAbout, placeInHistory } from './history-queries.ts'
import type { FileHistoryPage, HistoryEntry, HistoryQuery } from './schema.ts'

/** So many entries are looked at for one page, of which a viewer may be shown fewer. */
const MOST_LOOKED_AT = 1000
const NEWEST = { performed_at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER }

/**
 * Returns a page of what was done to a file, newest first, without tags, pools and other files that
 * the viewer may not view; changes of who may view it are for its creator and admins. A page may be
 * shorter than asked for and still have a next one. Throws a validation error for a wrong cursor.
 */
export function fileHistory(
  db: Db,
  viewer: User,
  file: FileRecord,
  { cursor, limit }: HistoryQuery,
): FileHistoryPage {
  let place = cursor === undefined ? NEWEST : placeInHistory(db, file.id, cursor)
  if (!place) throw invalid('cursor', 'is not a cursor of this list')
  const items: HistoryEntry[] = []
  for (let lookedAt = 0; lookedAt < MOST_LOOKED_AT; lookedAt += limit) {
    const rows = listEntriesAbout(db, file.id, place, limit + 1)
    for (const row of rows.slice(0, limit)) {
      if (items.length === limit) return { items, next_cursor: String(place.id) }
      const details = detailsFor(db, viewer, file, row)
      if (details !== HIDDEN) items.push(present(row, details))
      place = row
    }
    if (rows.length <= limit) return { items, next_cursor: null }
  }
  return { items, next_cursor: String(place.id) }
}

function present(row: HistoryRow, details: HistoryEntry['details']): HistoryEntry {
  return { ...row, details, performed_at: isoTime(row.performed_at) }
}

const HIDDEN = Symbol('an entry that the viewer is not shown')

/** Returns the details as the viewer may see them, or HIDDEN when nothing would be left of them. */
function detailsFor(
  db: Db,
  viewer: User,
  file: FileRecord,
  row: HistoryRow,
): HistoryEntry['details'] | typeof HIDDEN {
  if (row.details === null) return null
  const details = shownDetails(JSON.parse(row.details))
  if (viewer.is_admin) return details
  switch (row.action as AuditAction) {
    case 'acl_change':
      return file.creator_id === viewer.id ? details : HIDDEN
    case 'file_tag_add':
    case 'file_tag_remove': {
      const seen = withSeenTags(db, viewer, details)
      return (seen.tag_ids as string[]).length > 0 ? seen : HIDDEN
    }
    case 'file_create':
      return withSeenTags(db, viewer, details)
    case 'file_merge':
      return mergeFor(db, viewer, details as Partial<Details['file_merge']>)
    case 'duplicate_dismiss': {
      const { file_id_a, file_id_b } = details as unknown as Details['duplicate_dismiss']
      return seesFiles(db, viewer, [file_id_a, file_id_b]) ? details : HIDDEN
    }
    default:
      return details
  }
}

function withSeenTags(db: Db, viewer: User, details: Record<string, unknown>) {
  const view = viewTags(db, viewer)
  const seen = (ids: unknown) => (ids as string[]).filter((id) => view.byId(id))
  const { tag_ids, by_rule } = details
  return { ...details, tag_ids: seen(tag_ids), ...(by_rule ? { by_rule: seen(by_rule) } : {}) }
}

/** Entries of earlier versions don't tell the pools, so their number isn't shown either. */
function mergeFor(
  db: Db,
  viewer: User,
  { discard, pools_joined: _, ...details }: Partial<Details['file_merge']>,
) {
  const pool_ids = findPools(db, viewer, details.pool_ids ?? [])
  const seen = { ...withSeenTags(db, viewer, details), pool_ids, pools_joined: pool_ids.length }
  return discard && seesFiles(db, viewer, [discard]) ? { ...seen, discard } : seen
}

function seesFiles(db: Db, viewer: User, ids: string[]): boolean {
  const found = findFiles(db, viewer, ids)
  return found.length === ids.length && found.every((file) => file.allowed)
}
