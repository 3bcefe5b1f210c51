import { changesBetween } from '../audit/changes.ts'
import { packAll } from '../audit/packed.ts'
import { audit } from '../audit/record.ts'
import type { Tx } from '../db/write.ts'
import { AppError, invalid } from '../errors.ts'
import type { FileDateColumns } from '../files/dates/file-date.ts'
import { editableFields, trashFile } from '../files/edit.ts'
import { type FileRecord, listFileTags, updateFile } from '../files/queries.ts'
import { FILE_TEXT, metadataObject } from '../http/text-fields.ts'
import { insertAt } from '../pools/positions.ts'
import { type AddedTags, addTags, expandTags } from '../tags/apply.ts'
import { standingTags, tagIds } from '../tags/queries.ts'
import type { User } from '../user.ts'
import { placesWithout } from './queries.ts'
import type { DuplicateResolve } from './schema.ts'

/**
 * Merges `discard` into `keep`, and trashes `discard` unless the request says otherwise. Throws
 * conflict when either is in the trash or `keep` would have more tags than it may, and a validation
 * error when the merged metadata is too large.
 */
export function resolvePair(
  tx: Tx,
  user: User,
  { keep, discard }: { keep: FileRecord; discard: FileRecord },
  request: Pick<DuplicateResolve, 'fields' | 'delete_discarded'>,
): void {
  if (keep.is_deleted || discard.is_deleted) {
    throw new AppError('conflict', 'One of the files is in the trash')
  }
  const { fields } = request
  const merged = mergeFields(keep, discard, fields)
  const changes = changesBetween(editableFields(keep), editableFields(merged))
  if (changes) updateFile(tx, keep.rid, merged)
  const tags = fields.tags === 'both' ? tagsOf(tx, discard) : { all: [], named: [] }
  const added = addTags(tx, keep.rid, tags)
  const byHand = new Set(tags.named)
  const pool_ids = fields.pools === 'both' ? joinPools(tx, user, keep, discard) : []
  const details = {
    discard: discard.id,
    delete_discarded: request.delete_discarded,
    changes: changes ?? {},
    tag_ids: tagIds(tx, added),
    by_rule: tagIds(
      tx,
      added.filter((rid) => !byHand.has(rid)),
    ),
    pools_joined: pool_ids.length,
    pool_ids,
  }
  audit(tx, user, 'file_merge', { type: 'file', id: keep.id }, details)
  if (request.delete_discarded) trashFile(tx, user, discard)
}

function mergeFields(
  keep: FileRecord,
  discard: FileRecord,
  fields: DuplicateResolve['fields'],
): FileRecord {
  const source = (choice: 'keep' | 'discard') => (choice === 'keep' ? keep : discard)
  return {
    ...keep,
    original_name: source(fields.original_name).original_name,
    notes: source(fields.notes).notes,
    ...dateOf(source(fields.content_datetime)),
    is_public: source(fields.is_public).is_public,
    metadata:
      fields.metadata === 'merge' ? mergeMetadata(keep, discard) : source(fields.metadata).metadata,
  }
}

/** A date comes with its zone, and with how it is known. */
function dateOf({ content_datetime, content_offset, date_source }: FileRecord): FileDateColumns {
  return { content_datetime, content_offset, date_source }
}

/** Merges shallowly: when both files have a key, the survivor's value stays. */
function mergeMetadata(keep: FileRecord, discard: FileRecord): string | null {
  if (keep.metadata === null || discard.metadata === null) return keep.metadata ?? discard.metadata
  const merged = metadataObject(FILE_TEXT).safeParse({
    ...JSON.parse(discard.metadata),
    ...JSON.parse(keep.metadata),
  })
  if (!merged.success) throw invalid('fields.metadata', merged.error.issues[0]!.message)
  return JSON.stringify(merged.data)
}

/** Returns the tags of a file, and what follows from them; what was put on by hand still is. */
function tagsOf(tx: Tx, file: FileRecord): AddedTags {
  const listed = listFileTags(tx, file.rid)
  const rids = listed.map((row) => row.tag_rid)
  const standing = new Set(standingTags(tx, rids))
  const rows = listed.filter((row) => standing.has(row.tag_rid))
  const all = expandTags(
    tx,
    rows.map((row) => row.tag_rid),
  )
  return { all, named: rows.filter((row) => row.by_hand).map((row) => row.tag_rid) }
}

/** Adds the survivor to the pools of the other file, right after it; returns their ids. */
function joinPools(tx: Tx, user: User, keep: FileRecord, discard: FileRecord): string[] {
  const places = placesWithout(tx, discard.rid, keep.rid)
  for (const { pool_rid, pool_id, position } of places) {
    insertAt(tx, pool_rid, [keep.rid], position + 1)
    const named = { position: position + 1, count: 1, file_ids: [keep.id] }
    const details = { ...named, ...packAll({ files: [keep.rid] }) }
    audit(tx, user, 'file_pool_add', { type: 'pool', id: pool_id }, details)
  }
  return places.map((place) => place.pool_id)
}
