import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { openDatabase } from '../../src/db/client.ts'
import { write } from '../../src/db/write.ts'
import { dataFolder } from '../../src/media/data-folder.ts'
import { insertAt } from '../../src/pools/positions.ts'
import { positionsOf } from '../../src/pools/ranks.ts'
import { openLibraryOf3 } from '../support/dates/old-files.ts'
import { addManyFiles } from '../support/many-files.ts'

it('the pools of an older library keep their order', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-pools-'))
  try {
    const old = openLibraryOf3(folder, 'order_keys')
    write(old, { now: 0 }, () => {
      old.run(`INSERT INTO users (name, password_hash, is_admin, can_create, is_blocked)
        VALUES ('ann', '', 1, 1, 0)`)
      addManyFiles(old, 600, { owner: 1 })
      for (const rid of [1, 2, 3]) {
        old.run(
          `INSERT INTO pools (rid, id, name, name_key, creator_id, is_public, sort_key, sort_order)
           VALUES (?, randomblob(16), 'pool', 'pool', 1, 0, 'manual', 'asc')`,
          rid,
        )
      }
      // The first is empty; the others have their files the other way round.
      for (const [pool, size] of [
        [2, 3],
        [3, 600],
      ] as const) {
        old.run(
          'INSERT INTO pool_files SELECT ?, rid, ? - rid FROM files WHERE rid <= ?',
          pool,
          size,
          size,
        )
      }
    })
    old.close()
    const db = openDatabase(dataFolder(folder).database, { migrations: 'drizzle' })
    try {
      const all = Array.from({ length: 600 }, (_, index) => index + 1)
      const backwards = (size: number) => all.slice(0, size).toReversed()
      const ordered = (files: number[]) => files.map((file, position) => ({ file, position }))
      for (const [pool, size] of [
        [1, 0],
        [2, 3],
        [3, 600],
      ] as const) {
        assert.deepEqual(positionsOf(db, pool, all), ordered(backwards(size)))
      }
      write(db, { now: 1 }, (tx) => insertAt(tx, 2, [9, 8], 1))
      assert.deepEqual(positionsOf(db, 2, all), ordered([3, 9, 8, 2, 1]))
    } finally {
      db.close()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
