import assert from 'node:assert/strict'
import { fileSeed, idAt, insertFiles, ORDERS, SORTS } from '../../support/file-rows.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { openViewers, type Viewers } from '../../support/viewers.ts'

// More files than a walk asks before it gives up, and the few that match at one end of each sort.
const MANY = 5300
const FEW = 20
/** Whether somebody sees the file who is no admin. */
const SEEN = (index: number) => index % 3 === 1
/** Those of a type that is met farther off than at once, and nearer than where a walk gives up. */
const MIDDLE = (index: number) => index >= 2500 && index < 2600
const ID = (index: number) => idAt(1.7e12 + index, index)

let viewers: Viewers

describe('a filter whose matches lie far off', () => {
  before(async () => {
    viewers = await openViewers()
    viewers.tokens.eve = (await viewers.library.join('Eve')).token
    const { db } = viewers.library.deps
    const seeds = Array.from({ length: MANY }, (_, index) =>
      fileSeed(ID(index), {
        name: index < FEW ? 'a needle.jpg' : 'hay.jpg',
        time: index,
        type: index < FEW ? 'image/avif' : MIDDLE(index) ? 'image/gif' : 'image/jpeg',
        isPublic: SEEN(index),
      }),
    )
    insertFiles(db, seeds)
    db.run('UPDATE files SET needs_review = 0 WHERE rid > ?', FEW)
  })
  after(() => viewers.library.close())

  it('is found all the same, from either end, by every sort', async () => {
    const needles = Array.from({ length: FEW }, (_, index) => ID(index))
    const asked: [Record<string, string>, string[]][] = [
      [{ filter: '{r=1}' }, needles],
      [{ filter: '{m=image/avif}' }, needles],
      [{ filter: '{m=image/avif,|,m=image/webp}' }, needles],
      [{ search: 'needle' }, needles],
      [{ search: 'ne' }, needles],
      [{ search: 'ne', filter: '{r=1}' }, needles],
      [{ search: 'needle', filter: '{m=image/jpeg}' }, []],
    ]
    for (const sort of SORTS) {
      for (const order of ORDERS) {
        for (const [query, matching] of asked) {
          const expected = order === 'asc' ? matching : matching.toReversed()
          for (const direction of ['forward', 'backward']) {
            const said = `${JSON.stringify(query)} ${sort} ${order} ${direction}`
            viewers.restart()
            const page = { ...query, sort, order, direction, limit: 50 }
            const { body } = await viewers.list('root', page)
            const found = body.items.map((file) => file.id)
            assert.deepEqual(found, expected, said)
            assert.deepEqual([body.next_cursor, body.prev_cursor], [null, null], said)
          }
        }
      }
    }
  })

  it('is passed by without a gap or a repetition where many in between are not seen', async () => {
    const seen = Array.from({ length: MANY }, (_, index) => index).filter(SEEN)
    const byType = [
      ...seen.filter((index) => index < FEW || MIDDLE(index)),
      ...seen.filter((index) => index >= FEW && !MIDDLE(index)),
    ]
    for (const sort of SORTS) {
      const sorted = (sort === 'mime' ? byType : seen).map(ID)
      for (const order of ORDERS) {
        const expected = order === 'asc' ? sorted : sorted.toReversed()
        for (const direction of ['forward', 'backward']) {
          const found = await viewers.walk('eve', { sort, order, direction, limit: 200 })
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
