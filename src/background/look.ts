import type { Db } from '../db/client.ts'
import type { Tx } from '../db/write.ts'
import { type Disk, isOutOfSpace } from '../disk.ts'
import { AppError } from '../errors.ts'
import { removeIfGone } from '../files/content/derivatives.ts'
import { isUnreadable } from '../files/content/readable.ts'
import { hasBlob, recordDerivatives } from '../files/derivative-queries.ts'
import { recordLooks, UNKNOWN_LOOKS } from '../files/looks/queries.ts'
import type { Log } from '../log.ts'
import type { Decoder, Derivatives, Looks } from '../media/decoder/decoder.ts'
import type { Storage } from '../media/storage.ts'
import type { Unseen } from './queries.ts'

/** What is needed to look at contents. */
export interface LookDeps {
  db: Db
  disk: Disk
  storage: Storage
  decoder: Decoder
  log: Log
}

/** Writes down what was found, if the file still has the content that was looked at. */
export type Finding = (tx: Tx) => void

/**
 * Looks at a file: at the head of its content and at its thumbnail. Only where these don't tell all is
 * the content decoded. What exceeds a limit of time or memory is tried once more, and then for the last
 * time. Returns null when the system refused or met an error that isn't the content's, or when `signal`
 * ended the pass, and throws only what a full disk makes of any file.
 */
export async function lookAt(
  deps: LookDeps,
  file: Unseen,
  signal: AbortSignal,
): Promise<Finding | null> {
  const { decoder, storage } = deps
  const path = storage.pathForDecoder(file.blob)
  const isFilm = file.mime_type.startsWith('video/')
  const hasFailed = file.derivative_state === 'failed' && file.decoder_version === decoder.version
  if (hasFailed && !isFilm) return tell(deps, file, UNKNOWN_LOOKS)
  try {
    const hasThumbnail = (await storage.findDerivative('thumbnail', file.blob)) !== null
    const thumbnail = hasThumbnail ? storage.thumbnailPath(file.blob) : null
    const input = { path, mime_type: file.mime_type, thumbnail }
    const looks =
      (await decoder.look(input)) ?? (await decoder.look({ ...input, isSecondTry: true }))
    if (!looks) return null
    const tellsAll = looks.thumbhash !== null && looks.width !== null
    return tellsAll || hasFailed ? tell(deps, file, looks) : await decode(deps, file)
  } catch (error) {
    if (isFullDisk(error)) throw error
    // Who stops the pass waits for no file, and closes the decoder.
    if (signal.aborted) return null
    // It was purged or replaced in the meantime.
    if (!hasBlob(deps.db, file)) return tell(deps, file, UNKNOWN_LOOKS)
    deps.log.warn('could not look at a content', { blob: file.blob, error: String(error) })
    // It is lost, or the disk can't read it.
    const isToBlame = await isUnreadable(storage, file.blob, error)
    return isToBlame ? tell(deps, file, UNKNOWN_LOOKS) : null
  }
}

function tell({ decoder }: LookDeps, file: Unseen, looks: Looks): Finding {
  return (tx) => {
    if (hasBlob(tx, file)) recordLooks(tx, file.rid, { looks, decoder_version: decoder.version })
  }
}

async function decode(deps: LookDeps, file: Unseen): Promise<Finding | null> {
  const { disk, decoder, storage } = deps
  disk.requireRoom()
  const derive = (isSecondTry: boolean): Promise<Derivatives> =>
    decoder.derive({
      path: storage.pathForDecoder(file.blob),
      mime_type: file.mime_type,
      thumbnailPath: storage.thumbnailPath(file.blob),
      isSecondTry,
    })
  const first = await derive(false)
  const derivatives = first.state === 'pending' ? await derive(true) : first
  await removeIfGone(deps, file)
  const { looks } = derivatives
  if (!looks) return null
  return (tx) => {
    recordDerivatives(tx, file, derivatives)
    // What an earlier version of the decoder made stays, but this one has nothing more to tell.
    tell(deps, file, looks)(tx)
  }
}

function isFullDisk(error: unknown): boolean {
  return isOutOfSpace(error) || (error instanceof AppError && error.code === 'insufficient_storage')
}
