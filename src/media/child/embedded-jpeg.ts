import sharp from 'sharp'
import { type BoundedFile, partOf, readAtMost } from '../bounded-file.ts'
import type { Raw } from '../raw.ts'
import { withOrientation } from '../turned-picture.ts'
import { jpegSegments } from './embedded.ts'

// Markers of ITU T.81, B.1.1.3: the frames that are decoded here (baseline, extended, progressive), and those that
// aren't, such as the lossless one of a raw.
const FRAMES = [0xc0, 0xc1, 0xc2]
const OTHER_FRAMES = [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]
const START = '\xff\xd8\xff'
// Cameras write some dozen segments.
const MAX_READS = 1000

/**
 * Returns the JPEG with the most pixels in a RAW file, turned as the file says if it doesn't say so itself. Throws when
 * there is none.
 */
export async function embeddedJpeg(
  file: BoundedFile,
  { pictures, orientation }: Raw,
): Promise<Buffer> {
  let best: { picture: BoundedFile; pixels: number } | undefined
  for (const { start, end } of pictures) {
    const picture = partOf(file, start, end)
    const pixels = await pixelsOf(picture).catch(() => 0)
    if (pixels > (best?.pixels ?? 0)) best = { picture, pixels }
  }
  if (!best) throw new Error('has no embedded picture')
  const jpeg = await best.picture.read(0, best.picture.size)
  const isTurned = orientation !== undefined && orientation > 1 && orientation <= 8
  if (!isTurned || (await sharp(jpeg).metadata()).orientation !== undefined) return jpeg
  return Buffer.from(withOrientation(jpeg, orientation).buffer)
}

// Returns 0 for what is no JPEG, or is one that can't be decoded here.
async function pixelsOf(file: BoundedFile): Promise<number> {
  if ((await file.read(0, 3)).toString('latin1') !== START) return 0
  for await (const { marker, start } of jpegSegments(readAtMost(file, MAX_READS))) {
    if (OTHER_FRAMES.includes(marker)) return 0
    if (!FRAMES.includes(marker)) continue
    const head = await file.read(start, start + 5)
    const isOfBytes = head.length === 5 && head[0] === 8
    return isOfBytes ? head.readUInt16BE(1) * head.readUInt16BE(3) : 0
  }
  return 0
}
