import type { Db } from '../../db/client.ts'
import { openDatabase } from '../../db/client.ts'
import { faultsOf, forbidChanges } from '../../db/upkeep.ts'

/** Little, because it is read once from end to end. */
export const LITTLE_MEMORY = { cacheSize: 4 * 2 ** 20 }

/**
 * Runs `look` with the database of a backup, in which nothing can be changed, and returns its result. Throws when the
 * file is no database.
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

/** Returns what SQLite finds wrong with the database of a backup, in words; with a sound one, nothing. */
export async function faultsOfCopy(path: string): Promise<string[]> {
  try {
    return await readCopy(path, (db) => faultsOf(db))
  } catch (error) {
    return [(error as Error).message]
  }
}
