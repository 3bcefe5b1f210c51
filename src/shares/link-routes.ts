import { type Context, Hono } from 'hono'
import { requireCreator } from '../acl/access.ts'
import { requireRoomForChange } from '../audit/limits.ts'
import { changesOf } from '../audit/text-queries.ts'
import { unauthorized } from '../auth/guard.ts'
import type { Passwords } from '../auth/password.ts'
import { createAttemptLimit, isFailedAttempt } from '../auth/rate-limit.ts'
import { CREDENTIALS_LIMIT } from '../auth/schema.ts'
import type { WriteAs } from '../auth/write-as.ts'
import { AppError, type ErrorCode } from '../base/errors.ts'
import { write } from '../db/write.ts'
import { createArchives } from '../files/archive/archives.ts'
import { bytesAnswers } from '../files/content/described.ts'
import { sendLoaded } from '../files/content/send.ts'
import type { FileRecord } from '../files/queries.ts'
import { FileUploadFields, ThumbnailQuery, thumbnailOf } from '../files/schema.ts'
import { uploadFile } from '../files/upload.ts'
import { createQuotaShares } from '../files/usage/quota.ts'
import { requireOwnPage } from '../http/browser-safety.ts'
import { createTurns } from '../http/clients/turns.ts'
import type { AppEnv } from '../http/env.ts'
import type { Upload } from '../http/multipart.ts'
import { type Operation, operation } from '../http/openapi/operation.ts'
import { type UploadDeps, withUpload } from '../http/upload-turn.ts'
import { validationError, validBody, validPath, validQuery } from '../http/validate.ts'
import { openBlanked } from '../media/blanked-contents.ts'
import { sendSharedArchive } from './archive.ts'
import { loadShown, type SharedDeps, sendShownPicture, sendToPlay, sendToSave } from './content.ts'
import { findLink, type Link, openLink, setLinkCookie } from './link.ts'
import {
  LinkFilePath,
  LinkPath,
  SharedPage,
  SharedPassword,
  SharedQuery,
  SharedUpload,
} from './schema.ts'
import { readShared } from './shown.ts'

interface LinkRouteDeps extends Omit<SharedDeps, 'blanked'>, Omit<UploadDeps, 'config'> {
  linkPasswords: Passwords
  /** Sends the page of a link; with 404 it says that nothing is there. */
  sendPage(c: Context<AppEnv>, status: 200 | 404): Promise<Response>
  config: SharedDeps['config'] & UploadDeps['config']
}

/** Tries of the password of one link in a minute. */
const TRIES = 10
/** Uploads through one link: how many are read at once, how many wait, and for how many milliseconds. */
const UPLOADS = { atOnce: 2, waiting: 20, longest: 60_000 }

const UNSHOWN: ErrorCode[] = ['unauthorized', 'not_found']
const ENDED =
  'A link that has ended, that never was, or whose maker is blocked or may no longer view the pool gets 404; one ' +
  'with a password 401 until that was sent.'

/** Returns the routes of what links show, which need no account and heed none. */
export function linkRoutes(library: LinkRouteDeps): Hono<AppEnv> {
  const deps = { ...library, blanked: openBlanked(library.storage, library.decoder) }
  const { db, clock, config, linkPasswords } = deps
  const archives = createArchives(clock)
  const tries = createAttemptLimit(TRIES, clock)
  const quotaShare = createQuotaShares(db, config)
  const uploadTurns = createTurns(UPLOADS)
  const routes = new Hono<AppEnv>()

  routes.use('/s/*', (c, next) => {
    c.header('X-Robots-Tag', 'noindex')
    return next()
  })

  routes.get('/s/:token', (c) => {
    // The page asks for the rest by itself, and says when there is nothing.
    let status: 200 | 404 = 200
    try {
      findLink(db, c.req.param('token'), clock())
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      status = 404
    }
    return deps.sendPage(c, status)
  })

  routes.get(
    '/s/:token/list',
    operation({
      id: 'listShared',
      tag: 'Links',
      summary: 'List what a link shows',
      description: `Films of living pictures are named beside their pictures. ${ENDED}`,
      responses: { 200: { description: 'A page of files', schema: SharedPage } },
      errors: UNSHOWN,
    }),
    validPath(LinkPath),
    validQuery(SharedQuery),
    async (c) => c.json(await readShared(deps, openLink(deps, c), c.req.valid('query'))),
  )

  routes.post(
    '/s/:token/password',
    operation({
      id: 'openShared',
      tag: 'Links',
      summary: 'Send the password of a link',
      description:
        'With `Content-Type: application/json` and `X-Tagstead: 1`, and from no other site. After 10 ' +
        'wrong passwords of a link in a minute, every one gets 429 for a while.',
      responses: { 204: null },
      errors: ['unauthorized', 'forbidden', 'not_found', 'rate_limited'],
    }),
    validPath(LinkPath),
    (c, next) => {
      requireOwnPage(c)
      return next()
    },
    validBody(SharedPassword, { limit: CREDENTIALS_LIMIT }),
    async (c) => {
      const link = findLink(db, c.req.valid('param').token, clock())
      const { id, password_hash } = link.share
      if (password_hash === null) return c.body(null, 204)
      const attempt = tries.start(id)
      try {
        const { password } = c.req.valid('json')
        if (!(await linkPasswords.verify(password_hash, password))) {
          throw unauthorized('The password of the link is wrong')
        }
        attempt.giveBack()
      } catch (error) {
        if (!isFailedAttempt(error)) attempt.giveBack()
        throw error
      }
      setLinkCookie(deps, c, link)
      return c.body(null, 204)
    },
  )

  routes.get(
    '/s/:token/f/:file/thumbnail',
    operation({
      id: 'getSharedThumbnail',
      tag: 'Links',
      summary: 'Get the thumbnail of a file that a link shows',
      description: `As \`GET /api/v1/files/{file_id}/thumbnail\`. ${ENDED}`,
      ...sharedBytes('The picture', 'image/jpeg'),
    }),
    validPath(LinkFilePath),
    validQuery(ThumbnailQuery),
    (c) =>
      sendShown(c, (link, file) => {
        const kind = thumbnailOf(c.req.valid('query').size)
        return sendShownPicture(deps, c, link, { file, kind })
      }),
  )

  routes.get(
    '/s/:token/f/:file/preview',
    operation({
      id: 'getSharedPreview',
      tag: 'Links',
      summary: 'Get the preview of a file that a link shows',
      description: `As \`GET /api/v1/files/{file_id}/preview\`. ${ENDED}`,
      ...sharedBytes('The picture', 'image/jpeg'),
    }),
    validPath(LinkFilePath),
    (c) => sendShown(c, (link, file) => sendShownPicture(deps, c, link, { file, kind: 'preview' })),
  )

  routes.get(
    '/s/:token/f/:file/film',
    operation({
      id: 'getSharedFilm',
      tag: 'Links',
      summary: 'Play a film that a link shows',
      description: `A film that can only be shown as a picture gets 404, and so does a picture. ${ENDED}`,
      ...sharedBytes('The film, with its own type', 'video/*'),
    }),
    validPath(LinkFilePath),
    (c) => sendShown(c, (link, file) => sendToPlay(deps, c, link, file)),
  )

  routes.get(
    '/s/:token/f/:file/content',
    operation({
      id: 'getSharedContent',
      tag: 'Links',
      summary: 'Save a file that a link shows',
      description:
        'What the link lets be saved of it: its content or its preview; 403 where that is nothing. ' +
        'A content is without a name, which the page of the link gives. ' +
        ENDED,
      ...sharedBytes('The content', ['application/octet-stream', 'image/jpeg'], ['forbidden']),
    }),
    validPath(LinkFilePath),
    (c) =>
      sendShown(c, (link, file) => {
        requireDownloads(link)
        return sendToSave(deps, c, link, file)
      }),
  )

  routes.get(
    '/s/:token/archive',
    operation({
      id: 'getSharedArchive',
      tag: 'Links',
      summary: 'Save all that a link shows',
      description:
        'A ZIP without compression, made while it is read, of what the link lets be saved of each ' +
        `file; 403 where that is nothing. Two are sent of a link at once, and ten of all. ${ENDED}`,
      responses: {
        200: {
          description: 'The archive',
          contentType: 'application/zip',
          headers: { 'Content-Disposition': 'That it is to be saved, and its name (RFC 6266)' },
        },
      },
      errors: [...UNSHOWN, 'forbidden', 'rate_limited'],
    }),
    validPath(LinkPath),
    (c) => {
      const link = openLink(deps, c)
      requireDownloads(link)
      return sendSharedArchive({ ...deps, archives }, c, {
        link,
        token: c.req.valid('param').token,
      })
    },
  )

  routes.post(
    '/s/:token/files',
    operation({
      id: 'uploadShared',
      tag: 'Links',
      summary: 'Add a file through a link',
      description:
        'With `X-Tagstead: 1`, and from no other site. The file goes to the inbox of the maker of the ' +
        'link, with the name of the guest as its notes, and counts in their quota; one whose content the ' +
        `maker has already is not stored again. 403 where the link takes none. ${ENDED}`,
      upload: SharedUpload,
      responses: { 204: null },
      errors: [...UNSHOWN, 'forbidden'],
    }),
    validPath(LinkPath),
    (c) => {
      requireOwnPage(c)
      const { maker, share } = requireUploads(openLink(deps, c))
      const use = async (upload: Upload) => {
        const { name: guest, modified } = parseFields(upload)
        const on_duplicate = 'own' as const
        const fields = { ...FileUploadFields.parse({}), modified, notes: guest, on_duplicate }
        const through = { share_id: share.id, guest }
        const as = writeThrough(c, c.req.valid('param').token)
        await uploadFile(deps, { upload, fields, user: maker, writeAs: as, through })
        return c.body(null, 204)
      }
      const fields = Object.keys(SharedUpload.shape)
      const quota = quotaShare(maker.id)
      return withUpload({ ...deps, uploadTurns }, c, use, { fields, quota, turnOf: share.rid })
    },
  )

  type FileContext = Context<AppEnv, string, { out: { param: { token: string; file: string } } }>

  function sendShown(
    c: FileContext,
    send: (link: Link, file: FileRecord) => Promise<Response>,
  ): Promise<Response> {
    const load = () => {
      const link = openLink(deps, c)
      const rid = deps.shareKeys.fileOf(link.share, c.req.valid('param').file)
      return { link, file: loadShown(deps, link, rid) }
    }
    return sendLoaded(load, ({ link, file }) => send(link, file))
  }

  // The link and the rights of its maker may have changed during the upload.
  function writeThrough(c: Context<AppEnv>, token: string): WriteAs {
    return (work) => {
      deps.disk.requireRoomToWrite()
      return write(db, { now: clock() }, (tx) => {
        const { maker } = requireUploads(findLink(tx, token, tx.now))
        const { texts } = changesOf(tx, maker.id, tx.now)
        const done = work(tx, maker)
        requireRoomForChange(tx, maker, c.var.limits, texts)
        return done
      })
    }
  }

  return routes
}

function sharedBytes(
  whole: string,
  contentType: string | string[],
  refusals: ErrorCode[] = [],
): Pick<Operation, 'responses' | 'errors'> {
  const { responses } = bytesAnswers(whole, contentType)
  return { responses, errors: [...UNSHOWN, 'range_not_satisfiable', ...refusals] }
}

function requireDownloads({ share }: Link): void {
  if (share.downloads === 'none') throw new AppError('forbidden', 'The link lets nothing be saved')
}

function requireUploads(link: Link): Link {
  if (!link.share.may_upload) throw new AppError('forbidden', 'The link takes no files')
  requireCreator(link.maker)
  return link
}

function parseFields({ fields }: Upload) {
  const parsed = SharedUpload.safeParse(fields)
  if (!parsed.success) throw validationError(parsed.error, fields)
  return parsed.data
}
