import { stat } from 'node:fs/promises'
import sharp, { type Metadata, type OutputInfo, type Sharp, type SharpOptions } from 'sharp'
import { type Colours, heldForSrgb, inSrgb } from './colours.ts'
import type { PictureSource } from './extract.ts'
import { allowMemory } from './job-memory.ts'
import { allowPixels } from './job-time.ts'

// A full picture of more pixels helps no browser.
const FULL_PIXELS = 100_000_000
const MAX_PIXELS = 268_000_000
// Larger pictures are decoded one at a time.
const LARGE_PIXELS = 50_000_000
const LARGE_HELD = 40_000_000
// Bytes for each column of a picture that is read row by row.
const ROWS = 12_000
// Bytes of the rows that any picture is shrunk by, for each column, however few it has.
const FEW_ROWS = 760
const MOST_UNPACKED = 75_000_000
const SAMPLE_SIZES: Record<string, number> = { uchar: 1, char: 1, ushort: 2, short: 2 }
// In bytes; a larger colour profile would be sent with every thumbnail.
const MAX_PROFILE = 16_384

const INPUT = { failOn: 'none', limitInputPixels: MAX_PIXELS } as const

/** What is to be made of a picture. */
export interface Job extends PictureSource {
  output: string
  /** Where the larger thumbnail is written together with the usual one, when the content is slow to decode. */
  output640?: string | undefined
}

/** Runs heavy work while no other heavy work runs. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

/** What is made of an opened picture. */
export type Render<Result> = (picture: Sharp, metadata: Metadata) => Promise<Result>

/** A picture as the library may be given it. */
type Input = string | Buffer | { pixels: Buffer; raw: OutputInfo }

/** Which faults of a picture end its decoding. */
export type FailOn = NonNullable<SharpOptions['failOn']>

function openInput(input: Input, failOn: FailOn, ignoreIcc = false): Sharp {
  const options = { ...INPUT, failOn, ignoreIcc }
  if (typeof input === 'string' || Buffer.isBuffer(input)) return sharp(input, options)
  return sharp(input.pixels, { ...options, raw: input.raw })
}

/**
 * Returns a compressed TIFF unpacked once for its two thumbnails, since that is most of the work, and other pictures as
 * they are.
 */
export async function unpacked(input: string | Buffer, job: Job, failOn: FailOn): Promise<Input> {
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

/** Returns whether the pixels say everything: at most 8 bits each, and no profile. */
export function isPlain({ space, depth, icc }: Metadata): boolean {
  return space === 'srgb' && depth === 'uchar' && icc === undefined
}

interface Wanted {
  size: number | null
  failOn: FailOn
  colours: Colours | null
}

/** Returns what `render` makes of a picture, upright and of the size that is wanted, in its turn where it is large. */
export async function decode<Result>(
  input: Input,
  { size, failOn, colours }: Wanted,
  inTurn: InTurn,
  render: Render<Result>,
): Promise<Result> {
  const metadata = await openInput(input, failOn).metadata()
  const { width, height, space, icc } = metadata
  allowPixels(width * height)
  const held =
    Math.max(heldBytes(metadata), width * FEW_ROWS) + (colours ? heldForSrgb(metadata, size) : 0)
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
