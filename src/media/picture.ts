import { writeFile } from 'node:fs/promises'
import pLimit from 'p-limit'
import sharp, { type Sharp } from 'sharp'
import { HASH_INPUT_SIZE, perceptualHash } from './phash.ts'

/** What was made, or why the content can't be decoded. */
export type Attempt<Result> = { result: Result } | { failed: string }

interface Job {
  path: string
  mime_type: string
  /** Where the JPEG is written. */
  output: string
}

const THUMBNAIL_SIZE = 320
const PREVIEW_SIZE = 1920
const MAX_PIXELS = 268_000_000
/** Pictures with more pixels are decoded one at a time: one may take 600 MB. */
const LARGE_PIXELS = 50_000_000
/** A colour profile as long as a picture would be sent with every thumbnail. */
const MAX_PROFILE = 16_384

const INPUT = { failOn: 'none', limitInputPixels: MAX_PIXELS } as const

sharp.concurrency(1)
sharp.cache(false)
// SVG and others are readable by default, and nobody may upload them.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif', 'Tiff'].map((x) => `VipsForeignLoad${x}`),
})

const oneAtATime = pLimit(1)

/**
 * Writes the thumbnail and returns the perceptual hash of what it shows. Throws what the file system
 * says. `onWait` hears when a large picture begins and ends to wait for another one.
 */
export async function makeThumbnail(
  job: Job,
  onWait: (isWaiting: boolean) => void,
): Promise<Attempt<{ phash: string }>> {
  return make(job, THUMBNAIL_SIZE, onWait, async (picture) => {
    // The thumbnail and the hash are made from one decoded picture, which is the slow part.
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

/** Writes the preview; throws as `makeThumbnail`. */
export async function makePreview(
  job: Job,
  onWait: (isWaiting: boolean) => void,
): Promise<Attempt<null>> {
  return make(job, PREVIEW_SIZE, onWait, async (picture) => ({
    jpeg: await picture.jpeg().toBuffer(),
    result: null,
  }))
}

interface Rendered<Result> {
  jpeg: Buffer
  result: Result
}

async function make<Result>(
  { path, mime_type, output }: Job,
  size: number,
  onWait: (isWaiting: boolean) => void,
  render: (picture: Sharp) => Promise<Rendered<Result>>,
): Promise<Attempt<Result>> {
  const failed = undecodable(mime_type)
  if (failed !== null) return { failed }
  let rendered: Rendered<Result>
  try {
    rendered = await decode(path, size, onWait, render)
  } catch (error) {
    return { failed: (error as Error).message }
  }
  await writeFile(output, rendered.jpeg)
  return { result: rendered.result }
}

/** Returns why there is no decoder for a type, or null: the one place that knows. */
function undecodable(mime_type: string): string | null {
  if (mime_type.startsWith('video/')) return 'no decoder for video'
  // HEVC inside; AV1 in the same container is image/avif, and either may be in image/heif.
  if (mime_type === 'image/heic') return 'no decoder for HEIC'
  return null
}

async function decode<Result>(
  path: string,
  size: number,
  onWait: (isWaiting: boolean) => void,
  render: (picture: Sharp) => Promise<Rendered<Result>>,
): Promise<Rendered<Result>> {
  const { width, height, space, icc } = await sharp(path, INPUT).metadata()
  const picture = sharp(path, INPUT)
    .autoOrient()
    .resize(size, size, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
  // Converting colours before shrinking costs more than all the rest, so a profile is kept instead,
  // unless it is not that of an RGB picture, which is what we write.
  const isRgb = space === 'srgb' || space === 'rgb16'
  if (isRgb && icc !== undefined && icc.length <= MAX_PROFILE) picture.keepIccProfile()
  if (width * height <= LARGE_PIXELS) return render(picture)
  onWait(true)
  return oneAtATime(() => {
    onWait(false)
    return render(picture)
  })
}
