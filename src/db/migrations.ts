import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MIGRATIONS } from '../base/place.ts'

/**
 * Returns whether every migration of the folder has been applied to the database; `get` returns the first row of a
 * query on it. Throws a readable error when a later migration has also been applied.
 */
export function isMigrated(get: (sql: string) => unknown, folder: string): boolean {
  const applied = lastMigration(get)
  const known = lastKnown(folder)
  requireKnown(applied, known)
  return applied === known
}

/** Returns when the last migration of the database was written, in milliseconds, or null when there is none. */
export function lastMigration(get: (sql: string) => unknown): number | null {
  if (!get("SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'")) return null
  const { applied } = get('SELECT max(created_at) AS applied FROM __drizzle_migrations') as {
    applied: number | null
  }
  return applied
}

/** Throws a readable error if the last migration, given by when it was written, is later than those of the folder. */
export function requireKnown(applied: number | null, known = lastKnown(MIGRATIONS)): void {
  if (applied !== null && applied > known) {
    throw new Error('The library was written by a newer version of Tagstead; install that version.')
  }
}

function lastKnown(folder: string): number {
  const journal = JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8'))
  return Math.max(...journal.entries.map((entry: { when: number }) => entry.when))
}
