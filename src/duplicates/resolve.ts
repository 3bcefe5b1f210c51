import { changesBetween } from '../audit/changes.ts'
import { audit } from '../audit/record.ts'
import { AppError, invalid } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import { carryPair } from '../files/companions/companion.ts'
import { dateOf } from '../files/dates/file-date.ts'
import { editableFields, trashFile } from '../files/edit.ts'
import { carryFavourites } from '../files/favourites/favourite-queries.ts'
import { type FileRecord, updateFile } from '../files/queries.ts'
import { FILE_TEXT, metadataObject } from '../http/text-fields.ts'
import { createPoolJoin, joinedMetadata, joinTags, tagsOf } from './merge-relations.ts'
import type { DuplicateResolve } from './schema.ts'

/**
 * Merges `discard` into `keep`, and trashes `discard` unless the request says otherwise. Throws conflict when either is
 * in the trash or `keep` would have more tags than it may, and a validation error when the merged metadata is too
 * large.
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
  const joining = createPoolJoin(tx, user)
  const pool_ids = fields.pools === 'both' ? joining.add(keep, discard) : []
  joining.join()
  carryFavourites(tx, keep.rid, discard.rid)
  const tags = fields.tags === 'both' ? tagsOf(tx, discard) : { all: [], named: [] }
  const details = {
    discard: discard.id,
    delete_discarded: request.delete_discarded,
    changes: changes ?? {},
    ...joinTags(tx, keep.rid, tags),
    pools_joined: pool_ids.length,
    pool_ids,
  }
  audit(tx, user, 'file_merge', { type: 'file', id: keep.id }, details)
  if (!request.delete_discarded) return
  carryPair(tx, user, keep, discard)
  trashFile(tx, user, discard)
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

function mergeMetadata(keep: FileRecord, discard: FileRecord): string | null {
  const merged = joinedMetadata(keep.metadata, discard)
  if (merged === null || keep.metadata === null || discard.metadata === null) return merged
  const { error } = metadataObject(FILE_TEXT).safeParse(JSON.parse(merged))
  if (error) throw invalid('fields.metadata', error.issues[0]!.message)
  return merged
}
