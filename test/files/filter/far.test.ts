import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Db } from '../../../src/db/client.ts'
import { areTraitsAtHand } from '../../../src/files/filter/traits.ts'
import type { FileSort } from '../../../src/files/schema.ts'
import { areOrderedAtHand } from '../../../src/files/sets/ordered.ts'
import { eventually } from '../../support/eventually.ts'
import { fileSeed, idAt, insertFiles, ORDERS, SORTS } from '../../support/file-rows.ts'
import { openRecorded, type Recorded } from '../../support/recorded.ts'

// More files than a walk asks before it gives up, and the few that match at one end of each sort.
const MANY = 5300
const FEW = 20
/** Whether somebody sees the file who is no admin. */
const SEEN = (index: number) => index % 3 === 1
/** Those of a type that is met farther off than at once, and nearer than where a walk gives up. */
const MIDDLE = (index: number) => index >= 2500 && index < 2600
const ID = (index: number) => idAt(1.7e12 + index, index)

let recorded: Recorded

/** Waits until all files are kept in an order. */
const untilKept = (db: Db, sort: FileSort) =>
  eventually(() => areOrderedAtHand(db, { sort, trash: false }))

describe('a filter whose matches lie far off', () => {
  before(async () => {
    recorded = await openRecorded()
    recorded.tokens.eve = (await recorded.library.join('Eve')).token
    const { db } = recorded.library.deps
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
  after(() => recorded.library.close())

  it('is found all the same, from either end, by every sort', async () => {
    const needles = Array.from({ length: FEW }, (_, index) => ID(index))
    const asked: [Record<string, string>, string, string[]][] = [
      [{ filter: '{r=1}' }, 'sets', needles],
      [{ filter: '{m=image/avif}' }, 'sets', needles],
      [{ filter: '{m=image/avif,|,m=image/webp}' }, 'sets', needles],
      [{ search: 'needle' }, 'search', needles],
      [{ search: 'ne' }, 'search', needles],
      [{ search: 'ne', filter: '{r=1}' }, 'search', needles],
      [{ search: 'needle', filter: '{m=image/jpeg}' }, 'search', []],
    ]
    const seen = new Set<string>()
    for (const sort of SORTS) {
      for (const order of ORDERS) {
        for (const [query, fallback, matching] of asked) {
          const expected = order === 'asc' ? matching : matching.toReversed()
          for (const direction of ['forward', 'backward']) {
            const said = `${JSON.stringify(query)} ${sort} ${order} ${direction}`
            recorded.restart()
            recorded.takeWays()
            const page = { ...query, sort, order, direction, limit: 50 }
            const { body } = await recorded.list('root', page)
            const ways = recorded.takeWays()
            // The index of types leads to them.
            const isNear = sort === 'mime' && query.filter === '{m=image/avif}'
            const expectedWays = isNear ? ['walk'] : [fallback, `walk, ${fallback}`]
            assert.ok(expectedWays.includes(ways), `${said}: ${ways}`)
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

  it('leaves to the next who ask that all is kept, by name, type and time', async () => {
    for (const sort of ['original_name', 'mime', 'created', 'content_datetime'] as const) {
      for (const viewer of ['root', 'eve']) {
        const db = recorded.restart()
        const page = { search: 'needle', sort, order: 'desc' }
        const { body: first } = await recorded.list(viewer, page)
        assert.match(recorded.takeWays(), /search/, sort)
        await untilKept(db, sort)
        recorded.takePassed()
        const { body: second } = await recorded.list(viewer, page)
        // A few of the nearest are looked at, and nothing is read that is kept.
        assert.doesNotMatch(recorded.takeWays(), /search|sets/, sort)
        assert.ok(recorded.takePassed() < MANY / 2, sort)
        assert.deepEqual(second, first)
      }
    }
  })

  it('leaves to the next who ask for a type that all is kept, if it was not met at once', async () => {
    const trait = { column: 'mime_type', value: 'image/gif' } as const
    for (const sort of ['original_name', 'created', 'content_datetime'] as const) {
      for (const viewer of ['root', 'eve']) {
        const db = recorded.restart()
        const page = { filter: '{m=image/gif}', sort, order: 'desc', limit: 25 }
        recorded.takePassed()
        const { body: first } = await recorded.list(viewer, page)
        assert.equal(first.items.length, 25)
        assert.ok(recorded.takePassed() > 2500, sort)
        await untilKept(db, sort)
        await eventually(() => areTraitsAtHand(db, [trait]))
        recorded.takePassed()
        const { body: second } = await recorded.list(viewer, page)
        assert.ok(recorded.takePassed() < 1500, sort)
        assert.deepEqual(second, first)
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
