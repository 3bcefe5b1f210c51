import { open, rm, stat } from 'node:fs/promises'
import pLimit from 'p-limit'
import sharp, { type Metadata, type OutputInfo, type Sharp, type SharpOptions } from 'sharp'
import type { DerivativeKind } from '../data-folder.ts'
import { writeSynced } from '../durable.ts'
import { type ChildOutcome, failureOf } from '../outcome.ts'
import { RAW_TYPES } from '../raw.ts'
import { type Colours, heldForSrgb, inSrgb } from './colours.ts'
import { extractPicture, type PictureSource } from './extract.ts'
import { type FinerHash, finerHash } from './finer-hash.ts'
import { allowMemory } from './job-memory.ts'
import { allowPixels } from './job-time.ts'
import { displayedSize, type Look, thumbHash } from './look.ts'
import { coarseLuminances, luminances, type Pixels } from './luminances.ts'
import { perceptualHash } from './phash.ts'

interface Job extends PictureSource {
  output: string
  /** Where the larger thumbnail is written together with the usual one, when the content is slow to decode. */
  output640?: string | undefined
}

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
// A full picture of more pixels helps no browser.
const FULL_PIXELS = 100_000_000
const MAX_PIXELS = 268_000_000
// Larger pictures are decoded one at a time.
const LARGE_PIXELS = 50_000_000
const LARGE_HELD = 40_000_000
// Bytes for each column of a picture that is read row by row.
const ROWS = 12_000
const MOST_UNPACKED = 75_000_000
const SAMPLE_SIZES: Record<string, number> = { uchar: 1, char: 1, ushort: 2, short: 2 }
// In bytes; a larger colour profile would be sent with every thumbnail.
const MAX_PROFILE = 16_384

// What the decoder of JPEGs warns of although the picture is whole, as some cameras write it.
const HARMLESS = /extraneous bytes|Invalid SOS parameters|Unknown Adobe|progression|ICC/i

const INPUT = { failOn: 'none', limitInputPixels: MAX_PIXELS } as const

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

// Runs heavy work while no other heavy work runs.
type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

interface Rendered<Result> {
  jpeg: Buffer
  result: Result
}

type Render<Result> = (picture: Sharp, metadata: Metadata) => Promise<Result>

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

type Input = string | Buffer | { pixels: Buffer; raw: OutputInfo }

type FailOn = NonNullable<SharpOptions['failOn']>

function openInput(input: Input, failOn: FailOn, ignoreIcc = false): Sharp {
  const options = { ...INPUT, failOn, ignoreIcc }
  if (typeof input === 'string' || Buffer.isBuffer(input)) return sharp(input, options)
  return sharp(input.pixels, { ...options, raw: input.raw })
}

// A compressed TIFF is unpacked once for its two thumbnails, since that is most of the work; other pictures are
// returned as they are.
async function unpacked(input: string | Buffer, job: Job, failOn: FailOn): Promise<Input> {
  if (job.mime_type !== 'image/tiff' || !job.output640) return input
  const metadata = await sharp(input, INPUT).metadata()
  const held = heldBytes(metadata)
  if (held > MOST_UNPACKED || !isPlain(metadata)) return input
  const isCompressed = (await stat(job.path)).size < held
  if (!isCompressed) return input
  const picture = openInput(input, failOn).autoOrient().raw()
  const { data, info } = await picture.toBuffer({ resolveWithObject: true })
  return { pixels: data, raw: info }
}

// Whether the pixels say everything: at most 8 bits each, and no profile.
function isPlain({ space, depth, icc }: Metadata): boolean {
  return space === 'srgb' && depth === 'uchar' && icc === undefined
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

interface Wanted {
  size: number | null
  failOn: FailOn
  colours: Colours | null
}

async function decode<Result>(
  input: Input,
  { size, failOn, colours }: Wanted,
  inTurn: InTurn,
  render: Render<Result>,
): Promise<Result> {
  const metadata = await openInput(input, failOn).metadata()
  const { width, height, space, icc } = metadata
  allowPixels(width * height)
  const held = heldBytes(metadata) + (colours ? heldForSrgb(metadata, size) : 0)
  allowMemory(held)
  if (size === null && width * height > FULL_PIXELS) throw new Error('has too many pixels')
  const opened = openInput(input, failOn, colours !== null)
  const picture = opened.autoOrient().flatten({ background: '#ffffff' })
  if (size !== null) picture.resize(size, size, { fit: 'inside', withoutEnlargement: true })
  // Converting colours before shrinking costs more than all the rest, so a profile is embedded instead, unless it
  // belongs to a picture that isn't RGB, since RGB is what we write.
  const isRgb = space === 'srgb' || space === 'rgb16'
  if (isRgb && icc !== undefined && icc.length <= MAX_PROFILE) picture.keepIccProfile()
  const work = async () =>
    colours ? render(...(await inSrgb(picture, metadata, colours))) : render(picture, metadata)
  return width * height <= LARGE_PIXELS && held <= LARGE_HELD ? work() : inTurn(work)
}

// Returns how many bytes a decoder holds of a picture that it can't read row by row. Where the format doesn't
// determine it, it is an estimate by experiment.
function heldBytes(metadata: Metadata): number {
  const { format, isProgressive, width, height, channels, depth } = metadata
  const pixels = width * height
  const samples = pixels * channels
  if (format === 'jpeg') return isProgressive ? pixels * coefficients(metadata) * 2 : 0
  if (format === 'png' && !isProgressive) return Math.min(samples, width * ROWS)
  if (format === 'heif') return samples * 6.3
  if (format === 'gif') return pixels * 7
  // Meant for a lossless WebP; the decoder shrinks a lossy one while it reads it.
  if (format === 'webp') return pixels * 4.3
  return samples * (SAMPLE_SIZES[depth] ?? 8)
}

// Of 16 bits each.
function coefficients({ channels, chromaSubsampling }: Metadata): number {
  if (channels !== 3) return channels
  return { '4:2:0': 1.5, '4:2:2': 2 }[chromaSubsampling ?? ''] ?? 3
}
