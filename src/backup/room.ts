import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '../db/client.ts'
import { createDisk, type Disk, missingRoom } from '../disk.ts'
import { AppError } from '../errors.ts'
import { shelfOf } from '../media/data-folder.ts'
import { unlessAbsentNow } from '../media/unless-absent.ts'
import { contentsOf } from './queries.ts'

const GIB = 2 ** 30

/** Returns the disk of a folder for what is copied there: a GiB of it stays free. */
export function diskOf(dir: string): Disk {
  return createDisk(dir, GIB)
}

/** Throws insufficient_storage unless so many bytes, and a GiB more, are free on the disk of a folder. */
export function requireRoom(dir: string, bytes: number): void {
  const missing = missingRoom(dir, bytes + GIB)
  if (missing !== null) throw new AppError('insufficient_storage', missing)
}

/** Contents that are still to be copied. */
interface ToCome {
  /** Their bytes, together. */
  bytes: number
  /** The blob of one of them; null when there is none. */
  first: string | null
}

/** Returns what a database names and a folder of shelves has no file for, by the names that are there. */
export function contentsToCome(db: Db, contents: string): ToCome {
  const toCome: ToCome = { bytes: 0, first: null }
  let [shelf, there] = ['', new Set<string>()]
  for (const { blob, size } of contentsOf(db)) {
    if (shelfOf(blob) !== shelf) {
      shelf = shelfOf(blob)
      // One call for each shelf: a disk of the network takes long to ask for a million files.
      there = new Set(unlessAbsentNow(() => readdirSync(join(contents, shelf))) ?? [])
    }
    if (there.has(blob)) continue
    toCome.first ??= blob
    toCome.bytes += size
  }
  return toCome
}
