import { readFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import type { Rotation } from '../../base/enums.ts'
import { type ChildOutcome, failureOf } from '../outcome.ts'
import { FINER_INPUT_SIZE, type FinerHash, finerHash } from './finer-hash.ts'
import { HASH_INPUT_SIZE, perceptualHash } from './phash.ts'

/** What a thumbnail shows, as it is sent to the server. */
export interface EncodedShown {
  /** 64x64 luminances, row by row, in base64. */
  grey: string
  phash: string
  finer: FinerHash
}

/** A decoded picture: red, green and blue of each pixel or grey alone, perhaps with opacity. */
export interface Pixels {
  data: Uint8Array
  info: { width: number; height: number; channels: number }
}

// Steps of linear light; fewer would show in the darkest greys.
const LIGHTS = 2 ** 14
/** What stands for full light in `GREYS`. */
export const STEPS = LIGHTS - 4
// The shares of red, green and blue in the luminance of sRGB (IEC 61966-2-1), by their value.
const SHARES = [0.2126, 0.7152, 0.0722].map((share) =>
  Uint16Array.from({ length: 256 }, (_, value) => share * linear(value / 255) * STEPS),
)
/** The values of sRGB by their linear light in steps. */
export const GREYS = Uint8Array.from({ length: LIGHTS }, (_, light) =>
  Math.round(255 * encoded(light / STEPS)),
)

/** Returns the light of a value of sRGB; both are from 0 to 1. */
export function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function encoded(light: number): number {
  return Math.min(1, light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055)
}

/**
 * Returns the luminances of a picture that is stretched to a square of 64x64, row by row, each the mean of the pixels
 * that it covers. The picture decoder is much slower at this.
 */
export function luminances({ data, info }: Pixels): Uint8Array {
  const { width, height, channels } = info
  const size = FINER_INPUT_SIZE
  const grey = channels === 1 ? data : inGrey(data, channels, width * height)
  const rows = new Float64Array(size * height)
  for (let x = 0; x < size; x++) {
    const { first, end, before, behind, share } = cover(x, width)
    for (let y = 0; y < height; y++) {
      const row = y * width
      let sum = -before * grey[row + first]! - behind * grey[row + end - 1]!
      for (let place = row + first; place < row + end; place++) sum += grey[place]!
      rows[y * size + x] = sum / share
    }
  }
  const square = new Uint8Array(size * size)
  for (let y = 0; y < size; y++) {
    const { first, end, before, behind, share } = cover(y, height)
    for (let x = 0; x < size; x++) {
      let sum = -before * rows[first * size + x]! - behind * rows[(end - 1) * size + x]!
      for (let row = first; row < end; row++) sum += rows[row * size + x]!
      square[y * size + x] = Math.round(sum / share)
    }
  }
  return square
}

// Which pixels of a side one of the square covers, and how much of the first and last it doesn't.
function cover(place: number, length: number) {
  const share = length / FINER_INPUT_SIZE
  const [from, to] = [place * share, (place + 1) * share]
  const first = Math.floor(from)
  const end = Math.min(Math.ceil(to), length)
  return { first, end, before: from - first, behind: end - to, share }
}

function inGrey(data: Uint8Array, channels: number, pixels: number): Uint8Array {
  const grey = new Uint8Array(pixels)
  const [reds, greens, blues] = SHARES as [Uint16Array, Uint16Array, Uint16Array]
  for (let pixel = 0, from = 0; pixel < pixels; pixel++, from += channels) {
    grey[pixel] =
      channels < 3
        ? data[from]!
        : GREYS[reds[data[from]!]! + greens[data[from + 1]!]! + blues[data[from + 2]!]!]!
  }
  return grey
}

/** Returns the luminances of a small picture that is stretched to the square of the perceptual hash, row by row. */
export function coarseLuminances(picture: Sharp): Promise<Uint8Array> {
  return picture
    .clone()
    .resize(HASH_INPUT_SIZE, HASH_INPUT_SIZE, { fit: 'fill' })
    .greyscale()
    .raw({ depth: 'uchar' })
    .toBuffer()
}

/** Returns what a thumbnail shows when it is turned clockwise. Throws the errors of the file system. */
export async function lookAtThumbnail(
  path: string,
  rotation: Rotation,
): Promise<ChildOutcome<EncodedShown>> {
  // The picture decoder would take a file that can't be read for one that is no picture.
  const jpeg = await readFile(path)
  try {
    const picture = sharp(jpeg, { failOn: 'warning' }).rotate(rotation).raw({ depth: 'uchar' })
    const pixels = await picture.toBuffer({ resolveWithObject: true })
    const grey = luminances(pixels)
    const phash = perceptualHash(await coarseLuminances(sharp(pixels.data, { raw: pixels.info })))
    const finer = finerHash(grey)
    return { result: { grey: Buffer.from(grey).toString('base64'), phash, finer } }
  } catch (error) {
    return failureOf(error)
  }
}
