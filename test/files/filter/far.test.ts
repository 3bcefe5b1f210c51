import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { fileSeed, idAt, insertFiles, ORDERS, SORTS } from '../../support/file-rows.ts'
import { openRecorded, type Recorded } from '../../support/recorded.ts'

// More files than a walk asks before it gives up, and the few that match at one end of each sort.
const MANY = 5300
const FEW = 20
/** Whether somebody sees the file who is no admin. */
const SEEN = (index: number) => index % 3 === 1
const ID = (index: number) => idAt(1.7e12 + index, index)

let recorded: Recorded

describe('a filter whose matches lie far off', () => {
  before(async () => {
    recorded = await openRecorded()
    recorded.tokens.eve = (await recorded.library.join('Eve')).token
    const { db } = recorded.library.deps
    const seeds = Array.from({ length: MANY }, (_, index) =>
      fileSeed(ID(index), {
        name: index < FEW ? 'a needle.jpg' : 'hay.jpg',
        time: index,
        type: index < FEW ? 'image/avif' : 'image/jpeg',
        isPublic: SEEN(index),
      }),
    )
    insertFiles(db, seeds)
    db.run('UPDATE files SET needs_review = 0 WHERE rid > ?', FEW)
  })
  after(() => recorded.library.close())

  it('is found all the same, from either end, by every sort', async () => {
    const needles = Array.from({ length: FEW }, (_, index) => ID(index))
    const asked: [Record<string, string>, string, string[]][] = [
      [{ filter: '{r=1}' }, 'sets', needles],
      [{ filter: '{m=image/avif}' }, 'sets', needles],
      [{ filter: '{m=image/avif,|,m=image/webp}' }, 'sets', needles],
      [{ search: 'needle' }, 'search', needles],
      [{ search: 'ne' }, 'search', needles],
      [{ search: 'ee', filter: '{r=1}' }, 'search', needles],
      [{ search: 'eedle', filter: '{m=image/jpeg}' }, 'search', []],
    ]
    const seen = new Set<string>()
    const known = new Set<object>()
    for (const sort of SORTS) {
      for (const order of ORDERS) {
        for (const [query, fallback, matching] of asked) {
          const expected = order === 'asc' ? matching : matching.toReversed()
          for (const direction of ['forward', 'backward']) {
            const said = `${JSON.stringify(query)} ${sort} ${order} ${direction}`
            recorded.takeWays()
            const page = { ...query, sort, order, direction, limit: 50 }
            const { body } = await recorded.list('root', page)
            const ways = recorded.takeWays()
            // The index of types leads to them.
            const isNear = sort === 'mime' && query.filter === '{m=image/avif}'
            const expectedWays = isNear ? ['walk'] : [fallback, `walk, ${fallback}`]
            // After that, all that is needed of them is kept.
            if (!known.has(query)) assert.ok(expectedWays.includes(ways), `${said}: ${ways}`)
            known.add(query)
            seen.add(ways)
            const found = body.items.map((file) => file.id)
            assert.deepEqual(found, expected, said)
            assert.deepEqual([body.next_cursor, body.prev_cursor], [null, null], said)
          }
        }
      }
    }
    assert.ok(seen.has('walk, sets') && seen.has('walk, search'), [...seen].join('; '))
  })

  it('is passed by without a gap or a repetition where many in between are not seen', async () => {
    const sorted = Array.from({ length: MANY }, (_, index) => index)
      .filter(SEEN)
      .map(ID)
    for (const sort of SORTS) {
      for (const order of ORDERS) {
        const expected = order === 'asc' ? sorted : sorted.toReversed()
        for (const direction of ['forward', 'backward']) {
          const found = await recorded.walk('eve', { sort, order, direction, limit: 200 })
          const said = `${sort} ${order} ${direction}`
          assert.deepEqual(
            found.map((file) => file.id),
            expected,
            said,
          )
        }
      }
    }
  })
})
