import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Db } from '../../../src/db/client.ts'
import { costsOf } from '../../../src/files/find/costs.ts'
import { choosePlan } from '../../../src/files/find/plan.ts'
import type { FileList } from '../../../src/files/find/query.ts'
import { ALL_TIMES } from '../../../src/files/find/range.ts'
import type { Source } from '../../../src/files/find/sources.ts'
import type { Tree } from '../../../src/files/find/tree.ts'

const TOTAL = 1_000_000
const admin = { id: 1, name: 'root', is_admin: true, can_create: true }
const tag: Tree = { kind: 'tags', match: 'any', tags: [1], negated: false }

const source = (count: number, isOrdered = true): Source => ({
  from: { sql: 'file_tags', params: [] },
  where: { sql: '1', params: [] },
  column: 'file_rid',
  isOrdered,
  count,
})

/** Returns how a page is found of a list with these sources, of whose files a share matches what else is asked. */
function planOf(
  asked: Partial<FileList>,
  { sources = [], share = 1, limit = 51 }: { sources?: Source[]; share?: number; limit?: number },
) {
  const list: FileList = {
    viewer: admin,
    sort: 'created',
    order: 'desc',
    trash: false,
    tree: null,
    search: '',
    range: ALL_TIMES,
    pool: null,
    ...asked,
  }
  const costs = costsOf({} as Db)
  return choosePlan({ list, sources, total: TOTAL, share, limit, costs })
}

describe('the plan of a list', () => {
  it('goes to the end of a list of which nothing is asked', () => {
    assert.deepEqual(planOf({}, { limit: 10_001 }), { way: 'walk', rows: Number.MAX_SAFE_INTEGER })
  })

  it('looks for nothing where a source has no file', () => {
    const sources = [source(5), source(0)]
    assert.deepEqual(planOf({ tree: tag }, { sources, share: 0 }), { way: 'empty' })
  })

  it('sorts the files of the smallest source, as long as these are few', () => {
    const [few, some, many] = [source(5), source(2500), source(2501)]
    for (const sort of ['created', 'content_datetime', 'original_name'] as const) {
      const plan = planOf({ tree: tag, sort }, { sources: [some, few, many], share: 5 / TOTAL })
      assert.deepEqual(plan, { way: 'drive', source: few })
    }
    const plan = planOf({ tree: tag, sort: 'mime' }, { sources: [many, some], share: 0.001 })
    assert.deepEqual(plan, { way: 'drive', source: some })
  })

  it('walks along the sort for what is frequent, past no more rows than 6 ms allow', () => {
    const asked = { tree: tag, sort: 'content_datetime' } as const
    // Of one leaf: 0.25 and 0.6 µs a row.
    const walk = { way: 'walk', rows: Math.floor(6000 / 0.85) }
    assert.deepEqual(planOf(asked, { sources: [source(440_000)], share: 0.44 }), walk)
    assert.deepEqual(planOf(asked, { sources: [source(12_700)], share: 0.0127 }), walk)
    assert.deepEqual(planOf(asked, { sources: [source(3225)], share: 0.0032 }), walk)
    assert.deepEqual(planOf(asked, { sources: [source(2501)], share: 0.0025 }), { way: 'far' })
  })

  it('streams from a source in the order of creation, where a walk would pass more', () => {
    const tagged = source(12_700)
    const rows = 4000
    const plan = planOf({ tree: tag }, { sources: [tagged], share: 0.0127 })
    assert.deepEqual(plan, { way: 'stream', source: tagged, rows })
    const union = source(12_700, false)
    assert.equal(planOf({ tree: tag }, { sources: [union], share: 0.0127 }).way, 'walk')
    const seldom = planOf({ tree: tag }, { sources: [source(50_000)], share: 0.0001 })
    assert.deepEqual(seldom, { way: 'far' })
  })
})
