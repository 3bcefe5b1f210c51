import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../src/db/client.ts'
import { madeOnce } from './run-folder.ts'

const MIGRATIONS = 'drizzle'

/** Returns the path of a migrated database, which is migrated once for a run. */
function emptyDatabase(): Promise<string> {
  const texts = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => readFileSync(join(MIGRATIONS, name), 'utf8'))
  return madeOnce('tagstead.sqlite', texts, (path) =>
    openDatabase(path, { migrations: MIGRATIONS, journal: 'delete' }).close(),
  )
}

/** Puts a library's database at the path, with an id of its own and nothing else in it. */
export async function addNewDatabase(path: string): Promise<void> {
  copyFileSync(await emptyDatabase(), path)
  const db = openDatabase(path, { journal: 'delete' })
  db.run('UPDATE library SET id = lower(hex(randomblob(16)))')
  db.close()
}
