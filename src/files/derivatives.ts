import { createBoundedMap } from '../bounded-map.ts'
import { write } from '../db/client.ts'
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

/** What is being made right now, by kind and blob: one maker for each picture. */
const makers = new Map<string, Promise<DerivativeState>>()

/**
 * Returns the thumbnail or preview of a file, made now when it is absent; a placeholder when the
 * file can't be decoded, or the system does not let it be decoded now.
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
  const made = mayBeMade(deps, file, kind) && (await makeOnce(deps, file, kind)) === 'made'
  // Deleted or replaced meanwhile: nothing may stay of what is gone.
  if (made && !hasBlob(deps.db, file)) await storage.removeBlob(file.blob)
  const fresh = made ? await find() : null
  return fresh ? { ...fresh, etag } : { ...(await placeholder()), etag: '"placeholder"' }
}

const KEPT = 10_000

/**
 * Pictures that could not be made from what another one could be made of, by kind and blob: another try
 * would cost the decoder its time again, at every look. Forgotten at a restart.
 */
const failures = createBoundedMap<string, true>(KEPT)
/**
 * When the system refused to have a picture made, by kind and blob. Another try is made after a while, and then
 * a limit of time or memory is the content's fault: one that hangs would otherwise stop the decoder,
 * for everybody's pictures, at every look.
 */
const refusals = createBoundedMap<string, number>(KEPT)
const PAUSE = 5 * 60_000

/** A file that this very decoder could not decode is not tried again. */
function mayBeMade(deps: ContentDeps, file: FileRecord, kind: DerivativeKind): boolean {
  if (file.derivative_state === 'failed' && file.decoder_version === deps.decoder.version) {
    return false
  }
  const key = `${kind} ${file.blob}`
  if (failures.has(key)) return false
  const refused = refusals.get(key)
  return refused === undefined || deps.clock() >= refused + PAUSE
}

/** Has the picture made, and remembers what is not to be tried again, or not at once. */
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
  { db, decoder, storage }: ContentDeps,
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
    write(db, () => recordDerivatives(db, file, derivatives))
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
