import { countBits } from '../../bits.ts'
import { AppError } from '../../errors.ts'
import type { Hashes } from '../hamming.ts'
import { type Band, bandKey, planBands, type SortedBand, sortBand } from './bands.ts'

/** Pairs found in one step of the search. */
interface FoundPairs {
  /** The indexes of the two hashes of each pair, the smaller one first. */
  pairs: Int32Array
  /** How far the search has come, from 0 to 1. */
  progress: number
}

/** With more pairs of hashes than this, a list of duplicates would be useless. */
const PAIR_LIMIT = 20_000_000

/** Rough number of comparisons and look-ups in one step, which takes about 50 milliseconds. */
const STEP = 2_000_000

/**
 * Yields all pairs of hashes within the threshold, each once, step by step. Throws conflict when
 * there are more than 20 million of them.
 */
export function* allPairs(hashes: Hashes, threshold: number): Generator<FoundPairs> {
  const bands = planBands(hashes.hi.length, threshold)
  const found = createPairBuffer(threshold)
  for (const [index, band] of bands.entries()) {
    const sorted = sortBand(hashes, band)
    const isNew = firstFoundIn(hashes, bands, index)
    const count = sorted.order.length
    const rows = Math.max(1, Math.ceil(STEP / band.rowCost))
    for (let row = 0; row < count; row += rows) {
      joinRows(sorted, { from: row, to: Math.min(row + rows, count), threshold, isNew }, found)
      const done = Math.min(row + rows, count) / count
      yield { pairs: found.take(), progress: (index + done) / bands.length }
    }
  }
}

interface PairBuffer {
  add(a: number, b: number): void
  /** Returns what has been added since the last call. */
  take(): Int32Array
}

function createPairBuffer(threshold: number): PairBuffer {
  let places = new Int32Array(4096)
  let length = 0
  let taken = 0
  return {
    add(a, b) {
      if (taken + length / 2 >= PAIR_LIMIT) {
        throw new AppError(
          'conflict',
          `More than ${PAIR_LIMIT / 1e6} million pairs are within the threshold of ${threshold}: ` +
            'choose a smaller DUPLICATE_HASH_THRESHOLD',
        )
      }
      if (length === places.length) {
        const larger = new Int32Array(length * 2)
        larger.set(places)
        places = larger
      }
      places[length++] = Math.min(a, b)
      places[length++] = Math.max(a, b)
    },
    take() {
      const pairs = places.slice(0, length)
      taken += length / 2
      length = 0
      return pairs
    },
  }
}

/** A pair may be near in several bands; only the first of them reports it. */
function firstFoundIn(
  { hi, lo }: Hashes,
  bands: Band[],
  index: number,
): (a: number, b: number) => boolean {
  const earlier = bands.slice(0, index)
  return (a, b) => {
    const [x, y] = [hi[a]! ^ hi[b]!, lo[a]! ^ lo[b]!]
    return earlier.every((band) => countBits(0, bandKey(x, y, band)) > band.radius)
  }
}

interface Rows {
  from: number
  to: number
  threshold: number
  isNew: (a: number, b: number) => boolean
}

/** Compares each row with the later rows of its bucket and with the near buckets above that. */
function joinRows(
  sorted: SortedBand,
  { from, to, threshold, isNew }: Rows,
  found: PairBuffer,
): void {
  const { band, order, hi: his, lo: los, starts, occupied, masks, maskStarts } = sorted
  const compare = (row: number, first: number, end: number) => {
    const hi = his[row]!
    const lo = los[row]!
    for (let other = first; other < end; other++) {
      if (countBits(hi ^ his[other]!, lo ^ los[other]!) > threshold) continue
      const [a, b] = [order[row]!, order[other]!]
      if (isNew(a, b)) found.add(a, b)
    }
  }
  for (let row = from; row < to; row++) {
    const key = bandKey(his[row]!, los[row]!, band)
    compare(row, row + 1, starts[key + 1]!)
    for (let top = 0; top < band.width; top++) {
      // With this bit set, the other bucket is the lower one, and the two are already compared.
      if (((key >>> top) & 1) === 1) continue
      const end = maskStarts[top + 1]!
      for (let index = maskStarts[top]!; index < end; index++) {
        const near = key ^ masks[index]!
        if (((occupied[near >>> 5]! >>> (near & 31)) & 1) === 0) continue
        compare(row, starts[near]!, starts[near + 1]!)
      }
    }
  }
}
