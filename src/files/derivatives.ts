import { createBoundedMap } from '../bounded-map.ts'
import { write } from '../db/write.ts'
import type { DerivativeState } from '../enums.ts'
import type { DerivativeKind } from '../media/data-folder.ts'
import { placeholder } from '../media/placeholder.ts'
import type { StoredPicture } from '../media/storage.ts'
import { hasBlob, recordDerivatives } from './derivative-queries.ts'
import type { FileRecord } from './queries.ts'
import type { ContentDeps } from './upload.ts'

/** A derivative as it is sent. */
interface SentDerivative extends StoredPicture {
  etag: string
}

/** The derivatives that are being made right now, by kind and blob: each has one maker. */
const makers = new Map<string, Promise<DerivativeState>>()

/**
 * Returns the thumbnail or preview of a file, made now if it is absent; a placeholder if the file
 * can't be decoded, or not at the moment. Throws insufficient_storage for one that is to be made
 * while the disk has no room.
 */
export async function openDerivative(
  deps: ContentDeps,
  file: FileRecord,
  kind: DerivativeKind,
): Promise<SentDerivative> {
  const { storage } = deps
  const find = () => storage.findDerivative(kind, file.blob)
  const etag = `"${file.blob}-${kind}"`
  const present = await find()
  if (present) return { ...present, etag }
  const toMake = mayBeMade(deps, file, kind)
  if (toMake) deps.disk.requireRoom()
  const made = toMake && (await makeOnce(deps, file, kind)) === 'made'
  // The content was purged or replaced in the meantime: nothing made from it may stay.
  if (made && !hasBlob(deps.db, file)) await storage.removeBlob(file.blob)
  const fresh = made ? await find() : null
  return fresh ? { ...fresh, etag } : { ...(await placeholder()), etag: '"placeholder"' }
}

const KEPT = 10_000

/**
 * Derivatives that could not be made, although another one of the same content could, by kind and
 * blob: every look would otherwise cost the decoder another try. They are forgotten at a restart.
 */
const failures = createBoundedMap<string, true>(KEPT)
/**
 * When a derivative was last left pending, by kind and blob. It is tried again after a pause, and
 * then a limit of time or memory counts as the content's fault: a content that hangs would
 * otherwise stop the decoder, for everybody's pictures, at every look.
 */
const refusals = createBoundedMap<string, number>(KEPT)
const PAUSE = 5 * 60_000

/** Returns whether to try now: never for a file that this version of the decoder failed on. */
function mayBeMade(deps: ContentDeps, file: FileRecord, kind: DerivativeKind): boolean {
  if (file.derivative_state === 'failed' && file.decoder_version === deps.decoder.version) {
    return false
  }
  const key = `${kind} ${file.blob}`
  if (failures.has(key)) return false
  const refused = refusals.get(key)
  return refused === undefined || deps.clock() >= refused + PAUSE
}

/** Has a derivative made, and remembers when it is not to be tried again, or not at once. */
async function make(
  deps: ContentDeps,
  file: FileRecord,
  kind: DerivativeKind,
): Promise<DerivativeState> {
  const key = `${kind} ${file.blob}`
  const state = await tryToMake(deps, file, kind, refusals.has(key))
  refusals.delete(key)
  if (state === 'pending') refusals.set(key, deps.clock())
  if (state === 'failed') failures.set(key, true)
  return state
}

async function tryToMake(
  { db, clock, decoder, storage }: ContentDeps,
  file: FileRecord,
  kind: DerivativeKind,
  isSecondTry: boolean,
): Promise<DerivativeState> {
  const { blob, mime_type } = file
  const input = { path: storage.pathForDecoder(blob), mime_type, isSecondTry }
  if (kind === 'preview')
    return decoder.preview({ ...input, previewPath: storage.previewPath(blob) })
  const thumbnailPath = storage.thumbnailPath(blob)
  const derivatives = await decoder.derive({ ...input, thumbnailPath })
  if (
    derivatives.state !== file.derivative_state ||
    derivatives.decoder_version !== file.decoder_version
  ) {
    write(db, { now: clock() }, (tx) => recordDerivatives(tx, file, derivatives))
  }
  return derivatives.state
}

function makeOnce(
  deps: ContentDeps,
  file: FileRecord,
  kind: DerivativeKind,
): Promise<DerivativeState> {
  const key = `${kind} ${file.blob}`
  const running = makers.get(key)
  if (running) return running
  const started = make(deps, file, kind).finally(() => makers.delete(key))
  makers.set(key, started)
  return started
}
