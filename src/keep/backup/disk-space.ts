import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createDisk, type Disk, missingRoom } from '../../base/disk.ts'
import { AppError } from '../../base/errors.ts'
import { sizeText } from '../../base/text.ts'
import type { Db } from '../../db/client.ts'
import { shelfOf } from '../../media/data-folder.ts'
import { unlessAbsentNow } from '../../media/unless-absent.ts'
import type { ManifestLine } from './manifest.ts'
import { contentsOf } from './queries.ts'

const GIB = 2 ** 30

/** Returns the disk of the folder to copy to. A GiB of it stays free, and its errors say so. */
export function diskOf(dir: string): Pick<Disk, 'claim'> {
  const refusal = (bytes: number) => `${dir} has no room for ${sizeText(bytes)}: 1 GiB is kept free`
  return createDisk(dir, GIB, (bytes) => new AppError('insufficient_storage', refusal(bytes)))
}

/** Throws insufficient_storage unless `bytes` and a GiB more are free on the disk of a folder. */
export function requireSpace(dir: string, bytes: number): void {
  const missing = missingRoom(dir, bytes + GIB)
  if (missing !== null) throw new AppError('insufficient_storage', missing)
}

/** Returns whether `bytes` and a GiB more are free on the disk of a folder. */
export function hasSpace(dir: string, bytes: number): boolean {
  return missingRoom(dir, bytes + GIB) === null
}

/**
 * Yields the contents that a database names and for which a folder of shelves has no file, or one that `isGood`
 * rejects.
 */
export function* contentsToCome(
  db: Db,
  contents: string,
  isGood: (line: ManifestLine, path: string) => boolean = () => true,
): Generator<ManifestLine> {
  let [shelf, there] = ['', new Set<string>()]
  for (const line of contentsOf(db)) {
    if (shelfOf(line.blob) !== shelf) {
      shelf = shelfOf(line.blob)
      // One call for each shelf, because a network disk takes long to ask for a million files.
      there = new Set(unlessAbsentNow(() => readdirSync(join(contents, shelf))) ?? [])
    }
    const isThere = there.has(line.blob) && isGood(line, join(contents, shelf, line.blob))
    if (!isThere) yield line
  }
}

export function bytesOf(contents: Iterable<ManifestLine>): number {
  let bytes = 0
  for (const { size } of contents) bytes += size
  return bytes
}
