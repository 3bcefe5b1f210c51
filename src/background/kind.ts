import type { Db } from '../db/client.ts'
import type { Tx } from '../db/write.ts'
import { type Disk, isOutOfSpace } from '../disk.ts'
import { AppError } from '../errors.ts'
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

/** Returns whether an error is that of a full disk. */
export function isFullDisk(error: unknown): boolean {
  return isOutOfSpace(error) || (error instanceof AppError && error.code === 'insufficient_storage')
}
