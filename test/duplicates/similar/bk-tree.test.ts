import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { joinHash, splitHash } from '../../../src/duplicates/hamming.ts'
import { type BkTree, createBkTree } from '../../../src/duplicates/similar/bk-tree.ts'
import { near, randomHash, slowDistance } from '../../support/duplicates/hashes.ts'
import { randomNumbers } from '../../support/file-rows.ts'
import { fc } from '../../support/property.ts'

const anyHash = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

function within(tree: BkTree, hash: bigint, distance: number): string[] {
  const { hi, lo } = splitHash(String(hash))
  const near = tree.within(hi, lo, distance)
  return Array.from(
    near.hi,
    (found, at) => `${joinHash(found, near.lo[at]!)} at ${near.distance[at]}`,
  ).sort()
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
    const left = new Set<bigint>()
    const tree = createBkTree()
    while (hashes.length < 20_000) {
      const made = hashes[random(hashes.length || 1)]
      const isNear = made !== undefined && random(3) === 0
      hashes.push(BigInt.asIntN(64, isNear ? near(made, 9, random) : randomHash(random)))
      change(tree, 'add', hashes.at(-1)!)
      left.add(hashes.at(-1)!)
      const gone = hashes[random(hashes.length * 3)]
      if (gone === undefined) continue
      change(tree, 'remove', gone)
      left.delete(gone)
    }
    assert.equal(tree.size, left.size)
    for (let distance = 0; distance <= 64; distance += 4) {
      const hash = hashes[random(hashes.length)]!
      assert.deepEqual(within(tree, hash, distance), expected(left, hash, distance))
    }
  })

  it('finds what is as far from one as all others are', () => {
    const random = randomNumbers(6)
    const hashes = new Set<bigint>()
    // Each half of the bits of a hash is set, and no bit of one that comes among them.
    while (hashes.size < 9000) {
      const half = BigInt(random(2 ** 16)) | (BigInt(random(2 ** 16)) << 16n)
      hashes.add(BigInt.asIntN(64, half | ((half ^ 0xffff_ffffn) << 32n)))
      // The last of a full bucket, from which it is split.
      if (hashes.size === 2047) hashes.add(0n)
    }
    const tree = createBkTree()
    for (const hash of hashes) change(tree, 'add', hash)
    for (const distance of [0, 8, 20, 31, 32]) {
      for (const hash of [0n, [...hashes].at(-1)!]) {
        assert.deepEqual(within(tree, hash, distance), expected(hashes, hash, distance))
      }
    }
  })
})
