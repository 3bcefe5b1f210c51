import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { currentUser } from '../auth/guard.ts'
import { type WriteAs, writeAs } from '../auth/write-as.ts'
import { AppError, busy, invalid } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import { FileUploadFields } from '../files/schema.ts'
import { type ContentDeps, type JoinPool, uploadFile } from '../files/upload.ts'
import type { createQuotaShares } from '../files/usage/quota.ts'
import { bodyChunks, freeMemory } from '../http/body.ts'
import { cleanFilename } from '../http/disposition.ts'
import type { AppEnv } from '../http/env.ts'
import type { Upload } from '../http/multipart.ts'
import { announcedBytes, readRawUpload } from '../http/raw-body.ts'
import { type UploadDeps, withTurn, withUpload } from '../http/upload-turn.ts'
import type { Uploads } from '../uploads/uploads.ts'
import {
  loadEntry,
  type Moved,
  moveEntry,
  plausibleTime,
  requireWritable,
  saveEntry,
} from './entries.ts'
import { type Entry, type Sent, updateEntry } from './entries-queries.ts'
import { type DavPath, foldersOf } from './paths.ts'
import { etagOf } from './propfind.ts'

export type PutDeps = ContentDeps &
  UploadDeps & {
    config: ContentDeps['config'] & UploadDeps['config']
    uploads: Uploads
    /** Puts a new file into the pool of the key that uploads it. */
    joinPool: JoinPool
    quotaShare: ReturnType<typeof createQuotaShares>
  }

// What systems write beside files for themselves. It is noted as sent, so that they go on, and stored nowhere.
const OF_SYSTEMS = /^(\._.*|\.DS_Store|\.metadata_never_index|Thumbs\.db|desktop\.ini)$/i

// Names under which apps send what they rename once it is whole.
const PART = /\.(part|partial|filepart|tacitpart|tmp)$/i

// Seconds, up to the year 9999.
const MTIME = /^\d{1,11}(\.\d+)?$/

/** Returns whether what has this name waits for its own name before it becomes a file. */
export function isPart({ name }: DavPath): boolean {
  return PART.test(name) && !OF_SYSTEMS.test(name)
}

/** Returns whether what has this name is noted as sent, and stored nowhere. */
export function isDropped({ name }: DavPath): boolean {
  return OF_SYSTEMS.test(name)
}

/**
 * Stores what a PUT sends as an upload does, and answers once it is committed: 201 for a new entry, 204 for another
 * content of one. The file of an entry that gets another stays in the library. A content that the user has already gets
 * no other file. What has the name of a part becomes a file when it is moved. Throws what uploads throw, and what
 * `requireWritable` throws.
 */
export async function put(deps: PutDeps, c: Context<AppEnv>, path: DavPath): Promise<Response> {
  if (c.req.header('Content-Range') !== undefined) {
    throw invalid('Content-Range', 'must not be sent: a PUT sends all of a file')
  }
  const conditions = {
    match: c.req.header('If-Match'),
    noneMatch: c.req.header('If-None-Match'),
  }
  const before = requireWritable(deps.db, c.var.user, path, conditions)
  const mtime = c.req.header('X-OC-Mtime') ?? ''
  const said = MTIME.test(mtime) ? plausibleTime(Number(mtime) * 1000, deps.clock()) : null
  // Some give an empty file its time, and send what is in it afterwards.
  const modified_at = said ?? (before?.sha256 === null ? before.modified_at : null)
  const answer = async ({ isNew, parts }: Moved, sent: Pick<Sent, 'sha256'>) => {
    for (const id of parts) await deps.uploads.discard({ id })
    c.header('ETag', etagOf(sent))
    if (said !== null) c.header('X-OC-MTime', 'accepted')
    return c.body(null, isNew ? 201 : 204)
  }
  const save = (tx: Tx, user: User, sent: Sent) => saveEntry(tx, user, { path, sent, conditions })
  if (isPart(path)) {
    return withTurn(deps, c, async () => {
      const sent = { ...(await receivePart(deps, c, path)), file_rid: null, modified_at }
      const saved = await savePart(deps.uploads, sent, () =>
        writeAs(deps, c, (tx, user) => save(tx, user, sent)),
      )
      return answer(saved, sent)
    })
  }
  const use = async ({ file }: Upload) => {
    const sha256 = file.size === 0 ? null : file.sha256
    const sent = { upload_id: null, size: file.size, sha256, modified_at }
    let saved: Moved
    const note = (tx: Tx, user: User, file_rid: number | null) => {
      saved = save(tx, user, { ...sent, file_rid })
    }
    if (sha256 === null || isDropped(path)) {
      writeAs(deps, c, (tx, user) => note(tx, user, null))
    } else await makeFile(deps, c, { file, path, modified: modified_at, note })
    return answer(saved!, sent)
  }
  return withUpload(deps, c, use, { quota: deps.quotaShare(c.var.user.id), read: readRawUpload })
}

/**
 * Makes a file of a part that is moved to a name of its own, with its entry, in one write, and returns whether nothing
 * was there before. Throws what uploads and `moveEntry` throw; then the part stays, unless it is no picture or video.
 */
export async function finishPart(
  deps: PutDeps,
  c: Context<AppEnv>,
  part: Entry & { upload_id: string },
  way: { from: DavPath; to: DavPath; overwrites: boolean },
): Promise<Moved> {
  const upload = { id: part.upload_id }
  const settle = (tx: Tx, user: User, file_rid: number | null): Moved => {
    const entry = loadEntry(tx, user, way.from)
    if (entry.upload_id !== upload.id) {
      throw new AppError('conflict', 'The part was sent again meanwhile')
    }
    updateEntry(tx, entry.rid, { ...entry, file_rid, upload_id: null })
    return moveEntry(tx, user, way)
  }
  if (isDropped(way.to)) {
    const { isNew, parts } = writeAs(deps, c, (tx, user) => settle(tx, user, null))
    return { isNew, parts: [...parts, upload.id] }
  }
  let moved: Moved | undefined
  try {
    await withTurn(deps, c, () =>
      deps.uploads.finish(upload, (file) =>
        makeFile(deps, c, {
          file,
          path: way.to,
          modified: part.modified_at,
          note: (tx, user, file_rid, made) => {
            moved = settle(tx, user, file_rid)
            deps.uploads.finished(tx, upload, made)
          },
        }),
      ),
    )
  } catch (error) {
    // It will never be one, and would hold one of the few places for a day. Its entry goes with it.
    if (error instanceof AppError && error.code === 'unsupported_mime') {
      await deps.uploads.discard(upload)
    }
    throw error
  }
  c.header('Connection', undefined)
  c.header('ETag', etagOf(part))
  return moved!
}

type Note = (tx: Tx, user: User, file_rid: number, made: { id: string; isNew: boolean }) => void

async function makeFile(
  deps: PutDeps,
  c: Context<AppEnv>,
  one: { file: Upload['file']; path: DavPath; modified: number | null; note: Note },
): Promise<void> {
  const { file, path, modified, note } = one
  const { pool_rid = null, folder_tags = false } = c.var.key ?? {}
  const as: WriteAs = (work) => writeAs(deps, c, work)
  await uploadFile(deps, {
    upload: { file: { ...file, filename: cleanFilename(path.name) } },
    fields: {
      ...FileUploadFields.parse({ pair: '1' }),
      on_duplicate: 'own',
      ...(modified !== null && { modified: { time: modified, offset: null } }),
    },
    folders: folder_tags ? foldersOf(path) : [],
    // The user's rights may have changed during the upload.
    user: currentUser(deps, c),
    writeAs: as,
    also: (tx, user, made) => {
      note(tx, user, made.rid, made)
      if (made.isNew) deps.joinPool(tx, user, pool_rid, made)
    },
  })
}

// Keeps the body among the uploads in parts; one without bytes is nowhere.
async function receivePart(
  { uploads, quotaShare, storage }: PutDeps,
  c: Context<AppEnv>,
  { name }: DavPath,
): Promise<Pick<Sent, 'upload_id' | 'size' | 'sha256'>> {
  const { user } = c.var
  const bytes = announcedBytes(c)
  const part = await storage.withRoom(() => openPart(uploads, user, name))
  const hash = createHash('sha256')
  const read = async function* () {
    for await (const chunk of bodyChunks(c)) {
      hash.update(chunk)
      yield chunk
      freeMemory(chunk)
    }
  }
  try {
    const { size } = await uploads.append(part, 0, read, { bytes, quota: quotaShare(user.id) })
    if (size < bytes) throw invalid('body', 'stopped before its end')
    if (size > 0) return { upload_id: part.id, size, sha256: hash.digest() }
    await uploads.discard(part)
    return { upload_id: null, size, sha256: null }
  } catch (error) {
    await uploads.discard(part)
    throw error
  }
}

// A part whose entry is refused after all would be nobody's for a day.
async function savePart(uploads: Uploads, { upload_id }: Sent, save: () => Moved): Promise<Moved> {
  try {
    return save()
  } catch (error) {
    if (upload_id !== null && error instanceof AppError) await uploads.discard({ id: upload_id })
    throw error
  }
}

function openPart(uploads: Uploads, user: User, name: string) {
  try {
    return uploads.open({ user, name, length: null })
  } catch (error) {
    // Of a PUT, a conflict says that there is no such folder.
    const isFull = error instanceof AppError && error.code === 'conflict'
    throw isFull ? busy('Too many files have been sent in part') : error
  }
}
