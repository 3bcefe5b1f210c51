import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import type { BoundedFile } from '../bounded-file.ts'
import { blockOf, type Embedded } from './embedded.ts'

// Bytes that the profile of a picture, or all its texts, may have when they are inflated.
const MAX_INFLATED = 2 ** 20
// After this many that were too large, the others are dropped unseen.
const MAX_TOO_LARGE = 16
// Chunks before the pixels, and all; and bytes that are read of their heads.
const MAX_CHUNKS = 10_000
const MAX_ALL_CHUNKS = 50_000
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

const TEXTS = ['tEXt', 'zTXt', 'iTXt']
const XMP = 'XML:com.adobe.xmp'

const inflated = promisify(inflate)

/**
 * Returns a PNG without a profile and texts that inflate to more than they may, or null for another one. Throws when
 * there are too many chunks before its pixels.
 */
export async function smallPng(file: BoundedFile): Promise<Buffer | null> {
  const dropped: Chunk[] = []
  let texts = MAX_INFLATED
  let tries = MAX_TOO_LARGE
  for await (const chunk of chunksOf(file)) {
    if (chunk.name === 'IDAT') break
    const isText = TEXTS.includes(chunk.name)
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

/** Yields the chunks of a PNG; throws when there are too many. */
export async function* chunksOf(file: BoundedFile): AsyncGenerator<Chunk> {
  let block: Buffer = Buffer.alloc(0)
  let first = 0
  let heads = 0
  let isPastPixels = false
  for (let start = SIGNATURE, count = 0; start + AROUND <= file.size; count++) {
    if (start + 8 > first + block.length) {
      // Behind pixels are mostly further pixels.
      const length = isPastPixels ? AROUND : BLOCK
      block = await file.read(start, start + length)
      first = start
      heads += length
    }
    const most = isPastPixels ? MAX_ALL_CHUNKS : MAX_CHUNKS
    if (count > most || heads > MAX_HEADS) throw new Error('has too many chunks')
    const head = block.subarray(start - first)
    const name = head.toString('latin1', 4, 8)
    isPastPixels ||= name === 'IDAT'
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
  const isDeflated = name !== 'tEXt' && (name !== 'iTXt' || data[data.indexOf(0) + 1] === 1)
  return isDeflated ? data.subarray(startOfText(name, data)) : null
}

function startOfText(name: string, data: Buffer): number {
  const afterName = data.indexOf(0) + 1
  if (name === 'tEXt') return afterName
  if (name !== 'iTXt') return afterName + 1
  const afterLanguage = data.indexOf(0, afterName + 2) + 1
  return data.indexOf(0, afterLanguage) + 1
}

/**
 * Yields what a PNG has embedded: in chunks of their own, and in texts as ImageMagick and ExifTool write them. Throws
 * when it has too many chunks.
 */
export async function* embeddedInPng(file: BoundedFile): AsyncGenerator<Embedded> {
  for await (const { name, start, end } of chunksOf(file)) {
    if (name !== 'eXIf' && !TEXTS.includes(name)) continue
    if (end - start > 2 * MAX_INFLATED) continue
    const data = (await file.read(start, end)).subarray(8, end - start - 4)
    if (name === 'eXIf') yield { kind: 'exif', bytes: data }
    else yield* embeddedInText(name, data)
  }
}

async function* embeddedInText(name: string, data: Buffer): AsyncGenerator<Embedded> {
  const keyword = data.toString('latin1', 0, data.indexOf(0))
  const profile = /^Raw profile type \w+$/i.test(keyword)
  if (!profile && !/^(exif:\w+|Creation Time)$/i.test(keyword) && keyword !== XMP) return
  const bytes = await textOf(name, data)
  const block = profile ? blockOf(profileOf(bytes)) : null
  if (block) yield block
  else if (keyword === XMP) yield { kind: 'xmp', bytes }
  else yield { kind: 'text', keyword, bytes }
}

// Returns nothing for what is broken or too large.
async function textOf(name: string, data: Buffer): Promise<Buffer> {
  const deflated = deflatedIn(name, data)
  if (deflated === null) return data.subarray(startOfText(name, data))
  return inflated(deflated, { maxOutputLength: MAX_INFLATED }).catch(() => Buffer.alloc(0))
}

// ImageMagick writes a profile as its name, its length and its bytes in hexadecimal digits, in lines.
function profileOf(text: Buffer): Buffer {
  const [, length, digits = ''] =
    /^\s*\w+\s+(\d+)\s+([\da-f\s]*)/i.exec(text.toString('latin1')) ?? []
  return Buffer.from(digits.replaceAll(/\s+/g, ''), 'hex').subarray(0, Number(length))
}
