import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type Db, openDatabase } from '../../../src/db/client.ts'
import { write } from '../../../src/db/write.ts'
import { ALL_TIMES } from '../../../src/files/find/range.ts'
import { orderedFiles } from '../../../src/files/sets/ordered.ts'
import type { Timeline } from '../../../src/files/sets/schema.ts'
import { fileSeed, idAt, insertFiles, randomNumbers } from '../../support/file-rows.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { addManyFiles } from '../../support/many-files.ts'
import { insertPool, insertTag } from '../../support/object-rows.ts'
import { lacksCounters, pagesRead } from '../../support/pages-read.ts'
import { fc } from '../../support/property.ts'
import { setWalks } from '../../support/set-walks.ts'
import { after, before, describe, it } from '../../support/test.ts'

const FILES = 120

let library: Library
let second: Db
const tokens: Record<string, string> = {}
let viewer: number
let walks: ReturnType<typeof setWalks>

const random = randomNumbers(3)
const someTime = () => Date.UTC(2018, random(6), 1 + random(28), random(24))
let made = 0

function addFile(db: Db): void {
  made++
  const id = idAt(1.7e12 + random(1000), made)
  const viewers = random(2) === 0 ? [viewer] : []
  insertFiles(db, [fileSeed(id, { time: someTime(), isPublic: random(4) === 0, viewers })])
}

before(async () => {
  library = await openLibrary()
  tokens.admin = (await library.join('admin', { is_admin: true })).token
  const user = await library.join('viewer')
  tokens.viewer = user.token
  viewer = user.id
  walks = setWalks(library, tokens)
  for (let n = 0; n < FILES; n++) addFile(library.deps.db)
  second = openDatabase(join(library.folder, 'tagstead.sqlite'))
})
after(async () => {
  second.close()
  await library.close()
})

const TYPES = ['image/jpeg', 'image/png', 'video/mp4']
const FILTERS = ['{m~image/%}', '{r=1}', '{!,m=video/mp4,|,r=1}']

/** What may happen to a file. */
const CHANGES: Record<string, (db: Db, rid: number, n: number) => void> = {
  'taken at another time': (db, rid) =>
    db.run('UPDATE files SET content_datetime = ? WHERE rid = ?', someTime(), rid),
  'in another zone': (db, rid, n) =>
    db.run('UPDATE files SET content_offset = ? WHERE rid = ?', n * 60, rid),
  trashed: (db, rid) => db.run('UPDATE files SET is_deleted = 1 WHERE rid = ?', rid),
  restored: (db, rid) => db.run('UPDATE files SET is_deleted = 0 WHERE rid = ?', rid),
  'public or not': (db, rid, n) =>
    db.run('UPDATE files SET is_public = ? WHERE rid = ?', n % 2, rid),
  'of another creator': (db, rid, n) =>
    db.run('UPDATE files SET creator_id = ? WHERE rid = ?', n % 2 === 0 ? viewer : 1, rid),
  granted: (db, rid) =>
    db.run(
      "INSERT OR REPLACE INTO acl SELECT ?, 'file', rid, 1, 0 FROM files WHERE rid = ?",
      viewer,
      rid,
    ),
  denied: (db, rid) =>
    db.run("UPDATE acl SET can_view = 0 WHERE object_type = 'file' AND object_rid = ?", rid),
  'granted no more': (db, rid) =>
    db.run("DELETE FROM acl WHERE object_type = 'file' AND object_rid = ?", rid),
  'of another shape': (db, rid, n) =>
    db.run(
      `INSERT OR REPLACE INTO file_looks
       SELECT rid, ?, 100, NULL, NULL, '1' FROM files WHERE rid = ?`,
      100 + n * 10,
      rid,
    ),
  'of another type': (db, rid, n) =>
    db.run('UPDATE files SET mime_type = ? WHERE rid = ?', TYPES[n % 3]!, rid),
  'of another name': (db, rid, n) =>
    db.run('UPDATE files SET name_key = ? WHERE rid = ?', `name ${n % 4}`, rid),
  'reviewed or not': (db, rid, n) =>
    db.run('UPDATE files SET needs_review = ? WHERE rid = ?', n % 2, rid),
  'of no shape': (db, rid) => db.run('DELETE FROM file_looks WHERE file_rid = ?', rid),
  gone: (db, rid) => db.run('DELETE FROM files WHERE rid = ?', rid),
  'a new one': (db) => addFile(db),
}

const BY: Record<string, (change: (db: Db) => void) => void> = {
  'the server': (change) => change(library.deps.db),
  'another process': (change) => change(second),
  'an undone write': (change) =>
    assert.throws(() =>
      write(library.deps.db, { now: 0 }, (tx) => {
        change(tx)
        throw new Error('undone')
      }),
    ),
}

/** By what a sort orders the files. */
const ORDERED_BY = { created: 'rid', content_datetime: 'content_datetime' } as const

/** Asserts that the files are kept in the orders in which they are stored. */
async function checkOrders(trash: boolean): Promise<void> {
  const { db } = library.deps
  for (const sort of ['created', 'content_datetime'] as const) {
    const { rids } = await orderedFiles(db, { sort, trash, range: ALL_TIMES })
    const stored = db.all<{ rid: number }>(
      `SELECT rid FROM files WHERE is_deleted = ? ORDER BY ${ORDERED_BY[sort]}, id`,
      Number(trash),
    )
    assert.deepEqual(
      [...rids],
      stored.map(({ rid }) => rid),
      sort,
    )
  }
}

describe('what is kept in memory of the files', () => {
  it('follows every change, whoever makes it', async () => {
    const change = fc.record({
      what: fc.constantFrom(...Object.keys(CHANGES)),
      by: fc.constantFrom('the server', 'the server', 'another process', 'an undone write'),
      rid: fc.integer({ min: 1, max: FILES + 30 }),
      n: fc.integer({ min: 0, max: 14 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 12 }),
        fc.constantFrom('created', 'content_datetime'),
        async (changes, sort) => {
          for (const { what, by, rid, n } of changes) {
            if (by === 'an undone write' && what === 'a new one') continue
            BY[by]!((db) => CHANGES[what]!(db, rid, n))
          }
          for (const who of ['admin', 'viewer']) {
            for (const trash of ['false', 'true']) {
              const list = { sort, order: 'desc', trash, limit: 200 }
              const cells = await walks.walkCells(who, list)
              await walks.checkTimeline(who, { sort, order: 'desc', trash }, cells)
              const { totals } = await walks.walkIds(who, list)
              assert.deepEqual(totals, [cells.length])
              await checkOrders(trash === 'true')
              for (const filter of FILTERS) {
                const filtered = { ...list, filter }
                const { ids, totals } = await walks.walkIds(who, filtered)
                assert.deepEqual(ids, await walks.walkFiles(who, '/files', filtered))
                assert.deepEqual(totals, [ids.length])
                const shown = await walks.walkCells(who, filtered)
                assert.deepEqual(
                  shown.map(({ id }) => id),
                  ids,
                )
                const asked = { sort, order: 'desc', trash, filter }
                const { total } = (await walks.got(who, '/files/timeline', asked)) as Timeline
                assert.equal(total, ids.length, filter)
              }
            }
          }
        },
      ),
      { numRuns: 40, endOnFailure: true },
    )
  })

  it('follows a file into another month, of which its zone alone changes', async () => {
    const own = await openLibrary()
    try {
      const { id, token } = await own.join('admin', { is_admin: true })
      const { db } = own.deps
      write(db, { now: 0 }, (tx) => {
        addManyFiles(tx, 3, { owner: id })
        tx.run('UPDATE files SET content_datetime = ? + rid', Date.UTC(2018, 5, 30, 23))
      })
      const { got } = setWalks(own, { admin: token })
      const sorted = { sort: 'content_datetime', order: 'asc' }
      const months = async () => {
        const { buckets } = await got<Timeline>('admin', '/files/timeline', sorted)
        return buckets.map(({ key, count }) => [key, count])
      }
      assert.deepEqual(await months(), [['2018-06', 3]])
      write(db, { now: 0 }, (tx) => tx.run('UPDATE files SET content_offset = 60 WHERE rid = 3'))
      assert.deepEqual(await months(), [
        ['2018-06', 2],
        ['2018-07', 1],
      ])
    } finally {
      await own.close()
    }
  })

  it('follows what is no change of a file, whoever makes it', async () => {
    const [tag, pool] = [idAt(1.6e12, 1), idAt(1.6e12, 2)]
    const { db } = library.deps
    write(db, { now: 0 }, () => {
      insertTag(db, { id: tag, name: 'tag', owner: 1, isPublic: true })
      insertPool(db, { id: pool, name: 'pool', owner: 1, isPublic: true, files: [] })
    })
    const { rid } = db.get<{ rid: number }>('SELECT rid FROM files WHERE is_deleted = 0')!
    const lists = {
      tag: { filter: `{t=${tag}}` },
      pool: { pool, sort: 'content_datetime' },
      search: { search: 'a name that no other has' },
    }
    const totals = async () => {
      const found: Record<string, number> = {}
      for (const [name, query] of Object.entries(lists)) {
        found[name] = ((await walks.got('admin', '/files/timeline', query)) as Timeline).total
      }
      return found
    }
    const rowOf = "(SELECT rid FROM %s WHERE name = '%s')"
    const ofTag = rowOf.replace('%s', 'tags').replace('%s', 'tag')
    const ofPool = rowOf.replace('%s', 'pools').replace('%s', 'pool')
    for (const by of [db, second]) {
      assert.deepEqual(await totals(), { tag: 0, pool: 0, search: 0 })
      by.run(`INSERT INTO file_tags (file_rid, tag_rid) VALUES (?, ${ofTag})`, rid)
      assert.deepEqual(await totals(), { tag: 1, pool: 0, search: 0 })
      by.run(`INSERT INTO pool_files (pool_rid, file_rid, order_key) VALUES (${ofPool}, ?, 0)`, rid)
      assert.deepEqual(await totals(), { tag: 1, pool: 1, search: 0 })
      by.run("UPDATE files SET name_key = 'a name that no other has' WHERE rid = ?", rid)
      assert.deepEqual(await totals(), { tag: 1, pool: 1, search: 1 })
      by.run("UPDATE files SET name_key = 'x' WHERE rid = ?", rid)
      by.run('DELETE FROM file_tags WHERE file_rid = ?', rid)
      by.run('DELETE FROM pool_files WHERE file_rid = ?', rid)
    }
  })

  it('is read anew after more changes than it is worth to follow', async () => {
    const sorted = { sort: 'content_datetime', order: 'asc' }
    await walks.got('admin', '/files/timeline', sorted)
    second.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= 50001)
       INSERT INTO file_changes (file_rid) SELECT 1 FROM n`,
    )
    second.run('UPDATE files SET content_datetime = content_datetime + 86400000')
    const { kept } = second.get<{ kept: number }>('SELECT count(*) AS kept FROM file_changes')!
    assert.ok(kept < 10_000, `${kept} changes are kept`)
    const cells = await walks.walkCells('admin', { ...sorted, limit: 200 })
    await walks.checkTimeline('admin', sorted, cells)
  })

  it('passes over a review of more files than are worth to follow', {
    skip: lacksCounters,
  }, async () => {
    const own = await openLibrary()
    try {
      const { id, token } = await own.join('admin', { is_admin: true })
      const { db } = own.deps
      write(db, { now: 0 }, (tx) => addManyFiles(tx, 5000, { owner: id }))
      const { got, walkIds } = setWalks(own, { admin: token })
      const ask = () => got<Timeline>('admin', '/files/timeline', { sort: 'created' })
      const first = await pagesRead(db, ask)
      db.run('UPDATE files SET needs_review = 0 WHERE rid > 10')
      const { result, pages } = await pagesRead(db, ask)
      assert.deepEqual(result, first.result)
      assert.ok(pages < first.pages / 4, `${pages} pages, and ${first.pages} at first`)
      const { totals } = await walkIds('admin', { filter: '{r=1}' })
      assert.deepEqual(totals, [10])
    } finally {
      await own.close()
    }
  })

  it('follows thousands of changes at once', async () => {
    const own = await openLibrary()
    try {
      const { id, token } = await own.join('admin', { is_admin: true })
      const { db } = own.deps
      write(db, { now: 0 }, (tx) => addManyFiles(tx, 500, { owner: id }))
      const inOrder = setWalks(own, { admin: token })
      const sorted = { sort: 'content_datetime', order: 'asc' }
      for (const trash of ['false', 'true']) {
        await inOrder.got('admin', '/files/timeline', { ...sorted, trash })
      }
      write(db, { now: 0 }, (tx) => {
        addManyFiles(tx, 2500, { owner: id })
        tx.run('UPDATE files SET content_datetime = rid * 7919 % 3000 * 86400000 WHERE rid % 6 = 0')
        tx.run('UPDATE files SET is_deleted = 1 WHERE rid % 5 = 0')
      })
      for (const trash of ['false', 'true']) {
        const list = { ...sorted, trash }
        const cells = await inOrder.walkCells('admin', { ...list, limit: 1000 })
        await inOrder.checkTimeline('admin', list, cells)
      }
    } finally {
      await own.close()
    }
  })

  it('is the same for requests that come at once', async () => {
    addFile(second)
    const sorted = { sort: 'content_datetime', order: 'asc' }
    const asked = () => walks.got<Timeline>('viewer', '/files/timeline', sorted)
    const [first, ...others] = await Promise.all([asked(), asked(), asked()])
    for (const other of others) assert.deepEqual(other, first)
  })
})
