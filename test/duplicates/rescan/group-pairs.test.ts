import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  FAR,
  type FinerHashes,
  GONE,
  TELLING,
} from '../../../src/duplicates/rescan/finer-hashes.ts'
import type { HashedFiles } from '../../../src/duplicates/rescan/found.ts'
import { createGroupPairs } from '../../../src/duplicates/rescan/group-pairs.ts'
import { groupFiles } from '../../../src/duplicates/rescan/groups.ts'
import { randomFiner, turned } from '../../support/duplicates/finer.ts'
import { randomNumbers } from '../../support/file-rows.ts'

const random = randomNumbers(5)
const BOUNDS = { threshold: 8, pairs: 1000, comparisons: 1000, looks: 1000 }

/** Returns files by their finer hashes, those of one first hash after those of another. */
function library(places: Uint8Array[][]): { hashes: HashedFiles; finer: FinerHashes } {
  const files = places.flat()
  const starts = [0]
  for (const place of places) starts.push(starts.at(-1)! + place.length)
  const bytes = Uint8Array.from(files.flatMap((hash) => [...hash]))
  return {
    hashes: {
      hi: new Int32Array(places.length),
      lo: Int32Array.from(places.keys()),
      starts: Int32Array.from(starts),
      rids: Float64Array.from(files.keys(), (file) => file + 1),
      asOf: 0,
      lateHashes: 0,
    },
    finer: {
      states: new Uint8Array(files.length).fill(TELLING),
      words: new Int32Array(bytes.buffer),
      twins: Int32Array.from(files.keys()),
    },
  }
}

/** Compares all places with each other, and returns the pairs of groups. */
function compare(places: Uint8Array[][], bounds: Partial<typeof BOUNDS>) {
  const { hashes, finer } = library(places)
  const groups = groupFiles(hashes, finer, Int32Array.from(places.keys()))
  const compared = createGroupPairs(hashes, finer, groups, { ...BOUNDS, ...bounds })
  for (const a of places.keys()) {
    compared.within(a)
    for (let b = a + 1; b < places.length; b++) compared.between(a, b)
  }
  const pairs = compared.pairs().flatMap((chunk) => [...chunk])
  return {
    compared,
    pairs: pairs.flatMap((a, at) => (at % 2 === 0 ? [`${a} ${pairs[at + 1]}`] : [])),
  }
}

describe('pairs of groups', () => {
  const one = randomFiner(random)

  it('beyond the limit are those that join what is not joined yet', () => {
    const { pairs } = compare([[one], [one], [one], [one]], { pairs: 2 })
    assert.deepEqual(pairs, ['0 1', '0 2', '0 3'])
  })

  it('of many groups are of equal ones when no more are compared', () => {
    const crowd = Array.from({ length: 5 }, () => randomFiner(random))
    const near = crowd.map((hash, index) => (index === 3 ? hash : turned(hash, 3)))
    const all = compare([crowd, near], { comparisons: 25 })
    assert.deepEqual(all.pairs, ['0 5', '1 6', '2 7', '3 8', '4 9'])
    assert.equal(all.compared.leftOut(), 0)
    const few = compare([crowd, near], { comparisons: 24 })
    assert.deepEqual(few.pairs, ['3 8'])
    assert.equal(few.compared.leftOut(), 1)
    // A few comparisons are always made.
    const single = compare([crowd, near.slice(0, 1)], { comparisons: 0 })
    assert.deepEqual(single.pairs, ['0 5'])
  })

  it('that are neither near nor far are undecided', () => {
    const { compared, pairs } = compare([[one, turned(one, FAR)], [turned(one, FAR + 1, 128)]], {})
    assert.deepEqual(pairs, [])
    assert.deepEqual([...compared.undecided.toLookAt().pairs], [0, 1])
  })

  it('are of one content when its first hashes are within the threshold', () => {
    const pairsAt = (bits: number) => {
      const { hashes, finer } = library([[one], [turned(one, 128)]])
      hashes.lo = Int32Array.of(0, 2 ** bits - 1)
      finer.twins = Int32Array.of(0, 0)
      const groups = groupFiles(hashes, finer, Int32Array.of(0, 1))
      const compared = createGroupPairs(hashes, finer, groups, BOUNDS)
      compared.equalContents(Int32Array.of(0, 1))
      return compared.pairs().flatMap((chunk) => [...chunk])
    }
    assert.deepEqual(pairsAt(BOUNDS.threshold), [0, 1])
    assert.deepEqual(pairsAt(BOUNDS.threshold + 1), [])
  })

  it('are none of files that are gone', () => {
    const { hashes, finer } = library([[one], [one, one]])
    finer.states.fill(GONE, 0, 2)
    const groups = groupFiles(hashes, finer, Int32Array.of(0, 1))
    assert.deepEqual([[...groups.of], [...groups.places]], [[-1, -1, 0], [1]])
  })
})
