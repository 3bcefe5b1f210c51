import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  arranged,
  gapAt,
  placeOfStep,
  requestsFor,
} from '../../../src/gallery/pools/arrange/order.ts'
import { fc } from '../../support/property.ts'

const ids = [...'abcdefgh']
const moved = (chosen: string, place: number, order = ids) =>
  arranged(order, new Set(chosen), gapAt(ids, new Set(chosen), place))?.join('')

/** An order, some of its files, and a place in it. */
const moves = fc
  .uniqueArray(fc.integer({ min: 0, max: 99 }), { minLength: 1, maxLength: 30 })
  .chain((numbers) =>
    fc.record({
      order: fc.constant(numbers.map(String)),
      chosen: fc.subarray(numbers.map(String)).map((some) => new Set(some)),
      place: fc.integer({ min: 0, max: numbers.length }),
    }),
  )

describe('files that are put into a gap', () => {
  it('stand there one behind the other, as they were', () => {
    assert.equal(moved('ceg', 1), 'acegbdfh')
    assert.equal(moved('ceg', 0), 'cegabdfh')
    assert.equal(moved('ceg', 8), 'abdfhceg')
    assert.equal(moved('b', 5), 'acdebfgh')
  })

  it('stay where they are when the gap is among them', () => {
    assert.equal(moved('cd', 2), 'abcdefgh')
    assert.equal(moved('cd', 3), 'abcdefgh')
    assert.equal(moved('cd', 4), 'abcdefgh')
    assert.equal(moved('abcdefgh', 4), 'abcdefgh')
  })

  it('leave the others in their order, and lose nothing', () => {
    fc.assert(
      fc.property(moves, ({ order, chosen, place }) => {
        const after = arranged(order, chosen, gapAt(order, chosen, place))!
        const isChosen = (id: string) => chosen.has(id)
        assert.deepEqual(after.toSorted(), order.toSorted())
        assert.deepEqual(
          after.filter((id) => !isChosen(id)),
          order.filter((id) => !isChosen(id)),
        )
        const first = after.findIndex(isChosen)
        const together = first === -1 ? [] : after.slice(first, first + chosen.size)
        assert.deepEqual(together, order.filter(isChosen))
        const before = order.slice(0, place).filter((id) => !isChosen(id))
        assert.equal(first === -1 ? before.length : first, before.length)
      }),
    )
  })

  it('go to the same gap in an order that others have changed', () => {
    // Before f, wherever that is now.
    assert.equal(moved('b', 5, [...'fabcdegh']), 'bfacdegh')
    // Without f, behind e.
    assert.equal(moved('b', 5, [...'habcdeg']), 'hacdebg')
    assert.equal(moved('b', 5, [...'abcdgh']), undefined)
  })
})

describe('a step by keys', () => {
  const after = (chosen: string, step: Parameters<typeof placeOfStep>[2]) =>
    moved(chosen, placeOfStep(ids, new Set(chosen), step))

  it('passes one file, or several, that are not moved', () => {
    assert.equal(after('c', -1), 'acbdefgh')
    assert.equal(after('c', 1), 'abdcefgh')
    assert.equal(after('cd', 1), 'abecdfgh')
    assert.equal(after('cd', -1), 'acdbefgh')
    assert.equal(after('c', 3), 'abdefcgh')
  })

  it('brings files together that are apart', () => {
    assert.equal(after('ce', 1), 'abdfcegh')
    assert.equal(after('ce', -1), 'acebdfgh')
  })

  it('ends at the ends', () => {
    assert.equal(after('a', -1), 'abcdefgh')
    assert.equal(after('gh', 1), 'abcdefgh')
    assert.equal(after('f', 'start'), 'fabcdegh')
    assert.equal(after('b', 'end'), 'acdefghb')
  })
})

describe('the requests that store an order', () => {
  /** What the API does: the named files first, the others behind them in their old order. */
  const reorder = (order: string[], named: string[]) => [
    ...named,
    ...order.filter((id) => !named.includes(id)),
  ]

  it('are one, which names no more than has moved', () => {
    assert.deepEqual(requestsFor(ids, [...'acbdefgh'], 100), [[...'acb']])
    assert.deepEqual(requestsFor(ids, ids, 100), [])
  })

  it('bring it about, however few files one may name', () => {
    fc.assert(
      fc.property(moves, fc.integer({ min: 1, max: 40 }), ({ order, chosen, place }, most) => {
        const after = arranged(order, chosen, gapAt(order, chosen, place))!
        const requests = requestsFor(order, after, most)
        assert.ok(requests.every((named) => named.length <= most))
        assert.deepEqual(requests.reduce(reorder, order), after)
      }),
    )
  })
})
