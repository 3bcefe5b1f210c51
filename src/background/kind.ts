import type { Config } from '../base/config.ts'
import { type Disk, isOutOfSpace } from '../base/disk.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Db } from '../db/client.ts'
import type { Tx, WriteDeps } from '../db/write.ts'
import { whyUnreadable } from '../files/content/readable.ts'
import { hasBlob } from '../files/derivative-queries.ts'
import type { Decoder } from '../media/decoder/decoder.ts'
import type { Storage } from '../media/storage.ts'

/** Files that are examined before their findings are written. */
export const PORTION = 50

export interface LookDeps extends WriteDeps {
  disk: Disk
  storage: Storage
  decoder: Decoder
  config: Pick<Config, 'timeZone'>
  log: Log
}

/** Writes what was found, if the file still has the content that was examined. */
export type Finding = (tx: Tx) => void

/**
 * The result of examining a file. `meanwhile` is written when its content can't be read now, as on a disk that is
 * absent, and is tried again at the next start. Null when the system refused, for an error that isn't the content's,
 * and when the pass was ended.
 */
export type Looked = Finding | { meanwhile: Finding } | null

/** The files that are searched at once: those from `least` on that are below a place. */
export interface Stretch {
  place: number
  least: number
}

/** A kind of background work: something that older files may lack. */
export interface Kind<File extends { rid: number }> {
  /** The name under which progress is stored. */
  name: string
  /** Returns the version of whatever examines the files; when it changes, the work starts again. */
  version(deps: LookDeps): string
  /** Returns up to a PORTION of the files of a stretch that lack it, the newest first. */
  list(db: Db, stretch: Stretch & { version: string }): File[]
  /** Returns the rids of the files that are examined at each start, besides those that are owed another try. */
  listDue?(db: Db): number[]
  /** Examines a file until `signal` ends the pass; throws only the errors of a full disk. */
  look(deps: LookDeps, file: File, signal: AbortSignal): Promise<Looked>
}

interface Look {
  /** Returns what is found, or null when the system refused. */
  find(): Promise<Finding | null>
  nothing: Finding
  meanwhile: Finding
}

/** Examines a content as `Kind` requires, whatever error occurs. */
export async function lookAtContent(
  { db, storage, log }: Pick<LookDeps, 'db' | 'storage' | 'log'>,
  file: { rid: number; blob: string },
  signal: AbortSignal,
  { find, nothing, meanwhile }: Look,
): Promise<Looked> {
  try {
    return await find()
  } catch (error) {
    if (isFullDisk(error)) throw error
    // Stopping the pass waits for no file, and closes the decoder.
    if (signal.aborted) return null
    // The file was purged or replaced in the meantime.
    if (!hasBlob(db, file)) return nothing
    log.warn('could not look at a content', { blob: file.blob, error: String(error) })
    const why = await whyUnreadable(storage, file.blob, error)
    if (why === 'lost') return nothing
    return why === 'unread' ? { meanwhile } : null
  }
}

/** Returns whether an error is that of a disk without room. */
export function isFullDisk(error: unknown): boolean {
  return isOutOfSpace(error) || (error instanceof AppError && error.code === 'insufficient_storage')
}
