import { changesBetween } from '../audit/changes.ts'
import { type AuditAction, recordAudit } from '../audit/record.ts'
import type { Db, WriteDeps } from '../db/client.ts'
import { AppError } from '../errors.ts'
import { isoTime } from '../time.ts'
import { metadataText, withUpdate } from '../update.ts'
import type { User } from '../user.ts'
import { deleteFile, type FileRecord, setTrashed, updateFile } from './queries.ts'
import type { FileUpdate } from './schema.ts'

/** Edits a file's fields inside a write; absent ones stay as they are. */
export function editFile(deps: WriteDeps, user: User, file: FileRecord, update: FileUpdate): void {
  const edited = withUpdate(file, { ...update, metadata: metadataText(update.metadata) })
  const changes = changesBetween(editableFields(file), editableFields(edited))
  if (!changes) return
  updateFile(deps.db, file.rid, edited)
  record(deps, user, file, 'file_edit', { changes })
}

/** Moves a file to the trash inside a write; one that is already there stays there. */
export function trashFile(deps: WriteDeps, user: User, file: FileRecord): void {
  if (file.is_deleted) return
  setTrashed(deps.db, file.rid, true)
  record(deps, user, file, 'file_delete', { original_name: file.original_name })
}

/** Takes a file out of the trash inside a write; one that isn't in it stays as it is. */
export function restoreFile(deps: WriteDeps, user: User, file: FileRecord): void {
  if (!file.is_deleted) return
  setTrashed(deps.db, file.rid, false)
  record(deps, user, file, 'file_restore', { original_name: file.original_name })
}

/** What other rooms have to do before the rows of a file are deleted, inside the same write. */
export type BeforePurge = (db: Db, file_rid: number) => void

/**
 * Deletes the rows of a trashed file inside a write; its content is removed after the commit.
 * Throws conflict when the file is not in the trash.
 */
export function purgeFile(
  deps: WriteDeps & { beforePurge: BeforePurge },
  user: User,
  file: FileRecord,
): void {
  if (!file.is_deleted) throw new AppError('conflict', 'The file is not in the trash')
  deps.beforePurge(deps.db, file.rid)
  deleteFile(deps.db, file.rid)
  record(deps, user, file, 'file_permanent_delete', {
    original_name: file.original_name,
    mime_type: file.mime_type,
    size: file.size,
    sha256: Buffer.from(file.sha256).toString('hex'),
  })
}

function record(
  deps: WriteDeps,
  user: User,
  file: FileRecord,
  action: AuditAction,
  details: Record<string, unknown>,
): void {
  recordAudit(deps.db, {
    user,
    action,
    object_type: 'file',
    object_id: file.id,
    details,
    now: deps.clock(),
  })
}

type Editable = Pick<
  FileRecord,
  'original_name' | 'content_datetime' | 'notes' | 'metadata' | 'is_public'
>

/** Returns the editable fields of a file as the API shows them. */
export function editableFields(file: Editable): Record<string, unknown> {
  return {
    original_name: file.original_name,
    content_datetime: isoTime(file.content_datetime),
    notes: file.notes,
    metadata: file.metadata && JSON.parse(file.metadata),
    is_public: file.is_public,
  }
}
