import { countBits } from '../../base/bits.ts'
import {
  type Blocks,
  type Bucket,
  createBlocks,
  emptyBucket,
  type NearHashes,
  type Sought,
} from './blocks.ts'

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
// From this distance on, hardly any part is out of reach, and reading memory in its order is quicker.
const FAR = 12

/** Returns an empty tree. */
export function createBkTree(): BkTree {
  const blocks = createBlocks()
  let root: Branch | Bucket = emptyBucket(BUCKET)
  let size = 0
  return {
    get size() {
      return size
    },
    add(hi, lo) {
      const { bucket, above, part } = locate(root, hi, lo)
      if (blocks.has(bucket, hi, lo)) return
      size++
      blocks.push(bucket, hi, lo)
      if (bucket.count < bucket.limit) return
      const branch = branchOf(blocks, bucket)
      if (!branch) bucket.limit *= 2
      else if (above) above.parts[part] = branch
      else root = branch
    },
    remove(hi, lo) {
      if (blocks.remove(locate(root, hi, lo).bucket, hi, lo)) size--
    },
    within(hi, lo, distance) {
      const sought = { hi, lo, distance }
      return blocks.near(sought, distance < FAR ? inReach(root, sought) : null)
    },
  }
}

const isBucket = (part: Branch | Bucket): part is Bucket => 'blocks' in part

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

// Moves the hashes of a bucket into parts of a new branch; returns null, and moves none, where there would be one
// part, since nearly all are as far from the branch.
function branchOf(blocks: Blocks, bucket: Bucket): Branch | null {
  const { hi: his, lo: los } = blocks.listOf(bucket)
  // The last one: the first may be the hash of the branch above.
  const [hi, lo] = [his.at(-1)!, los.at(-1)!]
  const away = his.map((other, place) => countBits(other ^ hi, los[place]! ^ lo))
  const partAt = partsOf(away)
  if (partAt[64] === 0) return null
  blocks.clear(bucket)
  const parts = Array.from({ length: partAt[64]! + 1 }, () => emptyBucket(BUCKET))
  for (const [place, distance] of away.entries()) {
    blocks.push(parts[partAt[distance]!]!, his[place]!, los[place]!)
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

function inReach(root: Branch | Bucket, { hi, lo, distance }: Sought): Bucket[] {
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
