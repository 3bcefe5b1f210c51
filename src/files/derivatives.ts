import { type FileHandle, open, stat } from 'node:fs/promises'
import type { Deps } from '../context.ts'
import { write } from '../db/client.ts'
import { PLACEHOLDER_PATH } from '../media/placeholder.ts'
import { type FileRecord, hasBlob, recordDerivatives } from './queries.ts'

type Kind = 'thumbnail' | 'preview'

/** A picture made from a file, as it is sent. */
export interface Derivative {
  open: () => Promise<FileHandle>
  /** Bytes. */
  size: number
  etag: string
}

/** What is being made right now, by path: one maker for each picture. */
const makers = new Map<string, Promise<boolean>>()

/**
 * Returns the thumbnail or preview of a file, made now when it is absent; a placeholder when the
 * file can't be decoded.
 */
export async function openDerivative(
  deps: Deps,
  file: FileRecord,
  kind: Kind,
): Promise<Derivative> {
  const path =
    kind === 'thumbnail'
      ? deps.storage.thumbnailPath(file.blob)
      : deps.storage.previewPath(file.blob)
  const present = await picture(path, `"${file.blob}-${kind}"`)
  if (present) return present
  const made = !hasFailed(deps, file) && (await makeOnce(path, () => make(deps, file, kind)))
  // Deleted or replaced meanwhile: nothing may stay of what is gone.
  if (made && !hasBlob(deps.db, file)) await deps.storage.removeBlob(file.blob)
  const fresh = made ? await picture(path, `"${file.blob}-${kind}"`) : null
  return fresh ?? (await picture(PLACEHOLDER_PATH, '"placeholder"'))!
}

async function picture(path: string, etag: string): Promise<Derivative | null> {
  try {
    const { size } = await stat(path)
    // What a power cut left of a picture that was not on the disk yet.
    if (size === 0) return null
    return { open: () => open(path, 'r'), size, etag }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * Blobs whose thumbnail could be made and whose preview could not: another try would cost the decoder
 * its time again, at every look. Forgotten at a restart.
 */
const failedPreviews = new Set<string>()
const KEPT_FAILURES = 10_000

function rememberFailure(blob: string): void {
  failedPreviews.add(blob)
  if (failedPreviews.size > KEPT_FAILURES) failedPreviews.delete([...failedPreviews][0]!)
}

/** A file that this very decoder could not decode is not tried again. */
function hasFailed(deps: Deps, file: FileRecord): boolean {
  return file.derivative_state === 'failed' && file.decoder_version === deps.decoder.version
}

async function make(deps: Deps, file: FileRecord, kind: Kind): Promise<boolean> {
  const input = { path: deps.storage.pathForDecoder(file.blob), mime_type: file.mime_type }
  if (kind === 'preview') {
    if (failedPreviews.has(file.blob)) return false
    const previewPath = deps.storage.previewPath(file.blob)
    const isMade = await deps.decoder.preview({ ...input, previewPath })
    if (!isMade) rememberFailure(file.blob)
    return isMade
  }
  const derivatives = await deps.decoder.derive({
    ...input,
    thumbnailPath: deps.storage.thumbnailPath(file.blob),
  })
  if (
    derivatives.state !== file.derivative_state ||
    derivatives.decoder_version !== file.decoder_version
  ) {
    write(deps.db, () => recordDerivatives(deps.db, file, derivatives))
  }
  return derivatives.state === 'made'
}

function makeOnce(path: string, maker: () => Promise<boolean>): Promise<boolean> {
  const running = makers.get(path)
  if (running) return running
  const started = maker().finally(() => makers.delete(path))
  makers.set(path, started)
  return started
}
