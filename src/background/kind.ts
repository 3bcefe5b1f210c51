import type { Config } from '../config.ts'
import type { Db } from '../db/client.ts'
import type { Tx } from '../db/write.ts'
import { type Disk, isOutOfSpace } from '../disk.ts'
import { AppError } from '../errors.ts'
import { isUnreadable } from '../files/content/readable.ts'
import { hasBlob } from '../files/derivative-queries.ts'
import type { Log } from '../log.ts'
import type { Decoder } from '../media/decoder/decoder.ts'
import type { Storage } from '../media/storage.ts'

/** Files that are looked at before their findings are written. */
export const PORTION = 50

/** What is needed to look at contents. */
export interface LookDeps {
  db: Db
  disk: Disk
  storage: Storage
  decoder: Decoder
  config: Pick<Config, 'timeZone'>
  log: Log
}

/** Writes down what was found, if the file still has the content that was looked at. */
export type Finding = (tx: Tx) => void

/** Which files are searched at once: those from `least` on that are below a place. */
export interface Stretch {
  place: number
  least: number
}

/** A kind of work that the background does: something that older files may lack. */
export interface Kind<File extends { rid: number }> {
  /** Under which it is known how far it is. */
  name: string
  /** Returns what files are looked at with; when that changes, the work begins anew. */
  version(deps: LookDeps): string
  /** Returns up to a PORTION of the files of a stretch that lack it, the newest first. */
  list(db: Db, stretch: Stretch & { version: string }): File[]
  /**
   * Looks at a file. Returns null when the system refused or met an error that isn't the content's, or
   * when `signal` ended the pass, and throws only what a full disk makes of any file.
   */
  look(deps: LookDeps, file: File, signal: AbortSignal): Promise<Finding | null>
}

/** How a content is looked at. */
interface Look {
  /** Returns what is found, or null when the system refused. */
  find(): Promise<Finding | null>
  /** What is found of a content that is lost or that can't be read. */
  nothing: Finding
}

/** Looks at a content as `Kind` asks, whatever error that meets. */
export async function lookAtContent(
  { db, storage, log }: LookDeps,
  file: { rid: number; blob: string },
  signal: AbortSignal,
  { find, nothing }: Look,
): Promise<Finding | null> {
  try {
    return await find()
  } catch (error) {
    if (isFullDisk(error)) throw error
    // Who stops the pass waits for no file, and closes the decoder.
    if (signal.aborted) return null
    // It was purged or replaced in the meantime.
    if (!hasBlob(db, file)) return nothing
    log.warn('could not look at a content', { blob: file.blob, error: String(error) })
    // It is lost, or the disk can't read it.
    const isToBlame = await isUnreadable(storage, file.blob, error)
    return isToBlame ? nothing : null
  }
}

function isFullDisk(error: unknown): boolean {
  return isOutOfSpace(error) || (error instanceof AppError && error.code === 'insufficient_storage')
}
