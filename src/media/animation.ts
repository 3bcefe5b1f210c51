import type { BoundedFile } from './bounded-file.ts'
import { openTiff, readDirectory } from './tiff-directory.ts'

// In bytes. Of a longer file that has not shown its second frame by then, nobody knows.
const MOST_READ = 8 * 1024 * 1024
const MOST_CHUNKS = 1000
// Blocks as programs write them are 33,000 in so many bytes; to pass millions would delay other requests.
const MOST_BLOCKS = 100_000

/**
 * Returns whether a picture has several frames, as far as its container says; null where it is too broken or too long
 * to say.
 */
export async function isAnimated(file: BoundedFile, mime_type: string): Promise<boolean | null> {
  const ask = MOVING.get(mime_type)
  try {
    return ask ? await ask(file) : false
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Returns whether pictures of a type can have several frames or pages. */
export function canMove(mime_type: string): boolean {
  return MOVING.has(mime_type)
}

/** The types of pictures whose frames follow each other in time. */
export const ANIMATED_TYPES = [
  'image/gif',
  'image/png',
  'image/webp',
  'image/avif',
  'image/heic',
  'image/heif',
]

const MOVING = new Map<string, (file: BoundedFile) => Promise<boolean | null>>([
  ['image/gif', hasFrames],
  ['image/png', hasAnimationControl],
  ['image/webp', hasAnimationFlag],
  ['image/avif', isSequence],
  ['image/heic', isSequence],
  ['image/heif', isSequence],
  ['image/tiff', hasPages],
])

function bytesAt(file: BoundedFile, position: number, length: number): Promise<Buffer> {
  return file.read(position, position + length)
}

const ANIMATED = 2

async function hasAnimationFlag(file: BoundedFile): Promise<boolean> {
  const head = await bytesAt(file, 12, 9)
  return head.toString('latin1', 0, 4) === 'VP8X' && (head.readUInt8(8) & ANIMATED) !== 0
}

/** An `acTL` comes before the first `IDAT`. */
async function hasAnimationControl(file: BoundedFile): Promise<boolean | null> {
  let position = 8
  for (let chunk = 0; chunk < MOST_CHUNKS; chunk++) {
    const head = await bytesAt(file, position, 8)
    const type = head.toString('latin1', 4, 8)
    if (type === 'acTL') return true
    if (type === 'IDAT') return false
    position += 12 + head.readUInt32BE(0)
  }
  return null
}

const SEQUENCES = ['avis', 'hevc', 'hevx', 'msf1']
const MOST_BRANDS = 256

async function isSequence(file: BoundedFile): Promise<boolean> {
  const length = (await bytesAt(file, 0, 8)).readUInt32BE(0)
  const brands = await bytesAt(file, 8, Math.min(MOST_BRANDS, Math.max(0, length - 8)))
  for (let at = 0; at + 4 <= brands.length; at += 4) {
    if (SEQUENCES.includes(brands.toString('latin1', at, at + 4))) return true
  }
  return false
}

// BigTIFF counts as unclear.
async function hasPages(file: BoundedFile): Promise<boolean | null> {
  const tiff = await openTiff(file)
  if (!tiff || tiff.placeSize > 4) return null
  const { rows, claimed, next } = await readDirectory(tiff, tiff.first)
  if (next !== 0) return true
  return rows.length === 0 || rows.length !== claimed ? null : false
}

const [EXTENSION, IMAGE, END] = [0x21, 0x2c, 0x3b]

// Reads past the first frame, whose data comes in blocks that each have their own length.
async function hasFrames(file: BoundedFile): Promise<boolean | null> {
  const bytes = await bytesAt(file, 0, MOST_READ)
  const table = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))
  const pastBlocks = (from: number) => {
    let at = from
    while (bytes.readUInt8(at) !== 0) {
      if (++blocks > MOST_BLOCKS) throw new RangeError('too many blocks')
      at += 1 + bytes.readUInt8(at)
    }
    return at + 1
  }
  let frames = 0
  let blocks = 0
  for (let at = 13 + table(bytes.readUInt8(10)); ; ) {
    const kind = bytes.readUInt8(at)
    if (kind === END) return false
    if (kind === EXTENSION) at = pastBlocks(at + 2)
    else if (kind === IMAGE) {
      if (++frames > 1) return true
      at = pastBlocks(at + 11 + table(bytes.readUInt8(at + 9)))
    } else return null
  }
}
