import { listPermissions } from '../../acl/queries.ts'
import { changesBetween } from '../../audit/changes.ts'
import type { PermissionChange } from '../../audit/details.ts'
import { audit } from '../../audit/record.ts'
import type { User } from '../../base/user.ts'
import type { Tx } from '../../db/write.ts'
import { carryPair } from '../../files/companions/companion.ts'
import {
  dateOf,
  type FileDateColumns,
  isFiner,
  isSameDate,
  unknownOf,
} from '../../files/dates/file-date.ts'
import { editableFields } from '../../files/edit.ts'
import { carryFavourites } from '../../files/favourites/favourite-queries.ts'
import { turnFile } from '../../files/looks/turn-queries.ts'
import { type FileRecord, listFileTags, updateFile } from '../../files/queries.ts'
import { FILE_TEXT, metadataObject } from '../../http/text-fields.ts'
import { addEntries } from '../../pools/sharing/share-queries.ts'
import { TAGS_OF_FILE } from '../../tags/limits.ts'
import { joinedMetadata, joinTags, tagsOf } from '../merge-relations.ts'
import { STAND_INS } from './agreement.ts'

/** Returns which of equal files is retained: the one with most visible tags, then the oldest. */
export function retainedOf<File extends { rid: number }>(
  files: File[],
  tags: ReadonlyMap<number, number[]>,
): File {
  const count = (file: File) => tags.get(file.rid)!.length
  return files.reduce((best, file) => {
    const more = count(file) - count(best)
    return more > 0 || (more === 0 && file.rid < best.rid) ? file : best
  })
}

/** Returns the notes that a file without any gets from others, or null. */
export function notesGained(
  keep: { notes: string | null },
  discard: { notes: string | null }[],
): string | null {
  if (keep.notes !== null) return null
  return discard.find((file) => file.notes !== null)?.notes ?? null
}

/**
 * Returns the date that a file gets from others, with its zone and its source: the one of which most is known, and of
 * such ones that a person gave, else the first; null when its own stands, or when none is better.
 */
export function dateGained(
  keep: FileDateColumns,
  discard: FileDateColumns[],
): FileDateColumns | null {
  const better = discard
    .filter((file) => !isStandIn(file) && (isStandIn(keep) || isFiner(file, keep)))
    .toSorted((a, b) => unknownOf(a) - unknownOf(b) || isGiven(b) - isGiven(a))
  return better[0] ? dateOf(better[0]) : null
}

const isGiven = ({ date_source }: FileDateColumns) => Number(date_source === 'given')

function isStandIn({ date_source }: FileDateColumns): boolean {
  return date_source === null || STAND_INS.includes(date_source)
}

/** A file that others are merged into. */
export interface Merge {
  keep: FileRecord
  discard: FileRecord[]
}

/** Returns whether a file would have more tags, or longer metadata, than it may. */
export function isTooLarge(tx: Tx, { keep, discard }: Merge): boolean {
  const tags = new Set(listFileTags(tx, keep.rid).map((row) => row.tag_rid))
  for (const file of discard) for (const tag of tagsOf(tx, file).all) tags.add(tag)
  if (tags.size > TAGS_OF_FILE) return true
  const metadata = discard.reduce<string | null>(joinedMetadata, keep.metadata)
  if (metadata === keep.metadata || metadata === null) return false
  return !metadataObject(FILE_TEXT).safeParse(JSON.parse(metadata)).success
}

/**
 * Gives a file the tags, metadata, rights, hearts and pair of others, what it lacks of notes and date, and the turn of an
 * equal content if it is upright, with an entry for each of these; `poolsOf` returns the pools that come with one. The
 * caller still has to trash them.
 */
export function mergeInto(
  tx: Tx,
  user: User,
  { keep, discard }: Merge,
  poolsOf: (file: FileRecord) => string[],
): void {
  const date = dateGained(keep, discard)
  let merged = keep
  for (const file of discard) {
    const brings = date && date.date_source === file.date_source && isSameDate(date, file)
    // The turn of another content means nothing to this one.
    const isEqual = Buffer.compare(file.sha256, keep.sha256) === 0
    const next: FileRecord = {
      ...merged,
      ...(brings && date),
      rotation: merged.rotation || (isEqual ? file.rotation : 0),
      notes: merged.notes ?? file.notes,
      metadata: joinedMetadata(merged.metadata, file),
      is_public: merged.is_public || file.is_public,
    }
    const changes = changesBetween(editableFields(merged), editableFields(next)) ?? {}
    const permissions = shareAlike(tx, keep.rid, file.rid)
    carryFavourites(tx, keep.rid, file.rid)
    const pool_ids = poolsOf(file)
    const details = {
      discard: file.id,
      delete_discarded: true,
      changes,
      ...joinTags(tx, keep.rid, tagsOf(tx, file)),
      pools_joined: pool_ids.length,
      pool_ids,
      permissions,
    }
    audit(tx, user, 'file_merge', { type: 'file', id: keep.id }, details)
    carryPair(tx, user, keep, file)
    merged = next
  }
  updateFile(tx, keep.rid, merged)
  const [from, to] = [keep.rotation, merged.rotation]
  if (from !== to) turnFile(tx, keep.rid, { from, to })
}

// Users who may see or edit a file by its access list may do the same with the other; returns what changed.
function shareAlike(tx: Tx, keep: number, discard: number): PermissionChange[] {
  const theirs = listPermissions(tx, 'file', discard).filter((entry) => entry.can_view)
  if (theirs.length === 0) return []
  const own = new Map(listPermissions(tx, 'file', keep).map((entry) => [entry.user_id, entry]))
  const more = theirs.filter(({ user_id, can_edit }) => {
    const known = own.get(user_id)
    return !known?.can_view || (can_edit && !known.can_edit)
  })
  addEntries(tx, [keep], more)
  return more.map(({ user_id, user_name, can_edit }) => {
    const known = own.get(user_id)
    const from = known ? { can_view: known.can_view, can_edit: known.can_edit } : null
    return { user_id, user_name, from, to: { can_view: true, can_edit } }
  })
}
