import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { write } from '../../../src/db/write.ts'
import type { CellPage } from '../../../src/files/overview/schema.ts'
import {
  type FileSeed,
  fileSeed,
  idAt,
  insertFiles,
  ORDERS,
  queryText,
  randomNumbers,
} from '../../support/file-rows.ts'
import { filters, manyTimes, print } from '../../support/filter-trees.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { insertPool, insertTag, putTags, ridOf } from '../../support/object-rows.ts'
import { fc } from '../../support/property.ts'
import { setWalks } from '../../support/set-walks.ts'

const TAGS = Array.from({ length: 6 }, (_, n) => idAt(1.6e12, n))
const FILES = 260
const POOL = idAt(1.6e12, 100)
const ZONES = [null, 0, 120, -300, 840, -720, 330]

let library: Library
const tokens: Record<string, string> = {}
let files: FileSeed[]
let walks: ReturnType<typeof setWalks>

/** Files about the turn of two months in many zones, of an owner; some public, some by the ACL. */
before(async () => {
  library = await openLibrary()
  walks = setWalks(library, tokens)
  const { db } = library.deps
  const people: Record<string, number> = {}
  for (const name of ['admin', 'owner', 'viewer', 'public']) {
    const user = await library.join(name, { is_admin: name === 'admin' })
    tokens[name] = user.token
    people[name] = user.id
  }
  const random = randomNumbers(5)
  files = Array.from({ length: FILES }, (_, n) =>
    fileSeed(idAt(Date.UTC(2026, 0, 31, 22) + random(9) * 3_600_000, random(2 ** 30) + n), {
      name: `${random(3)} of ${random(7)}.jpg`,
      time: Date.UTC(2018, 5 + random(2), 30, 20) + random(12) * 3_600_000,
      type: ['image/jpeg', 'image/png', 'video/mp4'][random(3)]!,
      owner: people.owner!,
      isPublic: random(3) === 0,
      viewers: random(3) === 0 ? [people.viewer!] : [],
      trashed: random(9) === 0,
    }),
  )
  insertFiles(db, files)
  write(db, { now: 0 }, () => {
    for (const id of TAGS) insertTag(db, { id, name: id, owner: people.owner!, isPublic: true })
    for (const { id } of files) {
      const rid = ridOf(db, 'file', id)
      const zone = ZONES[random(ZONES.length)]!
      const review = 'UPDATE files SET content_offset = ?, needs_review = ? WHERE rid = ?'
      db.run(review, zone, random(2), rid)
      const look = 'INSERT INTO file_looks VALUES (?, ?, ?, ?, ?, ?, NULL)'
      const [width, height] = [1 + random(4000), 1 + random(4000)]
      if (random(4) > 0) db.run(look, rid, width, height, null, Buffer.from([1, 2, rid % 256]), '1')
      putTags(
        db,
        id,
        TAGS.filter((_, tag) => random(tag + 2) === 0),
      )
    }
    const pooled = files.filter(() => random(2) === 0).map((file) => file.id)
    insertPool(db, {
      id: POOL,
      name: 'pool',
      owner: people.owner!,
      isPublic: true,
      files: pooled.sort((a, b) => (a.slice(-4) < b.slice(-4) ? -1 : 1)),
    })
  })
})
after(() => library.close())

type Named = Record<string, string>

interface Asked {
  who: string
  sort: string
  order: string
  limit: number
  trash: string
  more: Named
  range: Named
}

describe('cells, ids and the timeline', () => {
  it('hold what the list of files holds, in its order, for everybody and any filter', async () => {
    const query: fc.Arbitrary<Asked> = fc.record({
      who: fc.constantFrom('admin', 'owner', 'viewer', 'public'),
      sort: fc.constantFrom('created', 'content_datetime'),
      order: fc.constantFrom(...ORDERS),
      limit: fc.constantFrom(7, 90),
      trash: fc.constantFrom('false', 'false', 'true'),
      more: fc.constantFrom<Named[]>({}, {}, { search: '1 of' }, { search: '2' }),
      range: fc.constantFrom<Named[]>(
        {},
        {},
        { from: '2018-06-30T23:00:00Z' },
        { from: '2018-07-01T00:00:00+02:00', to: '2018-07-31T00:00:00Z' },
        { to: '2026-02-01T01:00:00Z' },
      ),
    })
    const filter = fc.option(filters([...TAGS, idAt(1, 1)]), { nil: null, freq: 3 })
    await fc.assert(
      fc.asyncProperty(query, filter, async ({ who, limit, more, range, ...rest }, tree) => {
        const list = { ...rest, ...more, ...range, filter: tree ? print(tree) : '' }
        const expected = await walks.walkFiles(who, '/files', list)
        const cells = await walks.walkCells(who, { ...list, limit })
        assert.deepEqual(
          cells.map((cell) => cell.id),
          expected,
        )
        assert.deepEqual(
          await walks.walkCells(who, { ...list, limit, direction: 'backward' }),
          cells,
        )
        const { ids, totals } = await walks.walkIds(who, { ...list, limit })
        assert.deepEqual([ids, totals], [expected, [expected.length]])
        await walks.checkTimeline(who, list, cells)
      }),
      { numRuns: 60 },
    )
  })

  it('of a pool are in its order, or in the one that is asked for', async () => {
    for (const sort_key of ['manual', 'content_datetime', 'created', 'original_name']) {
      const body = { sort_key, sort_order: 'desc' }
      await library.call('PATCH', `/pools/${POOL}`, { token: tokens.admin!, body })
      for (const who of ['admin', 'viewer']) {
        for (const filter of ['', '{r=1}', manyTimes('(,r=1,|,m=image/png,)')]) {
          const listed = await walks.walkFiles(who, `/pools/${POOL}/files`, { filter })
          assert.ok(listed.length > 20)
          const query = { pool: POOL, filter, limit: 11 }
          const cells = await walks.walkCells(who, query)
          assert.deepEqual(
            cells.map((cell) => cell.id),
            listed,
          )
          assert.deepEqual(await walks.walkCells(who, { ...query, direction: 'backward' }), cells)
          const { ids, totals } = await walks.walkIds(who, query)
          assert.deepEqual([ids, totals], [listed, [listed.length]])
          for (const sort of ['created', 'content_datetime']) {
            const sorted = { pool: POOL, filter, sort, order: 'asc' }
            const all = await walks.walkFiles(who, '/files', { filter, sort, order: 'asc' })
            const inOrder = await walks.walkCells(who, sorted)
            const held = new Set(listed)
            assert.deepEqual(
              inOrder.map((cell) => cell.id),
              all.filter((id) => held.has(id)),
            )
            await walks.checkTimeline(who, sorted, inOrder)
          }
        }
      }
    }
  })

  it('of a pool begin at an anchor, and go on from a file that has moved or is gone', async () => {
    const token = tokens.owner!
    const body = { sort_key: 'manual' }
    await library.call('PATCH', `/pools/${POOL}`, { token, body })
    const order = await walks.walkFiles('owner', `/pools/${POOL}/files`, {})
    const cells = (query: Record<string, string | number>) =>
      walks.got<CellPage>('owner', '/files/cells', { pool: POOL, limit: 3, ...query })
    const on = await cells({ anchor: order[10]! })
    assert.deepEqual(on.ids, order.slice(10, 13))
    const back = await cells({ anchor: order[10]!, direction: 'backward' })
    assert.deepEqual(back.ids, order.slice(8, 11))
    const remove = (file: string) =>
      library.call('POST', `/pools/${POOL}/files/remove`, { token, body: { file_ids: [file] } })
    await remove(order[12]!)
    assert.deepEqual((await cells({ cursor: on.next_cursor! })).ids, order.slice(13, 16))
    await remove(order[10]!)
    const before = await cells({ cursor: on.prev_cursor!, direction: 'backward' })
    assert.deepEqual(before.ids, order.slice(7, 10))
    const gone = await library.call(
      'GET',
      `/files/cells?${queryText({ pool: POOL, anchor: order[10]! })}`,
      { token },
    )
    assert.equal(gone.status, 404)
  })

  it('say of a file what the file says, and what the caller may do', async () => {
    const { db } = library.deps
    const [mine, theirs] = [idAt(1.9e12, 1), idAt(1.9e12 + 999, 2)]
    const owner = (await walks.got<{ id: number }>('owner', '/users/me', {})).id
    const viewer = (await walks.got<{ id: number }>('viewer', '/users/me', {})).id
    insertFiles(db, [
      fileSeed(mine, { time: 1_530_000_000_999, type: 'video/mp4', owner, viewers: [viewer] }),
      fileSeed(theirs, { time: 1_530_000_000_000, owner: viewer, viewers: [owner] }),
    ])
    const rid = ridOf(db, 'file', mine)
    write(db, { now: 0 }, () => {
      db.run(
        'INSERT INTO file_looks VALUES (?, 1920, 1080, 61.6, ?, ?, NULL)',
        rid,
        Buffer.from('ab'),
        '1',
      )
      db.run('UPDATE files SET content_offset = 120 WHERE rid = ?', rid)
      db.run("UPDATE file_details SET derivative_state = 'pending' WHERE file_rid = ?", rid)
      db.run('UPDATE files SET needs_review = 0 WHERE rid > ?', rid)
    })
    const query = { from: '2030-01-01T00:00:00Z', sort: 'created', order: 'asc' }
    const shown = async (who: string, more: Record<string, string> = {}) => {
      const {
        v,
        next_cursor: _,
        prev_cursor: __,
        ...page
      } = await walks.got<CellPage>(who, '/files/cells', { ...query, ...more })
      for (const version of v) assert.match(version, /^[\w-]{8}$/)
      return page
    }
    const t = [1.9e9, 1.9e9]
    const both = { ids: [mine, theirs], r: [178, 0], k: 'vj', d: [62, null] }
    // Only a creator and admins may know of entries for others.
    assert.deepEqual(await shown('owner', { hashes: '1' }), {
      ...both,
      t,
      h: ['YWI=', null],
      f: [1 + 2 + 4 + 8 + 16, 0],
    })
    assert.deepEqual(await shown('viewer'), { ...both, t, f: [1 + 8, 2 + 4 + 16] })
    assert.deepEqual(await shown('admin'), { ...both, t, f: [1 + 2 + 4 + 8, 2 + 4] })
    assert.deepEqual(await shown('public'), { ids: [], t: [], r: [], k: '', f: [], d: [] })
    db.run('UPDATE files SET is_public = 1 WHERE rid = ?', rid)
    assert.deepEqual((await shown('public')).f, [1 + 2 + 8])
    const taken = {
      sort: 'content_datetime',
      from: '2018-06-26T08:00:00Z',
      to: '2018-06-26T08:00:01Z',
    }
    assert.deepEqual(await shown('owner', { ...taken }), {
      ids: [theirs, mine],
      t: [1_530_000_000, 1_530_000_000 + 7200],
      r: [0, 178],
      k: 'jv',
      d: [null, 62],
      f: [0, 1 + 2 + 4 + 8 + 16],
    })
  })
})
