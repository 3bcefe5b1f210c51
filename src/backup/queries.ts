import { sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { fileDetails } from '../db/schema/files.ts'
import { sessions } from '../db/schema/users.ts'
import { hasTable } from '../db/upkeep.ts'
import type { Tx } from '../db/write.ts'
import { listContents } from '../files/content/content-queries.ts'
import { libraryId } from '../files/content/store-queries.ts'
import type { ManifestLine } from './manifest.ts'

/** Returns the id of the library, or null for one of a version that gave it none. */
export function findLibraryId(db: Db): string | null {
  return hasTable(db, 'library') ? libraryId(db) : null
}

const STRETCH = 1000

/** Yields the contents of all files, in the order of their blobs, and reads them in stretches. */
export function* contentsOf(db: Db): Generator<ManifestLine> {
  for (let after = ''; ; ) {
    const found = listContents(db, { after, limit: STRETCH })
    yield* found
    if (found.length < STRETCH) return
    after = found.at(-1)!.blob
  }
}

/** Returns how many contents there are, and how many bytes they have together. */
export function countContents(db: Db): { count: number; bytes: number } {
  return db
    .select({ count: sql<number>`count(*)`, bytes: sql<number>`total(${fileDetails.size})` })
    .from(fileDetails)
    .get()!
}

/** Ends all sessions, whatever key their tokens were signed with. */
export function deleteSessions(tx: Tx): void {
  tx.delete(sessions).run()
}
