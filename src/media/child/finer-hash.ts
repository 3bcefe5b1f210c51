/** Width and height of the luminance picture that is hashed. */
export const FINER_INPUT_SIZE = 64
const BLOCK = 16
const BITS = BLOCK * BLOCK
// A frequency this far from the median belongs to what is shown; the noise of a camera and of its JPEG, or a smooth
// sky, stays below.
const CLEAR = 100
// With fewer clear frequencies, the hash is mostly noise, and the picture too plain to tell from another one. Black
// frames, skies, seas and flags have up to 13; photographs have 90 and more.
const PLAIN_BELOW = 64

/** The finer hash of a picture. */
export interface FinerHash {
  /** 64 hexadecimal digits: 256 bits, the first of the lowest frequency, row by row. */
  hash: string
  /** Whether the picture is too plain for its hash to tell it from another one. */
  isPlain: boolean
}

// cosines[u][x] = cos((2x + 1) (u + 1) pi / 128), the basis of the DCT-II without its mean.
const cosines = Array.from({ length: BLOCK }, (_, u) =>
  Float64Array.from({ length: FINER_INPUT_SIZE }, (_, x) =>
    Math.cos(((2 * x + 1) * (u + 1) * Math.PI) / (2 * FINER_INPUT_SIZE)),
  ),
)

/**
 * Returns the finer hash of a picture of 64x64 luminances, row by row, after the description of PDQ (ThreatExchange of
 * Meta, "The TMK+PDQF Video-Hashing Algorithm and the PDQ Image-Hashing Algorithm"): a bit for each of the 16x16 lowest
 * frequencies except those of rows or columns alone, set when the frequency is stronger than their median. PDQ's
 * quality is left out: it counts the edges of a flag or a horizon as details that distinguish pictures, while the hash
 * has no bits for them.
 */
export function finerHash(luminance: Uint8Array): FinerHash {
  const coefficients = lowFrequencies(luminance)
  const sorted = coefficients.toSorted()
  const median = (sorted[BITS / 2 - 1]! + sorted[BITS / 2]!) / 2
  const bytes = Buffer.alloc(BITS / 8)
  let clear = 0
  for (const [bit, coefficient] of coefficients.entries()) {
    if (coefficient > median) bytes[bit >> 3]! |= 0x80 >> (bit & 7)
    if (Math.abs(coefficient - median) > CLEAR) clear++
  }
  return { hash: bytes.toString('hex'), isPlain: clear < PLAIN_BELOW }
}

// The frequencies of the two-dimensional DCT-II, row by row.
function lowFrequencies(luminance: Uint8Array): Float64Array {
  const size = FINER_INPUT_SIZE
  const rows = new Float64Array(size * BLOCK)
  for (let y = 0; y < size; y++) {
    for (let u = 0; u < BLOCK; u++) {
      const basis = cosines[u]!
      let sum = 0
      for (let x = 0; x < size; x++) sum += luminance[y * size + x]! * basis[x]!
      rows[y * BLOCK + u] = sum
    }
  }
  const block = new Float64Array(BITS)
  for (let v = 0; v < BLOCK; v++) {
    const basis = cosines[v]!
    for (let u = 0; u < BLOCK; u++) {
      let sum = 0
      for (let y = 0; y < size; y++) sum += rows[y * BLOCK + u]! * basis[y]!
      // Rounding makes the hash of a plain picture the same on every machine: its frequencies are noise around zero.
      block[v * BLOCK + u] = Math.round(sum * 1000) / 1000
    }
  }
  return block
}
