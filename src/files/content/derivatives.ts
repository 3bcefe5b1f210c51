import { LRUCache } from 'lru-cache'
import type { DerivativeState } from '../../base/enums.ts'
import { isWithin } from '../../base/time.ts'
import { write } from '../../db/write.ts'
import type { DerivativeKind } from '../../media/data-folder.ts'
import type { Derivatives } from '../../media/decoder/decoder.ts'
import { placeholder } from '../../media/placeholder.ts'
import type { StoredPicture } from '../../media/stored-picture.ts'
import { turnedPicture } from '../../media/turned-picture.ts'
import { hasBlob, recordDerivatives } from '../derivative-queries.ts'
import type { FileRecord } from '../queries.ts'
import type { ContentDeps } from '../upload.ts'
import { derivativeKey, makeOnce, makerOf } from './makers.ts'
import { tellUndecoded } from './undecoded.ts'

/** A derivative to be sent. */
export interface SentDerivative extends StoredPicture {
  etag: string
  /** Whether this is the final picture; otherwise it stands in for one that is not there yet. */
  isFinal: boolean
}

/** What is sent in place of an absent derivative; for the other kinds, the placeholder. */
const IN_PLACE: Partial<Record<DerivativeKind, DerivativeKind>> = {
  thumbnail640: 'thumbnail',
  full: 'preview',
}

/** With more previews than these waiting, larger thumbnails are not made. */
const LONG_QUEUE = 8

/**
 * Returns a derivative of a file, made now if it is absent, for the user with the id `by`. If it can't be made, or not
 * at the moment, the usual thumbnail stands in for a larger one, the preview for a full picture, and a placeholder for
 * the others. Throws insufficient_storage for a thumbnail or preview that is to be made while the disk has no room.
 */
export async function openDerivative(
  deps: ContentDeps,
  file: FileRecord,
  kind: DerivativeKind,
  by: number,
): Promise<SentDerivative> {
  const present = await findDerivative(deps, file, kind)
  if (present) return present
  const makeIt = () => makeOnce(keyOf(file, kind), () => make(deps, file, kind, by))
  const made = (await isToBeMade(deps, file, kind)) && (await makeIt()) === 'made'
  if (made) await removeIfGone(deps, file)
  const fresh = made ? await findDerivative(deps, file, kind) : null
  // Counting may remove this derivative first; since it is open by now, it can still be sent.
  if (fresh && kind !== 'thumbnail') void deps.storage.countCached(kind, file.blob)
  return fresh ?? openInPlace(deps, file, kind, by)
}

/** Returns what is sent in place of an absent derivative. Throws as `openDerivative` does. */
export async function openInPlace(
  deps: ContentDeps,
  file: FileRecord,
  kind: DerivativeKind,
  by: number,
): Promise<SentDerivative> {
  const other = IN_PLACE[kind]
  if (other === undefined) {
    return { ...(await placeholder()), etag: '"placeholder"', isFinal: false }
  }
  const sent = await openDerivative(deps, file, other, by)
  return { ...sent, isFinal: sent.isFinal && failures.has(keyOf(file, kind)) }
}

/**
 * Removes what was made from a content that was purged or replaced in the meantime. The content itself is already
 * listed for removal, and stays while a backup is running.
 */
export async function removeIfGone(
  { db, storage }: Pick<ContentDeps, 'db' | 'storage'>,
  file: Pick<FileRecord, 'rid' | 'blob'>,
): Promise<void> {
  if (!hasBlob(db, file)) await storage.removeDerivatives(file.blob)
}

/** Returns a derivative that exists, or null. */
export async function findDerivative(
  { storage }: ContentDeps,
  file: FileRecord,
  kind: DerivativeKind,
): Promise<SentDerivative | null> {
  const { blob, derivative_state, decoder_version, rotation } = file
  const present =
    kind === 'thumbnail'
      ? await storage.findThumbnail(blob, `${derivative_state} ${decoder_version}`)
      : await storage.findDerivative(kind, blob)
  const etag = rotation === 0 ? `"${blob}-${kind}"` : `"${blob}-${kind}-${rotation}"`
  return present && { ...turnedPicture(present, rotation), etag, isFinal: true }
}

function keyOf(file: FileRecord, kind: DerivativeKind): string {
  return derivativeKey(kind, file.blob)
}

const KEPT = 10_000

/**
 * Derivatives that could not be made although another one of the same content could, by kind and blob: every view would
 * otherwise cost the decoder another try. A restart clears them.
 */
const failures = new LRUCache<string, true>({ max: KEPT })
/**
 * When a derivative was last left pending, by kind and blob. It is tried again after a pause, and then a limit of time
 * or memory counts as the content's fault: a content that hangs would otherwise stop the decoder for everybody's
 * pictures at every view.
 */
const refusals = new LRUCache<string, number>({ max: KEPT })
const PAUSE = 5 * 60_000

/**
 * Returns whether to try to make an absent derivative now. Throws insufficient_storage only where nothing else could be
 * sent in place.
 */
export async function isToBeMade(
  deps: ContentDeps,
  file: FileRecord,
  kind: DerivativeKind,
): Promise<boolean> {
  if (!mayBeMade(deps, file, kind)) return false
  if (IN_PLACE[kind] === undefined) {
    await deps.storage.withRoom(() => deps.disk.requireRoom())
    return true
  }
  const isQueueLong = kind === 'thumbnail640' && deps.decoder.waitingPreviews() > LONG_QUEUE
  return deps.disk.hasRoom() && (!isQueueLong || makerOf(keyOf(file, kind)) !== undefined)
}

/** Never retries a file on which this version of the decoder failed. */
function mayBeMade(deps: ContentDeps, file: FileRecord, kind: DerivativeKind): boolean {
  if (file.derivative_state === 'failed' && file.decoder_version === deps.decoder.version) {
    return false
  }
  const key = keyOf(file, kind)
  if (failures.has(key)) return false
  return !isWithin(PAUSE, refusals.get(key) ?? null, deps.clock())
}

async function make(
  deps: ContentDeps,
  file: FileRecord,
  kind: DerivativeKind,
  by: number,
): Promise<DerivativeState> {
  const key = keyOf(file, kind)
  const state = await tryToMake(deps, file, kind, { by, isSecondTry: refusals.has(key) })
  refusals.delete(key)
  if (state === 'pending') refusals.set(key, deps.clock())
  if (state === 'failed') failures.set(key, true)
  return state
}

async function tryToMake(
  { db, clock, decoder, storage, log }: ContentDeps,
  file: FileRecord,
  kind: DerivativeKind,
  waiter: { by: number; isSecondTry: boolean },
): Promise<DerivativeState> {
  const { blob, mime_type } = file
  if (kind !== 'thumbnail') {
    if (kind === 'thumbnail640' && (await cameAlong({ storage }, blob))) return 'made'
    return storage.withLocalFile(blob, (path, pictureAt, isWhole) =>
      decoder.picture(kind, { ...waiter, path, isWhole, mime_type, to: pictureAt(kind) }),
    )
  }
  const derivatives = await deriveStored({ decoder, storage }, file, waiter)
  if (
    derivatives.state !== file.derivative_state ||
    derivatives.decoder_version !== file.decoder_version
  ) {
    write(db, { now: clock() }, (tx) => recordDerivatives(tx, file, derivatives))
    tellUndecoded({ db, log }, blob, derivatives.state)
  }
  return derivatives.state
}

/** Decodes a stored content and makes its thumbnail. Throws as the decoder's `derive` does. */
export function deriveStored(
  { decoder, storage }: Pick<ContentDeps, 'decoder' | 'storage'>,
  { blob, mime_type }: Pick<FileRecord, 'blob' | 'mime_type'>,
  waiter: { by?: number; isSecondTry: boolean },
): Promise<Derivatives> {
  return storage.withLocalFile(blob, async (path, pictureAt, isWhole) => {
    const input = { ...waiter, path, mime_type }
    const thumbnailPath = pictureAt('thumbnail')
    const derived = await decoder.derive({ ...input, isWhole, thumbnailPath })
    if (isWhole || derived.state !== 'failed') return derived
    // Its size is known by its beginning.
    const looks = await decoder.look({ ...input, thumbnail: null })
    return looks ? { ...derived, looks } : derived
  })
}

/** Waits for the other thumbnail if it is being made, as the larger one may come with it. */
async function cameAlong(
  { storage }: Pick<ContentDeps, 'storage'>,
  blob: string,
): Promise<boolean> {
  const other = makerOf(derivativeKey('thumbnail', blob))
  if (other === undefined) return false
  await other.catch(() => {})
  return (await storage.findDerivative('thumbnail640', blob)) !== null
}
