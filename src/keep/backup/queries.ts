import { getTableName, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { reading } from '../../db/reading.ts'
import { fileDetails, files } from '../../db/schema/files.ts'
import { damages, removals } from '../../db/schema/library.ts'
import { sessions } from '../../db/schema/users.ts'
import { hasTable } from '../../db/upkeep.ts'
import type { Tx } from '../../db/write.ts'
import { listContents } from '../../files/content/content-queries.ts'
import { libraryId } from '../../files/content/store-queries.ts'
import { requireBlob } from '../../media/data-folder.ts'
import { MIME_TYPES } from '../../media/sniff.ts'
import type { ManifestLine } from './manifest.ts'

/** Returns the id of the library, or null for one of a version that gave it none. */
export function findLibraryId(db: Db): string | null {
  return hasTable(db, 'library') ? libraryId(db) : null
}

const STRETCH = 1000

/** Yields the contents of all files in the order of their blobs, read in stretches. */
export function* contentsOf(db: Db): Generator<ManifestLine> {
  for (let after = ''; ; ) {
    const found = listContents(db, { after, limit: STRETCH })
    yield* found
    if (found.length < STRETCH) return
    after = found.at(-1)!.blob
  }
}

/** Returns the number of contents and their total bytes. */
export function countContents(db: Db): { count: number; bytes: number } {
  return db.first(
    reading(
      { count: sql<number>`count(*)`, bytes: sql<number>`total(${fileDetails.size})` },
      (fields) => db.select(fields).from(fileDetails),
    ),
  )!
}

/**
 * Throws a readable error unless the database has valid names of contents and types of files, as uploads produce them:
 * paths, names of files and headers are made from them, and the database may come from somebody else.
 */
export function requirePlain(db: Db): void {
  try {
    for (const { blob } of contentsOf(db)) requireBlob(blob)
    for (const table of [removals, damages]) {
      if (!hasTable(db, getTableName(table))) continue
      const named = reading({ blob: table.blob }, (fields) => db.select(fields).from(table))
      for (const { blob } of db.rows(named)) requireBlob(blob)
    }
    const { mime_type, mime_extension } = files
    const types = reading({ mime_type, mime_extension }, (fields) =>
      db.select(fields).from(files).groupBy(mime_type, mime_extension),
    )
    for (const type of db.rows(types)) {
      if (MIME_TYPES.get(type.mime_type) === type.mime_extension) continue
      throw new Error(`${JSON.stringify(type)} is no type of a file`)
    }
  } catch (error) {
    throw new Error(`The database is none that Tagstead has written: ${(error as Error).message}`)
  }
}

/** Ends all sessions, whatever key signed their tokens. */
export function deleteSessions(tx: Tx): void {
  tx.execute(tx.delete(sessions))
}
