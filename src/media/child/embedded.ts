import { type BoundedFile, readInBlocks } from '../bounded-file.ts'
import { boxes, fourcc } from '../container-parts.ts'

/** A block of facts in a picture, or a single text with the name that a PNG gives to it. */
export type Embedded =
  | { kind: 'exif' | 'xmp' | 'iptc'; bytes: Buffer }
  | { kind: 'text'; keyword: string; bytes: Buffer }

/** In bytes, of a block of captions; a larger one is not read. */
export const MAX_CAPTIONS = 2 ** 20

// Segments, chunks or blocks of a picture that are looked at.
const MAX_PARTS = 10_000
// In bytes, of a block; in a JPEG, none is larger than 64 KiB.
const MAX_BLOCK = 4 * 2 ** 20
// Bytes that are read at once of heads that lie near each other.
const AT_ONCE = 65_536
// Bytes in which the next marker of a JPEG, or the end of a block of a GIF, is looked for at once.
const STEP = 4096

const [EXIF_BOX, XMP_BOX] = [fourcc('Exif'), fourcc('xml ')]
// Bytes before the TIFF structure, or before what is too long for one segment.
const EXIF_HEAD = 6
const PHOTOSHOP = 'Photoshop 3.0\0'
// What is too long for the segment of XMP in a JPEG (XMP part 3, 1.1.3.1): this, the digest that the XMP names, the
// length of the whole, where the part belongs, and the part.
const EXTENDED = 'http://ns.adobe.com/xmp/extension/\0'
const DIGEST = /HasExtendedXMP\s*(?:=\s*["']|>)\s*([\dA-F]{32})/i
const PART = EXTENDED.length + 40

/** Returns what a block is by its first bytes, or null when it is none that is read. */
export function blockOf(bytes: Buffer): Embedded | null {
  const head = bytes.toString('latin1', 0, 64)
  // Of a Casio QV before EXIF.
  if (head.startsWith('QVCI\0')) {
    return { kind: 'text', keyword: 'exif:DateTimeOriginal', bytes: bytes.subarray(0x4d, 0x61) }
  }
  if (/^.{0,4}Exif\0|^(II\*\0|MM\0\*)/is.test(head)) return { kind: 'exif', bytes }
  const isRecord = bytes[0] === 0x1c && (bytes[1] === 1 || bytes[1] === 2)
  if (isRecord || /^(Photoshop 3\.0\0|8BIM)/.test(head)) return { kind: 'iptc', bytes }
  const isXmp = /^http:\/\/ns\.adobe\.com\/xap\/1\.0\/|^\s*<(\?xpacket|x:x[am]pmeta|rdf:RDF)/
  if (isXmp.test(head)) return { kind: 'xmp', bytes: bytes.subarray(bytes.indexOf('<')) }
  return null
}

/** The marker of a JPEG behind which its pixels are. */
export const SCAN = 0xda
const [APP1, APP13, JPEG_END] = [0xe1, 0xed, 0xd9]

/** Yields the blocks of a JPEG, those in several parts last, also when it can't be read to its end. */
export async function* embeddedInJpeg(given: BoundedFile): AsyncGenerator<Embedded> {
  const file = readInBlocks(given, AT_ONCE)
  const exif: Buffer[][] = []
  const resources: Buffer[] = []
  const extended: Buffer[] = []
  let digest: string | undefined
  let failure: unknown
  try {
    for await (const { marker, start, end } of jpegSegments(file)) {
      if (marker !== APP1 && marker !== APP13) continue
      const segment = await file.read(start, end)
      if (segment.toString('latin1', 0, EXTENDED.length) === EXTENDED) extended.push(segment)
      const block = blockOf(segment)
      const { kind, bytes = Buffer.alloc(0) } = block ?? {}
      if (kind === 'xmp') digest ??= DIGEST.exec(bytes.toString('latin1'))?.[1]
      if (kind === 'iptc') resources.push(bytes)
      else if (kind === 'exif' && tiffIn(bytes)) exif.push([bytes])
      else if (kind === 'exif') exif.at(-1)?.push(bytes.subarray(EXIF_HEAD))
      else if (block) yield block
    }
  } catch (error) {
    failure = error
  }
  for (const parts of exif) yield { kind: 'exif', bytes: Buffer.concat(parts) }
  for (const bytes of joined(resources)) yield { kind: 'iptc', bytes }
  const rest = digest && restOfXmp(extended, digest)
  if (rest) yield { kind: 'xmp', bytes: rest }
  if (failure !== undefined) throw failure
}

/** Returns the TIFF structure in EXIF, or null when it has none. */
export function tiffIn(exif: Buffer): Buffer | null {
  const start = Math.max(...['II*\0', 'MM\0*'].map((magic) => exif.subarray(0, 32).indexOf(magic)))
  return start < 0 ? null : exif.subarray(start)
}

// What is too long for one segment goes on in the next one.
function joined(resources: Buffer[]): Buffer[] {
  const [first, ...rest] = resources
  if (!first) return []
  const isHeaded = (bytes: Buffer) => bytes.toString('latin1', 0, PHOTOSHOP.length) === PHOTOSHOP
  const bodies = rest.filter(isHeaded).map((bytes) => bytes.subarray(PHOTOSHOP.length))
  const whole = Buffer.concat([first, ...bodies])
  return [whole.length <= MAX_CAPTIONS ? whole : first, ...rest]
}

// Returns null unless all of it is there.
function restOfXmp(segments: Buffer[], digest: string): Buffer | null {
  let whole: Buffer | null = null
  let left = 0
  for (const segment of segments) {
    const isNamed = segment.toString('latin1', EXTENDED.length, PART - 8) === digest
    if (!isNamed || segment.length <= PART) continue
    const [length, at] = [segment.readUInt32BE(PART - 8), segment.readUInt32BE(PART - 4)]
    if (length > MAX_CAPTIONS) return null
    if (!whole) {
      whole = Buffer.alloc(length)
      left = length
    }
    if (at < whole.length) left -= segment.copy(whole, at, PART)
  }
  return left === 0 ? whole : null
}

/**
 * Yields the segments of a JPEG up to its pixels, of which the last one is the head; each with where its content is.
 * Other bytes between segments are passed over, as decoders do.
 */
export async function* jpegSegments(
  file: BoundedFile,
): AsyncGenerator<{ marker: number; start: number; end: number }> {
  for (let at = 2, count = 0; count < MAX_PARTS; count++) {
    const head = await file.read(at, at + 4)
    const marker = head[1]!
    if (head.length < 4 || (head[0] === 0xff && marker === JPEG_END)) return
    const isAlone = marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)
    if (head[0] !== 0xff || marker === 0xff || isAlone) {
      at = await nextMarker(file, at + 1)
      continue
    }
    const end = at + 2 + head.readUInt16BE(2)
    yield { marker, start: at + 4, end }
    if (marker === SCAN) return
    at = Math.max(end, at + 4)
  }
}

async function nextMarker(file: BoundedFile, at: number): Promise<number> {
  const found = (await file.read(at, at + STEP)).indexOf(0xff)
  return at + (found < 0 ? STEP : found)
}

const RIFF_HEAD = 12
const CHUNK_HEAD = 8

/** Yields the chunks of a WebP, or of a frame of one, each with its head, and with where its data is. */
export async function* webpChunks(
  file: BoundedFile,
  { start: first, end }: { start: number; end: number } = { start: RIFF_HEAD, end: file.size },
): AsyncGenerator<{ name: string; at: number; start: number; size: number; next: number }> {
  for (let at = first, count = 0; at + CHUNK_HEAD <= end && count < MAX_PARTS; count++) {
    const head = await file.read(at, at + CHUNK_HEAD)
    const size = head.readUInt32LE(4)
    const start = at + CHUNK_HEAD
    const next = start + size + (size % 2)
    yield { name: head.toString('latin1', 0, 4), at, start, size, next }
    at = next
  }
}

/** Yields the blocks of a WebP, whether its head says that they are there or not. */
export async function* embeddedInWebp(file: BoundedFile): AsyncGenerator<Embedded> {
  for await (const { name, start, size } of webpChunks(file)) {
    const kind = name === 'EXIF' ? 'exif' : /^XMP[ \0]$/.test(name) ? 'xmp' : null
    if (kind && size <= MAX_BLOCK) yield { kind, bytes: await file.read(start, start + size) }
  }
}

const [EXTENSION, IMAGE] = [0x21, 0x2c]
const XMP_START = '\x0bXMP DataXMP'
// Bytes behind XMP, which lead whoever takes its letters for lengths to the end (XMP part 3, 1.1.2).
const XMP_END = 258

/** A frame of a GIF, or an extension; `start` is where its parts begin. */
interface GifBlock {
  isFrame: boolean
  start: number
  end: number
}

/** Yields the blocks of a GIF. The last one of a file that is cut off ends behind it. */
export async function* gifBlocks(given: BoundedFile): AsyncGenerator<GifBlock> {
  const file = readInBlocks(given, AT_ONCE)
  const table = (flags = 0) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))
  let at = 13 + table((await file.read(10, 11))[0])
  for (let count = 0; count < MAX_PARTS && at < file.size; count++) {
    const head = await file.read(at, at + 10)
    if (head[0] !== EXTENSION && head[0] !== IMAGE) return
    const isFrame = head[0] === IMAGE
    const start = at + (isFrame ? 11 + table(head[9]) : 2)
    at = await endOfParts(file, start)
    yield { isFrame, start, end: at }
  }
}

// Many parts are walked over at once, since there may be millions.
async function endOfParts(file: BoundedFile, start: number): Promise<number> {
  for (let at = start; ; ) {
    const bytes = await file.read(at, at + STEP)
    if (bytes.length === 0) return at + 1
    let next = 0
    while (next < bytes.length) {
      const length = bytes[next]!
      next += 1 + length
      if (length === 0) return at + next
    }
    at += next
  }
}

/** Yields XMP of a GIF, where it stands without lengths between its parts; some programs write them all the same. */
export async function* embeddedInGif(file: BoundedFile): AsyncGenerator<Embedded> {
  for await (const { isFrame, start, end } of gifBlocks(file)) {
    if (isFrame || end - start > MAX_BLOCK) continue
    const block = await file.read(start, end)
    if (!block.toString('latin1', 0, XMP_START.length).startsWith(XMP_START)) continue
    const bytes = block.subarray(XMP_START.length)
    yield { kind: 'xmp', bytes: bytes.subarray(0, -XMP_END) }
    // Copied, since there may be millions of parts.
    const parts = Buffer.alloc(bytes.length)
    let length = 0
    for (let at = 0; bytes[at]; at += 1 + bytes[at]!) {
      length += bytes.copy(parts, length, at + 1, at + 1 + bytes[at]!)
    }
    yield { kind: 'xmp', bytes: parts.subarray(0, length) }
  }
}

/** Yields the EXIF and XMP of a JPEG XL in boxes (ISO/IEC 18181-2); the place of the TIFF structure precedes it. */
export async function* embeddedInJxl(file: BoundedFile): AsyncGenerator<Embedded> {
  for await (const { name, start, end } of boxes(file, 0, file.size)) {
    if (end - start > MAX_BLOCK) continue
    if (name === EXIF_BOX) yield { kind: 'exif', bytes: await file.read(start + 4, end) }
    if (name === XMP_BOX) yield { kind: 'xmp', bytes: await file.read(start, end) }
  }
}
