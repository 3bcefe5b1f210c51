import { changesBetween } from '../audit/changes.ts'
import { audit } from '../audit/record.ts'
import { AppError, invalid } from '../base/errors.ts'
import { isPlausibleTime } from '../base/time.ts'
import { metadataText, withUpdate } from '../base/update.ts'
import type { User } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import { requireLimits } from '../http/text-fields.ts'
import { deleteFiles } from './bulk/bulk-queries.ts'
import { setCompanion } from './companions/companion.ts'
import { picturesOf } from './companions/companion-queries.ts'
import { changedDate, type FileDateColumns, shownDate } from './dates/file-date.ts'
import { turnFile } from './looks/turn-queries.ts'
import { type Content, type Editable, type FileRecord, setTrashed, updateFile } from './queries.ts'
import type { FileUpdate } from './schema.ts'

/**
 * Edits a file's fields; absent ones stay as they are. Throws a validation error for a new text beyond its limit, for a
 * date known in part that is in no year by its clock, and for a picture that the file can't belong to; not_found or
 * forbidden for a picture that the user may not edit.
 */
export function editFile(tx: Tx, user: User, file: FileRecord, update: FileUpdate): void {
  const { content_datetime, date_precision, companion_of, ...fields } = update
  const date = content_datetime && changedDate(file, content_datetime, date_precision)
  if (date && !isPlausibleTime(date.content_datetime)) {
    throw invalid('content_datetime', 'must be in the years 0001 to 9999')
  }
  // Users who can't see the picture may send null back without meaning to take the two apart.
  const isHidden = companion_of === null && !picturesOf(tx, user, [file.rid]).has(file.rid)
  const shown = isHidden ? undefined : companion_of
  changeFile(tx, user, file, { ...fields, ...date, companion_of: shown })
}

/** The fields of a file to change, in stored form except for the metadata. */
export type FileChange = Omit<FileUpdate, keyof FileDateColumns> & Partial<FileDateColumns>

/** Changes the given fields of a file; throws as `editFile` does. */
export function changeFile(tx: Tx, user: User, file: FileRecord, change: FileChange): void {
  requireLimits(change, editableFields(file))
  const edited = withUpdate(file, { ...change, metadata: metadataText(change.metadata) })
  const changes = changesBetween(editableFields(file), editableFields(edited))
  if (!changes) return
  if (changes.companion_of) setCompanion(tx, user, file, edited.companion_of)
  updateFile(tx, file.rid, edited)
  const [from, to] = [file.rotation, edited.rotation]
  if (from !== to) turnFile(tx, file.rid, { from, to })
  audit(tx, user, 'file_edit', { type: 'file', id: file.id }, { changes })
}

/** Moves a file to the trash; one that is already there stays there. */
export function trashFile(tx: Tx, user: User, file: FileRecord): void {
  if (file.is_deleted) return
  setTrashed(tx, file.rid, true)
  const { id, original_name } = file
  audit(tx, user, 'file_delete', { type: 'file', id }, { original_name })
}

/** Takes a file out of the trash; one that isn't in it stays as it is. */
export function restoreFile(tx: Tx, user: User, file: FileRecord): void {
  if (!file.is_deleted) return
  setTrashed(tx, file.rid, false)
  const { id, original_name } = file
  audit(tx, user, 'file_restore', { type: 'file', id }, { original_name })
}

/**
 * Deletes the rows of a trashed file; the caller removes its content after the commit. Throws conflict when the file is
 * not in the trash.
 */
export function purgeFile(tx: Tx, user: User, file: FileRecord): void {
  if (!file.is_deleted) throw new AppError('conflict', 'The file is not in the trash')
  deleteFiles(tx, user, [file.rid])
}

/** Returns what the audit log records about a content. */
export function contentDetails(content: Pick<Content, 'mime_type' | 'size' | 'sha256'>) {
  const { mime_type, size, sha256 } = content
  return { mime_type, size, sha256: Buffer.from(sha256).toString('hex') }
}

/** Returns the editable fields of a file as the API shows them. */
export function editableFields(file: Editable): Record<string, unknown> {
  return {
    original_name: file.original_name,
    ...shownDate(file),
    rotation: file.rotation,
    notes: file.notes,
    metadata: file.metadata && JSON.parse(file.metadata),
    is_public: file.is_public,
    companion_of: file.companion_of,
  }
}
