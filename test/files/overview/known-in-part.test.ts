import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Db } from '../../../src/db/client.ts'
import { write } from '../../../src/db/write.ts'
import { findNear } from '../../../src/files/find/near.ts'
import type { FileList } from '../../../src/files/find/query.ts'
import type { CellPage, FileIdPage, Timeline } from '../../../src/files/overview/schema.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { addManyFiles } from '../../support/many-files.ts'
import { setWalks } from '../../support/set-walks.ts'

/** What each file says, its zone in minutes, and how much of it is known, in the order of the timeline. */
const DATES: [taken: string, offset: number | null, precision: string | null][] = [
  ['1987-06-15T11:00:00Z', null, null],
  ['1987-06-30T21:30:00Z', null, null],
  ['1987-06-15T10:00:00Z', 120, 'month'],
  ['1987-06-15T12:00:00Z', null, 'month'],
  ['1987-07-01T12:00:00Z', null, null],
  ['1987-07-02T12:00:00Z', null, 'day'],
  ['1987-07-02T13:00:00Z', null, null],
  ['1987-12-31T21:30:00Z', null, null],
  ['1987-07-02T10:00:00Z', 120, 'year'],
  ['1987-07-02T12:00:00Z', null, 'year'],
  ['1988-01-01T00:00:00Z', null, null],
  ['1988-02-15T12:00:00Z', null, 'month'],
  // The calendar of SQLite ends with them.
  ['9999-12-15T12:00:00Z', null, 'month'],
  ['9999-07-02T12:00:00Z', null, 'year'],
]
const BUCKETS = [
  ['1987-06', null, 2],
  ['1987-06', 'month', 2],
  ['1987-07', null, 3],
  ['1987-12', null, 1],
  ['1987', 'year', 2],
  ['1988-01', null, 1],
  ['1988-02', 'month', 1],
  ['9999-12', 'month', 1],
  ['9999', 'year', 1],
]

let library: Library
let walks: ReturnType<typeof setWalks>
/** The files in the order of the timeline. */
let ids: string[]
before(async () => {
  library = await openLibrary()
  const { id, token } = await library.join('admin', { is_admin: true })
  ids = write(library.deps.db, { now: 0 }, (tx) => {
    const made = addManyFiles(tx, DATES.length, { owner: id })
    for (const [n, [taken, offset, precision]] of DATES.entries()) {
      tx.run(
        'UPDATE files SET content_datetime = ?, content_offset = ?, date_precision = ? WHERE rid = ?',
        Date.parse(taken),
        offset,
        precision,
        n + 1,
      )
    }
    return made
  })
  walks = setWalks(library, { admin: token })
})
after(() => library.close())

const got = <Answer>(path: string, query: Record<string, string | number>) =>
  walks.got<Answer>('admin', path, { sort: 'content_datetime', ...query })
const inOrder = <Item>(list: Item[], order: string) =>
  order === 'asc' ? [...list] : list.toReversed()

/** Ranges that begin and end at what the files say, or just after it. */
function* everyRange(): Generator<{ from?: string; to?: string }> {
  const times = [...new Set(DATES.map(([taken]) => Date.parse(taken)))].toSorted((a, b) => a - b)
  const iso = (ms: number) => new Date(ms).toISOString()
  for (const [n, time] of times.entries()) {
    for (const end of [iso(time), iso(time + 1)]) yield* [{ from: end }, { to: end }]
    for (const to of times.slice(n)) yield { from: iso(time), to: iso(to) }
  }
}

describe('the timeline of dates known in part', () => {
  it('has a month alone at its end, and a year alone after its December', async () => {
    for (const order of ['asc', 'desc']) {
      const { total, buckets } = await got<Timeline>('/files/timeline', { order })
      assert.equal(total, DATES.length)
      const seen = buckets.map(({ key, precision, count }) => [key, precision, count])
      assert.deepEqual(seen, inOrder(BUCKETS, order))
      const rest = inOrder(ids, order)
      for (const { cursor, count } of buckets) {
        const page = { order, cursor, limit: count }
        const own = rest.splice(0, count)
        assert.deepEqual((await got<CellPage>('/files/cells', page)).ids, own)
        assert.deepEqual((await got<FileIdPage>('/files/ids', page)).ids, own)
        // A cursor of the timeline goes on in its order, in each list of files.
        const { items } = await got<{ items: { id: string }[] }>('/files', page)
        assert.deepEqual(
          items.map(({ id }) => id),
          own,
        )
      }
    }
  })

  it('is walked both ways, from anchors, filters and ranges alike', async () => {
    const all = await got<CellPage>('/files/cells', { order: 'asc' })
    assert.deepEqual(all.ids, ids)
    for (const [n, anchor] of ids.entries()) {
      const forward = await got<CellPage>('/files/cells', { order: 'asc', anchor, limit: 2 })
      assert.deepEqual(forward.ids, ids.slice(n, n + 2))
      const backward = { order: 'asc', anchor, direction: 'backward', limit: 2 }
      const { ids: before } = await got<CellPage>('/files/cells', backward)
      assert.deepEqual(before, ids.slice(Math.max(0, n - 1), n + 1))
    }
    const filtered = { order: 'desc', filter: '{m=image/jpeg}' }
    assert.deepEqual((await got<CellPage>('/files/cells', filtered)).ids, ids.toReversed())
    // A range is one of `content_datetime`.
    const range = { order: 'asc', from: '1987-07-02T00:00:00Z', to: '1987-07-03T00:00:00Z' }
    const within = [5, 6, 8, 9].map((n) => ids[n])
    assert.deepEqual((await got<CellPage>('/files/cells', range)).ids, within)
    const { buckets } = await got<Timeline>('/files/timeline', range)
    assert.deepEqual(
      buckets.map(({ key, count }) => [key, count]),
      [
        ['1987-07', 2],
        ['1987', 2],
      ],
    )
  })

  it('holds of a range what is in it by `content_datetime`, in its own order', async () => {
    for (const range of everyRange()) {
      const from = range.from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(range.from)
      const to = range.to === undefined ? Number.POSITIVE_INFINITY : Date.parse(range.to)
      const within = ids.filter((_, n) => {
        const time = Date.parse(DATES[n]![0])
        return time >= from && time < to
      })
      for (const order of ['asc', 'desc']) {
        const expected = inOrder(within, order)
        const query = { sort: 'content_datetime', order, limit: 3, ...range }
        const said = JSON.stringify(query)
        for (const direction of ['forward', 'backward']) {
          const cells = await walks.walkCells('admin', { ...query, direction })
          const walked = cells.map(({ id }) => id)
          assert.deepEqual(walked, expected, `${direction} ${said}`)
        }
        const listed = await walks.walkIds('admin', query)
        assert.deepEqual(listed, { ids: expected, totals: [within.length] }, said)
      }
    }
  })

  it('says of each cell what is known, by the last second of it', async () => {
    const { t, f } = await got<CellPage>('/files/cells', { order: 'asc' })
    const known = { day: 64, month: 128, year: 192 } as Record<string, number>
    assert.deepEqual(
      f.map((flags) => flags & 192),
      DATES.map(([, , precision]) => known[precision ?? ''] ?? 0),
    )
    const at = (n: number) => new Date(t[n]! * 1000).toISOString()
    assert.deepEqual([1, 2, 3, 5, 8, 9, 11].map(at), [
      '1987-06-30T21:30:00.000Z',
      '1987-06-30T23:59:59.000Z',
      '1987-06-30T23:59:59.000Z',
      '1987-07-02T12:00:00.000Z',
      '1987-12-31T23:59:59.000Z',
      '1987-12-31T23:59:59.000Z',
      '1988-02-29T23:59:59.000Z',
    ])
    const created = await got<CellPage>('/files/cells', { sort: 'created' })
    assert.deepEqual(
      created.f.filter((flags) => (flags & 192) !== 0),
      [],
    )
  })
})

describe('the list of files', () => {
  it('stays in the order of `content_datetime`', async () => {
    const { items } = await got<{ items: { content_datetime: string }[] }>('/files', {
      order: 'asc',
    })
    const times = items.map(({ content_datetime }) => content_datetime)
    assert.deepEqual(times, times.toSorted())
  })
})

/** How many files are in the range, and before and after it: more than a walk passes before it gives up. */
const [IN_RANGE, AROUND] = [3000, 6000]

describe('a range of the timeline', () => {
  it('is looked up in its index alone, whatever stands around it', async () => {
    const library = await openLibrary()
    try {
      const { db } = library.deps
      const id = await library.addUser('Ann', { is_admin: true })
      const made = write(db, { now: 0 }, (tx) =>
        addManyFiles(tx, AROUND + IN_RANGE + AROUND, { owner: id }),
      )
      const viewer = { id, name: 'Ann', is_admin: true, can_create: true }
      const [from, to] = [AROUND + 1, AROUND + IN_RANGE + 1]
      const ranges = [
        { from, to, key: [/<expr>>\?/, /<expr><\?/] },
        { from, to: null, key: [/<expr>>\?/] },
        { from: null, to, key: [/<expr><\?/] },
      ]
      for (const { key, ...range } of ranges) {
        for (const order of ['asc', 'desc'] as const) {
          for (const direction of ['forward', 'backward'] as const) {
            const list: FileList = {
              ...{ viewer, sort: 'timeline', order, range },
              ...{ trash: false, tree: null, search: '', pool: null },
            }
            const plans: string[] = []
            const explained: Db = {
              ...db,
              get: (sql, ...params) => {
                const steps = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...params)
                plans.push(...steps.map(({ detail }) => detail))
                return db.get(sql, ...params)
              },
            }
            const walk = { list, place: null, direction, limit: 50 }
            const found = findNear(explained, walk)
            const said = JSON.stringify({ range, order, direction })
            assert.ok(found, said)
            const isAscending = (order === 'asc') === (direction === 'forward')
            const all = made.filter(
              (_, n) => n + 1 >= (range.from ?? 0) && n + 1 < (range.to ?? made.length + 1),
            )
            assert.deepEqual(
              found.map((entry) => entry.id),
              inOrder(all, isAscending ? 'asc' : 'desc').slice(0, 50),
              said,
            )
            const walked = plans.filter((step) => step.includes('files_timeline'))
            assert.ok(walked.length > 0, said)
            for (const step of walked) {
              assert.match(step, /^SEARCH f USING COVERING INDEX/)
              for (const end of key) assert.match(step, end)
            }
            assert.ok(!plans.some((step) => step.includes('ORDER BY')), plans.join('\n'))
          }
        }
      }
    } finally {
      await library.close()
    }
  })
})
