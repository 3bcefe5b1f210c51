import sharp, { type Metadata } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'

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

/** The largest side of a picture that is hashed, in pixels; the hash holds no more than this shows. */
const HASH_INPUT_SIZE = 32

/** Returns the size, or null when that is none. */
export function sizeOf(width: number, height: number): Size | null {
  const isSize = Number.isFinite(width) && Number.isFinite(height) && width >= 1 && height >= 1
  return isSize ? { width: Math.round(width), height: Math.round(height) } : null
}

/** Returns the size at which a picture is displayed, of what its head says. */
export function displayedSize({ autoOrient }: Metadata): Size | null {
  return sizeOf(autoOrient.width, autoOrient.height)
}

/** Returns the thumbhash of a small picture in base64. Throws when it can't be decoded. */
export async function thumbHash(picture: string | Buffer): Promise<string> {
  const { data, info } = await sharp(picture)
    .resize(HASH_INPUT_SIZE, HASH_INPUT_SIZE, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64')
}

/**
 * Returns how a picture looks by its head and, if it has one, its thumbnail; neither is decoded in
 * full, and what can't be read is null.
 */
export async function lookAtPicture(path: string, thumbnail: string | null): Promise<Look> {
  const head = sharp(path, { failOn: 'none', limitInputPixels: false }).metadata()
  const size = await head.then(displayedSize, () => null)
  return { size, thumbhash: await hashOrNull(thumbnail) }
}

/** Returns the thumbhash of a picture, or null when there is none or it can't be decoded. */
export async function hashOrNull(picture: string | null): Promise<string | null> {
  return picture === null ? null : thumbHash(picture).catch(() => null)
}
