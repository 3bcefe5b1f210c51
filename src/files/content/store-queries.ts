import { asc, gte } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { asLimit, prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { fileDetails } from '../../db/schema/files.ts'
import { library } from '../../db/schema/library.ts'
import type { Tx } from '../../db/write.ts'

/** Returns the id of the library: 32 hex digits. */
export function libraryId(db: Db): string {
  return db.first(reading({ id: library.id }, (fields) => db.select(fields).from(library)))!.id
}

/** Gives the library another id. */
export function setLibraryId(tx: Tx, id: string): void {
  tx.execute(tx.update(library).set({ id }))
}

/** Where new contents go, and where others are that are still to be moved, as CONTENTS names places. */
export interface RecordedPlaces {
  place: string | null
  old_place: string | null
}

const { place, old_place } = library

/** Returns the places that a server has recorded. */
export function findPlaces(db: Db): RecordedPlaces {
  return db.first(reading({ place, old_place }, (fields) => db.select(fields).from(library)))!
}

/** Records the places of contents. */
export function setPlaces(tx: Tx, places: RecordedPlaces): void {
  tx.execute(tx.update(library).set(places))
}

const blobsFrom = prepared({ from: 'text', limit: 'number' }, (db, given) =>
  reading({ blob: fileDetails.blob }, (fields) =>
    db
      .select(fields)
      .from(fileDetails)
      .where(gte(fileDetails.blob, given.from))
      .orderBy(asc(fileDetails.blob))
      .limit(asLimit(given.limit)),
  ),
)

/**
 * Returns the blobs of all contents or, if there are more than `count`, of that many from shelves that are far apart.
 */
export function sampleBlobs(db: Db, count: number): string[] {
  const all = blobsFrom.all(db, { from: '', limit: count + 1 })
  if (all.length <= count) return all.map(({ blob }) => blob)
  const shelves = Array.from({ length: count }, (_, n) => Math.floor((n * 256) / count))
  const found = shelves.flatMap((shelf) =>
    blobsFrom.all(db, { from: shelf.toString(16).padStart(2, '0'), limit: 1 }),
  )
  return [...new Set(found.map(({ blob }) => blob))]
}
