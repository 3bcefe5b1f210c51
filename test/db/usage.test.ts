import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { openDatabase } from '../../src/db/client.ts'
import { fileSeed, idAt, insertFiles } from '../support/file-rows.ts'
import { migrationsBefore } from '../support/older-migrations.ts'

describe('the table of what creators use', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-usage-'))
  after(() => rmSync(folder, { recursive: true }))

  it('is filled for a library from before it', () => {
    const path = join(folder, 'tagstead.sqlite')
    const before = openDatabase(path, { migrations: migrationsBefore('usage', folder) })
    before.run(
      `INSERT INTO users (id, name, password_hash, is_admin, can_create, is_blocked)
       VALUES (1, 'Ann', '', 1, 1, 0), (2, 'Bob', '', 0, 1, 0), (3, 'Cid', '', 0, 1, 0)`,
    )
    insertFiles(before, [
      fileSeed(idAt(1, 1), { owner: 1, size: 100 }),
      fileSeed(idAt(1, 2), { owner: 2, size: 20 }),
      fileSeed(idAt(1, 3), { owner: 2, size: 3, trashed: true }),
    ])
    before.close()

    const db = openDatabase(path, { migrations: 'drizzle' })
    assert.deepEqual(db.all('SELECT user_id, file_count, bytes FROM usage ORDER BY user_id'), [
      { user_id: 1, file_count: 1, bytes: 100 },
      { user_id: 2, file_count: 2, bytes: 23 },
    ])
    db.close()
  })
})
