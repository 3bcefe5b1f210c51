import { createDeflate, deflateSync } from 'node:zlib'
import { pngChunk } from './chunks.ts'
import { repeated, writeParts } from './write.ts'

const SIZE = 100
const PROFILE_HEAD = 128
/** A name that ends, and how what follows is compressed. */
const NAME = Buffer.from('p\0\0')

/** Returns what is before and behind the other chunks of a small grey picture. */
function frame(): { head: Buffer[]; tail: Buffer[] } {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIZE, 0)
  header.writeUInt32BE(SIZE, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const row = (y: number) => Buffer.alloc(1 + SIZE, y).fill(0, 0, 1)
  const rows = Buffer.concat(Array.from({ length: SIZE }, (_, y) => row(y)))
  return {
    head: [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), pngChunk('IHDR', header)],
    tail: [pngChunk('IDAT', deflateSync(rows)), pngChunk('IEND')],
  }
}

/** Returns so many zeros behind some bytes, deflated. */
async function zeros(length: number, before: Buffer = Buffer.alloc(0)): Promise<Buffer> {
  const deflate = createDeflate({ level: 9 })
  deflate.write(before)
  const piece = Buffer.alloc(2 ** 20)
  const feed = async () => {
    for (let left = length; left > 0; left -= piece.length) {
      const more = deflate.write(piece.subarray(0, left))
      if (!more) await new Promise((resolve) => deflate.once('drain', resolve))
    }
    deflate.end()
  }
  const [parts] = await Promise.all([deflate.toArray(), feed()])
  return Buffer.concat(parts)
}

/** Where each pass of an interlaced picture begins, and its steps (PNG, 8.2). */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** Writes a black, interlaced PNG of that width and height, in grey or colour. */
export async function writeInterlaced(path: string, size: number, samples: 1 | 3): Promise<void> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, samples === 1 ? 0 : 2, 0, 0, 1], 8)
  let length = 0
  for (const [x, y, dx, dy] of PASSES) {
    const [columns, rows] = [Math.ceil((size - x) / dx), Math.ceil((size - y) / dy)]
    if (columns > 0) length += Math.max(0, rows) * (1 + columns * samples)
  }
  await writeParts(path, [
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', await zeros(length)),
    pngChunk('IEND'),
  ])
}

/** Writes a PNG whose colour profile inflates to so many bytes. */
export async function writeProfile(path: string, inflated: number): Promise<void> {
  const { head, tail } = frame()
  const start = Buffer.alloc(PROFILE_HEAD)
  start.writeUInt32BE(inflated, 0)
  start.write('\x02\x40\0\0mntrGRAYXYZ ', 8, 'latin1')
  start.write('acsp', 36)
  const profile = pngChunk('iCCP', NAME, await zeros(inflated - PROFILE_HEAD, start))
  await writeParts(path, [...head, profile, ...tail])
}

/** Writes a PNG with so many texts of a few letters. */
export async function writeTexts(path: string, count: number): Promise<void> {
  const { head, tail } = frame()
  const texts = repeated(count, (n) => pngChunk('tEXt', Buffer.from(`t${n}\0text`)))
  await writeParts(path, [...head, ...texts, ...tail])
}

/** Writes a PNG with texts that inflate to so many bytes each. */
export async function writeInflatingTexts(
  path: string,
  count: number,
  inflated: number,
): Promise<void> {
  const { head, tail } = frame()
  const text = await zeros(inflated)
  const chunks = repeated(count, (n) => pngChunk('zTXt', Buffer.from(`t${n}\0\0`), text))
  await writeParts(path, [...head, ...chunks, ...tail])
}
