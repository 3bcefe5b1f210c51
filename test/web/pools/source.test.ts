import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Bucket } from '../../../src/gallery/grid/engine.ts'
import { createBlocks } from '../../../src/gallery/grid/listing/blocks.ts'
import type { CellPage } from '../../../src/gallery/grid/listing/columns.ts'
import { findPosition, idsBetween } from '../../../src/gallery/grid/listing/ranges.ts'
import type { ListingSource } from '../../../src/gallery/grid/listing/source.ts'
import { known, sourceByHand } from '../../../src/gallery/pools/arrange/order.ts'

const FILES = 5000
const idOf = (at: number) => `file-${at}`
const order = Array.from({ length: FILES }, (_, at) => idOf(at))
const POOL = { pool: 'a pool' }

/** A server that has files in an order, and notes what it is asked. */
function serverOf(ids: string[]) {
  const asked: string[] = []
  const page = (from: number, limit: number): CellPage => {
    const own = ids.slice(from, from + limit)
    return {
      ids: own,
      t: own.map(() => 0),
      r: own.map(() => 150),
      k: 'j'.repeat(own.length),
      h: own.map(() => null),
      f: own.map(() => 4),
      d: own.map(() => null),
      v: own.map(() => 'v'),
      next_cursor: from + limit < ids.length ? String(from + limit) : null,
      prev_cursor: null,
    }
  }
  const source: ListingSource = {
    timeline: async () => ({ total: ids.length, buckets: null }),
    async cells({ anchor, limit }) {
      asked.push(`${limit} from ${anchor ?? 'the start'}`)
      return page(anchor === undefined ? 0 : ids.indexOf(anchor), limit)
    },
    async ids({ cursor, limit }) {
      asked.push('ids')
      const from = Number(cursor ?? 0)
      const end = Math.min(from + limit, from + 2000)
      return {
        ids: ids.slice(from, end),
        next_cursor: end < ids.length ? String(end) : null,
        total: ids.length,
      }
    },
  }
  return { source, asked }
}

async function open(ids: string[]) {
  const { source: usual, asked } = serverOf(ids)
  const source = sourceByHand(POOL, usual)
  const { total, spans } = await source.timeline()
  const outdated: null[] = []
  const changed = (index: number | null) => index === null && outdated.push(index)
  const blocks = createBlocks(source, spans as Bucket[], changed, { total })
  asked.length = 0
  return { source, buckets: null, blocks, asked, outdated }
}

describe('a pool in the order of its own', () => {
  it('leaves other listings alone', () => {
    const { source } = serverOf(order)
    assert.equal(sourceByHand({ ...POOL, sort: 'created', order: 'asc' }, source), source)
    assert.equal(sourceByHand({ sort: 'created', order: 'asc' }, source), source)
  })

  // With the file that follows, which tells whether the next block still begins with it.
  it('loads any place by one request', async () => {
    const { blocks, asked, outdated } = await open(order)
    for (const index of [8, 0, 12]) await blocks.load(index)
    assert.deepEqual(asked, ['401 from file-3200', '401 from the start', '200 from file-4800'])
    assert.equal(blocks.list[8]!.files!.ids[0], idOf(3200))
    assert.equal(blocks.total(), FILES)
    await blocks.load(11)
    assert.deepEqual(outdated, [])
  })

  it('finds a file and a range without a request but for the block', async () => {
    const pool = await open(order)
    assert.equal(await findPosition(pool, idOf(4321)), 4321)
    assert.deepEqual(pool.asked, ['401 from file-4000'])
    assert.equal(await findPosition(pool, 'another'), null)
    assert.deepEqual(await idsBetween(pool, 399, 402), [399, 400, 401].map(idOf))
    assert.equal((await idsBetween(pool, 0)).length, FILES)
    assert.ok(!pool.asked.includes('ids'))
  })

  it('is shown in another order before the server has that, from what is loaded', async () => {
    const before = await open(order)
    await before.blocks.load(0)
    const cells = new Map(
      order.slice(0, 400).map((id) => [
        id,
        {
          id,
          t: 0,
          ratio: 1.5,
          kind: 'j' as const,
          hash: null,
          flags: 4,
          duration: null,
          version: 'v',
        },
      ]),
    )
    let settle = () => {}
    const settled = new Promise<void>((resolve) => {
      settle = resolve
    })
    const ids = [...order.slice(1, 300), order[0]!, ...order.slice(300)]
    known.pending = { ids, cells, settled }
    const { source: usual, asked } = serverOf(ids)
    const source = sourceByHand(POOL, usual)
    known.pending = null
    assert.equal((await source.timeline()).total, FILES)
    const { ids: shown, t } = await source.cells({ limit: 401 })
    assert.deepEqual(shown, ids.slice(0, 401))
    assert.equal(t.length, 400)
    assert.deepEqual(asked, [])
    // What isn't loaded waits until the server has the order.
    const far = source.cells({ cursor: `@${ids[4000]}`, limit: 400 })
    await Promise.resolve()
    assert.deepEqual(asked, [])
    settle()
    assert.deepEqual((await far).ids, ids.slice(4000, 4400))
    assert.deepEqual(asked, ['400 from file-4000'])
  })
})
