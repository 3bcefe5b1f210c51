import type { Context } from 'hono'
import type { Db } from '../../db/client.ts'
import { idTime } from '../../db/ids.ts'
import { contentDisposition } from '../../http/disposition.ts'
import type { AppEnv } from '../../http/env.ts'
import { sendFile } from '../../http/ranges.ts'
import { type FileRecord, loadFile } from '../queries.ts'
import { sentName } from '../sent-name.ts'
import type { ContentDeps } from '../upload.ts'
import type { SentDerivative } from './derivatives.ts'
import { isShownByPreview } from './full.ts'

// A stored file holds untrusted bytes: shown in a tab, they may neither run nor load anything.
export const ONLY_SHOWN = "default-src 'none'; style-src 'unsafe-inline'; media-src 'self'"
export const SANDBOX = `sandbox; ${ONLY_SHOWN}`

/** Caches may store the response, but must revalidate it before each use. */
export const CHECKED = 'private, no-cache'

type FileContext = Context<AppEnv, string, { out: { param: { file_id: string } } }>

/**
 * Calls `send` for the file in the path, and once more if the content was replaced or removed in between. Throws
 * not_found and forbidden.
 */
export async function sendCurrent(
  { db }: { db: Db },
  c: FileContext,
  send: (file: FileRecord) => Promise<Response>,
): Promise<Response> {
  return sendLoaded(() => loadFile(db, c.var.user, c.req.valid('param').file_id, 'view'), send)
}

/** Calls `send` for what `load` returns, and once more if the content was replaced or removed in between. */
export async function sendLoaded<Loaded>(
  load: () => Loaded,
  send: (loaded: Loaded) => Promise<Response>,
): Promise<Response> {
  try {
    return await send(load())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return send(load())
  }
}

/** Sends the content, to be shown as its own type or to be saved; RAW and JPEG XL are always sent to be saved. */
export function sendContent(
  deps: ContentDeps,
  c: Context<AppEnv>,
  file: FileRecord,
  { isInline: isAsked, cacheControl }: { isInline: boolean; cacheControl: string },
): Promise<Response> {
  const isInline = isAsked && !isShownByPreview(file)
  const { blob, size } = file
  const copyAs = { size, sha256: Buffer.from(file.sha256).toString('hex') }
  return sendFile(c, {
    stream: (range) => deps.storage.stream(blob, { ...range, copyAs }),
    asBlob: () => deps.storage.asBlob(blob),
    size,
    etag: `"${copyAs.sha256}"`,
    modified: file.stored_at,
    // Only the first content is certain to have had no predecessor in the same second.
    isDateStrong: file.stored_at === idTime(file.id),
    headers: {
      'Content-Type': isInline ? file.mime_type : 'application/octet-stream',
      'Content-Disposition': contentDisposition(
        isInline ? 'inline' : 'attachment',
        sentName(file.original_name ?? file.id, file.mime_extension),
      ),
      // In a sandbox, the browser's player has another origin than its video, and doesn't play it.
      'Content-Security-Policy':
        isInline && file.mime_type.startsWith('video/') ? ONLY_SHOWN : SANDBOX,
      'Cache-Control': cacheControl,
    },
  })
}

/** Sends a derivative of a file, under a name if it has one. */
export function sendPicture(
  c: Context<AppEnv>,
  file: FileRecord,
  { picture, cacheControl, name }: { picture: SentDerivative; cacheControl: string; name?: string },
): Promise<Response> {
  return sendFile(c, {
    ...picture,
    inMemory: async ({ start, end }) => (await picture.whole?.())?.subarray(start, end + 1) ?? null,
    modified: file.stored_at,
    // The picture may be made again from the same content.
    isDateStrong: false,
    headers: {
      'Content-Type': 'image/jpeg',
      'Cache-Control': cacheControl,
      ...(name !== undefined && {
        'Content-Disposition': contentDisposition('inline', sentName(name, 'jpg')),
      }),
    },
  })
}
