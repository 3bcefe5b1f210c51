import { Hono } from 'hono'
import { contentGuard, type GuardDeps } from '../../auth/guard.ts'
import type { Tokens } from '../../auth/tokens.ts'
import type { Config } from '../../base/config.ts'
import type { AppEnv } from '../../http/env.ts'
import { operation } from '../../http/openapi/operation.ts'
import { validPath, validQuery } from '../../http/validate.ts'
import { loadFile } from '../queries.ts'
import { ContentQuery, ContentToken, FilePath, ThumbnailQuery, thumbnailOf } from '../schema.ts'
import type { ContentDeps } from '../upload.ts'
import { openDerivative } from './derivatives.ts'
import { bytesAnswers, contentAnswers } from './described.ts'
import { isShownByPreview } from './full.ts'
import { CHECKED, sendContent, sendCurrent, sendPicture } from './send.ts'

/** Returns the route of a file's content, which also accepts content tokens. */
export function contentRoutes(deps: ContentDeps & GuardDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  routes.get(
    '/files/:file_id/content',
    operation({
      id: 'getFileContent',
      tag: 'Files',
      scope: 'read',
      summary: 'Download the content of a file',
      description:
        'The content is sent as an attachment of type application/octet-stream, or, with ' +
        '`inline=1`, with its own type for display; of RAW and JPEG XL, which browsers don’t show, ' +
        '`inline=1` sends the preview. A single byte range (Range, If-Range) and ' +
        'the validators of an earlier answer (If-None-Match, If-Modified-Since) are respected.',
      ...contentAnswers('The whole content, with its own type if it is to be shown'),
    }),
    contentGuard(deps),
    validPath(FilePath),
    validQuery(ContentQuery),
    (c) => {
      const isInline = c.req.valid('query').inline === '1'
      return sendCurrent(deps, c, async (file) => {
        if (!isInline || !isShownByPreview(file)) {
          return sendContent(deps, c, file, { isInline, cacheControl: CHECKED })
        }
        const picture = await openDerivative(deps, file, 'preview', c.var.user.id)
        const name = file.original_name ?? file.id
        return sendPicture(c, file, { picture, cacheControl: CHECKED, name })
      })
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
      scope: 'read',
      summary: 'Make a token for the content of one file',
      description:
        'For callers who may view the file. Until the token expires, anybody who has it can ' +
        'read the content of this file, with the rights that the user who made it has at that ' +
        'moment. Send it as `access_token` in the query.',
      responses: {
        200: { description: 'The token and its lifetime in seconds', schema: ContentToken },
      },
      errors: ['not_found', 'forbidden'],
    }),
    validPath(FilePath),
    async (c) => {
      const { user, key } = c.var
      const file = loadFile(deps.db, user, c.req.valid('param').file_id, 'view')
      const claims = { user_id: user.id, key_id: key?.id, file_id: file.id }
      const token = await deps.tokens.signContent(claims)
      return c.json({ token, expires_in: Math.floor(deps.config.contentTokenTtl / 1000) })
    },
  )

  routes.get(
    '/files/:file_id/thumbnail',
    operation({
      id: 'getFileThumbnail',
      tag: 'Files',
      scope: 'read',
      summary: 'Get the thumbnail of a file',
      description:
        'A JPEG of at most 320 x 320 pixels, or 640 x 640 with `size=640`. Of a file that is turned, its EXIF ' +
        "orientation says how to show it. It is a placeholder if the file can't be decoded. While the server has " +
        'many to make, it sends the smaller one instead of the larger, as `no-store`.',
      ...bytesAnswers('The picture', 'image/jpeg'),
    }),
    validPath(FilePath),
    validQuery(ThumbnailQuery),
    (c) =>
      sendCurrent(deps, c, async (file) => {
        const kind = thumbnailOf(c.req.valid('query').size)
        const picture = await openDerivative(deps, file, kind, c.var.user.id)
        const isStandIn = kind === 'thumbnail640' && !picture.isFinal
        return sendPicture(c, file, { picture, cacheControl: isStandIn ? 'no-store' : CHECKED })
      }),
  )

  routes.get(
    '/files/:file_id/preview',
    operation({
      id: 'getFilePreview',
      tag: 'Files',
      scope: 'read',
      summary: 'Get the preview of a file',
      description:
        'A JPEG of at most 1920 x 1920 pixels, turned as the thumbnail is; a placeholder if the ' +
        "file can't be decoded.",
      ...bytesAnswers('The picture', 'image/jpeg'),
    }),
    validPath(FilePath),
    (c) =>
      sendCurrent(deps, c, async (file) => {
        const picture = await openDerivative(deps, file, 'preview', c.var.user.id)
        return sendPicture(c, file, { picture, cacheControl: CHECKED })
      }),
  )

  return routes
}
