import { open, rm } from 'node:fs/promises'
import pLimit from 'p-limit'
import sharp, { type Metadata, type Sharp } from 'sharp'
import type { DerivativeKind } from '../data-folder.ts'
import { writeSynced } from '../durable.ts'
import { RAW_TYPES } from '../endings.ts'
import { type ChildOutcome, failureOf } from '../outcome.ts'
import { extractPicture } from './extract.ts'
import { type FinerHash, finerHash } from './finer-hash.ts'
import { displayedSize, type Look, thumbHash } from './look.ts'
import { coarseLuminances, luminances, type Pixels } from './luminances.ts'
import { perceptualHash } from './phash.ts'
import {
  decode,
  type FailOn,
  type InTurn,
  isPlain,
  type Job,
  type Render,
  unpacked,
} from './picture-input.ts'

// The most pixels of the longer side.
const SIZES: Record<Exclude<DerivativeKind, 'full'>, number> = {
  thumbnail: 320,
  thumbnail640: 640,
  preview: 1920,
}
// In milliseconds.
const SLOW = 200
// These count as slow however fast this machine is at the moment.
const SLOW_TYPES = new Set(['image/heic', 'image/heif', 'image/tiff'])
const FULL_QUALITY = 90

// What the decoder of JPEGs warns of although the picture is whole, as some cameras write it.
const HARMLESS = /extraneous bytes|Invalid SOS parameters|Unknown Adobe|progression|ICC/i

sharp.concurrency(1)
sharp.cache(false)
// SVG and other formats are readable by default, though no upload may have them.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif', 'Tiff', 'Jxl'].map(
    (x) => `VipsForeignLoad${x}`,
  ),
})

// A large picture does not wait for films, which use the memory of another process.
const onePicture = pLimit(1)
const oneProgram = pLimit(1)

/** What is made of a picture beside its thumbnail. */
export interface Hashed extends Look {
  phash: string
  finer: FinerHash
  /** Whether a part of the picture is missing or broken. */
  isDamaged: boolean
}

/**
 * Writes the thumbnail and returns how it looks, with the perceptual and the finer hash of what it shows; for content
 * that is slow to decode, also writes the larger thumbnail. Throws the errors of the file system. `onWait` is called
 * when heavy work, such as on a large picture, starts and stops waiting for other heavy work.
 */
export async function makeThumbnail(
  job: Job,
  onWait: (isWaiting: boolean) => void,
): Promise<ChildOutcome<Hashed>> {
  const render = async (source: Source): Promise<Rendered<Omit<Hashed, 'isDamaged'>>> => {
    let isOneColour = false
    const rendered = await source.decode(SIZES.thumbnail, async (picture, metadata) => {
      // Decoding is the slow part, so the thumbnail and the hashes are made from one decoded picture.
      const { small, pixels } = await decodedOnce(picture, metadata)
      const luminance = await coarseLuminances(small)
      isOneColour = luminance.every((value) => value === luminance[0])
      const jpeg = await small.clone().keepIccProfile().jpeg().toBuffer()
      const look = { size: displayedSize(metadata), thumbhash: await thumbHash(small) }
      const finer = finerHash(luminances(pixels))
      return { jpeg, result: { phash: perceptualHash(luminance), finer, ...look } }
    })
    // When a decoder can't read the pixels, they are all alike, and it warns.
    if (isOneColour) await source.verify()
    const isSlow = SLOW_TYPES.has(job.mime_type) || source.time() > SLOW
    if (job.output640 && isSlow) await writeLarger(job.output640, source)
    return rendered
  }
  return make(job, onWait, async (openSource) => {
    const { jpeg, result, isDamaged } = await withDamage(job, async (failOn) =>
      render(await openSource(failOn)),
    )
    return { jpeg, result: { ...result, isDamaged } }
  })
}

// Decodes strictly, and only when that fails, decodes once more what can be decoded.
async function withDamage<Result>(
  { mime_type }: Job,
  work: (failOn: FailOn) => Promise<Result>,
): Promise<Result & { isDamaged: boolean }> {
  const isJpeg = mime_type === 'image/jpeg' || RAW_TYPES.has(mime_type)
  try {
    return { ...(await work(isJpeg ? 'warning' : 'error')), isDamaged: false }
  } catch (error) {
    if (!('failed' in failureOf(error))) throw error
    const isDamaged = !isJpeg || !HARMLESS.test((error as Error).message)
    return { ...(await work('none')), isDamaged }
  }
}

// The picture can be read more than once.
async function decodedOnce(
  picture: Sharp,
  metadata: Metadata,
): Promise<{ small: Sharp; pixels: Pixels }> {
  // Bare pixels are much quicker to read.
  if (isPlain(metadata)) {
    const pixels = await picture.raw().toBuffer({ resolveWithObject: true })
    return { small: sharp(pixels.data, { raw: pixels.info }), pixels }
  }
  const small = sharp(await picture.tiff({ compression: 'none' }).toBuffer())
  const bytes = small.clone().raw({ depth: 'uchar' })
  return { small, pixels: await bytes.toBuffer({ resolveWithObject: true }) }
}

// Where this fails, the larger thumbnail is made later.
async function writeLarger(output: string, source: Source): Promise<void> {
  try {
    const jpeg = await source.decode(SIZES.thumbnail640, (picture) => picture.jpeg().toBuffer())
    await writeSynced(output, jpeg)
  } catch {
    await rm(output, { force: true })
  }
}

/** Writes any other derivative; throws as `makeThumbnail` does. */
export async function makePicture(
  kind: Exclude<DerivativeKind, 'thumbnail'>,
  job: Job,
  onWait: (isWaiting: boolean) => void,
): Promise<ChildOutcome<null>> {
  const size = kind === 'full' ? null : SIZES[kind]
  const options = kind === 'full' ? { quality: FULL_QUALITY } : {}
  return make(job, onWait, async (openSource) => {
    const source = await openSource('none')
    const jpeg = await source.decode(size, (picture) => picture.jpeg(options).toBuffer())
    return { jpeg, result: null }
  })
}

interface Rendered<Result> {
  jpeg: Buffer
  result: Result
}

// A picture that can be decoded as often as needed; what another program decodes is stored for that.
interface Source {
  /** The size null stands for all pixels. */
  decode<Result>(size: number | null, render: Render<Result>): Promise<Result>
  /** Decodes the picture once more, and throws what the decoder warns of. */
  verify(): Promise<void>
  /** Milliseconds of work so far, without waiting. */
  time(): number
}

async function make<Result>(
  job: Job,
  onWait: (isWaiting: boolean) => void,
  render: (open: (failOn: FailOn) => Promise<Source>) => Promise<Rendered<Result>>,
): Promise<ChildOutcome<Result>> {
  const started = performance.now()
  let waited = 0
  const turnOf =
    (line: typeof onePicture): InTurn =>
    (work) => {
      onWait(true)
      const asked = performance.now()
      return line(() => {
        waited += performance.now() - asked
        onWait(false)
        return work()
      })
    }
  let rendered: Rendered<Result>
  try {
    const inTurn = turnOf(onePicture)
    const { content, colours } = await extractPicture(job, turnOf(oneProgram))
    rendered = await render(async (failOn) => {
      const input = await unpacked(content, job, failOn)
      return {
        decode: (size, work) => decode(input, { size, failOn, colours }, inTurn, work),
        async verify() {
          const strictly = { size: SIZES.thumbnail, failOn: 'warning', colours } as const
          await decode(content, strictly, inTurn, (picture) => picture.raw().toBuffer())
        },
        time: () => performance.now() - started - waited,
      }
    })
  } catch (error) {
    return failureOf((await refusalToOpen(job.path)) ?? error)
  }
  await writeSynced(job.output, rendered.jpeg)
  return { result: rendered.result }
}

// Returns why a file can't be opened, or null; the decoder would report an unknown format.
async function refusalToOpen(path: string): Promise<unknown> {
  try {
    await (await open(path, 'r')).close()
    return null
  } catch (error) {
    return error
  }
}
