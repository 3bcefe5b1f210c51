// Width and height of the luminance pictures that are compared.
const SIZE = 64
// From coarse to fine: a crop or frame moves a pixel of the finest by 3, of the coarsest by less than 1.
const LEVELS = [
  { size: 16, rounds: 6 },
  { size: 32, rounds: 4 },
  { size: SIZE, rounds: 3 },
]
// Makes a step finite where pictures are plain, and is nothing beside the gradients of others.
const DAMPING = 0.01
// No copy is moved (in halves of the side), stretched or turned by more.
const MOST_MOVED = 0.12
const MOST_STRETCHED = 0.15
const MOST_TURNED = 0.06
// In pixels; nearer to its edge, a picture is mixed with its frame.
const MARGIN = 2
// In pixels; during fitting, only what lies outside is left out.
const EDGE = 0.5
const BLOCK = 8
const FEWEST_PIXELS = 0.6 * BLOCK ** 2
// The variance of what recompression leaves in a block: a block with less shows nothing.
const NOISE = 16
// The correlation from which blocks are alike. The worst block of letters and chats of one layout reaches 0.81 at
// most; of the copies that are judged, one in fifty is below 0.84.
const ALIKE = 0.84

// How a point of one picture is found in the other, from -1 to 1 in both, and how luminances become those of the
// other: x = f0 + f1 u + f2 v, y = f3 + f4 u + f5 v, b = f6 a + f7.
type Fit = Float64Array
const UNKNOWNS = 8

/**
 * Returns whether two pictures show the same, of 64x64 luminances each, row by row. One is fitted to the other in
 * place, size, brightness and contrast; then the worst of their blocks decides, since other words differ in blocks,
 * while a crop, a frame or a recompressed copy differs nowhere. Plain pictures count as the same, so the caller must
 * rule them out.
 */
export function showTheSame(a: Uint8Array, b: Uint8Array): boolean {
  const [levelsA, levelsB] = [levelsOf(a), levelsOf(b)]
  // Fitting is not symmetric: the sharper picture is the better one to sample.
  return isCopy(levelsA, levelsB) || isCopy(levelsB, levelsA)
}

function isCopy(a: Float64Array[], b: Float64Array[]): boolean {
  const fit: Fit = Float64Array.of(0, 1, 0, 0, 0, 1, 1, 0)
  for (const [level, { size, rounds }] of LEVELS.entries()) {
    for (let round = 0; round < rounds; round++) improve(fit, a[level]!, b[level]!, size)
  }
  return (
    isSmallChange(fit) &&
    worstBlock(sampled(a.at(-1)!, fit, SIZE, MARGIN).values, b.at(-1)!) >= ALIKE
  )
}

function isSmallChange(fit: Fit): boolean {
  const within = (most: number, ...values: number[]) =>
    values.every((value) => Math.abs(value) <= most)
  return (
    within(MOST_MOVED, fit[0]!, fit[3]!) &&
    within(MOST_STRETCHED, fit[1]! - 1, fit[5]! - 1) &&
    within(MOST_TURNED, fit[2]!, fit[4]!)
  )
}

// The sizes of LEVELS are smoothed so that they can be sampled between pixels.
function levelsOf(picture: Uint8Array): Float64Array[] {
  const fine = smoothed(picture, SIZE)
  const middle = halved(fine, SIZE)
  return [halved(smoothed(middle, SIZE / 2), SIZE / 2), middle, fine]
}

function smoothed(picture: ArrayLike<number>, size: number): Float64Array {
  const rows = new Float64Array(size * size)
  const result = new Float64Array(size * size)
  const last = size - 1
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const row = y * size
      const sides = picture[row + Math.max(0, x - 1)]! + picture[row + Math.min(last, x + 1)]!
      rows[row + x] = (sides + 2 * picture[row + x]!) / 4
    }
  }
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const sides = rows[Math.max(0, y - 1) * size + x]! + rows[Math.min(last, y + 1) * size + x]!
      result[y * size + x] = (sides + 2 * rows[y * size + x]!) / 4
    }
  }
  return result
}

function halved(picture: Float64Array, size: number): Float64Array {
  const half = size / 2
  return Float64Array.from({ length: half * half }, (_, place) => {
    const from = 2 * Math.floor(place / half) * size + 2 * (place % half)
    const [above, below] = [
      picture[from]! + picture[from + 1]!,
      picture[from + size]! + picture[from + size + 1]!,
    ]
    return (above + below) / 4
  })
}

interface Sampled {
  /** Luminances where the fit leads, NaN where that is outside the picture. */
  values: Float64Array
  /** How they change to the right and downwards, by half of the side. */
  across: Float64Array
  down: Float64Array
}

// Samples no nearer to the edge than `margin` pixels.
function sampled(picture: Float64Array, fit: Fit, size: number, margin: number): Sampled {
  const values = new Float64Array(size * size).fill(Number.NaN)
  const across = new Float64Array(size * size)
  const down = new Float64Array(size * size)
  const half = size / 2
  const most = size - 1 - margin
  for (let place = 0; place < size * size; place++) {
    const u = centre(place % size, size)
    const v = centre(Math.floor(place / size), size)
    const x = (fit[0]! + fit[1]! * u + fit[2]! * v + 1) * half - 0.5
    const y = (fit[3]! + fit[4]! * u + fit[5]! * v + 1) * half - 0.5
    if (!(x >= margin && y >= margin && x <= most && y <= most)) continue
    const left = Math.floor(x)
    const top = Math.floor(y)
    const from = top * size + left
    const start = picture[from]!
    const upperStep = picture[from + 1]! - start
    const lowerStep = picture[from + size + 1]! - picture[from + size]!
    const upper = start + upperStep * (x - left)
    const lower = picture[from + size]! + lowerStep * (x - left)
    values[place] = upper + (lower - upper) * (y - top)
    across[place] = (upperStep + (lowerStep - upperStep) * (y - top)) * half
    down[place] = (lower - upper) * half
  }
  return { values, across, down }
}

// From -1 to 1.
function centre(pixel: number, size: number): number {
  return (2 * pixel + 1) / size - 1
}

// One step of Gauss and Newton towards the least squares of b less the fitted a.
function improve(fit: Fit, a: Float64Array, b: Float64Array, size: number): void {
  const { values, across, down } = sampled(a, fit, size, EDGE)
  const matrix = Array.from({ length: UNKNOWNS }, () => new Float64Array(UNKNOWNS))
  const right = new Float64Array(UNKNOWNS)
  const slopes = new Float64Array(UNKNOWNS)
  let count = 0
  for (let place = 0; place < values.length; place++) {
    const value = values[place]!
    if (Number.isNaN(value)) continue
    count++
    const u = centre(place % size, size)
    const v = centre(Math.floor(place / size), size)
    slopes[0] = fit[6]! * across[place]!
    slopes[1] = slopes[0] * u
    slopes[2] = slopes[0] * v
    slopes[3] = fit[6]! * down[place]!
    slopes[4] = slopes[3] * u
    slopes[5] = slopes[3] * v
    slopes[6] = value
    slopes[7] = 1
    const error = b[place]! - (fit[6]! * value + fit[7]!)
    for (let row = 0; row < UNKNOWNS; row++) {
      const slope = slopes[row]!
      const sums = matrix[row]!
      right[row]! += slope * error
      for (let column = 0; column <= row; column++) sums[column]! += slope * slopes[column]!
    }
  }
  for (let row = 0; row < UNKNOWNS; row++) matrix[row]![row]! += DAMPING * count
  const change = solved(matrix, right)
  for (let unknown = 0; unknown < UNKNOWNS; unknown++) fit[unknown]! += change[unknown]!
}

// Solves linear equations after Cholesky; only the lower half of the symmetric matrix is given.
function solved(matrix: Float64Array[], right: Float64Array): Float64Array {
  const result = Float64Array.from(right)
  for (const [row, values] of matrix.entries()) {
    for (let column = 0; column <= row; column++) {
      let rest = values[column]!
      for (let k = 0; k < column; k++) rest -= values[k]! * matrix[column]![k]!
      values[column] = column === row ? Math.sqrt(rest) : rest / matrix[column]![column]!
    }
    for (let k = 0; k < row; k++) result[row]! -= values[k]! * result[k]!
    result[row]! /= values[row]!
  }
  for (let row = matrix.length - 1; row >= 0; row--) {
    for (let k = row + 1; k < matrix.length; k++) result[row]! -= matrix[k]![row]! * result[k]!
    result[row]! /= matrix[row]![row]!
  }
  return result
}

// 1 where there is no block to compare.
function worstBlock(a: Float64Array, b: Float64Array): number {
  let worst = 1
  for (let top = MARGIN; top + BLOCK <= SIZE - MARGIN; top += BLOCK / 2) {
    for (let left = MARGIN; left + BLOCK <= SIZE - MARGIN; left += BLOCK / 2) {
      worst = Math.min(worst, correlation(a, b, top * SIZE + left))
    }
  }
  return worst
}

// At most 1; independent of brightness and contrast.
function correlation(a: Float64Array, b: Float64Array, from: number): number {
  let count = 0
  let sumA = 0
  let sumB = 0
  let squaresA = 0
  let squaresB = 0
  let products = 0
  for (let pixel = 0; pixel < BLOCK ** 2; pixel++) {
    const place = from + Math.floor(pixel / BLOCK) * SIZE + (pixel % BLOCK)
    const p = a[place]!
    const q = b[place]!
    if (Number.isNaN(p)) continue
    count++
    sumA += p
    sumB += q
    squaresA += p * p
    squaresB += q * q
    products += p * q
  }
  if (count < FEWEST_PIXELS) return 1
  const varianceA = squaresA / count - (sumA / count) ** 2
  const varianceB = squaresB / count - (sumB / count) ** 2
  const covariance = products / count - (sumA / count) * (sumB / count)
  return (covariance + NOISE) / Math.sqrt((varianceA + NOISE) * (varianceB + NOISE))
}
