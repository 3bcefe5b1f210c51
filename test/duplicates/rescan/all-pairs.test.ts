import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countBits } from '../../../src/base/bits.ts'
import { joinHash, splitHash } from '../../../src/duplicates/hamming.ts'
import { allPairs } from '../../../src/duplicates/rescan/all-pairs.ts'
import { hashesOf, near, randomHash, slowDistance } from '../../support/duplicates/hashes.ts'
import { randomNumbers } from '../../support/file-rows.ts'
import { fc } from '../../support/property.ts'

const anyHash = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

function foundPairs(values: bigint[], threshold: number): string[] {
  const hashes = hashesOf(values)
  const found: string[] = []
  let last = 0
  for (const { pairs, progress } of allPairs(hashes, threshold)) {
    assert.ok(progress >= last && progress <= 1)
    last = progress
    for (let at = 0; at < pairs.length; at += 2) found.push(`${pairs[at]} ${pairs[at + 1]}`)
  }
  return found.sort()
}

function expectedPairs(values: bigint[], threshold: number): string[] {
  const hashes = hashesOf(values).values
  const expected: string[] = []
  for (const [a, one] of hashes.entries()) {
    for (let b = a + 1; b < hashes.length; b++) {
      if (slowDistance(one, hashes[b]!) <= threshold) expected.push(`${a} ${b}`)
    }
  }
  return expected.sort()
}

describe('a hash in two halves', () => {
  it('is the same hash when it is put together again', () => {
    fc.assert(
      fc.property(anyHash, (hash) => {
        const { hi, lo } = splitHash(String(hash))
        assert.equal(joinHash(hi, lo), hash)
        assert.equal(countBits(hi, lo), slowDistance(hash, 0n))
      }),
    )
  })
})

describe('all pairs within a threshold', () => {
  it('are those of the comparison of all with all, at every threshold', () => {
    const hashes = fc.array(anyHash, { maxLength: 30 })
    const threshold = fc.integer({ min: 0, max: 64 })
    const random = randomNumbers(1)
    fc.assert(
      fc.property(hashes, threshold, (made, limit) => {
        const values = made.flatMap((hash) => [hash, near(hash, limit, random), ~hash])
        assert.deepEqual(foundPairs(values, limit), expectedPairs(values, limit))
      }),
      { numRuns: 60 },
    )
  })

  // Beyond 17, all hashes are one bucket, of more than are compared at a time.
  for (const threshold of [0, 1, 2, 3, 5, 7, 8, 10, 13, 17, 18, 22]) {
    it(`are the same among thousands, within ${threshold}`, () => {
      const count = threshold < 12 ? 8000 : 3000
      const random = randomNumbers(threshold)
      const values: bigint[] = []
      while (values.length < count) {
        const shape = random(10)
        const made = values[random(values.length || 1)] ?? 0n
        if (shape < 5) values.push(randomHash(random))
        // Groups that hang together, and hashes that share all of a band but one bit.
        else if (shape < 8) values.push(near(made, 14, random))
        else values.push(made ^ (BigInt(random(2 ** 20)) << BigInt(random(45))))
      }
      const found = foundPairs(values, threshold)
      assert.equal(new Set(found).size, found.length, 'each pair once')
      const hashes = hashesOf(values)
      const slow: string[] = []
      const { hi, lo } = hashes
      for (let a = 0; a < hi.length; a++) {
        for (let b = a + 1; b < hi.length; b++) {
          if (countBits(hi[a]! ^ hi[b]!, lo[a]! ^ lo[b]!) <= threshold) slow.push(`${a} ${b}`)
        }
      }
      assert.ok(threshold === 0 || slow.length > 20, `there are ${slow.length}`)
      assert.deepEqual(found, slow.sort())
    })
  }

  it('are refused when they are more than 20 million', () => {
    const random = randomNumbers(3)
    const hashes = hashesOf(Array.from({ length: 6400 }, () => randomHash(random)))
    assert.throws(() => [...allPairs(hashes, 64)].length, {
      code: 'conflict',
      message:
        'More than 20 million pairs are within the threshold of 64: choose a smaller DUPLICATE_HASH_THRESHOLD',
    })
  })
})
