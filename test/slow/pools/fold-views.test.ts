import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Db, openDatabase } from '../../../src/db/client.ts'
import { type Tx, write } from '../../../src/db/write.ts'
import { createDisk } from '../../../src/disk.ts'
import { adoptStore } from '../../../src/files/content/store-marker.ts'
import { recordView } from '../../../src/files/view-queries.ts'
import { createLog } from '../../../src/log.ts'
import { createLongChanges } from '../../../src/long-changes/runner.ts'
import { beginFolding, foldPortion, viewFolding } from '../../../src/pools/fold-views.ts'
import { recordPoolView } from '../../../src/pools/view-queries.ts'
import { eventually } from '../../support/eventually.ts'
import { addManyFiles } from '../../support/many-files.ts'
import { spawnServer } from '../../support/spawn.ts'

const DAY = 86_400_000
/** The first millisecond of a day in UTC. */
const MIDNIGHT = Date.UTC(2026, 0, 2)
const FILES = 50
const USERS = 3
const POOLS = 2
const VIEWS = 3000
/** Views of a portion. */
const ROWS = 500

let dataDir: string
let db: Db
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tagstead-views-'))
  db = openDatabase(join(dataDir, 'tagstead.sqlite'), { migrations: 'drizzle' })
  // There are no contents.
  adoptStore(db, dataDir)
  write(db, { now: 0 }, () => {
    for (let id = 1; id <= USERS; id++) {
      db.run(
        'INSERT INTO users (id, name, password_hash, is_admin, can_create, is_blocked) VALUES (?, ?, ?, 1, 1, 0)',
        id,
        `user ${id}`,
        '',
      )
    }
    addManyFiles(db, FILES, { owner: 1 })
    for (let rid = 1; rid <= POOLS; rid++) {
      db.run(
        `INSERT INTO pools (rid, id, name, name_key, creator_id, is_public, sort_key, sort_order)
         VALUES (?, randomblob(16), ?, ?, 1, 0, 'manual', 'asc')`,
        ...[rid, `pool ${rid}`, `pool ${rid}`],
      )
    }
  })
})
after(async () => {
  db.close()
  await rm(dataDir, { recursive: true })
})
beforeEach(() => {
  for (const table of ['file_views', 'pool_views', 'file_view_days', 'pool_view_days']) {
    db.run(`DELETE FROM ${table}`)
  }
})

/** The days of the objects of a kind: object, user, day, and the last time. */
type Days = [number, number, number, number][]

const TABLES = {
  file: { each: 'file_views', days: 'file_view_days', column: 'file_rid', objects: FILES },
  pool: { each: 'pool_views', days: 'pool_view_days', column: 'pool_rid', objects: POOLS },
} as const
const KINDS = ['file', 'pool'] as const

/** Writes views at random times as an earlier version did; returns what their days must become. */
function writeEarlierViews(kind: (typeof KINDS)[number], count: number): Days {
  const { each, column, objects } = TABLES[kind]
  const days = new Map<string, Days[number]>()
  write(db, { now: 0 }, () => {
    for (let n = 0; n < count; n++) {
      const object = 1 + Math.floor(Math.random() * objects)
      const user = 1 + Math.floor(Math.random() * USERS)
      const at = MIDNIGHT + Math.floor(Math.random() * 3 * DAY)
      db.run(
        `INSERT INTO ${each} (${column}, user_id, viewed_at) VALUES (?, ?, ?)`,
        object,
        user,
        at,
      )
      const day = Math.floor(at / DAY)
      const key = [object, user, day].join()
      days.set(key, [object, user, day, Math.max(at, days.get(key)?.[3] ?? 0)])
    }
  })
  return sorted([...days.values()])
}

const sorted = (days: Days): Days => days.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])

function daysOf(kind: (typeof KINDS)[number]): Days {
  const { days, column } = TABLES[kind]
  return sorted(
    db
      .all<{ object: number; user_id: number; day: number; viewed_at: number }>(
        `SELECT ${column} AS object, user_id, day, viewed_at FROM ${days}`,
      )
      .map(({ object, user_id, day, viewed_at }) => [object, user_id, day, viewed_at]),
  )
}

const portion = (tx: Tx) => foldPortion(tx, ROWS)

const left = () =>
  db.get<{ n: number }>(
    'SELECT (SELECT count(*) FROM file_views) + (SELECT count(*) FROM pool_views) AS n',
  )!.n

const record = { file: recordView, pool: recordPoolView }
const clock = () => MIDNIGHT

/** Begins to fold the views, and goes on as a server does. */
function foldViews() {
  const log = createLog('silent')
  beginFolding({ db, clock, log })
  const changes = createLongChanges({
    db,
    clock,
    log,
    kinds: [viewFolding],
    disk: createDisk(dataDir, 0),
  })
  changes.resume()
  return changes
}

async function foldAllViews(): Promise<void> {
  const changes = foldViews()
  await eventually(() => left() === 0)
  await changes.stop()
}

describe('a view', () => {
  for (const kind of KINDS) {
    it(`of a ${kind} is kept by day in UTC, with the last time`, () => {
      const times = [MIDNIGHT - 2, MIDNIGHT - 1, MIDNIGHT - 2, MIDNIGHT, MIDNIGHT + DAY - 1]
      for (const now of times) write(db, { now }, (tx) => record[kind](tx, 1, 2))
      write(db, { now: MIDNIGHT }, (tx) => record[kind](tx, 2, 2))
      write(db, { now: MIDNIGHT }, (tx) => record[kind](tx, 1, 1))
      const day = MIDNIGHT / DAY
      assert.deepEqual(daysOf(kind), [
        [1, 1, day, MIDNIGHT],
        [1, 2, day - 1, MIDNIGHT - 1],
        [1, 2, day, MIDNIGHT + DAY - 1],
        [2, 2, day, MIDNIGHT],
      ])
    })
  }
})

describe('views that were kept one by one', () => {
  it('are folded into their days, portion by portion', () => {
    const expected = KINDS.map((kind) => writeEarlierViews(kind, VIEWS))
    let portions = 1
    for (let before = left(); write(db, { now: 0 }, portion); portions++) {
      const now = left()
      assert.ok(now < before && before - now <= 2 * ROWS, `${before - now} at once`)
      before = now
    }
    assert.ok(portions > 5)
    assert.equal(left(), 0)
    assert.deepEqual(KINDS.map(daysOf), expected)
    assert.equal(write(db, { now: 0 }, portion), false)
  })

  it('take nothing from a later view of the same day, nor it from them', async () => {
    write(db, { now: MIDNIGHT + 5 }, (tx) => recordView(tx, 1, 1))
    const insert = 'INSERT INTO file_views (file_rid, user_id, viewed_at) VALUES (1, 1, ?)'
    for (const at of [MIDNIGHT + 4, MIDNIGHT + 3]) db.run(insert, at)
    await foldAllViews()
    const day = MIDNIGHT / DAY
    assert.deepEqual(daysOf('file'), [[1, 1, day, MIDNIGHT + 5]])
    for (const at of [MIDNIGHT + 6, MIDNIGHT + 1]) db.run(insert, at)
    await foldAllViews()
    assert.deepEqual(daysOf('file'), [[1, 1, day, MIDNIGHT + 6]])
  })

  it('wait for the next start when the server stops', async () => {
    const expected = writeEarlierViews('file', 4 * VIEWS)
    const folding = foldViews()
    await eventually(() => left() < 4 * VIEWS)
    await folding.stop()
    const rest = left()
    assert.ok(rest > 0)
    assert.equal(left(), rest)
    await foldAllViews()
    assert.deepEqual([left(), daysOf('file')], [0, expected])
  })

  it('are all there once after kill -9 of the server', { timeout: 180_000 }, async () => {
    const expected = KINDS.map((kind) => writeEarlierViews(kind, 40 * VIEWS))
    let remaining = left()
    for (let kill = 0; kill < 2; kill++) {
      const server = await spawnServer({ dataDir })
      await eventually(() => left() < remaining)
      await server.stop('SIGKILL')
      remaining = left()
      assert.ok(remaining > 0)
    }
    const server = await spawnServer({ dataDir })
    await eventually(() => left() === 0)
    assert.equal(await server.stop(), 0)
    assert.deepEqual(KINDS.map(daysOf), expected)
  })
})
