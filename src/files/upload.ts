import { requireCreator } from '../acl/access.ts'
import { recordAudit } from '../audit/record.ts'
import { type WriteDeps, write } from '../db/client.ts'
import { newId } from '../db/ids.ts'
import { AppError } from '../errors.ts'
import type { JsonText } from '../http/json.ts'
import type { Upload } from '../http/multipart.ts'
import type { Log } from '../log.ts'
import type { Decoder } from '../media/decoder.ts'
import { requireAccepted } from '../media/sniff.ts'
import type { Storage } from '../media/storage.ts'
import { addTags } from '../tags/apply.ts'
import { loadTagRids, tagIds } from '../tags/queries.ts'
import { metadataText } from '../update.ts'
import type { User } from '../user.ts'
import { presentFile } from './present.ts'
import { type Content, insertFile } from './queries.ts'
import type { File, FileUploadFields } from './schema.ts'

/** What is needed to store and remove contents. */
export interface ContentDeps extends WriteDeps {
  storage: Storage
  decoder: Decoder
  log: Log
}

/**
 * Stores an uploaded file and returns it as the caller sees it. `caller` returns the user who
 * uploads, with the rights of the moment of the call. Throws unsupported_mime for a file that isn't
 * a picture or video, and not_found or forbidden for its tags; then nothing is left behind.
 */
export async function uploadFile(
  deps: ContentDeps,
  request: { upload: Upload; fields: FileUploadFields; caller: () => User },
): Promise<JsonText<File>> {
  const { upload, fields, caller } = request
  // Checked before the slow work and again in the write: tags and rights may change in between.
  loadTagRids(deps.db, caller(), fields.tag_ids ?? [])
  const { temporary, size, sha256, filename } = upload.file
  const content = await keepContent(deps, { path: temporary.path, size, sha256 })
  return commitContent(deps, content, () => {
    const user = caller()
    requireCreator(user)
    const tags = loadTagRids(deps.db, user, fields.tag_ids ?? [])
    const { rid } = createFile(deps, user, content, {
      original_name: filename,
      content_datetime: fields.content_datetime ?? content.derivatives.content_datetime,
      notes: fields.notes ?? null,
      metadata: metadataText(fields.metadata) ?? null,
      is_public: fields.is_public,
      tags,
    })
    return presentFile(deps.db, user, rid)
  })
}

/** Creates a file with a kept content inside a write; without a time it gets the current one. */
export function createFile(
  deps: WriteDeps,
  user: User,
  content: Content,
  fields: {
    original_name: string | null
    content_datetime: number | null
    notes?: string | null
    metadata?: string | null
    is_public?: boolean
    tags?: number[]
  },
): { rid: number; id: string } {
  const { db } = deps
  const { original_name } = fields
  const now = deps.clock()
  const id = newId(db, 'files', now)
  const rid = insertFile(db, {
    id,
    original_name,
    content_datetime: fields.content_datetime ?? now,
    notes: fields.notes ?? null,
    metadata: fields.metadata ?? null,
    is_public: fields.is_public ?? false,
    creator_id: user.id,
    content,
    now,
  })
  const tag_ids = tagIds(db, addTags(db, rid, fields.tags ?? []))
  recordAudit(db, {
    user,
    action: 'file_create',
    object_type: 'file',
    object_id: id,
    details: { ...contentDetails(content), original_name, tag_ids },
    now,
  })
  return { rid, id }
}

/**
 * Moves a finished temporary file to its permanent path, and has its EXIF read and its hash and
 * thumbnail made. Throws unsupported_mime for a file that isn't a picture or video.
 */
export async function keepContent(
  deps: ContentDeps,
  temporary: { path: string; size: number; sha256: Uint8Array },
): Promise<Content> {
  const { path, size, sha256 } = temporary
  const type = await requireAccepted(path)
  const blob = await deps.storage.keep(path)
  try {
    const derivatives = await deps.decoder.derive({
      path: deps.storage.pathForDecoder(blob),
      mime_type: type.mime_type,
      thumbnailPath: deps.storage.thumbnailPath(blob),
    })
    return { blob, size, sha256, ...type, derivatives }
  } catch (error) {
    await deps.storage.removeBlob(blob)
    throw error
  }
}

/**
 * Runs the write that gives a kept content its row; if that throws an AppError, the content is
 * removed.
 */
export async function commitContent<T>(
  deps: ContentDeps,
  content: Content,
  change: () => T extends PromiseLike<unknown> ? never : T,
): Promise<T> {
  try {
    return write(deps.db, change)
  } catch (error) {
    // Any other error may come from the commit itself, which may be on the disk all the same: one
    // content too many is waste, one too few is a loss.
    if (error instanceof AppError) await removeContent(deps, content.blob)
    throw error
  }
}

/**
 * Removes a content that no row names any more; one that can't be removed is waste, not an error.
 */
export async function removeContent(
  deps: Pick<ContentDeps, 'storage' | 'log'>,
  blob: string,
): Promise<void> {
  try {
    await deps.storage.removeBlob(blob)
  } catch (error) {
    deps.log.warn('content not removed', { blob, error: String(error) })
  }
}

/** Returns what the audit log records about a content. */
export function contentDetails(content: Pick<Content, 'mime_type' | 'size' | 'sha256'>) {
  const { mime_type, size, sha256 } = content
  return { mime_type, size, sha256: Buffer.from(sha256).toString('hex') }
}
