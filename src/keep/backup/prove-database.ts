import type { Db } from '../../db/client.ts'
import { openDatabase } from '../../db/client.ts'
import { faultsOf, forbidChanges } from '../../db/upkeep.ts'

/** A small cache, because the database is read once from end to end. */
export const LITTLE_MEMORY = { cacheSize: 4 * 2 ** 20 }

/**
 * Runs `look` with a read-only connection to the database of a backup, and returns its result. Throws when the file is
 * no database.
 */
export async function readCopy<Result>(
  path: string,
  look: (db: Db) => Result | Promise<Result>,
): Promise<Result> {
  const db = openDatabase(path, { journal: 'delete', memory: LITTLE_MEMORY })
  try {
    forbidChanges(db)
    return await look(db)
  } finally {
    db.close()
  }
}

/** Returns SQLite's descriptions of what is wrong with the database of a backup, none for a sound one. */
export async function faultsOfCopy(path: string): Promise<string[]> {
  try {
    return await readCopy(path, (db) => faultsOf(db))
  } catch (error) {
    return [(error as Error).message]
  }
}
