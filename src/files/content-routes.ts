import { type Context, Hono } from 'hono'
import { contentGuard, type GuardDeps } from '../auth/guard.ts'
import type { Tokens } from '../auth/tokens.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/client.ts'
import { idTime } from '../db/ids.ts'
import { contentDisposition } from '../http/disposition.ts'
import type { AppEnv } from '../http/env.ts'
import { operation } from '../http/openapi/operation.ts'
import { sendFile } from '../http/ranges.ts'
import { validPath, validQuery } from '../http/validate.ts'
import { DERIVATIVES } from '../media/data-folder.ts'
import { openDerivative } from './derivatives.ts'
import { type FileRecord, loadFile } from './queries.ts'
import { ContentQuery, ContentToken, FilePath } from './schema.ts'
import type { ContentDeps } from './upload.ts'

// A stored file holds somebody's bytes: shown in a tab, they may neither run nor load anything.
const ONLY_SHOWN = "default-src 'none'; style-src 'unsafe-inline'; media-src 'self'"
const SANDBOX = `sandbox; ${ONLY_SHOWN}`

const VALIDATORS = {
  ETag: 'Identifies this version of the content',
  'Last-Modified': 'When this version was stored',
}
const BYTES_HEADERS = {
  ...VALIDATORS,
  'Accept-Ranges': 'Ranges are requested in bytes',
  'Content-Length': 'The number of bytes in the body',
}
const CONTENT_RANGE = { 'Content-Range': 'Which bytes these are, and of how many' }
const CONTENT_TYPES = ['application/octet-stream', 'image/*', 'video/*']
const INSIDE = { thumbnail: '320 x 320 pixels', preview: '1920 x 1920 pixels' }
const CONTENT_HEADERS = {
  ...BYTES_HEADERS,
  'Content-Disposition': 'Whether to show or save the file, and its name (RFC 6266)',
}

/** Returns the route of a file's content, which accepts content tokens, too. */
export function contentRoutes(deps: ContentDeps & GuardDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.get(
    '/files/:file_id/content',
    operation({
      id: 'getFileContent',
      tag: 'Files',
      summary: 'Download the content of a file',
      description:
        'The content is sent as an attachment of type application/octet-stream, or, with ' +
        '`inline=1`, with its own type, to be shown. A single byte range (Range, If-Range) and ' +
        'the validators of an earlier answer (If-None-Match, If-Modified-Since) are taken into ' +
        'account.',
      responses: {
        200: {
          description: 'The whole content, with its own type if it is to be shown',
          contentType: CONTENT_TYPES,
          headers: CONTENT_HEADERS,
        },
        206: {
          description: 'The range that was asked for',
          contentType: CONTENT_TYPES,
          headers: { ...CONTENT_HEADERS, ...CONTENT_RANGE },
        },
        304: { description: 'The client already has this version', headers: VALIDATORS },
      },
      errors: ['not_found', 'forbidden', 'range_not_satisfiable'],
    }),
    contentGuard(deps),
    validPath(FilePath),
    validQuery(ContentQuery),
    (c) => {
      const inline = c.req.valid('query').inline === '1'
      return sendCurrent(deps, c, (file) =>
        sendFile(c, {
          open: () => deps.storage.open(file.blob),
          size: file.size,
          etag: `"${Buffer.from(file.sha256).toString('hex')}"`,
          modified: file.stored_at,
          // Only the first content is known to have had no other before it in the same second.
          isDateStrong: file.stored_at === idTime(file.id),
          headers: {
            'Content-Type': inline ? file.mime_type : 'application/octet-stream',
            'Content-Disposition': contentDisposition(
              inline ? 'inline' : 'attachment',
              file.original_name ?? `${file.id}.${file.mime_extension}`,
            ),
            // In a sandbox, the browser's player is of another origin than its video, and dead.
            'Content-Security-Policy':
              inline && file.mime_type.startsWith('video/') ? ONLY_SHOWN : SANDBOX,
            'Cache-Control': 'private, no-cache',
          },
        }),
      )
    },
  )
  return routes
}

interface DerivativeDeps extends ContentDeps {
  tokens: Tokens
  config: ContentDeps['config'] & Pick<Config, 'contentTokenTtl'>
}

/** Returns the routes of what is made for a file's content: token, thumbnail and preview. */
export function derivativeRoutes(deps: DerivativeDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()

  routes.post(
    '/files/:file_id/content-token',
    operation({
      id: 'createContentToken',
      tag: 'Files',
      summary: 'Make a token for the content of one file',
      description:
        'For callers who may view the file. Until the token expires, whoever has it can read the ' +
        'content of this file with the rights that the user who made it has at that moment. It ' +
        'is sent as `access_token` in the query.',
      responses: {
        200: { description: 'The token and its lifetime in seconds', schema: ContentToken },
      },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(FilePath),
    async (c) => {
      const file = loadFile(deps.db, c.var.user, c.req.valid('param').file_id, 'view')
      const token = await deps.tokens.signContent(c.var.user.id, file.id)
      return c.json({ token, expires_in: Math.floor(deps.config.contentTokenTtl / 1000) })
    },
  )

  for (const kind of DERIVATIVES) {
    const describe = operation({
      id: kind === 'thumbnail' ? 'getFileThumbnail' : 'getFilePreview',
      tag: 'Files',
      summary: `Get the ${kind} of a file`,
      description: `A JPEG of at most ${INSIDE[kind]}; a placeholder if the file can't be decoded.`,
      responses: {
        200: { description: 'The picture', contentType: 'image/jpeg', headers: BYTES_HEADERS },
        206: {
          description: 'The range that was asked for',
          contentType: 'image/jpeg',
          headers: { ...BYTES_HEADERS, ...CONTENT_RANGE },
        },
        304: { description: 'The client already has this version', headers: VALIDATORS },
      },
      errors: ['not_found', 'forbidden', 'range_not_satisfiable'],
    })
    routes.get(`/files/:file_id/${kind}`, describe, validPath(FilePath), (c) =>
      sendCurrent(deps, c, async (file) => {
        const derivative = await openDerivative(deps, file, kind)
        return sendFile(c, {
          ...derivative,
          modified: file.stored_at,
          // The picture may be made again from the same content.
          isDateStrong: false,
          headers: { 'Content-Type': 'image/jpeg', 'Cache-Control': 'private, no-cache' },
        })
      }),
    )
  }

  return routes
}

/** Calls `send` for the file in the path; once more if its content was replaced in between. */
async function sendCurrent(
  { db }: { db: Db },
  c: Context<AppEnv, '/files/:file_id/content', { out: { param: { file_id: string } } }>,
  send: (file: FileRecord) => Promise<Response>,
): Promise<Response> {
  const load = () => loadFile(db, c.var.user, c.req.valid('param').file_id, 'view')
  const file = load()
  try {
    return await send(file)
  } catch (error) {
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const current = isGone ? load() : file
    if (current.blob === file.blob) throw error
    return send(current)
  }
}
