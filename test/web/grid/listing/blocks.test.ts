import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Bucket } from '../../../../src/gallery/grid/engine.ts'
import {
  type Block,
  blockAt,
  type CellQuery,
  createBlocks,
  type Source,
} from '../../../../src/gallery/grid/listing/blocks.ts'
import type { CellPage } from '../../../../src/gallery/grid/listing/columns.ts'
import { idsBetween } from '../../../../src/gallery/grid/listing/ranges.ts'
import type { ListingSource } from '../../../../src/gallery/grid/listing/source.ts'

/** A listing of numbered files, read like the server's: a cursor is the place before a file. */
function listingOf(count: number) {
  let ids = Array.from({ length: count }, (_, at) => `f${at}`)
  const asked: CellQuery[] = []
  const source: ListingSource = {
    timeline: async () => ({ total: ids.length, buckets: null }),
    async ids({ cursor, limit }) {
      const place = cursor === undefined ? 0 : ids.indexOf(cursor)
      const next_cursor = ids[place + limit] ?? null
      return { ids: ids.slice(place, place + limit), next_cursor, total: ids.length }
    },
    async cells(query) {
      asked.push(query)
      const { cursor, direction = 'forward', limit } = query
      const behind = direction === 'forward' ? 0 : ids.length
      const place = cursor === undefined ? behind : ids.indexOf(cursor)
      const from = direction === 'forward' ? place : Math.max(0, place - limit)
      const end = direction === 'forward' ? Math.min(ids.length, place + limit) : place
      return pageOf(ids.slice(from, end), ids[end] ?? null, from === 0 ? null : ids[from]!)
    },
  }
  return {
    source,
    asked,
    insert: (id: string, before: string) => {
      ids.splice(ids.indexOf(before), 0, id)
    },
    remove: (id: string) => {
      ids = ids.filter((each) => each !== id)
    },
  }
}

function pageOf(ids: string[], next_cursor: string | null, prev_cursor: string | null): CellPage {
  return {
    ids,
    t: ids.map(() => 0),
    r: ids.map(() => 100),
    k: 'j'.repeat(ids.length),
    h: ids.map(() => null),
    f: ids.map(() => 1),
    d: ids.map(() => null),
    v: ids.map(() => 'v'),
    next_cursor,
    prev_cursor,
  }
}

function bucketsOf(...counts: number[]): Bucket[] {
  let first = 0
  return counts.map((count, at) => {
    const bucket = { key: `${2018 - at}-07`, count, ratio: count, cursor: `f${first}` }
    first += count
    return bucket
  })
}

const open = (counts: number[], total = counts.reduce((sum, count) => sum + count, 0)) => {
  const listing = listingOf(total)
  const changes: (number | null)[] = []
  const blocks = createBlocks(listing.source, bucketsOf(...counts), (index) => changes.push(index))
  return { ...listing, blocks, changes }
}
/** Opens a month of which the first 400 files are known. */
const openWithHead = async (count: number) => {
  const listing = listingOf(count)
  const head = await listing.source.cells({ limit: 400 })
  listing.asked.length = 0
  return { ...listing, blocks: createBlocks(listing.source, bucketsOf(count), () => {}, { head }) }
}
const firstAndLast = ({ files }: Block) => [files!.ids[0], files!.ids.at(-1)]

describe('loading blocks', () => {
  test('a block at a known beginning is one request of its own files', async () => {
    const { blocks, asked, changes } = open([400, 350, 900])
    await blocks.load(2)
    assert.deepEqual(asked, [{ cursor: 'f750', limit: 400 }])
    assert.deepEqual(firstAndLast(blocks.list[2]!), ['f750', 'f1149'])
    assert.deepEqual(changes, [2])
  })

  test('any block of a month of 4,000 files is there after at most 3 requests', async () => {
    for (let index = 0; index < 10; index++) {
      const { blocks, asked } = open([4000, 300])
      await blocks.load(index)
      assert.ok(asked.length <= 3, `${index}: ${asked.length}`)
      assert.deepEqual(firstAndLast(blocks.list[index]!), [
        `f${index * 400}`,
        `f${index * 400 + 399}`,
      ])
    }
  })

  test('the end of a month is read from behind', async () => {
    const { blocks, asked } = open([4000, 300])
    await blocks.load(9)
    assert.deepEqual(asked, [{ cursor: 'f4000', direction: 'backward', limit: 400 }])
    await blocks.load(8)
    assert.deepEqual(asked[1], { cursor: 'f3600', direction: 'backward', limit: 400 })
    assert.deepEqual(firstAndLast(blocks.list[8]!), ['f3200', 'f3599'])
  })

  test('blocks that are wanted at the same time are asked for once', async () => {
    const { blocks, asked } = open([1200])
    await Promise.all([blocks.load(0), blocks.load(1), blocks.load(1), blocks.load(0)])
    assert.deepEqual(
      asked.map(({ cursor }) => cursor),
      ['f0', 'f400'],
    )
  })

  test('a request that fails leaves the block to be asked for again', async () => {
    const listing = listingOf(800)
    let fails = true
    const source: Source = {
      cells: (query) =>
        fails ? Promise.reject(new Error('no connection')) : listing.source.cells(query),
    }
    const blocks = createBlocks(source, bucketsOf(800), () => {})
    await assert.rejects(blocks.load(0), /no connection/)
    fails = false
    await blocks.load(1)
    assert.deepEqual(firstAndLast(blocks.list[1]!), ['f400', 'f799'])
  })

  test('more than 100 blocks are not kept, and the farthest go first', async () => {
    const { blocks, asked } = open(Array(120).fill(400))
    for (let index = 0; index < 120; index++) await blocks.load(index)
    blocks.dropFar(110)
    const loaded = blocks.list.flatMap(({ files }, index) => (files ? [index] : []))
    assert.equal(loaded.length, 100)
    assert.deepEqual([loaded[0], loaded.at(-1)], [20, 119])
    await blocks.load(3)
    assert.equal(asked.at(-1)!.cursor, 'f1200')
  })

  test('an answer that does not fit the timeline says that it is out of date', async () => {
    const { blocks, changes } = open([400, 400], 795)
    await blocks.load(1)
    assert.deepEqual(changes, [1, null])
    assert.equal(blocks.total(), 795)
  })

  test('a file that came between two months says so when both are there', async () => {
    const { blocks, changes, insert } = open([400, 400])
    insert('new', 'f400')
    await blocks.load(1)
    assert.deepEqual(changes, [1])
    await blocks.load(0)
    assert.deepEqual(changes, [1, 0, null])
  })

  test('a file twice says so too', async () => {
    const { blocks, changes, remove } = open([400, 400])
    remove('f7')
    await blocks.load(0)
    await blocks.load(1)
    assert.ok(changes.includes(null))
  })
})

describe('a listing without a timeline', () => {
  test('grows by a block at a time, and knows its end when it is there', async () => {
    const { source } = listingOf(900)
    const blocks = createBlocks(source, null, () => {}, { total: 901 })
    assert.deepEqual([blocks.total(), blocks.end(), blocks.list.length], [901, 0, 1])
    await blocks.load(0)
    assert.deepEqual([blocks.total(), blocks.end(), blocks.list.length], [901, 400, 2])
    await blocks.load(1)
    await blocks.load(2)
    assert.deepEqual([blocks.total(), blocks.end(), blocks.list.length], [900, 900, 3])
    assert.deepEqual(firstAndLast(blocks.list[2]!), ['f800', 'f899'])
  })

  test('may be empty', async () => {
    const blocks = createBlocks(listingOf(0).source, null, () => {})
    await blocks.load(0)
    assert.deepEqual([blocks.total(), blocks.end()], [0, 0])
  })

  test('has as many files as were told, less those that went', async () => {
    const { source, remove } = listingOf(900)
    const blocks = createBlocks(source, null, () => {}, { total: 900 })
    await blocks.load(0)
    for (const id of ['f1', 'f2']) remove(id)
    blocks.remove(new Set(['f1', 'f2']))
    assert.equal(blocks.total(), 898)
    remove('f3')
    await blocks.renew(new Set(['f3']))
    assert.equal(blocks.total(), 897)
  })

  test('gives the ids of all its files, although few of them are loaded', async () => {
    const { source } = listingOf(25_000)
    const blocks = createBlocks(source, null, () => {}, { total: 24_000 })
    await blocks.load(0)
    const ids = await idsBetween({ source, buckets: null, blocks }, 0)
    assert.deepEqual([ids.length, ids[0], ids.at(-1)], [25_000, 'f0', 'f24999'])
  })
})

describe('files that go or change', () => {
  test('forgotten files are gone, and what follows moves up', async () => {
    const { blocks } = open([400, 400])
    await blocks.load(0)
    await blocks.load(1)
    assert.equal(blocks.remove(new Set(['f1', 'f2', 'f500', 'unknown'])).length, 3)
    assert.equal(blocks.total(), 797)
    assert.deepEqual(
      blocks.list.map(({ first, count }) => [first, count]),
      [
        [0, 398],
        [398, 399],
      ],
    )
    assert.equal(blocks.list[0]!.files!.ids[1], 'f3')
  })

  test('renewing reads only the blocks that hold the files, and lets go what has left', async () => {
    const { blocks, asked, remove } = open([400, 400, 400])
    for (const index of [0, 1, 2]) await blocks.load(index)
    remove('f450')
    asked.length = 0
    await blocks.renew(new Set(['f450', 'f451']))
    assert.deepEqual(asked, [{ cursor: 'f400', limit: 400 }])
    assert.equal(blocks.list[1]!.files!.ids.length, 399)
    assert.deepEqual(firstAndLast(blocks.list[1]!), ['f400', 'f799'])
  })

  test('what is known of the beginning tells where the next block begins', async () => {
    const { blocks, asked } = await openWithHead(1200)
    await blocks.load(1)
    assert.deepEqual(asked, [{ cursor: 'f400', limit: 400 }])
  })

  test('a block that was read together with the one before it can be read anew', async () => {
    const { blocks, asked, remove } = await openWithHead(1200)
    await blocks.load(2)
    assert.deepEqual(asked, [{ cursor: 'f400', limit: 800 }])
    remove('f850')
    await blocks.renew(new Set(['f850', 'f851']))
    assert.equal(blocks.list[2]!.files!.ids.length, 399)
    assert.deepEqual(firstAndLast(blocks.list[2]!), ['f800', 'f1199'])
    assert.equal(blocks.total(), 1199)
  })

  test('files are left as they were when they can not be read anew', async () => {
    const { blocks, source } = await openWithHead(1200)
    await blocks.load(2)
    source.cells = () => Promise.reject(new Error('no connection'))
    await assert.rejects(blocks.renew(new Set(['f850'])), /no connection/)
    assert.deepEqual(firstAndLast(blocks.list[2]!), ['f800', 'f1199'])
  })

  test('a position leads to its block', () => {
    const { blocks } = open([400, 400, 100])
    assert.deepEqual(
      [0, 399, 400, 800, 899, 5000].map((position) => blockAt(blocks.list, position)),
      [0, 0, 1, 2, 2, 2],
    )
  })
})
