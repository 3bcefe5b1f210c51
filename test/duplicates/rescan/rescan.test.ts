import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, beforeEach, describe, it } from 'node:test'
import { rescan } from '../../../src/duplicates/rescan/rescan.ts'
import type { RescanEvent } from '../../../src/duplicates/rescan/schema.ts'
import { addHashedFiles, leftOver, storedScan } from '../../support/duplicates/scans.ts'
import { type Library, openLibrary, picture } from '../../support/harness.ts'
import { pathsOf } from '../../support/stored-files.ts'

let library: Library
let admin: { id: number; token: string }
before(async () => {
  library = await openLibrary({ DUPLICATE_HASH_THRESHOLD: '3' })
  admin = await library.join('root', { is_admin: true })
})
after(() => library.close())
beforeEach(() => {
  const { db } = library.deps
  for (const table of ['files', 'duplicate_scans', 'audit_log']) db.run(`DELETE FROM ${table}`)
})

async function rescanAll(): Promise<RescanEvent[]> {
  const events: RescanEvent[] = []
  for await (const event of rescan(library.deps, { id: admin.id, name: 'root' })) {
    events.push(event)
  }
  return events
}

/** The summary without its time, which nobody can foretell. */
async function summary() {
  const last = (await rescanAll()).at(-1)
  assert.ok(last?.type === 'done')
  const { seconds, ...rest } = last
  assert.ok(seconds >= 0 && seconds < 60)
  return rest
}

const HIGHEST = 2n ** 63n - 1n
const LOWEST = -(2n ** 63n)

describe('a rescan', () => {
  it('of an empty library finds nothing', async () => {
    const found = { type: 'done', files: 0, hashed: 0, failed: 0, pairs: 0, clusters: 0 }
    assert.deepEqual(await summary(), found)
    assert.deepEqual(storedScan(library.deps.db), { threshold: 3, pairs: [], members: [] })
  })

  it('stores the pairs of different hashes, and the files of those that have an equal or a neighbour', async () => {
    const { db } = library.deps
    // Two that differ in the highest bit, which is the sign; three equal; one chain; one alone.
    const [first] = [LOWEST, HIGHEST].map(String)
    const hashes = [LOWEST, 0n, 5n, 5n, 5n, HIGHEST, HIGHEST ^ 7n, HIGHEST ^ 0x77n, 0xff00ff00n]
    addHashedFiles(db, hashes)
    const rid = db.get<{ rid: number }>('SELECT min(rid) AS rid FROM files')!.rid
    assert.deepEqual(await summary(), {
      type: 'done',
      files: 9,
      hashed: 0,
      failed: 0,
      // 0 with the lowest and with each 5; the 5s with one another and with the lowest; the chain.
      pairs: 4 + 3 + 3 + 2,
      clusters: 2,
    })
    assert.deepEqual(storedScan(db), {
      threshold: 3,
      pairs: [
        [first, '0', 1],
        [first, '5', 3],
        ['0', '5', 2],
        [String(HIGHEST ^ 0x77n), String(HIGHEST ^ 7n), 3],
        [String(HIGHEST ^ 7n), String(HIGHEST), 3],
      ],
      members: hashes.slice(0, -1).map((hash, index) => [String(hash), rid + index]),
    })
  })

  it('takes the place of the one before, of which nothing stays', async () => {
    const { db } = library.deps
    addHashedFiles(db, [1n, 2n])
    await rescanAll()
    assert.equal(storedScan(db).pairs.length, 1)
    db.run("UPDATE files SET phash = CAST('-7777777777777' AS INTEGER) WHERE phash = 2")
    await rescanAll()
    assert.deepEqual(storedScan(db), { threshold: 3, pairs: [], members: [] })
    assert.equal(leftOver(db), 0)
  })

  it('stores a row for each of a thousand equal files, and no pairs', async () => {
    const { db } = library.deps
    addHashedFiles(db, new Array(1000).fill(42n))
    const { pairs, clusters, files } = await summary()
    assert.deepEqual({ pairs, clusters, files }, { pairs: 499_500, clusters: 1, files: 1000 })
    const stored = storedScan(db)
    assert.deepEqual([stored.pairs.length, stored.members.length], [0, 1000])
  })

  it('keeps the old state when there are too many pairs, and says why', async () => {
    const { db, config } = library.deps
    addHashedFiles(db, [1n, 2n])
    await rescanAll()
    const old = storedScan(db)
    addHashedFiles(
      db,
      Array.from({ length: 6400 }, (_, index) => BigInt(index + 10)),
    )
    config.duplicateHashThreshold = 64
    await assert.rejects(rescanAll(), /^AppError: More than 20 million pairs/)
    config.duplicateHashThreshold = 3
    assert.deepEqual(storedScan(db), old)
  })

  it('keeps the old state when nobody listens any more, and clears away at the next', async () => {
    const { db } = library.deps
    addHashedFiles(db, [1n, 2n])
    await rescanAll()
    const old = storedScan(db)
    addHashedFiles(
      db,
      Array.from({ length: 1000 }, (_, index) => BigInt(index * 4)),
    )
    for await (const event of rescan(library.deps, { id: 1, name: 'root' })) {
      if (event.type === 'progress' && event.stage === 'write') break
    }
    assert.ok(leftOver(db) > 0)
    assert.deepEqual(storedScan(db), old)
    await rescanAll()
    assert.equal(leftOver(db), 0)
  })

  it('writes one entry of the audit log', async () => {
    addHashedFiles(library.deps.db, [1n, 2n, 2n])
    const { type, ...found } = await summary()
    const [entry, ...others] = await library.audit()
    const { seconds, ...details } = entry!.details
    assert.equal(typeof seconds, 'number')
    assert.deepEqual(
      [others, entry!.action, details],
      [[], 'duplicate_rescan', { ...found, threshold: 3 }],
    )
    assert.equal(entry!.user_name, 'root')
  })
})

describe('files whose hash could not be made at the time', () => {
  const state = () =>
    library.deps.db.get<{ state: string; version: string; hasHash: number }>(
      `SELECT derivative_state AS state, decoder_version AS version, phash IS NOT NULL AS hasHash
       FROM files JOIN file_details ON file_rid = rid`,
    )

  it('are hashed, and found', async () => {
    const { db } = library.deps
    const bytes = await picture(1)
    for (let copy = 0; copy < 2; copy++) await library.upload(admin.token, bytes)
    const blobs = db.all<{ blob: string }>('SELECT blob FROM file_details')
    for (const { blob } of blobs) await rm(pathsOf(library.deps).derivative('thumbnail', blob))
    db.run("UPDATE file_details SET derivative_state = 'pending', decoder_version = NULL")
    const before = db.all('SELECT phash FROM files')
    db.run('UPDATE files SET phash = NULL')
    assert.deepEqual(await summary(), {
      type: 'done',
      files: 2,
      hashed: 2,
      failed: 0,
      pairs: 1,
      clusters: 1,
    })
    assert.deepEqual(db.all('SELECT phash FROM files'), before)
    assert.equal((await summary()).hashed, 0)
  })

  it('are tried once by each decoder, and not again', async () => {
    const { db, decoder } = library.deps
    const broken = (await picture(2)).slice(0, 40)
    assert.equal((await library.upload(admin.token, broken)).status, 201)
    const failed = { state: 'failed', version: decoder.version, hasHash: 0 }
    assert.deepEqual({ ...state() }, failed)
    assert.deepEqual((await summary()).failed, 0)
    db.run("UPDATE file_details SET decoder_version = 'an older one'")
    assert.deepEqual((await summary()).failed, 1)
    assert.deepEqual({ ...state() }, failed)
    assert.deepEqual((await summary()).failed, 0)
  })

  it('hold nothing up when their content is lost', async () => {
    const { db, storage } = library.deps
    await library.upload(admin.token, await picture(3))
    const { blob } = db.get<{ blob: string }>('SELECT blob FROM file_details')!
    await storage.removeBlob(blob)
    db.run("UPDATE file_details SET derivative_state = 'pending'")
    assert.deepEqual((await summary()).failed, 1)
  })
})
