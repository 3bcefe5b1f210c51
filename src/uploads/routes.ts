import { type Context, Hono } from 'hono'
import { creatorsOnly, requireCreator } from '../acl/access.ts'
import { currentUser } from '../auth/guard.ts'
import { writeAs } from '../auth/write-as.ts'
import { AppError, type ErrorCode, invalid } from '../base/errors.ts'
import { isoTime } from '../base/time.ts'
import { FileUploadFields } from '../files/schema.ts'
import { type ContentDeps, type JoinPool, uploadFile } from '../files/upload.ts'
import { createQuotaShares } from '../files/usage/quota.ts'
import { bodyChunks, freeMemory } from '../http/body.ts'
import { cleanFilename } from '../http/disposition.ts'
import type { AppEnv } from '../http/env.ts'
import { operation } from '../http/openapi/operation.ts'
import { type UploadDeps, withTurn } from '../http/upload-turn.ts'
import { validationError, validHeaders, validPath } from '../http/validate.ts'
import { loadTagRids } from '../tags/queries.ts'
import { parseMetadata } from './metadata.ts'
import { NewUploadHeaders, PartHeaders, UploadInParts, UploadPath } from './schema.ts'
import type { Part, Uploads } from './uploads.ts'

interface UploadRoutesDeps extends ContentDeps, UploadDeps {
  config: ContentDeps['config'] & UploadDeps['config']
  uploads: Uploads
  joinPool: JoinPool
}

const VERSION = '1.0.0'
const BYTES = 'application/offset+octet-stream'
// Errors after which sending the same again brings nothing.
const FINAL: ErrorCode[] = [
  'validation_error',
  'forbidden',
  'not_found',
  'conflict',
  'unsupported_mime',
]
const OF_TUS = { 'Tus-Resumable': 'The version of tus' }
const PROGRESS = {
  ...OF_TUS,
  'Upload-Offset': 'How many bytes have come',
  'Upload-Expires': 'When it is removed unless more bytes come',
}

/** Returns the routes of uploads that come in parts, by tus 1.0.0. */
export function uploadRoutes(deps: UploadRoutesDeps): Hono<AppEnv> {
  const { db, config, uploads } = deps
  const quotaShare = createQuotaShares(db, config)
  const routes = new Hono<AppEnv>()

  routes.use('/uploads/*', async (c, next) => {
    c.header('Tus-Resumable', VERSION)
    const version = c.req.header('Tus-Resumable') ?? VERSION
    if (version !== VERSION) {
      throw new AppError('precondition_failed', `The version of tus here is ${VERSION}`, {
        headers: { 'Tus-Version': VERSION },
      })
    }
    await next()
  })

  routes.on('OPTIONS', '/uploads', (c) => {
    c.header('Tus-Version', VERSION)
    c.header('Tus-Extension', 'creation,expiration,termination')
    c.header('Tus-Max-Size', String(config.maxUploadSize))
    return c.body(null, 204)
  })

  routes.post(
    '/uploads',
    operation({
      id: 'createUpload',
      tag: 'Files',
      scope: 'upload',
      summary: 'Begin an upload in parts',
      description:
        'For users who may create, by [tus](https://tus.io) 1.0.0. `Location` is where the parts go. The bytes that ' +
        'have come count for the quota; a user may have 20 such uploads, others get 409. One is removed 24 hours ' +
        'after its last byte.',
      responses: {
        201: { description: 'It has begun', headers: { ...PROGRESS, Location: 'Its address' } },
      },
      errors: ['not_found', 'conflict', 'precondition_failed', 'payload_too_large'],
    }),
    creatorsOnly,
    validHeaders(NewUploadHeaders),
    async (c) => {
      const headers = c.req.valid('header')
      const metadata = parseMetadata(headers['Upload-Metadata'] ?? '')
      const known = Object.keys(FileUploadFields.shape).filter((name) => metadata.has(name))
      const fields = Object.fromEntries(known.map((name) => [name, metadata.get(name)!]))
      loadTagRids(db, c.var.user, parseFields(fields).tag_ids ?? [])
      const name = cleanFilename(metadata.get('filename') ?? '')
      const length = headers['Upload-Length']
      const begin = () => uploads.open({ user: c.var.user, name, length, fields })
      const part = await deps.storage.withRoom(begin)
      // A body may follow, which nobody reads.
      if (c.req.raw.body) c.header('Connection', 'close')
      c.header('Location', `${c.req.path}/${part.id}`)
      return tell(c, part).body(null, 201)
    },
  )

  routes.get(
    '/uploads/:upload_id',
    operation({
      id: 'getUpload',
      tag: 'Files',
      scope: 'upload',
      summary: 'Get an upload in parts',
      description:
        'HEAD answers with the headers alone, as tus asks. An answer ends a request that is just sending bytes, so ' +
        'ask only when that connection is lost. What has become a file is told for an hour, with ' +
        '`Upload-File-Id` and `Upload-File-Is-New` in the headers.',
      responses: {
        200: { description: 'The upload', schema: UploadInParts, headers: PROGRESS },
      },
      errors: ['not_found', 'precondition_failed'],
    }),
    validPath(UploadPath),
    async (c) => {
      const part = await uploads.find(c.var.user, c.req.valid('param').upload_id)
      return tell(c, part).json(present(part))
    },
  )

  routes.patch(
    '/uploads/:upload_id',
    operation({
      id: 'appendToUpload',
      tag: 'Files',
      scope: 'upload',
      summary: 'Send a part of an upload',
      description:
        'With the last byte, the upload becomes a file as by `POST /files`, and the answer comes once that is done, ' +
        'with `Upload-File-Id` and, `true` or `false`, `Upload-File-Is-New`. The errors are those of `POST /files`, ' +
        'and 409 for another offset than the server has, or while another request sends. What has come before ' +
        'a connection breaks stays.',
      bytes: BYTES,
      isAudited: true,
      responses: { 204: { description: 'The bytes are safe', headers: PROGRESS } },
      errors: ['not_found', 'conflict', 'precondition_failed'],
    }),
    creatorsOnly,
    validPath(UploadPath),
    validHeaders(PartHeaders),
    (c) =>
      withTurn(deps, c, async () => {
        if (c.req.header('Content-Type') !== BYTES)
          throw invalid('body', `must be sent as ${BYTES}`)
        const part = uploads.get(c.var.user, c.req.valid('param').upload_id)
        const offset = c.req.valid('header')['Upload-Offset']
        // The answer to the last part may have been lost.
        const isAgain = part.file_id !== null && offset === part.length
        const sent = isAgain ? part : await receive(c, part, offset)
        const isWhole = sent.file_id === null && sent.size === sent.length
        return tell(c, isWhole ? await finish(c, sent) : sent).body(null, 204)
      }),
  )

  routes.delete(
    '/uploads/:upload_id',
    operation({
      id: 'discardUpload',
      tag: 'Files',
      scope: 'upload',
      summary: 'Give up an upload in parts',
      description: 'Its bytes are removed. What has become a file stays.',
      isDeletion: true,
      responses: { 204: { description: 'It is gone', headers: OF_TUS } },
      errors: ['not_found', 'precondition_failed'],
    }),
    validPath(UploadPath),
    async (c) => {
      await uploads.discard(uploads.get(c.var.user, c.req.valid('param').upload_id))
      return c.body(null, 204)
    },
  )

  function receive(c: Context<AppEnv>, part: Part, offset: number): Promise<Part> {
    const read = async function* () {
      for await (const chunk of bodyChunks(c)) {
        yield chunk
        freeMemory(chunk)
      }
    }
    const bytes = Number(c.req.header('Content-Length')) || 0
    return uploads.append(part, offset, read, { bytes, quota: quotaShare(part.user_id) })
  }

  async function finish(c: Context<AppEnv>, part: Part): Promise<Part> {
    try {
      await uploads.finish(part, async (file) => {
        const fields = parseFields(JSON.parse(part.fields))
        const user = currentUser(deps, c)
        requireCreator(user)
        await uploadFile(deps, {
          upload: { file },
          fields,
          user,
          writeAs: (work) => writeAs(deps, c, work),
          also: (tx, caller, made) => {
            uploads.finished(tx, part, made)
            if (made.isNew) deps.joinPool(tx, caller, c.var.key?.pool_rid ?? null, made)
          },
        })
      })
    } catch (error) {
      if (error instanceof AppError && FINAL.includes(error.code)) await uploads.discard(part)
      throw error
    }
    return uploads.get(c.var.user, part.id)
  }

  return routes
}

function parseFields(fields: Record<string, string>): FileUploadFields {
  const parsed = FileUploadFields.safeParse(fields)
  if (!parsed.success) throw validationError(parsed.error, fields)
  return parsed.data
}

// Puts what tus tells of an upload into the headers of the answer.
function tell(c: Context<AppEnv>, part: Part): Context<AppEnv> {
  c.header('Upload-Offset', String(part.size))
  c.header('Upload-Expires', new Date(part.until).toUTCString())
  if (part.length !== null) c.header('Upload-Length', String(part.length))
  if (part.file_id !== null) {
    c.header('Upload-File-Id', part.file_id)
    c.header('Upload-File-Is-New', String(part.is_new))
  }
  return c
}

function present({ id, name, length, size, until, file_id, is_new }: Part): UploadInParts {
  const expires_at = isoTime(until)
  return { id, filename: name, length, offset: size, expires_at, file_id, is_new }
}
