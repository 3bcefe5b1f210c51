import sharp, { type Sharp } from 'sharp'
import { randomNumbers } from '../file-rows.ts'

interface Size {
  width: number
  height: number
}

type Change = (picture: Sharp, size: Size) => Sharp

const percent = (pixels: number, share: number) => Math.max(1, Math.round((pixels * share) / 100))

const frame =
  (share: number, background: string): Change =>
  (picture, { width, height }) => {
    const border = percent(Math.min(width, height), share)
    return picture.extend({ top: border, bottom: border, left: border, right: border, background })
  }

/** What is done to a photograph, of which the result is still the same photograph. */
const CHANGES: Record<string, Change> = {
  'half the size': (picture, { width }) => picture.resize(Math.ceil(width / 2)),
  'a fifth of the size': (picture, { width }) => picture.resize(Math.ceil(width / 5)),
  enlarged: (picture, { width }) => picture.resize(Math.round(width * 1.4)),
  '3 % wider': (picture, { width, height }) =>
    picture.resize(Math.round(width * 1.03), height, { fit: 'fill' }),
  'JPEG of quality 50': (picture) => picture.jpeg({ quality: 50 }),
  'JPEG of quality 15': (picture) => picture.jpeg({ quality: 15 }),
  'WebP of quality 60': (picture) => picture.webp({ quality: 60 }),
  '32 colours': (picture) => picture.png({ palette: true, colours: 32, effort: 1 }),
  lightened: (picture) => picture.linear(1.15, 12),
  darkened: (picture) => picture.linear(0.7, 0),
  'more contrast': (picture) => picture.linear(1.3, -38),
  'less contrast': (picture) => picture.linear(0.6, 50),
  'gamma of 1.6': (picture) => picture.gamma(1.6, 1),
  blurred: (picture, { width }) => picture.blur(Math.max(0.5, width / 500)),
  sharpened: (picture) => picture.sharpen({ sigma: 2, m1: 2, m2: 4 }),
  grey: (picture) => picture.greyscale(),
  tinted: (picture) => picture.tint('#c09060'),
  'stronger colours': (picture) => picture.modulate({ saturation: 1.6 }),
  CMYK: (picture) => picture.toColourspace('cmyk').jpeg({ quality: 90 }),
  'white frame of 2 %': frame(2, '#ffffff'),
  'black frame of 4 %': frame(4, '#000000'),
}
const CROPS = 10
/** Of the width and the height, at each side, in percent. */
const MOST_CROPPED = 2

/** What can't be done in one go. */
const WORKED: Record<string, (photo: Buffer, seed: number) => Promise<Buffer>> = { noisy, turned }

export const KINDS = [
  ...Object.keys(CHANGES),
  ...Object.keys(WORKED),
  ...Array.from({ length: CROPS }, (_, n) => `crop ${n + 1}`),
]

/**
 * Returns a photograph changed in one way: one of 23 kinds, or cropped by up to 2 % at each side, the
 * first four crops at one side only. `seed` chooses the noise and the crop.
 */
export async function variant(photo: Buffer, kind: string, seed: number): Promise<Buffer> {
  const worked = WORKED[kind]
  if (worked) return worked(photo, seed)
  const { width, height } = await sharp(photo).metadata()
  const written = sharp(photo).jpeg({ quality: 85 })
  const change = CHANGES[kind]
  if (change) return change(written, { width, height }).toBuffer()
  return written.extract(cropOf(Number(kind.slice(5)), { width, height }, seed)).toBuffer()
}

function cropOf(number: number, { width, height }: Size, seed: number) {
  const random = randomNumbers(seed * CROPS + number)
  const share = (side: number) => {
    if (number <= 4) return side === number - 1 ? MOST_CROPPED : 0
    return (MOST_CROPPED * random(101)) / 100
  }
  const [left, top, right, bottom] = [0, 1, 2, 3].map((side) =>
    Math.round(((side % 2 === 0 ? width : height) * share(side)) / 100),
  ) as [number, number, number, number]
  return { left, top, width: width - left - right, height: height - top - bottom }
}

async function noisy(photo: Buffer, seed: number): Promise<Buffer> {
  const { data, info } = await sharp(photo)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const random = randomNumbers(seed)
  const pixels = Uint8ClampedArray.from(data, (value) => value + (random(25) + random(25) - 24))
  return sharp(pixels, { raw: info }).jpeg({ quality: 85 }).toBuffer()
}

/** Turned by 0.7 degrees, as a horizon is set straight, without the corners that show nothing. */
async function turned(photo: Buffer): Promise<Buffer> {
  const { width, height } = await sharp(photo).metadata()
  const { data, info } = await sharp(photo)
    .rotate(0.7)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const inner = { width: Math.round(width * 0.97), height: Math.round(height * 0.97) }
  return sharp(data, { raw: info })
    .extract({
      left: (info.width - inner.width) >> 1,
      top: (info.height - inner.height) >> 1,
      ...inner,
    })
    .jpeg({ quality: 85 })
    .toBuffer()
}
