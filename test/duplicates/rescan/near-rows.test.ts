import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BLOCK, createNearRows } from '../../../src/duplicates/rescan/near-rows.ts'
import { near, randomHash, slowDistance } from '../../support/duplicates/hashes.ts'
import { randomNumbers } from '../../support/file-rows.ts'

type Range = [from: number, to: number, first: number, end: number]

function rowsOf(hashes: bigint[], threshold: number) {
  const rows = createNearRows(hashes.length, threshold)
  for (const [row, hash] of hashes.entries()) {
    rows.halves[2 * row] = Number(BigInt.asIntN(32, hash >> 32n))
    rows.halves[2 * row + 1] = Number(BigInt.asIntN(32, hash))
  }
  return (...range: Range) => [...rows.found.subarray(0, rows.compare(...range))]
}

function slowly(hashes: bigint[], threshold: number, [from, to, first, end]: Range): number[] {
  const found: number[] = []
  for (let row = from; row < to; row++) {
    for (let other = Math.max(first, row + 1); other < end; other++) {
      if (slowDistance(hashes[row]!, hashes[other]!) <= threshold) found.push(row, other)
    }
  }
  return found
}

describe('near rows', () => {
  it('are those that a plain loop finds, at every threshold', () => {
    const random = randomNumbers(5)
    for (let threshold = 0; threshold <= 64; threshold++) {
      const hashes: bigint[] = []
      for (let row = 0; row < 60; row++) {
        const earlier = hashes[random(row || 1)] ?? 0n
        hashes.push(random(3) === 0 ? randomHash(random) : near(earlier, threshold + 2, random))
      }
      const compare = rowsOf(hashes, threshold)
      const ranges: Range[] = [
        [0, 60, 0, 60],
        [59, 60, 59, 60],
        [0, 1, 59, 60],
        [10, 25, 10, 40],
        [3, 17, 30, 60],
      ]
      for (const range of ranges) {
        assert.deepEqual(compare(...range), slowly(hashes, threshold, range), `${threshold}`)
      }
    }
  })

  it('have room for all pairs of two blocks', () => {
    const compare = rowsOf(new Array<bigint>(2 * BLOCK).fill(-1n), 0)
    const found = compare(0, BLOCK, BLOCK, 2 * BLOCK)
    assert.equal(found.length, 2 * BLOCK ** 2)
    assert.deepEqual(found.slice(0, 4), [0, BLOCK, 0, BLOCK + 1])
    assert.deepEqual(found.slice(-2), [BLOCK - 1, 2 * BLOCK - 1])
    // What was found lies behind the hashes, and they are still what they were.
    assert.deepEqual(compare(0, 2, 2, 3), [0, 2, 1, 2])
  })
})
