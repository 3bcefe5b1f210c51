import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MIGRATIONS } from '../base/paths.ts'
import type { Driver } from './driver.ts'

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

/**
 * Applies the migrations of the folder that the database lacks, in one transaction. Their table is the one that Drizzle's
 * own migrator makes: earlier versions of Tagstead used that.
 */
export function applyMigrations(driver: Pick<Driver, 'prepare' | 'exec'>, folder: string): void {
  driver.exec('BEGIN IMMEDIATE')
  try {
    driver.exec(
      'CREATE TABLE IF NOT EXISTS __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)',
    )
    const applied = lastMigration((sql) => driver.prepare(sql).get()) ?? 0
    const record = driver.prepare(
      'INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)',
    )
    for (const { tag, when } of readJournal(folder).filter(({ when }) => when > applied)) {
      const text = readFileSync(join(folder, `${tag}.sql`), 'utf8')
      driver.exec(text)
      record.run(createHash('sha256').update(text).digest('hex'), when)
    }
    driver.exec('COMMIT')
  } catch (error) {
    try {
      driver.exec('ROLLBACK')
    } catch {
      // SQLite has already rolled back by itself, as it does when the disk is full.
    }
    throw error
  }
}

function lastKnown(folder: string): number {
  return Math.max(...readJournal(folder).map(({ when }) => when))
}

// What drizzle-kit generated, in the order in which it is applied.
function readJournal(folder: string): { tag: string; when: number }[] {
  return JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8')).entries
}
