import type { Hashes } from '../hamming.ts'

/** Some adjacent bits of a hash: two near hashes are within `radius` in at least one band. */
export interface Band {
  /** Position of the lowest bit. */
  shift: number
  /** Number of bits. */
  width: number
  radius: number
}

/** Hashes sorted by their key in a band; those with the same key, side by side, are a bucket. */
export interface SortedBand {
  band: Band
  /** The former indexes of the hashes in the order of their keys. */
  order: Int32Array
  /** Where the bucket of each key begins, which is also where the one before it ends. */
  starts: Int32Array
  /** The bits in which keys within the radius may differ, as masks sorted by their highest bit. */
  masks: Int32Array
  /** Where the masks of each highest bit begin. */
  maskStarts: Int32Array
}

// Keys of more bits would need tables that fit in no cache.
const MAX_WIDTH = 22
// More bands were never the best choice.
const MAX_BANDS = 8
// The most additional bits of a band with a larger radius: it has more near buckets for each.
const MAX_MORE = 4
/** The number of comparisons that take as long as the look-up of a near bucket and the call for it. */
export const CALL = 15
// The number of comparisons that take as long as sorting a hash into a band.
const SORT = 30

/**
 * Returns the bands whose join is expected to be the fastest for this many hashes. By the
 * pigeonhole principle, `threshold` differing bits can't exceed the radius in every band if the sum
 * of the radii, plus one for each band, is more than the threshold. A band without bits compares
 * all hashes with each other.
 */
export function planBands(count: number, threshold: number): Band[] {
  let best: Band[] = [{ shift: 0, width: 0, radius: 0 }]
  let bestCost = planCost(best, count)
  for (let bands = Math.ceil(64 / MAX_WIDTH); bands <= MAX_BANDS; bands++) {
    for (let more = 0; more <= MAX_MORE; more++) {
      const plan = someBands(bands, more, threshold)
      const cost = planCost(plan, count)
      if (cost < bestCost) [best, bestCost] = [plan, cost]
    }
  }
  return best
}

// Returns bands of equal widths, except that those of a larger radius, which come first, have `more` bits more.
function someBands(bands: number, more: number, threshold: number): Band[] {
  const plan: Band[] = []
  const wide = (threshold + 1) % bands
  const rest = 64 - wide * more
  let shift = 0
  for (let index = 0; index < bands; index++) {
    const isWide = index < wide
    const width = Math.floor(rest / bands) + Number(index < rest % bands) + (isWide ? more : 0)
    const shares = Math.floor((threshold + 1) / bands) + Number(isWide)
    const radius = Math.min(shares - 1, width)
    // With a low threshold, some of the bands aren't needed.
    if (radius >= 0) plan.push({ shift, width, radius })
    shift += width
  }
  return plan
}

// In comparisons that would take as long as the join of these bands.
function planCost(plan: Band[], count: number): number {
  return plan.reduce((cost, { width, radius }) => {
    if (width > MAX_WIDTH) return Number.POSITIVE_INFINITY
    const keys = 2 ** width
    const near = volume(width, radius) / 2
    const buckets = Math.min(keys, count)
    return cost + near * (buckets * CALL + (count * count) / keys) + count * SORT + keys
  }, 0)
}

// Returns how many keys are within a radius of a key, including that key.
function volume(width: number, radius: number): number {
  let sum = 1
  for (let bits = 1, choices = 1; bits <= radius; bits++) {
    choices = (choices * (width - bits + 1)) / bits
    sum += choices
  }
  return sum
}

/** Returns the bits of a hash that are in the band. */
export function bandKey(hi: number, lo: number, { shift, width }: Band): number {
  const mask = 2 ** width - 1
  if (shift >= 32) return (hi >>> (shift - 32)) & mask
  if (shift + width <= 32) return (lo >>> shift) & mask
  return ((lo >>> shift) | (hi << (32 - shift))) & mask
}

/**
 * Returns how hashes are sorted into the buckets of a band, and writes the two halves of each, in
 * that order, to `halves`.
 */
export function sortBand({ hi, lo }: Hashes, band: Band, halves: Int32Array): SortedBand {
  const count = hi.length
  const keys = 2 ** band.width
  const starts = new Int32Array(keys + 1)
  for (let place = 0; place < count; place++) starts[bandKey(hi[place]!, lo[place]!, band) + 1]!++
  for (let key = 0; key < keys; key++) starts[key + 1]! += starts[key]!
  const order = new Int32Array(count)
  const next = starts.slice(0, keys)
  for (let place = 0; place < count; place++) {
    const row = next[bandKey(hi[place]!, lo[place]!, band)]!++
    order[row] = place
    halves[2 * row] = hi[place]!
    halves[2 * row + 1] = lo[place]!
  }
  return { band, order, starts, ...nearMasks(band) }
}

function nearMasks({ width, radius }: Band): { masks: Int32Array; maskStarts: Int32Array } {
  const masks: number[] = []
  const maskStarts = new Int32Array(width + 1)
  const below = (mask: number, top: number, bits: number) => {
    masks.push(mask)
    if (bits === 0) return
    for (let bit = 0; bit < top; bit++) below(mask | (1 << bit), bit, bits - 1)
  }
  for (let top = 0; top < width; top++) {
    if (radius > 0) below(1 << top, top, radius - 1)
    maskStarts[top + 1] = masks.length
  }
  return { masks: Int32Array.from(masks), maskStarts }
}
