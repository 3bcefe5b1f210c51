import sharp, { type Metadata, type OutputInfo, type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { boundedPicture } from './bounded-picture.ts'

/** Pixels as a picture is displayed. */
export interface Size {
  width: number
  height: number
}

/** How a content looks before its picture is there. */
export interface Look {
  size: Size | null
  /** Base64; null when there is no picture to make it of. */
  thumbhash: string | null
}

// The largest side of a picture that is hashed, in pixels; the hash holds no more detail than this.
const HASH_INPUT_SIZE = 32

// A container may say anything; no picture is as large.
const MAX_SIDE = 2 ** 31 - 1

/** Returns the size, or null when the numbers are none. */
export function sizeOf(width: number, height: number): Size | null {
  const isSize = [width, height].every((side) => side >= 1 && side <= MAX_SIDE)
  return isSize ? { width: Math.round(width), height: Math.round(height) } : null
}

/** Returns the size at which a picture is displayed, from its head. */
export function displayedSize({ autoOrient }: Metadata): Size | null {
  return sizeOf(autoOrient.width, autoOrient.height)
}

/** Returns the thumbhash of a small picture in base64. Throws when it can't be decoded. */
export async function thumbHash(picture: string | Sharp): Promise<string> {
  const { data, info } = await (typeof picture === 'string' ? sharp(picture) : picture.clone())
    .resize(HASH_INPUT_SIZE, HASH_INPUT_SIZE, { fit: 'inside', withoutEnlargement: true })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  return Buffer.from(rgbaToThumbHash(width, height, asRgba(data, info))).toString('base64')
}

function asRgba(data: Buffer, { width, height, channels }: OutputInfo): Uint8Array {
  const rgba = new Uint8Array(width * height * 4).fill(255)
  const colours = channels < 3 ? [0, 0, 0] : [0, 1, 2]
  for (let pixel = 0; pixel < width * height; pixel++) {
    const from = pixel * channels
    for (const [n, colour] of colours.entries()) rgba[pixel * 4 + n] = data[from + colour]!
    if (channels % 2 === 0) rgba[pixel * 4 + 3] = data[from + channels - 1]!
  }
  return rgba
}

async function readHead(path: string): Promise<Metadata> {
  const picture = await boundedPicture(path)
  return sharp(picture, { failOn: 'none', limitInputPixels: false }).metadata()
}

/**
 * Returns how a picture looks from its head and, if it has one, its thumbnail; neither is decoded in full, and what
 * can't be read is null.
 */
export async function lookAtPicture(path: string, thumbnail: string | null): Promise<Look> {
  const size = await readHead(path).then(displayedSize, () => null)
  return { size, thumbhash: await hashOrNull(thumbnail) }
}

/** Returns the thumbhash of a picture, or null when there is none or it can't be decoded. */
export async function hashOrNull(picture: string | null): Promise<string | null> {
  return picture === null ? null : thumbHash(picture).catch(() => null)
}
