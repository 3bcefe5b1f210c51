import exifr from 'exifr'
import sharp, { type Metadata } from 'sharp'
import { type BoundedFile, inMemory, withBoundedFile } from '../bounded-file.ts'
import { boxes, fourcc } from '../container-parts.ts'
import type { ReadDate } from '../dates.ts'
import { failureOf, isOfUnreadable } from '../outcome.ts'
import { boundedPicture } from './bounded-picture.ts'
import { readCaptions } from './captions.ts'
import { EXIF_MAX_READ, type ExifBlock, readExifBlock } from './exif-block.ts'
import { exifDates } from './exif-dates.ts'
import { AS_STORED, EXIF_NAMES, GPS_NAMES, IFD0_NAMES } from './exif-tags.ts'
import { onlyExif } from './png-head.ts'

/** What a file says about itself. */
export interface Exif {
  /** Flat, by the names of the EXIF standard, with latitude and longitude in degrees. */
  exif: Record<string, unknown>
  /** When it may have been taken, the best date first. */
  dates: ReadDate[]
  /** Which of its EXIF entries were broken, in words. */
  dropped?: string[]
}

type Block = Record<string, unknown>

const MAX_BYTES = 65_536
// As many as the server accepts, see `decoder/answers.ts`.
const MAX_DROPPED = 1000
const HEAD_LENGTH = 1_048_576
const BOX_HEAD = 16
const META = fourcc('meta')

const OPTIONS = {
  ...AS_STORED,
  ifd0: {},
  exif: true,
  gps: true,
  interop: false,
  ifd1: false,
  makerNote: false,
  userComment: true,
  xmp: false,
  icc: false,
  iptc: false,
  jfif: false,
  ihdr: false,
} as const

/**
 * Returns the EXIF of a picture, as far as it can be read: an empty object when it is broken. Throws when the system
 * refuses to open the file, or can't read it.
 */
export async function readExif(path: string, mime_type: string): Promise<Exif> {
  return withBoundedFile(path, (file) => readExifOf({ path, file, mime_type }), EXIF_MAX_READ)
}

// Only sharp reads more of it than a limited amount.
interface Picture {
  path: string
  file: BoundedFile
  mime_type: string
}

/** Does what `readExif` does with a picture that is open; throws the errors of reading it. */
export async function readExifOf(picture: Picture): Promise<Exif> {
  const embedded = await readEmbedded(picture)
  const { blocks, dropped } = await readBlocks(picture, embedded.exif)
  const captions = await readCaptions(embedded)
  const { keywords, caption } = captions
  const gps = named(blocks.gps, GPS_NAMES)
  const exif: Block = {
    ...named(blocks.ifd0, IFD0_NAMES),
    ...gps,
    ...named(blocks.exif, EXIF_NAMES),
    ...position(gps),
    ...(keywords.length > 0 && { Keywords: keywords }),
  }
  if (caption !== undefined) exif.ImageDescription ??= caption
  return {
    exif: withinLimit(exif),
    dates: exifDates(exif, captions),
    dropped: dropped.slice(0, MAX_DROPPED),
  }
}

interface Read {
  blocks: Record<string, Block>
  dropped: string[]
}

async function readBlocks(picture: Picture, exif: Buffer | undefined): Promise<Read> {
  try {
    const { block, dropped } = await findBlock(picture, exif)
    return { blocks: (await exifr.parse(block, OPTIONS)) ?? {}, dropped }
  } catch (error) {
    const failure = failureOf(error)
    if ('refused' in failure || 'starved' in failure || isOfUnreadable(error)) throw error
    return { blocks: {}, dropped: [] }
  }
}

// exifr's parser throws at the first bad entry, so it gets the good ones only.
async function findBlock(
  { file, mime_type }: Picture,
  exif: Buffer | undefined,
): Promise<ExifBlock> {
  const tiff = tiffIn(exif)
  const source = mime_type === 'image/tiff' ? file : tiff && inMemory(tiff)
  const clean = source && (await readExifBlock(source))
  if (clean) return clean
  const head = await readHead(file)
  if (!(await isFollowed(head))) throw new Error('has no entries')
  // exifr would also inflate a profile.
  return { block: mime_type === 'image/png' ? onlyExif(head) : head, dropped: [] }
}

// Returns whether exifr comes to an end in a file with this beginning. It takes one for a HEIF by its first two bytes,
// and behind a box without a length, it would search for ever (7.1).
async function isFollowed(head: Buffer): Promise<boolean> {
  if (head.length < BOX_HEAD || head.readUInt16BE(0) !== 0) return true
  const last = head.length - BOX_HEAD
  const all = boxes(inMemory(head), head.readUInt32BE(0), head.length, Number.POSITIVE_INFINITY)
  for await (const { name, at } of all) {
    if (name === META) return at <= last
  }
  return false
}

// exifr may find here what sharp doesn't.
async function readHead({ read }: BoundedFile): Promise<Buffer> {
  return read(0, HEAD_LENGTH)
}

// sharp finds what is embedded in more files than exifr.
async function readEmbedded({
  path,
  file,
  mime_type,
}: Picture): Promise<Pick<Metadata, 'exif' | 'xmp' | 'iptc'>> {
  const read = async () =>
    sharp(await boundedPicture(path, mime_type), {
      failOn: 'none',
      limitInputPixels: false,
    }).metadata()
  try {
    return await read()
  } catch {
    // sharp reports broken content and a failed read, which may not fail again, in the same words.
    await readHead(file)
    return await read().catch(() => ({}))
  }
}

function tiffIn(exif: Buffer | undefined): Buffer | null {
  const starts = ['II*\0', 'MM\0*'].map((magic) => exif?.subarray(0, 32).indexOf(magic) ?? -1)
  const start = Math.max(...starts)
  return exif === undefined || start < 0 ? null : exif.subarray(start)
}

function named(block: Block | undefined, names: Record<number, string>): Block {
  const result: Block = {}
  for (const [tag, value] of Object.entries(block ?? {})) {
    const name = names[Number(tag)]
    const clean = name === undefined ? undefined : cleanValue(name, value)
    if (name !== undefined && clean !== undefined) result[name] = clean
  }
  return result
}

// Returns a value that JSON can hold, or undefined when there is nothing to show.
function cleanValue(name: string, value: unknown): unknown {
  if (typeof value === 'string') return cleanString(name, value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (value instanceof Uint8Array) return cleanBytes(name, Buffer.from(value))
  if (!Array.isArray(value) && !ArrayBuffer.isView(value)) return undefined
  const numbers = Array.from(value as ArrayLike<unknown>, (item) =>
    typeof item === 'number' && Number.isFinite(item) ? item : null,
  )
  if (numbers.every((number) => number === null)) return undefined
  return numbers.length === 1 ? numbers[0] : numbers
}

function cleanString(name: string, text: string): string | undefined {
  // Some cameras write NUL between year, month and day.
  if (name === 'GPSDateStamp') return cleanText(text.replace(/^(\d{4})\0(\d\d)\0/, '$1:$2:'))
  // A copyright has two parts: the photographer's and the editor's.
  return cleanText(text, name === 'Copyright' ? 2 : 1)
}

function cleanBytes(name: string, bytes: Buffer): unknown {
  if (name === 'UserComment' || name === 'GPSProcessingMethod' || name === 'GPSAreaInformation') {
    return decodeComment(bytes)
  }
  if (name.startsWith('XP')) return cleanText(decode('utf-16le', bytes))
  if (name.endsWith('Version')) return cleanText(bytes.toString('latin1'))
  if (name === 'GPSVersionID') return [...bytes]
  if (bytes.length === 1) return bytes[0]
  const text = bytes.toString('latin1')
  return /^[\x20-\x7e]+\0*$/.test(text) ? cleanString(name, text) : undefined
}

// The text names its character code in its first eight bytes.
function decodeComment(bytes: Buffer): string | undefined {
  const code = bytes.toString('latin1', 0, 8)
  const text = bytes.subarray(8)
  if (code === 'UNICODE\0') {
    const isBigEndian = text.length > 1 && text[0] === 0 && text[1] !== 0
    return cleanText(decode(isBigEndian ? 'utf-16be' : 'utf-16le', text))
  }
  if (code === 'ASCII\0\0\0' || code === '\0'.repeat(8)) return cleanText(decode('utf-8', text))
  return undefined
}

function decode(encoding: 'utf-8' | 'utf-16le' | 'utf-16be', bytes: Buffer): string {
  return new TextDecoder(encoding).decode(bytes)
}

// Returns a text up to its first NUL, or the first parts of one whose parts each end with a NUL.
function cleanText(text: string, parts = 1): string | undefined {
  const texts = text.split('\0', parts).map((part) => Buffer.from(part).toString().trimEnd())
  return texts.filter((part) => part !== '').join('\n') || undefined
}

function position(gps: Block): { latitude?: number; longitude?: number } {
  const latitude = degrees(gps.GPSLatitude, gps.GPSLatitudeRef, { N: 1, S: -1 }, 90)
  const longitude = degrees(gps.GPSLongitude, gps.GPSLongitudeRef, { E: 1, W: -1 }, 180)
  return latitude === null || longitude === null ? {} : { latitude, longitude }
}

// Returns signed degrees, or null when a part is broken or the hemisphere is missing.
function degrees(
  value: unknown,
  ref: unknown,
  signs: Record<string, 1 | -1>,
  limit: number,
): number | null {
  const [whole, minutes = 0, seconds = 0] = Array.isArray(value) ? value : [value]
  const sign = signs[String(ref).toUpperCase()]
  if (sign === undefined) return null
  if (![whole, minutes, seconds].every((part) => typeof part === 'number')) return null
  const size = whole + minutes / 60 + seconds / 3600
  return Math.abs(size) > limit ? null : sign * size
}

function withinLimit(exif: Block): Block {
  const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
  const limited = { ...exif }
  const bySize = Object.keys(exif).sort((a, b) => size(exif[b]) - size(exif[a]))
  for (const name of bySize) {
    if (size(limited) <= MAX_BYTES) break
    delete limited[name]
  }
  return limited
}
