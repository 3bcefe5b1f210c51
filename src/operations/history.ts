import { objectsAllowed } from '../acl/queries.ts'
import type { Changes } from '../audit/changes.ts'
import type { AuditAction } from '../audit/details.ts'
import { shownDetails } from '../audit/packed.ts'
import { entryDetails } from '../audit/queries.ts'
import { shortened } from '../audit/shorten.ts'
import type { ObjectType } from '../base/enums.ts'
import { invalid } from '../base/errors.ts'
import { isoTime } from '../base/time.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import type { FileRecord } from '../files/queries.ts'
import { sharedThrough } from '../pools/sharing/told.ts'
import { viewTags } from '../tags/cache.ts'
import { listEntriesAbout, numberInHistory, placeInHistory } from './history-queries.ts'
import type { FileHistoryPage, HistoryEntry, HistoryQuery } from './schema.ts'

// How many entries are examined for one page, of which a viewer may see fewer.
const MOST_LOOKED_AT = 1000
// How many entries with long details are examined for one page, because they take long to read.
const MOST_LONG = 16
const NEWEST = { performed_at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER }

/**
 * Returns a page of the history of a file, newest first, without tags, pools and other files that the viewer may not
 * view. Former values are shown to users who may edit the file, and changes of its access list to its creator and
 * admins. A page may be shorter than requested and still have a next one. Throws a validation error for a wrong cursor.
 */
export function fileHistory(
  db: Db,
  viewer: User,
  file: FileRecord,
  { cursor, limit }: HistoryQuery,
): FileHistoryPage {
  let place = cursor === undefined ? NEWEST : placeInHistory(db, file.id, cursor)
  if (!place) throw invalid('cursor', 'is not a cursor of this list')
  const detailsFor = viewer.is_admin ? shownDetails : detailsAsSeen(db, viewer, file)
  const through = sharedThrough(db, viewer, file)
  const items: HistoryEntry[] = []
  let long = 0
  for (let lookedAt = 0; lookedAt < MOST_LOOKED_AT; lookedAt += limit) {
    const rows = listEntriesAbout(db, file.id, place, limit + 1)
    for (const row of rows.slice(0, limit)) {
      if (items.length === limit || long === MOST_LONG) {
        return { items, through, next_cursor: String(numberInHistory(db, file.id, place)) }
      }
      const { is_long, ...entry } = row
      if (is_long) long++
      const text = is_long ? entryDetails(db, row.id) : row.details
      const details = detailsFor(JSON.parse(text ?? '{}'), row.action as AuditAction)
      const performed_at = isoTime(row.performed_at)
      const id = numberInHistory(db, file.id, row)
      if (details) items.push({ ...entry, id, details: shortened(details), performed_at })
      place = row
    }
    if (rows.length <= limit) return { items, through, next_cursor: null }
  }
  return { items, through, next_cursor: String(numberInHistory(db, file.id, place)) }
}

type AnyDetails = Record<string, unknown>

// Returns null for an entry that is not shown at all.
function detailsAsSeen(
  db: Db,
  viewer: User,
  file: FileRecord,
): (details: AnyDetails, action: AuditAction) => AnyDetails | null {
  const view = viewTags(db, viewer)
  const mayEdit = objectsAllowed(db, viewer, 'file', 'edit', [file.id]).length > 0
  const seenTags = (ids: unknown) => (ids as string[]).filter((id) => view.byId(id))
  const byRule = (all: AnyDetails) => (all.by_rule ? { by_rule: seenTags(all.by_rule) } : {})
  const seen = (type: ObjectType, ids: string[]) => objectsAllowed(db, viewer, type, 'view', ids)

  return (all, action) => {
    const details = mayEdit ? shownDetails(all) : withoutFormerValues(all)
    switch (action) {
      case 'acl_change':
        return file.creator_id === viewer.id ? shownDetails(all) : null
      case 'file_tag_add':
      case 'file_tag_remove': {
        const tag_ids = seenTags(all.tag_ids)
        return tag_ids.length > 0 ? { tag_ids, ...byRule(all) } : null
      }
      case 'file_tag_replace': {
        const lists = Object.entries(all).map(([name, ids]) => [name, seenTags(ids)] as const)
        const isSeen = lists.some(([, ids]) => ids.length > 0)
        return isSeen ? Object.fromEntries(lists) : null
      }
      case 'file_create':
        return { ...details, tag_ids: seenTags(all.tag_ids) }
      case 'file_merge': {
        // Entries of earlier versions don't name the pools, so their number isn't shown either.
        const pool_ids = seen('pool', (all.pool_ids as string[] | undefined) ?? [])
        const discard = seen('file', [all.discard as string])[0]
        const { discard: _, named, permissions, ...rest } = details
        const rights = permissions && file.creator_id === viewer.id ? { permissions } : {}
        const byHand = named ? { named: seenTags(named) } : {}
        const tags = { tag_ids: seenTags(all.tag_ids), ...byRule(all), ...byHand }
        const shown = { ...rest, ...tags, ...rights, pool_ids }
        return { ...shown, pools_joined: pool_ids.length, ...(discard && { discard }) }
      }
      case 'file_edit': {
        const { companion_of, ...others } = all.changes as Changes
        const { from, to } = companion_of ?? {}
        const pictures = [from, to].filter((id) => typeof id === 'string')
        if (seen('file', pictures).length === pictures.length) return details
        const rest = { changes: others }
        if (Object.keys(others).length === 0) return null
        return mayEdit ? shownDetails(rest) : withoutFormerValues(rest)
      }
      case 'duplicate_dismiss': {
        const ids = [all.file_id_a, all.file_id_b] as string[]
        return seen('file', ids).length === ids.length ? shownDetails(all) : null
      }
      default:
        return details
    }
  }
}

// Only the names of the changed fields remain, because former values may be private.
function withoutFormerValues({ changes, needs_review }: AnyDetails): AnyDetails {
  return {
    ...(changes ? { fields: Object.keys(changes) } : {}),
    ...(needs_review ? { needs_review } : {}),
  }
}
