import { changesBetween } from '../audit/changes.ts'
import { recordAudit } from '../audit/record.ts'
import type { WriteDeps } from '../db/client.ts'
import { AppError, invalid } from '../errors.ts'
import { editableFields, trashFile } from '../files/edit.ts'
import { type FileRecord, listTagRids, updateFile } from '../files/queries.ts'
import { Metadata } from '../http/fields.ts'
import { recordPool } from '../pools/edit.ts'
import { insertAt } from '../pools/positions.ts'
import { addTags } from '../tags/apply.ts'
import { tagIds } from '../tags/queries.ts'
import type { User } from '../user.ts'
import { placesWithout } from './queries.ts'
import type { DuplicateResolve } from './schema.ts'

/**
 * Merges `discard` into `keep` inside a write, and trashes `discard` unless the request says
 * otherwise. Throws conflict when either is in the trash, and a validation error when the merged
 * metadata is too large.
 */
export function resolvePair(
  deps: WriteDeps,
  user: User,
  { keep, discard }: { keep: FileRecord; discard: FileRecord },
  request: Pick<DuplicateResolve, 'fields' | 'delete_discarded'>,
): void {
  const { db } = deps
  if (keep.is_deleted || discard.is_deleted) {
    throw new AppError('conflict', 'One of the files is in the trash')
  }
  const { fields } = request
  const merged = mergeFields(keep, discard, fields)
  const changes = changesBetween(editableFields(keep), editableFields(merged))
  if (changes) updateFile(db, keep.rid, merged)
  const added = fields.tags === 'both' ? addTags(db, keep.rid, listTagRids(db, discard.rid)) : []
  const pools = fields.pools === 'both' ? joinPools(deps, user, keep, discard) : 0
  recordAudit(db, {
    user,
    action: 'file_merge',
    object_type: 'file',
    object_id: keep.id,
    details: {
      discard: discard.id,
      delete_discarded: request.delete_discarded,
      changes: changes ?? {},
      tag_ids: tagIds(db, added),
      pools_joined: pools,
    },
    now: deps.clock(),
  })
  if (request.delete_discarded) trashFile(deps, user, discard)
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
    content_datetime: source(fields.content_datetime).content_datetime,
    is_public: source(fields.is_public).is_public,
    metadata:
      fields.metadata === 'merge' ? mergeMetadata(keep, discard) : source(fields.metadata).metadata,
  }
}

/** Merges shallowly: when both files have a key, the survivor's value stays. */
function mergeMetadata(keep: FileRecord, discard: FileRecord): string | null {
  if (keep.metadata === null || discard.metadata === null) return keep.metadata ?? discard.metadata
  const merged = Metadata.safeParse({
    ...JSON.parse(discard.metadata),
    ...JSON.parse(keep.metadata),
  })
  if (!merged.success) throw invalid('fields.metadata', merged.error.issues[0]!.message)
  return JSON.stringify(merged.data)
}

/** Adds the survivor to the pools of the other file, right after it; returns how many it joined. */
function joinPools(deps: WriteDeps, user: User, keep: FileRecord, discard: FileRecord): number {
  const places = placesWithout(deps.db, discard.rid, keep.rid)
  for (const { pool_rid, pool_id, position } of places) {
    insertAt(deps.db, pool_rid, [keep.rid], position + 1)
    const details = { position: position + 1, count: 1, file_ids: [keep.id] }
    recordPool(deps, user, pool_id, 'file_pool_add', details)
  }
  return places.length
}
