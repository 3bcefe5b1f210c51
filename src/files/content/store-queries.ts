import { randomBytes } from 'node:crypto'
import { asc, gte } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { prepared } from '../../db/prepared.ts'
import { fileDetails } from '../../db/schema/files.ts'
import { library } from '../../db/schema/library.ts'

/** Returns the id of the library: 32 hex digits. */
export function libraryId(db: Db): string {
  return db.select({ id: library.id }).from(library).get()!.id
}

const next = prepared({ from: 'text' }, (db, given) =>
  db
    .select({ blob: fileDetails.blob })
    .from(fileDetails)
    .where(gte(fileDetails.blob, given.from))
    .orderBy(asc(fileDetails.blob))
    .limit(1),
)

/** Returns the blobs of some files, at random: at most so many, and one at least if there is any file. */
export function sampleBlobs(db: Db, count: number): string[] {
  const blobs = new Set<string>()
  for (let n = 0; n < count; n++) {
    // Blobs are random, too.
    const found = next.get(db, { from: randomBytes(16).toString('hex') })
    blobs.add((found ?? next.get(db, { from: '' }))?.blob ?? '')
  }
  return [...blobs].filter((blob) => blob !== '')
}
