import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { admitSession, type GuardDeps, unauthorized } from '../auth/guard.ts'
import { findSessionSecret } from '../auth/queries.ts'
import { AppError } from '../base/errors.ts'
import { openDerivative, type SentDerivative } from '../files/content/derivatives.ts'
import { bytesAnswers, contentAnswers } from '../files/content/described.ts'
import { isShownAsItIs, openFull } from '../files/content/full.ts'
import { CHECKED, sendContent, sendCurrent, sendPicture } from '../files/content/send.ts'
import type { FileRecord } from '../files/queries.ts'
import { FilePath, ThumbnailQuery, thumbnailOf } from '../files/schema.ts'
import type { ContentDeps } from '../files/upload.ts'
import { fileVersion } from '../files/version.ts'
import type { AppEnv } from '../http/env.ts'
import { operation, withPart } from '../http/openapi/operation.ts'
import { validPath, validQuery } from '../http/validate.ts'
import { type CookieDeps, readCookie } from './session.ts'

const MediaPath = FilePath.extend({
  media: z.string().meta({ description: 'The `media` that signing in to the page returned' }),
})

const VersionQuery = z.object({
  v: z.string().optional().meta({ description: 'The version of the file' }),
})
const ThumbnailVersionQuery = VersionQuery.extend(ThumbnailQuery.shape)

const VARY = { Vary: 'Says that another session gets another answer' }
const KEPT = 'private, max-age=86400, immutable'
const HOW =
  'For the page, by its cookie. The browser caches it for a day if `v` is the `version` of the ' +
  'file, and otherwise not at all.'

type MediaDeps = ContentDeps & GuardDeps & CookieDeps

/** Returns the routes of the pictures in the page, which accept a cookie and nothing else. */
export function webMediaRoutes(deps: MediaDeps): Hono<AppEnv> {
  const admit = mediaGuard(deps)
  const routes = new Hono<AppEnv>()

  const send = (c: Context<AppEnv>, file: FileRecord, picture: SentDerivative) =>
    sendPicture(c, file, {
      picture,
      cacheControl: picture.isFinal && isCurrent(c, file) ? KEPT : 'no-store',
    })

  routes.get(
    '/web/media/:media/:file_id/thumbnail',
    operation({
      id: 'getWebThumbnail',
      tag: 'Web',
      summary: 'Get the thumbnail of a file for the page',
      description: `${HOW} Otherwise as \`GET /api/v1/files/{file_id}/thumbnail\`.`,
      ...bytesAnswers('The picture', 'image/jpeg', VARY),
    }),
    admit,
    validPath(MediaPath),
    validQuery(ThumbnailVersionQuery),
    (c) =>
      sendCurrent(deps, c, async (file) => {
        const kind = thumbnailOf(c.req.valid('query').size)
        return send(c, file, await openDerivative(deps, file, kind, c.var.user.id))
      }),
  )

  routes.get(
    '/web/media/:media/:file_id/preview',
    operation({
      id: 'getWebPreview',
      tag: 'Web',
      summary: 'Get the preview of a file for the page',
      description: `${HOW} Otherwise as \`GET /api/v1/files/{file_id}/preview\`.`,
      ...bytesAnswers('The picture', 'image/jpeg', VARY),
    }),
    admit,
    validPath(MediaPath),
    validQuery(VersionQuery),
    (c) =>
      sendCurrent(deps, c, async (file) =>
        send(c, file, await openDerivative(deps, file, 'preview', c.var.user.id)),
      ),
  )

  routes.get(
    '/web/media/:media/:file_id/full',
    operation({
      id: 'getWebFull',
      tag: 'Web',
      summary: 'Get all pixels of a picture for the page',
      description:
        `${HOW} If browsers can show the content, it is the content itself. For HEIC, TIFF and RAW ` +
        'of up to 100 megapixels it is a JPEG. For everything else, and while too many are to ' +
        'be made, it is the preview.',
      ...bytesAnswers('The picture', 'image/*', VARY),
    }),
    admit,
    validPath(MediaPath),
    validQuery(VersionQuery),
    (c) =>
      sendCurrent(deps, c, async (file) => {
        if (isShownAsItIs(file)) {
          const cacheControl = isCurrent(c, file) ? KEPT : 'no-store'
          return sendContent(deps, c, file, { isInline: true, cacheControl })
        }
        const client = { user_id: c.var.user.id, signal: c.req.raw.signal }
        return send(c, file, await openFull(deps, file, client))
      }),
  )

  routes.get(
    '/web/media/:media/:file_id/content',
    operation({
      id: 'getWebContent',
      tag: 'Web',
      summary: 'Get the content of a file for the page',
      description:
        'For the page, by its cookie. The content has its own type, to be shown, or saved ' +
        'through the attribute `download` of a link. Ranges and validators are those of `GET ' +
        '/api/v1/files/{file_id}/content`.',
      ...contentAnswers('The whole content', VARY),
    }),
    admit,
    validPath(MediaPath),
    validQuery(VersionQuery),
    (c) =>
      sendCurrent(deps, c, (file) => {
        // Without a version, the answer is revalidated each time anyway, and is never an old one.
        const isOther = c.req.valid('query').v !== undefined && !isCurrent(c, file)
        const cacheControl = isOther ? 'no-store' : CHECKED
        return sendContent(deps, c, file, { isInline: true, cacheControl })
      }),
  )

  return routes
}

function isCurrent(c: Context<AppEnv>, file: FileRecord): boolean {
  return c.req.query('v') === fileVersion(file)
}

/**
 * Returns the guard of the page's pictures: it admits the cookie of a live session whose characters are in the address,
 * and sets `user` and `session_id`. Throws AppError unauthorized for anybody else, and not_found for the characters of
 * another session, because a browser shows its cached pictures to everybody who can name them.
 */
function mediaGuard(
  deps: Pick<GuardDeps, 'db' | 'clock' | 'log'> & CookieDeps,
): MiddlewareHandler<AppEnv> {
  const { db, clock, webTokens } = deps
  return withPart<MiddlewareHandler<AppEnv>>(
    async (c, next) => {
      c.header('Vary', 'Cookie')
      const cookie = readCookie(deps, c, 'm') ?? ''
      const id = webTokens.readMedia(cookie)
      const found = id !== null && findSessionSecret(db, { session_id: id, now: clock() })
      if (!found || !webTokens.isMedia(cookie, { id, nonce: found.nonce })) {
        throw unauthorized('The page is not signed in')
      }
      const { user, last_activity, nonce } = found
      if (!webTokens.isKey(c.req.param('media') ?? '', { id, nonce })) {
        throw new AppError('not_found', 'There is no such picture')
      }
      admitSession(deps, c, { user, last_activity, session_id: id })
      await next()
    },
    { security: 'cookie', errors: ['unauthorized', 'not_found'] },
  )
}
