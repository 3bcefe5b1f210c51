import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createUndecidedPairs } from '../../../src/duplicates/rescan/undecided-pairs.ts'

const pairsOf = (pairs: Int32Array) =>
  Array.from({ length: pairs.length / 2 }, (_, n) => `${pairs[2 * n]} ${pairs[2 * n + 1]}`)

describe('pairs of groups that the finer hash leaves undecided', () => {
  it('are settled once each, first the nearest of each group', () => {
    const undecided = createUndecidedPairs(100)
    undecided.add(2, 1, 50)
    undecided.add(1, 3, 40)
    undecided.add(1, 4, 60)
    const { pairs, leftOut } = undecided.toLookAt()
    assert.deepEqual([pairsOf(pairs), leftOut], [['1 3', '1 2', '1 4'], 0])
  })

  it('are no more than 16 of each group of a crowd, the nearest', () => {
    const undecided = createUndecidedPairs(10_000)
    for (let other = 1; other <= 40; other++) undecided.add(0, other, 80 - other)
    for (let a = 1; a <= 40; a++) for (let b = a + 1; b <= 40; b++) undecided.add(a, b, 25)
    const pairs = pairsOf(undecided.toLookAt().pairs)
    const own = pairs.filter((pair) => pair.startsWith('0 '))
    const nearest = Array.from({ length: 16 }, (_, n) => `0 ${40 - n}`)
    assert.deepEqual(own, nearest)
    assert.ok(pairs.length <= 41 * 16)
  })

  it('beyond the limit are those that are not the nearest of a group, and are counted', () => {
    const undecided = createUndecidedPairs(21)
    for (let a = 1; a <= 20; a++) for (let b = a + 1; b <= 20; b++) undecided.add(a, b, 25)
    undecided.add(100, 101, 90)
    const { pairs, leftOut } = undecided.toLookAt()
    assert.equal(pairs.length, 2 * 21)
    assert.ok(pairsOf(pairs).includes('100 101'))
    // Of the 190 of the crowd, none keeps those 6 that are the farthest of both.
    assert.equal(leftOut, 190 - 6 + 1 - 21)
  })

  it('beyond the limit are the farthest, and are counted once each', () => {
    const undecided = createUndecidedPairs(2)
    undecided.add(1, 2, 60)
    undecided.add(4, 3, 50)
    undecided.add(5, 6, 40)
    const { pairs, leftOut } = undecided.toLookAt()
    assert.deepEqual([pairsOf(pairs), leftOut], [['5 6', '3 4'], 1])
    const crowd = createUndecidedPairs(2)
    for (let a = 1; a <= 6; a++) for (let b = a + 1; b <= 6; b++) crowd.add(a, b, 25)
    assert.equal(crowd.toLookAt().leftOut, 13)
  })
})
