import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import type { BoundedFile } from '../bounded-file.ts'

// Bytes that the profile of a picture, or all its texts, may have when they are inflated.
const MAX_INFLATED = 2 ** 20
// After this many that were too large, the others are dropped unseen.
const MAX_TOO_LARGE = 16
// Chunks before the pixels, and bytes that are read of their heads.
const MAX_CHUNKS = 10_000
const MAX_HEADS = 4 * 2 ** 20
const BLOCK = 4096
const SIGNATURE = 8
// Bytes of a chunk around its data.
const AROUND = 12

interface Chunk {
  name: string
  start: number
  end: number
}

const inflated = promisify(inflate)

/**
 * Returns a PNG without a profile and texts that inflate to more than they may, or null for another one. Throws when
 * there are too many chunks before its pixels.
 */
export async function smallPng(file: BoundedFile): Promise<Buffer | null> {
  const dropped: Chunk[] = []
  let texts = MAX_INFLATED
  let tries = MAX_TOO_LARGE
  for await (const chunk of chunksBeforePixels(file)) {
    const isText = ['tEXt', 'zTXt', 'iTXt'].includes(chunk.name)
    if (!isText && chunk.name !== 'iCCP') continue
    const size = tries > 0 ? await sizeOf(file, chunk) : Number.POSITIVE_INFINITY
    if (size > (isText ? texts : MAX_INFLATED)) {
      dropped.push(chunk)
      tries--
    } else if (isText) texts -= size
  }
  if (dropped.length === 0) return null
  const ends = [0, ...dropped.map(({ end }) => end)]
  const starts = [...dropped.map(({ start }) => start), file.size]
  return Buffer.concat(await Promise.all(ends.map((end, n) => file.read(end, starts[n]!))))
}

async function* chunksBeforePixels(file: BoundedFile): AsyncGenerator<Chunk> {
  let block = await file.read(0, BLOCK)
  let first = 0
  let heads = 0
  for (let start = SIGNATURE, count = 0; start + AROUND <= file.size; count++) {
    if (start + 8 > first + block.length) {
      block = await file.read(start, start + BLOCK)
      first = start
      heads += BLOCK
    }
    if (count > MAX_CHUNKS || heads > MAX_HEADS) throw new Error('has too many chunks')
    const head = block.subarray(start - first)
    const name = head.toString('latin1', 4, 8)
    if (name === 'IDAT') return
    const end = Math.min(file.size, start + AROUND + head.readUInt32BE(0))
    yield { name, start, end }
    start = end
  }
}

// At most the limit of what is inflated.
async function sizeOf(file: BoundedFile, { name, start, end }: Chunk): Promise<number> {
  const length = end - start - AROUND
  if (name === 'tEXt') return length
  if (length > MAX_INFLATED) return Number.POSITIVE_INFINITY
  const data = (await file.read(start, end)).subarray(8, 8 + length)
  const deflated = deflatedIn(name, data)
  if (deflated === null) return length
  try {
    return (await inflated(deflated, { maxOutputLength: MAX_INFLATED })).length
  } catch (error) {
    // Broken data is left to the decoder, which also finds it broken.
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    return isTooLarge ? Number.POSITIVE_INFINITY : length
  }
}

// Returns what is deflated in the data of a chunk, or null when nothing is (PNG, 11.3.2 and 11.3.3).
function deflatedIn(name: string, data: Buffer): Buffer | null {
  const afterName = data.indexOf(0) + 1
  if (name !== 'iTXt') return data.subarray(afterName + 1)
  if (data[afterName] !== 1) return null
  const afterLanguage = data.indexOf(0, afterName + 2) + 1
  return data.subarray(data.indexOf(0, afterLanguage) + 1)
}

/** Returns the beginning of a PNG with nothing in it but EXIF. */
export function onlyExif(head: Buffer): Buffer {
  const parts = [head.subarray(0, SIGNATURE)]
  for (let at = SIGNATURE; at + AROUND <= head.length; ) {
    const end = at + AROUND + head.readUInt32BE(at)
    const name = head.toString('latin1', at + 4, at + 8)
    if (['IHDR', 'eXIf', 'IEND'].includes(name)) parts.push(head.subarray(at, end))
    at = end
  }
  return Buffer.concat(parts)
}
