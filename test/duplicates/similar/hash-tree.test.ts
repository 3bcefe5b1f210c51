import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Db, openDatabase } from '../../../src/db/client.ts'
import { similarHashes } from '../../../src/duplicates/similar/hash-tree.ts'
import { near, randomHash, slowDistance } from '../../support/duplicates/hashes.ts'
import { addHashedFiles } from '../../support/duplicates/scans.ts'
import { randomNumbers } from '../../support/file-rows.ts'

let folder: string
let path: string
/** As the server has it, and as the command line has it. */
let db: Db
let other: Db
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tagstead-tree-'))
  path = join(folder, 'tagstead.sqlite')
  openDatabase(path, { migrations: 'drizzle' }).close()
})
beforeEach(() => {
  db?.close()
  other?.close()
  db = openDatabase(path)
  other = openDatabase(path)
  db.run('DELETE FROM files')
  db.run(
    'INSERT OR IGNORE INTO users (id, name, password_hash, is_admin, can_create, is_blocked) VALUES (1, ?, ?, 1, 1, 0)',
    'admin',
    '',
  )
})
after(async () => {
  db.close()
  other.close()
  await rm(folder, { recursive: true })
})

/** The hashes within a distance of 0, as numbers. */
const known = async (distance = 64) =>
  [...(await similarHashes(db, '0', distance))]
    .map((found) => Number(found.phash))
    .sort((a, b) => a - b)

const setHash = (by: Db, from: number, to: number | null) =>
  by.run('UPDATE files SET phash = ? WHERE phash = ?', to, from)

describe('the hashes near one', () => {
  it('stand nearest first', async () => {
    addHashedFiles(db, [-1n, 7n, 1n, 3n, 1n, 8n])
    assert.deepEqual(
      [...(await similarHashes(db, '3', 3))],
      [
        { phash: '3', distance: 0 },
        { phash: '1', distance: 1 },
        { phash: '7', distance: 1 },
        { phash: '8', distance: 3 },
      ],
    )
    assert.deepEqual([...(await similarHashes(db, '-1', 1))], [{ phash: '-1', distance: 0 }])
  })

  it('are those of thousands of files, whatever their sign', async () => {
    const random = randomNumbers(2)
    const hashes = Array.from({ length: 5000 }, () => BigInt.asIntN(64, randomHash(random)))
    hashes.push(...hashes.slice(0, 500).map((hash) => BigInt.asIntN(64, near(hash, 10, random))))
    addHashedFiles(db, hashes)
    for (const hash of hashes.slice(0, 20)) {
      const expected = hashes
        .map((one) => ({ phash: String(one), distance: slowDistance(one, hash) }))
        .filter(({ distance }) => distance <= 12)
      const found = [...(await similarHashes(db, String(hash), 12))]
      const sorted = (list: typeof found) => new Set(list.map((one) => JSON.stringify(one)).sort())
      assert.deepEqual(sorted(found), sorted(expected))
    }
  })

  it('follow new files, changed hashes and deletions, in this process and in others', async () => {
    addHashedFiles(db, [1n, 2n])
    assert.deepEqual(await known(), [1, 2])
    for (const by of [db, other]) {
      addHashedFiles(by, [4n])
      assert.deepEqual(await known(), [1, 2, 4])
      setHash(by, 4, 8)
      assert.deepEqual(await known(), [1, 2, 8])
      setHash(by, 8, null)
      assert.deepEqual(await known(), [1, 2])
    }
    other.run('DELETE FROM files WHERE phash = 1')
    assert.deepEqual(await known(), [2])
  })

  it('still are those of another file with the same hash', async () => {
    addHashedFiles(db, [5n])
    assert.deepEqual(await known(), [5])
    // Neither of them was ever seen: one came and went, the other came as something else.
    const rid = () => db.get<{ rid: number }>('SELECT max(rid) AS rid FROM files')!.rid
    addHashedFiles(other, [5n])
    other.run('DELETE FROM files WHERE rid = ?', rid())
    addHashedFiles(other, [5n])
    other.run('UPDATE files SET phash = 6 WHERE rid = ?', rid())
    assert.deepEqual(await known(), [5, 6])
    other.run('UPDATE files SET phash = 5 WHERE rid = ?', rid())
    assert.deepEqual(await known(), [5])
    other.run('DELETE FROM files WHERE rid = ?', rid())
    assert.deepEqual(await known(), [5])
    other.run('DELETE FROM files WHERE rid = ?', rid())
    assert.deepEqual(await known(), [])
  })

  it('are right when much changes while they are read for the first time', async () => {
    const count = 9000
    addHashedFiles(
      db,
      Array.from({ length: count }, (_, index) => BigInt(index)),
    )
    const reading = known()
    // What has been read already and what has not, in both directions.
    setHash(db, 1, count + 1)
    setHash(db, count - 1, -7)
    db.run('DELETE FROM files WHERE phash IN (2, ?)', count - 2)
    addHashedFiles(db, [BigInt(count), -9n])
    const expected = db
      .all<{ phash: number }>('SELECT phash FROM files ORDER BY phash')
      .map((row) => row.phash)
    assert.deepEqual(await reading, expected)
    assert.deepEqual(await known(), expected)
  })
})
