import { countBits } from '../../base/bits.ts'
import type { Hashes } from '../hamming.ts'

/** Hashes with their distances from one hash, at the same index. */
export interface NearHashes extends Hashes {
  distance: Uint8Array
}

/**
 * A set of 64-bit hashes that finds those near a given one: a BK-tree whose branches take distances together, and whose
 * leaves are buckets.
 */
export interface BkTree {
  /** Adds a hash; adding one that is in the set changes nothing. */
  add(hi: number, lo: number): void
  remove(hi: number, lo: number): void
  /** Returns the hashes within the distance, in no particular order. */
  within(hi: number, lo: number, distance: number): NearHashes
  /** Number of hashes in the set. */
  readonly size: number
}

// Hashes in no order; the arrays are longer than `count`.
interface Bucket extends Hashes {
  count: number
  /** Number of hashes at which the bucket is split. */
  limit: number
}

type Found = { [Field in keyof NearHashes]: number[] }

// Parts of the set by the distance of their hashes from one hash, which need not be in the set.
interface Branch {
  hi: number
  lo: number
  /** The part for each distance from 0 to 64, ascending. */
  partAt: Uint8Array
  parts: (Branch | Bucket)[]
}

// A bucket with this many hashes becomes a branch. A loop over its hashes is so quick that smaller buckets cost more
// than the triangle inequality saves.
const BUCKET = 2048
// A part takes in further distances until it has this many hashes.
const PART = 512
const FIRST_LENGTH = 64
const GROWTH = 1.5

/** Returns an empty tree. */
export function createBkTree(): BkTree {
  let root: Branch | Bucket = emptyBucket()
  let size = 0
  let indexes = new Int32Array(BUCKET)
  return {
    get size() {
      return size
    },
    add(hi, lo) {
      const { bucket, above, part } = locate(root, hi, lo)
      if (indexIn(bucket, hi, lo) >= 0) return
      size++
      push(bucket, hi, lo)
      if (bucket.count < bucket.limit) return
      const branch = branchOf(bucket)
      if (!branch) bucket.limit *= 2
      else if (above) above.parts[part] = branch
      else root = branch
    },
    remove(hi, lo) {
      const { bucket } = locate(root, hi, lo)
      const index = indexIn(bucket, hi, lo)
      if (index < 0) return
      size--
      const last = --bucket.count
      bucket.hi[index] = bucket.hi[last]!
      bucket.lo[index] = bucket.lo[last]!
    },
    within(hi, lo, distance) {
      const found: Found = { hi: [], lo: [], distance: [] }
      for (const bucket of inReach(root, hi, lo, distance)) {
        const { hi: his, lo: los, count } = bucket
        if (count > indexes.length) indexes = new Int32Array(his.length)
        const end = scan(indexes, his, los, count, hi, lo, distance)
        for (let at = 0; at < end; at++) {
          const index = indexes[at]!
          found.hi.push(his[index]!)
          found.lo.push(los[index]!)
          found.distance.push(countBits(his[index]! ^ hi, los[index]! ^ lo))
        }
      }
      return {
        hi: Int32Array.from(found.hi),
        lo: Int32Array.from(found.lo),
        distance: Uint8Array.from(found.distance),
      }
    },
  }
}

function isBucket(part: Branch | Bucket): part is Bucket {
  return 'count' in part
}

function emptyBucket(): Bucket {
  const [hi, lo] = [new Int32Array(FIRST_LENGTH), new Int32Array(FIRST_LENGTH)]
  return { hi, lo, count: 0, limit: BUCKET }
}

function push(bucket: Bucket, hi: number, lo: number): void {
  if (bucket.count === bucket.hi.length) {
    for (const half of ['hi', 'lo'] as const) {
      const grown = new Int32Array(Math.ceil(bucket.count * GROWTH))
      grown.set(bucket[half])
      bucket[half] = grown
    }
  }
  bucket.hi[bucket.count] = hi
  bucket.lo[bucket.count++] = lo
}

function indexIn(bucket: Bucket, hi: number, lo: number): number {
  for (let index = 0; index < bucket.count; index++) {
    if (bucket.lo[index] === lo && bucket.hi[index] === hi) return index
  }
  return -1
}

function locate(
  root: Branch | Bucket,
  hi: number,
  lo: number,
): { bucket: Bucket; above: Branch | null; part: number } {
  let at = root
  let above: Branch | null = null
  let part = 0
  while (!isBucket(at)) {
    above = at
    part = at.partAt[countBits(at.hi ^ hi, at.lo ^ lo)]!
    at = at.parts[part]!
  }
  return { bucket: at, above, part }
}

// Returns the hashes of a bucket in parts of a branch; null where there would be one part, since nearly all are as far
// from the branch.
function branchOf({ hi: his, lo: los, count }: Bucket): Branch | null {
  // The last one: the first may be the hash of the branch above.
  const [hi, lo] = [his[count - 1]!, los[count - 1]!]
  const away = his.subarray(0, count).map((other, index) => countBits(other ^ hi, los[index]! ^ lo))
  const partAt = partsOf(away)
  if (partAt[64] === 0) return null
  const parts = Array.from({ length: partAt[64]! + 1 }, emptyBucket)
  for (const [index, distance] of away.entries()) {
    push(parts[partAt[distance]!]!, his[index]!, los[index]!)
  }
  return { hi, lo, partAt, parts }
}

// Assigns distances so that hardly any part has few of the given ones.
function partsOf(distances: Int32Array): Uint8Array {
  const counts = new Uint32Array(65)
  for (const distance of distances) counts[distance]!++
  const partAt = new Uint8Array(65)
  let part = 0
  let size = 0
  for (const [distance, count] of counts.entries()) {
    if (size >= PART && count > 0) {
      part++
      size = 0
    }
    partAt[distance] = part
    size += count
  }
  return partAt
}

function inReach(root: Branch | Bucket, hi: number, lo: number, distance: number): Bucket[] {
  const buckets: Bucket[] = []
  for (const open = [root]; open.length > 0; ) {
    const at = open.pop()!
    if (isBucket(at)) {
      buckets.push(at)
      continue
    }
    const away = countBits(at.hi ^ hi, at.lo ^ lo)
    // By the triangle inequality, no other part has a hash within the distance.
    const last = at.partAt[Math.min(64, away + distance)]!
    for (let part = at.partAt[Math.max(0, away - distance)]!; part <= last; part++) {
      open.push(at.parts[part]!)
    }
  }
  return buckets
}

// Writes the indexes of the hashes within the distance, and returns how many there are. A function of its own with
// plain arguments: other code in or around the loop makes it up to twice as slow.
function scan(
  indexes: Int32Array,
  his: Int32Array,
  los: Int32Array,
  count: number,
  hi: number,
  lo: number,
  distance: number,
): number {
  let found = 0
  for (let index = 0; index < count; index++) {
    if (countBits(his[index]! ^ hi, los[index]! ^ lo) <= distance) indexes[found++] = index
  }
  return found
}
