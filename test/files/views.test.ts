import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { openDatabase } from '../../src/db/client.ts'
import { addManyFiles } from '../support/many-files.ts'
import { migrationsBefore } from '../support/older-migrations.ts'

const DAY = 86_400_000

const folder = mkdtempSync(join(tmpdir(), 'tagstead-views-'))
after(() => rmSync(folder, { recursive: true }))

describe('views that an earlier version kept one by one', () => {
  it('become those of their days, of which each has its last', () => {
    const path = join(folder, 'tagstead.sqlite')
    const old = openDatabase(path, { migrations: migrationsBefore('drop_old_views', folder) })
    old.run(
      "INSERT INTO users (id, name, password_hash, is_admin, can_create, is_blocked) VALUES (1, 'root', '', 1, 1, 0), (2, 'ann', '', 0, 1, 0)",
    )
    addManyFiles(old, 2, { owner: 1 })
    old.run(
      "INSERT INTO pools (rid, id, name, name_key, creator_id, is_public, sort_key, sort_order) VALUES (1, randomblob(16), 'a', 'a', 1, 0, 'manual', 'asc')",
    )
    const views = [
      [1, 1, DAY - 1],
      [1, 1, DAY],
      [1, 2, 2 * DAY + 5],
      [1, 2, 2 * DAY + 3],
      [1, 1, 3 * DAY],
    ]
    for (const [object, user, time] of views) {
      old.run(
        'INSERT INTO file_views (file_rid, user_id, viewed_at) VALUES (?, ?, ?)',
        object!,
        user!,
        time!,
      )
      old.run(
        'INSERT INTO pool_views (pool_rid, user_id, viewed_at) VALUES (?, ?, ?)',
        object!,
        user!,
        time!,
      )
    }
    // Of days that this version has already kept as such, one is older than what is folded, and one newer.
    for (const days of ['file_view_days', 'pool_view_days']) {
      old.run(`INSERT INTO ${days} VALUES (1, 1, 0, 7), (1, 1, 3, ?)`, 3 * DAY + 9)
    }
    old.run(
      "INSERT INTO long_changes (kind, subject, user_id, user_name, state, started_at) VALUES ('fold_views', 'fold views', 0, 'system', 'null', 0)",
    )
    old.close()

    const db = openDatabase(path, { migrations: 'drizzle' })
    for (const [days, object] of [
      ['file_view_days', 'file_rid'],
      ['pool_view_days', 'pool_rid'],
    ]) {
      const rows = db.all<object>(
        `SELECT ${object} AS object, user_id, day, viewed_at FROM ${days}`,
      )
      assert.deepEqual(
        rows.map((row) => Object.values(row)),
        [
          [1, 1, 0, DAY - 1],
          [1, 1, 1, DAY],
          [1, 1, 3, 3 * DAY + 9],
          [1, 2, 2, 2 * DAY + 5],
        ],
        days,
      )
    }
    assert.deepEqual(db.all('SELECT * FROM long_changes'), [])
    db.close()
  })
})
