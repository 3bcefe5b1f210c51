import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { joinHash, splitHash } from '../../../src/duplicates/hamming.ts'
import { type BkTree, createBkTree } from '../../../src/duplicates/similar/bk-tree.ts'
import { near, randomHash, slowDistance } from '../../support/duplicates/hashes.ts'
import { randomNumbers } from '../../support/file-rows.ts'

const anyHash = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

function within(tree: BkTree, hash: bigint, distance: number): string[] {
  const { hi, lo } = splitHash(String(hash))
  return [...tree.within(hi, lo, distance)]
    .flat()
    .map((found) => `${joinHash(found.hi, found.lo)} at ${found.distance}`)
    .sort()
}

function expected(hashes: Iterable<bigint>, hash: bigint, distance: number): string[] {
  return [...hashes]
    .map((other) => ({ other, away: slowDistance(other, hash) }))
    .filter(({ away }) => away <= distance)
    .map(({ other, away }) => `${other} at ${away}`)
    .sort()
}

function change(tree: BkTree, how: 'add' | 'remove', hash: bigint): void {
  const { hi, lo } = splitHash(String(hash))
  tree[how](hi, lo)
}

describe('the tree of hashes', () => {
  it('finds what a look at every hash finds, whatever came and went', () => {
    // Few different hashes, so that many collide, and come again after they have gone.
    const pool = fc.array(anyHash, { minLength: 1, maxLength: 20 })
    const steps = fc.array(fc.tuple(fc.boolean(), fc.nat(), fc.nat(3)), { maxLength: 100 })
    const distance = fc.integer({ min: 0, max: 64 })
    fc.assert(
      fc.property(pool, steps, distance, (hashes, changes, limit) => {
        const tree = createBkTree()
        const set = new Set<bigint>()
        for (const [isAdded, index, bits] of changes) {
          const hash = BigInt.asIntN(64, hashes[index % hashes.length]! ^ BigInt(bits))
          change(tree, isAdded ? 'add' : 'remove', hash)
          if (isAdded) set.add(hash)
          else set.delete(hash)
        }
        assert.equal(tree.size, set.size)
        for (const hash of hashes) {
          assert.deepEqual(within(tree, hash, limit), expected(set, hash, limit))
        }
      }),
    )
  })

  it('finds among thousands, clustered and not, what a look at every hash finds', () => {
    const random = randomNumbers(5)
    const hashes: bigint[] = []
    const tree = createBkTree()
    while (hashes.length < 5000) {
      const made = hashes[random(hashes.length || 1)]
      const isNear = made !== undefined && random(3) === 0
      hashes.push(BigInt.asIntN(64, isNear ? near(made, 9, random) : randomHash(random)))
      change(tree, 'add', hashes.at(-1)!)
    }
    for (let distance = 0; distance <= 64; distance += 4) {
      const hash = hashes[random(hashes.length)]!
      assert.deepEqual(within(tree, hash, distance), expected(new Set(hashes), hash, distance))
    }
  })
})
