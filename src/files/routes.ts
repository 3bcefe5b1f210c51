import { Hono } from 'hono'
import { z } from 'zod'
import { creatorsOnly, requireCreator } from '../acl/access.ts'
import { currentUser } from '../auth/guard.ts'
import { requireTaggedFields } from '../auth/keys/scopes.ts'
import { type WriteAs, writeAs } from '../auth/write-as.ts'
import type { AppEnv } from '../http/env.ts'
import { jsonText } from '../http/json.ts'
import type { Upload } from '../http/multipart.ts'
import { operation } from '../http/openapi/operation.ts'
import { type UploadDeps, withUpload } from '../http/upload-turn.ts'
import { validationError, validBody, validPath, validQuery } from '../http/validate.ts'
import { removeContents } from './content/removals.ts'
import { editFile, purgeFile, restoreFile, trashFile } from './edit.ts'
import { listFiles } from './find/list.ts'
import { presentFile } from './present.ts'
import { loadFile } from './queries.ts'
import { replaceFile } from './replace.ts'
import {
  File,
  FileCursorPage,
  FileListQuery,
  FilePath,
  FileUpdate,
  FileUploadFields,
} from './schema.ts'
import { type Also, type ContentDeps, type JoinPool, uploadFile } from './upload.ts'
import { createQuotaShares } from './usage/quota.ts'
import { recordView } from './view-queries.ts'

interface FileDeps extends ContentDeps, UploadDeps {
  config: ContentDeps['config'] & UploadDeps['config']
  /** Puts a new file into the pool of the key that uploads it. */
  joinPool: JoinPool
}

/** Returns the routes of files themselves: lists, uploads, fields, trash and views. */
export function fileRoutes(deps: FileDeps): Hono<AppEnv> {
  const { db, config } = deps
  const quotaShare = createQuotaShares(db, config)
  const routes = new Hono<AppEnv>()

  routes.get(
    '/files',
    operation({
      id: 'listFiles',
      tag: 'Files',
      scope: 'read',
      summary: 'List files',
      description:
        'A page starts at a cursor, at an anchor or at an end of the list. Items are always in ' +
        'the order of the list; a cursor is null if and only if nothing is left in its direction.',
      responses: { 200: { description: 'A page of files', schema: FileCursorPage } },
      errors: ['not_found', 'forbidden'],
    }),
    validQuery(FileListQuery),
    async (c) => {
      return jsonText(c, await listFiles(db, c.var.user, c.req.valid('query')))
    },
  )

  routes.post(
    '/files',
    operation({
      id: 'uploadFile',
      tag: 'Files',
      scope: 'upload',
      summary: 'Upload a file',
      description:
        'For users who may create. The EXIF is read from the content, and the thumbnail and the ' +
        'perceptual hash are made from it. The same content may be uploaded again as another ' +
        'file, unless `on_duplicate` says otherwise: then a 409 names the existing file under ' +
        '`file_id` in `details`. Tags that follow from the given ones by rules are also added. ' +
        'More than 1,000 tags in all get 409. `pair` makes one living picture of a picture and its film.',
      upload: FileUploadFields,
      isAudited: true,
      responses: {
        201: { description: 'The new file', schema: File },
        200: { description: 'The existing file with the same content, unchanged', schema: File },
      },
      errors: ['not_found', 'conflict'],
    }),
    creatorsOnly,
    async (c) => {
      const use = async (upload: Upload) => {
        const fields = parseFields(upload)
        // The user's rights may have changed during the upload.
        const user = currentUser(deps, c)
        requireCreator(user)
        const as: WriteAs = (work) => writeAs(deps, c, work)
        const pool_rid = c.var.key?.pool_rid ?? null
        const also: Also = (tx, user, file) => {
          if (file.isNew) deps.joinPool(tx, user, pool_rid, file)
        }
        const request = { upload, fields, user, writeAs: as, ...(pool_rid !== null && { also }) }
        const { file, isNew } = await uploadFile(deps, request)
        return jsonText(c, file, isNew ? 201 : 200)
      }
      const fields = Object.keys(FileUploadFields.shape)
      return withUpload(deps, c, use, { fields, quota: quotaShare(c.var.user.id) })
    },
  )

  routes.get(
    '/files/:file_id',
    operation({
      id: 'getFile',
      tag: 'Files',
      scope: 'read',
      summary: 'Get a file',
      description:
        'For callers who may view it. A file in the trash is also returned, and `is_deleted` ' +
        'says so.',
      responses: { 200: { description: 'The file', schema: File } },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(FilePath),
    (c) => {
      const file = loadFile(db, c.var.user, c.req.valid('param').file_id, 'view')
      return jsonText(c, presentFile(db, c.var.user, file.rid))
    },
  )

  routes.patch(
    '/files/:file_id',
    operation({
      id: 'updateFile',
      tag: 'Files',
      scope: 'tag',
      summary: 'Change the fields of a file',
      description:
        'Absent fields stay as they are; `null` clears the name, the notes or the metadata.',
      isAudited: true,
      responses: { 200: { description: 'The changed file', schema: File } },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(FilePath),
    validBody(FileUpdate),
    (c) => {
      const update = c.req.valid('json')
      requireTaggedFields(c, update, ['notes'])
      const text = writeAs(deps, c, (tx, user) => {
        const file = loadFile(tx, user, c.req.valid('param').file_id, 'edit')
        editFile(tx, user, file, update)
        return presentFile(tx, user, file.rid)
      })
      return jsonText(c, text)
    },
  )

  routes.delete(
    '/files/:file_id',
    operation({
      id: 'trashFile',
      tag: 'Files',
      scope: 'admin',
      summary: 'Move a file to the trash',
      description:
        'A file in the trash can still be viewed, and it can be restored. A file that is already ' +
        'there stays there.',
      isAudited: true,
      isDeletion: true,
      responses: { 204: null },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(FilePath),
    (c) => {
      writeAs(deps, c, (tx, user) => {
        trashFile(tx, user, loadFile(tx, user, c.req.valid('param').file_id, 'edit'))
      })
      return c.body(null, 204)
    },
  )

  routes.post(
    '/files/:file_id/restore',
    operation({
      id: 'restoreFile',
      tag: 'Files',
      scope: 'admin',
      summary: 'Restore a file from the trash',
      description: 'A file that is not in the trash stays as it is.',
      isAudited: true,
      responses: { 200: { description: 'The file', schema: File } },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(FilePath),
    (c) => {
      const text = writeAs(deps, c, (tx, user) => {
        const file = loadFile(tx, user, c.req.valid('param').file_id, 'edit')
        restoreFile(tx, user, file)
        return presentFile(tx, user, file.rid)
      })
      return jsonText(c, text)
    },
  )

  routes.delete(
    '/files/:file_id/permanent',
    operation({
      id: 'deleteFilePermanently',
      tag: 'Files',
      scope: 'admin',
      summary: 'Delete a trashed file for good',
      description:
        'The content is also deleted, and the file is removed from all pools. If the file is ' +
        'not in the trash, the answer is 409.',
      isAudited: true,
      isDeletion: true,
      responses: { 204: null },
      errors: ['not_found', 'forbidden', 'conflict'],
    }),
    validPath(FilePath),
    async (c) => {
      const { blob } = writeAs(deps, c, (tx, user) => {
        const file = loadFile(tx, user, c.req.valid('param').file_id, 'edit')
        purgeFile(tx, user, file)
        return file
      })
      await removeContents(deps, [blob])
      return c.body(null, 204)
    },
  )

  routes.put(
    '/files/:file_id/content',
    operation({
      id: 'replaceFileContent',
      tag: 'Files',
      scope: 'admin',
      summary: 'Replace the content of a file',
      description:
        'The file keeps its id, fields, tags, pools and rights. Its type, EXIF, perceptual hash, ' +
        'thumbnail and preview become those of the new content, as does its name if one is sent.',
      upload: z.object({}),
      isAudited: true,
      responses: { 200: { description: 'The file with its new content', schema: File } },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(FilePath),
    async (c) => {
      const id = c.req.valid('param').file_id
      // Checked before the body is read, and again in the write.
      const { creator_id, size } = loadFile(db, c.var.user, id, 'edit')
      const use = async (upload: Upload) => {
        const as: WriteAs = (work) => writeAs(deps, c, work)
        const request = { id, upload, user: c.var.user, writeAs: as }
        return jsonText(c, await replaceFile(deps, request))
      }
      return withUpload(deps, c, use, { quota: quotaShare(creator_id, size) })
    },
  )

  routes.post(
    '/files/:file_id/views',
    operation({
      id: 'recordFileView',
      tag: 'Files',
      scope: 'read',
      summary: 'Record that the caller viewed a file',
      description:
        'For callers who may view it. Views of one day count once, with the time of the last.',
      responses: { 204: null },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(FilePath),
    (c) => {
      writeAs(deps, c, (tx, user) => {
        const file = loadFile(tx, user, c.req.valid('param').file_id, 'view')
        recordView(tx, { type: 'file', rid: file.rid }, user.id)
      })
      return c.body(null, 204)
    },
  )

  return routes
}

function parseFields(upload: Upload): FileUploadFields {
  const parsed = FileUploadFields.safeParse(upload.fields)
  if (!parsed.success) throw validationError(parsed.error, upload.fields)
  return parsed.data
}
