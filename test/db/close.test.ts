import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { type Db, openDatabase } from '../../src/db/client.ts'
import { reading } from '../../src/db/reading.ts'
import { users } from '../../src/db/schema/users.ts'
import { temporaryFolder } from '../support/media/media.ts'

describe('a closed database', () => {
  it('is closed at once, whatever was prepared: SQLite removes the log of the last connection', async () => {
    const folder = await temporaryFolder()
    const path = join(folder.path, 'library.sqlite')
    for (const use of [
      (db: Db) => db.get('SELECT count(*) FROM users'),
      (db: Db) => db.prepare('SELECT name FROM users').all(),
      (db: Db) => db.rows(reading({ n: sql`1` }, (fields) => db.select(fields).from(users))),
    ]) {
      const db = openDatabase(path, { migrations: 'drizzle' })
      use(db)
      assert.ok(existsSync(`${path}-wal`))
      db.close()
      assert.ok(!existsSync(`${path}-wal`))
      assert.throws(() => use(db))
    }
    await folder.remove()
  })
})
