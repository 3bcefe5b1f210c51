import { type BoundedFile, partOf } from '../bounded-file.ts'
import { gifBlocks, webpChunks } from './embedded.ts'

// The decoder reads all of a longer animation before it shows the first frame.
const MAX_FRAMES = 100
// Chunks of a WebP that describe all of it.
const KEPT = ['VP8X', 'ICCP', 'ANIM', 'EXIF', 'XMP ']
// In bytes.
const MAX_KEPT = 2 ** 24
const ANIMATED = 2
const FLAGS = 20

/**
 * Returns an animated WebP with the first of its many frames alone, or null for another one: the decoder lists all
 * frames, and looks for their places in that list.
 */
export async function firstWebpFrame(file: BoundedFile): Promise<Buffer | null> {
  if (((await file.read(FLAGS, FLAGS + 1))[0]! & ANIMATED) === 0) return null
  const parts: Buffer[] = []
  let frames = 0
  let total = 0
  for await (const { name, at, size, next } of webpChunks(file)) {
    const isFrame = name === 'ANMF'
    if (isFrame) frames++
    else if (KEPT.includes(name)) total += size
    const isWanted = isFrame ? frames === 1 : KEPT.includes(name) && total <= MAX_KEPT
    if (isWanted) parts.push(await file.read(at, next))
  }
  if (frames <= MAX_FRAMES) return null
  const body = Buffer.concat(parts)
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(4 + body.length, 4)
  return Buffer.concat([head, body])
}

const END = 0x3b
// Bytes of a GIF that are read for its first frames.
const MAX_GIF = 8 * 2 ** 20

/** Returns a GIF with the first of its many frames alone, or null for another one. */
export async function firstGifFrame(file: BoundedFile): Promise<Buffer | null> {
  let frames = 0
  let first = 0
  const part = partOf(file, 0, Math.min(MAX_GIF, file.size))
  for await (const { isFrame, end } of gifBlocks(part)) {
    if (end > part.size) return null
    if (isFrame && ++frames === 1) first = end
    if (frames > MAX_FRAMES) return Buffer.concat([await file.read(0, first), Buffer.of(END)])
  }
  return null
}
