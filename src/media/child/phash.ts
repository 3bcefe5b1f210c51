/** Width and height of the luminance picture that is hashed. */
export const HASH_INPUT_SIZE = 32
const BLOCK = 8

// cosines[u][x] = cos((2x + 1) u pi / 64), the basis of the DCT-II.
const cosines = Array.from({ length: BLOCK }, (_, u) =>
  Float64Array.from({ length: HASH_INPUT_SIZE }, (_, x) =>
    Math.cos(((2 * x + 1) * u * Math.PI) / (2 * HASH_INPUT_SIZE)),
  ),
)

/**
 * Returns the perceptual hash of a picture of 32x32 luminances, row by row, as a signed 64-bit
 * integer in decimal: one bit for each of the 8x8 lowest frequencies, from the highest bit down,
 * set when the frequency is stronger than their median.
 */
export function perceptualHash(luminance: Uint8Array): string {
  const coefficients = lowFrequencies(luminance)
  const sorted = coefficients.toSorted()
  const median = (sorted[31]! + sorted[32]!) / 2
  let hash = 0n
  for (const coefficient of coefficients) hash = (hash << 1n) | (coefficient > median ? 1n : 0n)
  return BigInt.asIntN(64, hash).toString()
}

// The frequencies of the two-dimensional DCT-II, row by row.
function lowFrequencies(luminance: Uint8Array): Float64Array {
  const rows = new Float64Array(HASH_INPUT_SIZE * BLOCK)
  for (let y = 0; y < HASH_INPUT_SIZE; y++) {
    for (let u = 0; u < BLOCK; u++) {
      let sum = 0
      for (let x = 0; x < HASH_INPUT_SIZE; x++) {
        sum += luminance[y * HASH_INPUT_SIZE + x]! * cosines[u]![x]!
      }
      rows[y * BLOCK + u] = sum
    }
  }
  const block = new Float64Array(BLOCK * BLOCK)
  for (let v = 0; v < BLOCK; v++) {
    for (let u = 0; u < BLOCK; u++) {
      let sum = 0
      for (let y = 0; y < HASH_INPUT_SIZE; y++) sum += rows[y * BLOCK + u]! * cosines[v]![y]!
      // Rounding makes the hash of a plain picture the same on every machine: its frequencies are noise around zero.
      block[v * BLOCK + u] = Math.round(sum * 1000) / 1000
    }
  }
  return block
}
