import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { User } from '../../src/base/user.ts'
import { openDatabase } from '../../src/db/client.ts'
import { write } from '../../src/db/write.ts'
import { visibleClusters } from '../../src/duplicates/clusters.ts'
import { addHashedFiles } from '../support/duplicates/scans.ts'
import { migrationsBefore } from '../support/older-migrations.ts'

const folder = mkdtempSync(join(tmpdir(), 'tagstead-migration-'))
after(() => rmSync(folder, { recursive: true }))

describe('the pairs of an older library', () => {
  it('stay as they are until the next rescan, and an unfinished scan goes', async () => {
    const path = join(folder, 'tagstead.sqlite')
    const old = openDatabase(path, { migrations: migrationsBefore('duplicate_groups', folder) })
    write(old, { now: 0 }, (tx) => {
      tx.run(
        `INSERT INTO users (id, name, password_hash, is_admin, can_create, is_blocked)
         VALUES (1, 'root', '', 1, 1, 0)`,
      )
    })
    addHashedFiles(old, [7n, 7n, -1n, -2n, 0x70n])
    write(old, { now: 0 }, (tx) => {
      tx.run('INSERT INTO duplicate_scans VALUES (1, 8, 5, 6, 1), (2, 8, 7, NULL, 0)')
      tx.run(
        `INSERT INTO duplicate_members SELECT scan.id, phash, rid FROM files, duplicate_scans AS scan
         WHERE rid < 5`,
      )
      tx.run('INSERT INTO duplicate_pairs VALUES (1, -2, -1, 1), (2, -2, -1, 1)')
    })
    old.close()

    const db = openDatabase(path, { migrations: 'drizzle' })
    assert.deepEqual(await visibleClusters(db, { id: 1, is_admin: true } as User), [
      { files: [1, 2], pairs: [{ a: 1, b: 2, distance: 0 }] },
      { files: [3, 4], pairs: [{ a: 3, b: 4, distance: 1 }] },
    ])
    const scans = db.all<{ id: number }>('SELECT id, started_at, is_whole FROM duplicate_scans')
    assert.deepEqual(
      scans.map((scan) => ({ ...scan })),
      [{ id: 1, started_at: 5, is_whole: 0 }],
    )
    // The list is read anew when one of them goes.
    db.run('DELETE FROM files WHERE rid = 4')
    const left = await visibleClusters(db, { id: 1, is_admin: true } as User)
    assert.equal(left.length, 1)
    db.close()
  })
})
