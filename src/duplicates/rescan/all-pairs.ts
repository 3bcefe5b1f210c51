import { countBits } from '../../base/bits.ts'
import { AppError } from '../../base/errors.ts'
import type { Hashes } from '../hamming.ts'

interface FoundPairs {
  /** The indexes of the two hashes of each pair, the smaller one first. */
  pairs: Int32Array
  /** The progress of the search, from 0 to 1. */
  progress: number
}

// Adjacent bits of a hash, which are its key in this band.
interface Band {
  /** Position of the lowest bit. */
  shift: number
  width: number
}

// With more pairs of hashes than this, a list of duplicates would be useless.
const PAIR_LIMIT = 20_000_000
// Comparisons.
const STEP = 1_000_000
const ROWS = 16
// With fewer bands, there would be too many keys for a table.
const FEWEST_BANDS = 4
// With more bands, each hash would be compared with more than all others.
const MOST_BANDS = 9

/**
 * Yields all pairs of hashes within the threshold, each once, step by step. Throws conflict when
 * there are more than 20 million of them.
 */
export function* allPairs(hashes: Hashes, threshold: number): Generator<FoundPairs> {
  const count = hashes.hi.length
  const bands = bandsFor(threshold)
  const halves = new Int32Array(2 * count)
  let total = 0
  for (const [index, band] of bands.entries()) {
    const { order, starts } = sortHashes(hashes, band, halves)
    const earlier = bands.slice(0, index)
    let pairs: number[] = []
    let comparisons = 0
    const compare = (from: number, to: number, first: number, end: number) => {
      comparisons += (to - from) * (end - first)
      for (let row = from; row < to; row++) {
        const [hi, lo] = [halves[2 * row]!, halves[2 * row + 1]!]
        for (let other = Math.max(first, row + 1); other < end; other++) {
          if (countBits(hi ^ halves[2 * other]!, lo ^ halves[2 * other + 1]!) > threshold) continue
          const [a, b] = [order[row]!, order[other]!]
          if (!isNearInAny(hashes, earlier, a, b)) pairs.push(Math.min(a, b), Math.max(a, b))
        }
        if (total + pairs.length / 2 > PAIR_LIMIT) throw tooManyPairs(threshold)
      }
    }
    for (let key = 0; key + 1 < starts.length; key++) {
      const end = starts[key + 1]!
      for (let from = starts[key]!; from < end; from += ROWS) {
        const to = Math.min(from + ROWS, end)
        compare(from, to, from, end)
        for (let bit = 0; bit < band.width; bit++) {
          // With this bit set, the other key is the lower one, and the two are already compared.
          if (((key >>> bit) & 1) === 1) continue
          const near = key | (1 << bit)
          compare(from, to, starts[near]!, starts[near + 1]!)
        }
        if (comparisons < STEP && to < count) continue
        total += pairs.length / 2
        yield { pairs: new Int32Array(pairs), progress: (index + to / count) / bands.length }
        pairs = []
        comparisons = 0
      }
    }
  }
}

function tooManyPairs(threshold: number): AppError {
  return new AppError(
    'conflict',
    `More than ${PAIR_LIMIT / 1e6} million pairs are within the threshold of ${threshold}: ` +
      'choose a smaller DUPLICATE_HASH_THRESHOLD',
  )
}

// If the keys of two hashes differed by two bits or more in each of these bands, the hashes would differ by more than
// the threshold. A band without bits compares all hashes with each other.
function bandsFor(threshold: number): Band[] {
  const count = Math.max(FEWEST_BANDS, Math.ceil((threshold + 1) / 2))
  if (count > MOST_BANDS) return [{ shift: 0, width: 0 }]
  const shiftOf = (band: number) => Math.floor((band * 64) / count)
  return Array.from({ length: count }, (_, band) => ({
    shift: shiftOf(band),
    width: shiftOf(band + 1) - shiftOf(band),
  }))
}

function keyOf(hi: number, lo: number, { shift, width }: Band): number {
  const mask = 2 ** width - 1
  if (shift >= 32) return (hi >>> (shift - 32)) & mask
  if (shift + width <= 32) return (lo >>> shift) & mask
  return ((lo >>> shift) | (hi << (32 - shift))) & mask
}

// A pair may be near in several bands; the first of them reports it.
function isNearInAny({ hi, lo }: Hashes, bands: Band[], a: number, b: number): boolean {
  const [x, y] = [hi[a]! ^ hi[b]!, lo[a]! ^ lo[b]!]
  return bands.some((band) => {
    const difference = keyOf(x, y, band)
    return (difference & (difference - 1)) === 0
  })
}

// Sorts hashes by their keys, and writes the two halves of each, in that order, to `halves`. Returns their former
// indexes, and where the hashes of each key begin, which is also where those of the key before it end.
function sortHashes(
  { hi, lo }: Hashes,
  band: Band,
  halves: Int32Array,
): { order: Int32Array; starts: Int32Array } {
  const count = hi.length
  const starts = new Int32Array(2 ** band.width + 1)
  for (let index = 0; index < count; index++) starts[keyOf(hi[index]!, lo[index]!, band) + 1]!++
  for (let key = 1; key < starts.length; key++) starts[key]! += starts[key - 1]!
  const order = new Int32Array(count)
  const next = starts.slice()
  for (let index = 0; index < count; index++) {
    const row = next[keyOf(hi[index]!, lo[index]!, band)]!++
    order[row] = index
    halves[2 * row] = hi[index]!
    halves[2 * row + 1] = lo[index]!
  }
  return { order, starts }
}
