import type { BoundedFile } from '../bounded-file.ts'

// The decoder reads all of a longer animation before it shows the first frame.
const MAX_FRAMES = 100
const MAX_CHUNKS = 10_000
const RIFF_HEAD = 12
const CHUNK_HEAD = 8
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
  let at = RIFF_HEAD
  for (let chunk = 0; chunk < MAX_CHUNKS && at + CHUNK_HEAD <= file.size; chunk++) {
    const head = await file.read(at, at + CHUNK_HEAD)
    const name = head.toString('latin1', 0, 4)
    const size = head.readUInt32LE(4)
    const end = at + CHUNK_HEAD + size + (size % 2)
    const isFrame = name === 'ANMF'
    if (isFrame) frames++
    else if (KEPT.includes(name)) total += size
    const isWanted = isFrame ? frames === 1 : KEPT.includes(name) && total <= MAX_KEPT
    if (isWanted) parts.push(await file.read(at, end))
    at = end
  }
  if (frames <= MAX_FRAMES) return null
  const body = Buffer.concat(parts)
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(4 + body.length, 4)
  return Buffer.concat([head, body])
}

const [EXTENSION, IMAGE, END] = [0x21, 0x2c, 0x3b]
// Bytes that are read at once, and of a GIF up to the end of its first frames.
const BLOCK = 65_536
const MAX_GIF = 8 * 2 ** 20

/** Returns a GIF with the first of its many frames alone, or null for another one. */
export async function firstGifFrame(file: BoundedFile): Promise<Buffer | null> {
  let bytes = await file.read(0, BLOCK)
  const has = async (length: number) => {
    while (bytes.length < length && bytes.length < Math.min(file.size, MAX_GIF)) {
      bytes = Buffer.concat([bytes, await file.read(bytes.length, bytes.length * 2)])
    }
    return length <= bytes.length
  }
  const table = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))
  let frames = 0
  let end = 0
  for (let at = 13 + table(bytes[10] ?? 0); frames <= MAX_FRAMES; ) {
    if (!(await has(at + 10))) return null
    const kind = bytes[at]
    if (kind === END || (kind !== EXTENSION && kind !== IMAGE)) return null
    at += kind === IMAGE ? 11 + table(bytes[at + 9]!) : 2
    for (; (await has(at + 1)) && bytes[at] !== 0; at += 1 + bytes[at]!);
    at++
    if (kind === IMAGE && ++frames === 1) end = at
  }
  return Buffer.concat([bytes.subarray(0, end), Buffer.of(END)])
}
