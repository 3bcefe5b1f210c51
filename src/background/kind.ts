import type { Config } from '../base/config.ts'
import { type Disk, isOutOfSpace } from '../base/disk.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Db } from '../db/client.ts'
import type { Tx } from '../db/write.ts'
import { whyUnreadable } from '../files/content/readable.ts'
import { hasBlob } from '../files/derivative-queries.ts'
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

/**
 * What comes of looking at a file: what is written `meanwhile` where its content can't be read now, as on
 * a disk that is absent, which is tried again at the next start; null where the system refused or met an
 * error that isn't the content's, or the pass was ended.
 */
export type Looked = Finding | { meanwhile: Finding } | null

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
  /** Returns the rids of the files that each start looks at, beside those that are owed another try. */
  listDue?(db: Db): number[]
  /** Looks at a file until `signal` ends the pass; throws only what a full disk makes of any file. */
  look(deps: LookDeps, file: File, signal: AbortSignal): Promise<Looked>
}

/** How a content is looked at. */
interface Look {
  /** Returns what is found, or null when the system refused. */
  find(): Promise<Finding | null>
  /** What is found of a content that is lost. */
  nothing: Finding
  /** What is written of one that can't be read now. */
  meanwhile: Finding
}

/** Looks at a content as `Kind` asks, whatever error that meets. */
export async function lookAtContent(
  { db, storage, log }: LookDeps,
  file: { rid: number; blob: string },
  signal: AbortSignal,
  { find, nothing, meanwhile }: Look,
): Promise<Looked> {
  try {
    return await find()
  } catch (error) {
    if (isFullDisk(error)) throw error
    // Who stops the pass waits for no file, and closes the decoder.
    if (signal.aborted) return null
    // It was purged or replaced in the meantime.
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
