import { countBits } from '../../base/bits.ts'
import { AppError } from '../../base/errors.ts'
import type { Hashes } from '../hamming.ts'
import { type Band, bandKey, CALL, planBands, type SortedBand, sortBand } from './bands.ts'

interface FoundPairs {
  /** The indexes of the two hashes of each pair, the smaller one first. */
  pairs: Int32Array
  /** The progress of the search, from 0 to 1. */
  progress: number
}

// With more pairs of hashes than this, a list of duplicates would be useless.
const PAIR_LIMIT = 20_000_000

// Comparisons, roughly.
const STEP = 10_000_000
const ROWS = 1024

/**
 * Yields all pairs of hashes within the threshold, each once, step by step. Throws conflict when
 * there are more than 20 million of them.
 */
export function* allPairs(hashes: Hashes, threshold: number): Generator<FoundPairs> {
  const count = hashes.hi.length
  const bands = planBands(count, threshold)
  const found = createPairBuffer(threshold)
  const halves = new Int32Array(2 * count)
  for (const [index, band] of bands.entries()) {
    const sorted = sortBand(hashes, band, halves)
    const { order } = sorted
    const isNew = firstFoundIn(hashes, bands, index)
    let comparisons = 0
    const compare: Compare = (from, to, first, end) => {
      for (let row = from; row < to; row++) {
        const [hi, lo] = [halves[2 * row]!, halves[2 * row + 1]!]
        for (let other = Math.max(first, row + 1); other < end; other++) {
          if (countBits(hi ^ halves[2 * other]!, lo ^ halves[2 * other + 1]!) > threshold) continue
          const [a, b] = [order[row]!, order[other]!]
          if (isNew(a, b)) found.add(a, b)
        }
      }
      comparisons += CALL + (to - from) * (end - first)
    }
    for (const end of joinBuckets(sorted, compare)) {
      if (comparisons < STEP && end < count) continue
      comparisons = 0
      yield { pairs: found.take(), progress: (index + end / count) / bands.length }
    }
  }
}

// Compares the rows from `from` to before `to` with later ones from `first` to before `end`.
type Compare = (from: number, to: number, first: number, end: number) => void

// Compares the rows of each bucket with each other and with those of the near buckets above it, some rows at a time;
// yields the row that it has reached.
function* joinBuckets({ band, starts, masks, maskStarts }: SortedBand, compare: Compare) {
  for (let key = 0; key + 1 < starts.length; key++) {
    const end = starts[key + 1]!
    for (let from = starts[key]!; from < end; from += ROWS) {
      const to = Math.min(from + ROWS, end)
      compare(from, to, from, end)
      for (let top = 0; top < band.width; top++) {
        // With this bit set, the other bucket is the lower one, and the two are already compared.
        if (((key >>> top) & 1) === 1) continue
        const lastMask = maskStarts[top + 1]!
        for (let index = maskStarts[top]!; index < lastMask; index++) {
          const near = key ^ masks[index]!
          const [first, after] = [starts[near]!, starts[near + 1]!]
          if (first < after) compare(from, to, first, after)
        }
      }
      yield to
    }
  }
}

interface PairBuffer {
  add(a: number, b: number): void
  /** Returns the pairs that were added since the last call. */
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

// A pair may be near in several bands; only the first of them reports it.
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
