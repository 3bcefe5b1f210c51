import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the migrations. */
export const MIGRATIONS = fileURLToPath(new URL('../../drizzle', import.meta.url))

/**
 * Returns whether every migration of the folder was applied to the database that `get` takes a first
 * row from. Throws a sentence when a later one was, too.
 */
export function isMigrated(get: (sql: string) => unknown, folder: string): boolean {
  const journal = JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8'))
  const known = Math.max(...journal.entries.map((entry: { when: number }) => entry.when))
  if (!get("SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'")) return false
  const { applied } = get('SELECT max(created_at) AS applied FROM __drizzle_migrations') as {
    applied: number | null
  }
  if (applied !== null && applied > known) {
    throw new Error('The library was written by a newer version of Tagstead; install that version.')
  }
  return applied === known
}
