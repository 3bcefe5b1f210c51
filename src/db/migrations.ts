import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Db } from './client.ts'

/** The folder of the migrations. */
export const MIGRATIONS = fileURLToPath(new URL('../../drizzle', import.meta.url))

/** Returns how the library's database stands to the migrations of this version. */
export function migrationState(db: Db): 'current' | 'older' | 'newer' {
  const journal = JSON.parse(readFileSync(join(MIGRATIONS, 'meta', '_journal.json'), 'utf8'))
  const known = Math.max(...journal.entries.map((entry: { when: number }) => entry.when))
  const table = db.get("SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'")
  const applied = table
    ? db.get<{ newest: number | null }>(
        'SELECT max(created_at) AS newest FROM __drizzle_migrations',
      )!.newest
    : null
  if (applied === known) return 'current'
  return (applied ?? 0) > known ? 'newer' : 'older'
}
