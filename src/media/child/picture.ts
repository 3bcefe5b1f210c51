import { open, writeFile } from 'node:fs/promises'
import pLimit from 'p-limit'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { type ChildOutcome, failureOf } from '../outcome.ts'
import { extractPicture, type PictureSource } from './extract.ts'
import { HASH_INPUT_SIZE, perceptualHash } from './phash.ts'

interface Job extends PictureSource {
  /** Where the JPEG is written. */
  output: string
}

const THUMBNAIL_SIZE = 320
const PREVIEW_SIZE = 1920
const MAX_PIXELS = 268_000_000
/** The most bytes that a decoder may hold of a picture that it can't read row by row. */
const MAX_HELD = 1_000_000_000
/** Larger pictures are decoded one at a time. */
const LARGE_PIXELS = 50_000_000
const LARGE_HELD = 200_000_000
const SAMPLE_SIZES: Record<string, number> = { uchar: 1, char: 1, ushort: 2, short: 2 }
/** Bytes; a colour profile as large as a picture would be sent with every thumbnail. */
const MAX_PROFILE = 16_384

const INPUT = { failOn: 'none', limitInputPixels: MAX_PIXELS } as const

sharp.concurrency(1)
sharp.cache(false)
// SVG and other formats are readable by default, though nobody may upload them.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif', 'Tiff'].map((x) => `VipsForeignLoad${x}`),
})

const oneAtATime = pLimit(1)

/**
 * Writes the thumbnail and returns the perceptual hash of what it shows. Throws the errors of the
 * file system. `onWait` is called when heavy work, such as on a large picture, starts and stops
 * waiting for other heavy work.
 */
export async function makeThumbnail(
  job: Job,
  onWait: (isWaiting: boolean) => void,
): Promise<ChildOutcome<{ phash: string }>> {
  return make(job, THUMBNAIL_SIZE, onWait, async (picture) => {
    // Decoding is the slow part, so the thumbnail and the hash are made from one decoded picture.
    const small = await picture.tiff({ compression: 'none' }).toBuffer()
    const luminance = await sharp(small)
      .resize(HASH_INPUT_SIZE, HASH_INPUT_SIZE, { fit: 'fill' })
      .greyscale()
      .raw({ depth: 'uchar' })
      .toBuffer()
    const jpeg = await sharp(small).keepIccProfile().jpeg().toBuffer()
    return { jpeg, result: { phash: perceptualHash(luminance) } }
  })
}

/** Writes the preview; throws as `makeThumbnail` does. */
export async function makePreview(
  job: Job,
  onWait: (isWaiting: boolean) => void,
): Promise<ChildOutcome<null>> {
  return make(job, PREVIEW_SIZE, onWait, async (picture) => ({
    jpeg: await picture.jpeg().toBuffer(),
    result: null,
  }))
}

/** Runs heavy work while no other heavy work runs. */
type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

interface Rendered<Result> {
  jpeg: Buffer
  result: Result
}

async function make<Result>(
  job: Job,
  size: number,
  onWait: (isWaiting: boolean) => void,
  render: (picture: Sharp) => Promise<Rendered<Result>>,
): Promise<ChildOutcome<Result>> {
  const inTurn: InTurn = (work) => {
    onWait(true)
    return oneAtATime(() => {
      onWait(false)
      return work()
    })
  }
  let rendered: Rendered<Result>
  try {
    rendered = await decode(await extractPicture(job, inTurn), size, inTurn, render)
  } catch (error) {
    return failureOf((await refusalToOpen(job.path)) ?? error)
  }
  await writeFile(job.output, rendered.jpeg)
  return { result: rendered.result }
}

/** Returns why a file can't be opened, or null; the decoder takes it for one of no known format. */
async function refusalToOpen(path: string): Promise<unknown> {
  try {
    await (await open(path, 'r')).close()
    return null
  } catch (error) {
    return error
  }
}

async function decode<Result>(
  input: string | Buffer,
  size: number,
  inTurn: InTurn,
  render: (picture: Sharp) => Promise<Rendered<Result>>,
): Promise<Rendered<Result>> {
  const metadata = await sharp(input, INPUT).metadata()
  const { width, height, space, icc } = metadata
  const held = heldBytes(metadata)
  if (held > MAX_HELD) throw new Error('takes too much memory')
  const picture = sharp(input, INPUT)
    .autoOrient()
    .resize(size, size, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
  // Converting colours before shrinking costs more than all the rest, so a profile is kept instead,
  // unless it belongs to a picture that isn't RGB, since RGB is what we write.
  const isRgb = space === 'srgb' || space === 'rgb16'
  if (isRgb && icc !== undefined && icc.length <= MAX_PROFILE) picture.keepIccProfile()
  if (width * height <= LARGE_PIXELS && held <= LARGE_HELD) return render(picture)
  return inTurn(() => render(picture))
}

function heldBytes({ format, isProgressive, width, height, channels, depth }: Metadata): number {
  const samples = width * height * channels
  // The coefficients of a progressive JPEG have 16 bits.
  if (format === 'jpeg') return isProgressive ? samples * 2 : 0
  if (format === 'png' && !isProgressive) return 0
  // Measured: the AV1 decoder takes 18 bytes per pixel.
  if (format === 'heif') return samples * 6
  return samples * (SAMPLE_SIZES[depth] ?? 8)
}
