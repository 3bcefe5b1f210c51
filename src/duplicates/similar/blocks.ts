import { countBits } from '../../base/bits.ts'

// Hashes in a block.
const BLOCK = 256
// Blocks that are looked at in one loop, at most.
const RUN = 16
const FIRST_BLOCKS = 16
// The factor by which the arrays of all hashes grow: doubling them would leave up to half of them empty.
const GROWTH = 1.25

/** Some hashes, in no order, in blocks of which all but the last are full. */
export interface Bucket {
  count: number
  /** Number of hashes at which the bucket is split. */
  limit: number
  blocks: number[]
}

/** Hashes and their distances from one hash, by their place. */
export interface NearHashes {
  hi: Int32Array
  lo: Int32Array
  distance: Uint8Array
}

/** A hash, and the distance within which others are looked for. */
export interface Sought {
  hi: number
  lo: number
  distance: number
}

/**
 * Blocks of hashes in two arrays: a loop over all of them reads the memory in its order, which makes it several times
 * quicker for each hash than one over scattered buckets.
 */
export interface Blocks {
  push(bucket: Bucket, hi: number, lo: number): void
  /** Takes the hash out of the bucket; returns false when it isn't there. */
  remove(bucket: Bucket, hi: number, lo: number): boolean
  has(bucket: Bucket, hi: number, lo: number): boolean
  /** Returns the hashes of the bucket. */
  listOf(bucket: Bucket): { hi: Int32Array; lo: Int32Array }
  clear(bucket: Bucket): void
  /** Returns the hashes of these buckets, or of all, that are within the distance. */
  near(sought: Sought, buckets: Bucket[] | null): NearHashes
}

export const emptyBucket = (limit: number): Bucket => ({ count: 0, limit, blocks: [] })

const noHashes = (length: number): NearHashes => ({
  hi: new Int32Array(length),
  lo: new Int32Array(length),
  distance: new Uint8Array(length),
})

/** Returns no blocks, which grow as hashes are added. */
export function createBlocks(): Blocks {
  let his = new Int32Array(FIRST_BLOCKS * BLOCK)
  let los = new Int32Array(FIRST_BLOCKS * BLOCK)
  let filled = new Uint16Array(FIRST_BLOCKS)
  let used = 0
  const free: number[] = []

  const newBlock = () => {
    const known = free.pop()
    if (known !== undefined) return known
    if (used === filled.length) {
      const blocks = Math.ceil(used * GROWTH)
      his = resized(his, blocks * BLOCK)
      los = resized(los, blocks * BLOCK)
      filled = resized(filled, blocks)
    }
    return used++
  }
  const placeOf = ({ blocks }: Bucket, hi: number, lo: number) => {
    for (const block of blocks) {
      const end = block * BLOCK + filled[block]!
      for (let place = block * BLOCK; place < end; place++) {
        if (los[place] === lo && his[place] === hi) return place
      }
    }
    return -1
  }
  const goesOn = (block: number, first: number) =>
    filled[block] === BLOCK && block + 1 < first + RUN

  return {
    push(bucket, hi, lo) {
      if (bucket.count % BLOCK === 0) bucket.blocks.push(newBlock())
      bucket.count++
      const block = bucket.blocks.at(-1)!
      const place = block * BLOCK + filled[block]!++
      his[place] = hi
      los[place] = lo
    },
    remove(bucket, hi, lo) {
      const place = placeOf(bucket, hi, lo)
      if (place < 0) return false
      const block = bucket.blocks.at(-1)!
      const last = block * BLOCK + --filled[block]!
      his[place] = his[last]!
      los[place] = los[last]!
      bucket.count--
      if (filled[block] === 0) free.push(bucket.blocks.pop()!)
      return true
    },
    has: (bucket, hi, lo) => placeOf(bucket, hi, lo) >= 0,
    listOf(bucket) {
      const [hi, lo] = [new Int32Array(bucket.count), new Int32Array(bucket.count)]
      for (const [index, block] of bucket.blocks.entries()) {
        const [from, to] = [block * BLOCK, block * BLOCK + filled[block]!]
        hi.set(his.subarray(from, to), index * BLOCK)
        lo.set(los.subarray(from, to), index * BLOCK)
      }
      return { hi, lo }
    },
    clear(bucket) {
      for (const block of bucket.blocks) filled[block] = 0
      free.push(...bucket.blocks)
      Object.assign(bucket, { count: 0, blocks: [] })
    },
    near({ hi, lo, distance }, buckets) {
      const isAsked = new Uint8Array(used).fill(buckets ? 0 : 1)
      for (const { blocks } of buckets ?? []) for (const block of blocks) isAsked[block] = 1
      let places = new Int32Array(RUN * BLOCK)
      let count = 0
      for (let block = 0; block < used; block++) {
        if (isAsked[block] === 0) continue
        const first = block
        while (goesOn(block, first) && isAsked[block + 1] === 1) block++
        const to = block * BLOCK + filled[block]!
        if (places.length < count + RUN * BLOCK) places = resized(places, 2 * places.length)
        count = scan(places, count, his, los, first * BLOCK, to, hi, lo, distance)
      }
      const near = noHashes(count)
      for (let index = 0; index < count; index++) {
        const place = places[index]!
        near.hi[index] = his[place]!
        near.lo[index] = los[place]!
        near.distance[index] = countBits(his[place]! ^ hi, los[place]! ^ lo)
      }
      return near
    },
  }
}

function resized<Numbers extends Int32Array | Uint16Array>(
  numbers: Numbers,
  length: number,
): Numbers {
  const grown = new (numbers.constructor as new (length: number) => Numbers)(length)
  grown.set(numbers)
  return grown
}

// Writes the places of the hashes within the distance, from one place and before another, behind the `count` places
// already written, and returns their new number. A function of its own with plain arguments: other code in or around
// the loop makes it up to twice as slow.
function scan(
  places: Int32Array,
  count: number,
  his: Int32Array,
  los: Int32Array,
  from: number,
  to: number,
  hi: number,
  lo: number,
  distance: number,
): number {
  let found = count
  for (let place = from; place < to; place++) {
    if (countBits(his[place]! ^ hi, los[place]! ^ lo) <= distance) places[found++] = place
  }
  return found
}
