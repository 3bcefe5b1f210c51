import type { Context } from 'hono'
import { currentUser } from '../auth/guard.ts'
import { type WriteAs, writeAs } from '../auth/write-as.ts'
import { invalid } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import { FileUploadFields } from '../files/schema.ts'
import { type ContentDeps, uploadFile } from '../files/upload.ts'
import type { createQuotaShares } from '../files/usage/quota.ts'
import { cleanFilename } from '../http/disposition.ts'
import type { AppEnv } from '../http/env.ts'
import type { Upload } from '../http/multipart.ts'
import { readRawUpload } from '../http/raw-body.ts'
import { type UploadDeps, withUpload } from '../http/upload-turn.ts'
import { type Conditions, requireWritable, saveEntry } from './entries.ts'
import type { Sent } from './entries-queries.ts'
import type { DavPath } from './paths.ts'
import { etagOf } from './propfind.ts'

export type PutDeps = ContentDeps &
  UploadDeps & {
    config: ContentDeps['config'] & UploadDeps['config']
    /** Puts a new file into the pool of the key that uploads it. */
    joinPool(tx: Tx, user: User, pool_rid: number | null, file: { rid: number; id: string }): void
    quotaShare: ReturnType<typeof createQuotaShares>
  }

// What systems write beside files for themselves. It is noted as sent, so that they go on, and stored nowhere.
const OF_SYSTEMS = /^(\._.*|\.DS_Store|\.metadata_never_index|Thumbs\.db|desktop\.ini)$/i

// Seconds, up to the year 9999.
const MTIME = /^\d{1,11}(\.\d+)?$/

/**
 * Stores what a PUT sends as an upload does, and answers once it is committed: 201 for a new entry, 204 for another
 * content of one. The file of an entry that gets another stays in the library. A content that the user has already gets
 * no other file. Throws what uploads throw, and what `requireWritable` throws.
 */
export async function put(deps: PutDeps, c: Context<AppEnv>, path: DavPath): Promise<Response> {
  if (c.req.header('Content-Range') !== undefined) {
    throw invalid('Content-Range', 'must not be sent: a PUT sends all of a file')
  }
  const conditions = {
    match: c.req.header('If-Match'),
    noneMatch: c.req.header('If-None-Match'),
  }
  requireWritable(deps.db, c.var.user, path, conditions)
  const mtime = c.req.header('X-OC-Mtime') ?? ''
  const modified = MTIME.test(mtime) ? Number(mtime) * 1000 : null
  const use = async (upload: Upload) => {
    const { isNew, sent } = await store(deps, c, { upload, path, modified, conditions })
    c.header('ETag', etagOf(sent))
    if (modified !== null) c.header('X-OC-MTime', 'accepted')
    return c.body(null, isNew ? 201 : 204)
  }
  const quota = deps.quotaShare(c.var.user.id)
  return withUpload(deps, c, use, { quota, read: readRawUpload })
}

/**
 * Makes a file of an upload, unless it is empty or what a system has written for itself, and the entry at a path. Both
 * are one write. Returns whether the entry is new.
 */
export async function store(
  deps: PutDeps,
  c: Context<AppEnv>,
  one: { upload: Upload; path: DavPath; modified: number | null; conditions: Conditions },
): Promise<{ isNew: boolean; sent: Omit<Sent, 'file_rid'> }> {
  const { upload, path, modified, conditions } = one
  const { size, sha256 } = upload.file
  const sent = {
    upload_id: null,
    size,
    sha256: size === 0 ? null : sha256,
    modified_at: Math.floor(modified ?? deps.clock()),
  }
  let isNew = true
  const save = (tx: Tx, user: User, file_rid: number | null) => {
    isNew = saveEntry(tx, user, { path, sent: { ...sent, file_rid }, conditions })
  }
  const as: WriteAs = (work) => writeAs(deps, c, work)
  if (size === 0 || OF_SYSTEMS.test(path.name)) as((tx, user) => save(tx, user, null))
  else {
    const fields = {
      ...FileUploadFields.parse({ pair: '1' }),
      on_duplicate: 'own' as const,
      ...(modified !== null && { modified: { time: modified, offset: null } }),
    }
    const pool_rid = c.var.key?.pool_rid ?? null
    const named = { ...upload, file: { ...upload.file, filename: cleanFilename(path.name) } }
    await uploadFile(deps, {
      upload: named,
      fields,
      // The user's rights may have changed during the upload.
      user: currentUser(deps, c),
      writeAs: as,
      also: (tx, user, file) => deps.joinPool(tx, user, pool_rid, file),
      note: (tx, file, user) => save(tx, user, file.rid),
    })
  }
  return { isNew, sent }
}
