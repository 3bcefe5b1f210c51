import type { Context } from 'hono'
import { AppError, busy } from '../base/errors.ts'
import { VERSION } from '../base/version.ts'
import { openDerivative, type SentDerivative } from '../files/content/derivatives.ts'
import { CHECKED, ONLY_SHOWN, SANDBOX, sendPicture } from '../files/content/send.ts'
import { type FileRecord, loadFile } from '../files/queries.ts'
import { sentName } from '../files/sent-name.ts'
import type { ContentDeps } from '../files/upload.ts'
import { contentDisposition } from '../http/disposition.ts'
import type { AppEnv } from '../http/env.ts'
import { sendFile } from '../http/ranges.ts'
import type { BlankedContents } from '../media/blanked-contents.ts'
import type { DerivativeKind } from '../media/data-folder.ts'
import type { Bytes, ReadRange } from '../media/file-bytes.ts'
import { type Link, type LinkDeps, sourceOf } from './link.ts'
import { findShown } from './shown-queries.ts'

export type SharedDeps = LinkDeps & ContentDeps & { blanked: BlankedContents }

/** Bytes of a file as they may leave by a link. */
interface Outgoing {
  stream: (range: ReadRange) => Promise<Bytes>
  asBlob?: () => Promise<Blob | null>
  /** Bytes. */
  size: number
  /** Includes its quotes; not yet that of the link. */
  etag: string
  mime_type: string
  mime_extension: string
}

/** Returns a file that the link shows now. Throws not_found for any other. */
export function loadShown({ db }: SharedDeps, link: Link, rid: number | null): FileRecord {
  const id = rid === null ? undefined : findShown(db, sourceOf(link), rid)
  if (id === undefined) throw new AppError('not_found', 'The link shows no such file')
  return loadFile(db, link.maker, id, 'view')
}

/**
 * Returns the content of a file as the link lets it be saved or played: as it is where that is chosen, and otherwise
 * without places, people and devices. Returns null if it can only be shown as a picture. Throws busy while the machine
 * can't look.
 */
export async function openOutgoing(
  deps: SharedDeps,
  { share, maker }: Link,
  file: FileRecord,
): Promise<Outgoing | null> {
  const { storage } = deps
  const { blob, size, sha256, mime_type, mime_extension } = file
  const stream = (range: ReadRange) => storage.stream(blob, range)
  const type = { size, mime_type, mime_extension }
  // Another version may blank more.
  const etag = `"${Buffer.from(sha256).toString('hex')} ${VERSION}"`
  if (share.downloads === 'as_they_are') {
    return { ...type, etag, stream, asBlob: () => storage.asBlob(blob) }
  }
  const open = await deps.blanked.open(file, maker.id)
  return open && { ...type, etag, stream: open }
}

/** Sends the content of a file to be saved, or its preview where the link lets no more be saved of it. */
export async function sendToSave(
  deps: SharedDeps,
  c: Context<AppEnv>,
  link: Link,
  file: FileRecord,
): Promise<Response> {
  const outgoing = await openOutgoing(deps, link, file)
  if (outgoing) return sendOutgoing(deps, c, link, { outgoing, isInline: false })
  return sendShownPicture(deps, c, link, { file, kind: 'preview', isSaved: true })
}

/** Sends the content of a film to be played. Throws not_found for one that can only be shown as a picture. */
export async function sendToPlay(
  deps: SharedDeps,
  c: Context<AppEnv>,
  link: Link,
  file: FileRecord,
): Promise<Response> {
  const isFilm = file.mime_type.startsWith('video/')
  const outgoing = isFilm ? await openOutgoing(deps, link, file) : null
  if (!outgoing) throw new AppError('not_found', 'The link does not play this file')
  return sendOutgoing(deps, c, link, { outgoing, isInline: true })
}

function sendOutgoing(
  { shareKeys }: SharedDeps,
  c: Context<AppEnv>,
  { share }: Link,
  { outgoing, isInline }: { outgoing: Outgoing; isInline: boolean },
): Promise<Response> {
  return sendFile(c, {
    ...outgoing,
    etag: shareKeys.etag(share, outgoing.etag),
    // When a file was stored is nothing that a link tells.
    modified: share.created_at,
    isDateStrong: false,
    headers: {
      'Content-Type': isInline ? outgoing.mime_type : 'application/octet-stream',
      // Without a name, the page of the link gives one.
      'Content-Disposition': isInline ? 'inline' : 'attachment',
      'Content-Security-Policy': isInline ? ONLY_SHOWN : SANDBOX,
      'Cache-Control': CHECKED,
    },
  })
}

/**
 * Returns the preview of a file that is to be saved, and never what stands in for it: nobody would notice what they
 * saved. Throws not_found where none can be made, and busy where it can't be made at the moment.
 */
export async function openSavedPreview(
  deps: SharedDeps,
  { maker }: Link,
  file: FileRecord,
): Promise<SentDerivative> {
  const picture = await openDerivative(deps, file, 'preview', maker.id)
  if (picture.isFinal) return picture
  if (file.derivative_state !== 'failed')
    throw busy('There is no preview of the file at the moment')
  throw new AppError('not_found', 'The link lets nothing be saved of this file')
}

/** Sends a picture that was made from a file: its thumbnail or its preview. */
export async function sendShownPicture(
  deps: SharedDeps,
  c: Context<AppEnv>,
  link: Link,
  { file, kind, isSaved = false }: { file: FileRecord; kind: DerivativeKind; isSaved?: boolean },
): Promise<Response> {
  const { share, maker } = link
  const picture = isSaved
    ? await openSavedPreview(deps, link, file)
    : await openDerivative(deps, file, kind, maker.id)
  const sent: SentDerivative = { ...picture, etag: deps.shareKeys.etag(share, picture.etag) }
  const response = await sendPicture(
    c,
    { ...file, stored_at: share.created_at },
    { picture: sent, cacheControl: picture.isFinal ? CHECKED : 'no-store' },
  )
  if (isSaved) {
    // The page names it as the content, which has another type.
    const name = sentName((share.shows_names && file.original_name) || 'photo', 'jpg')
    response.headers.set('Content-Disposition', contentDisposition('attachment', name))
  }
  return response
}
