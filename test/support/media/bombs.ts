import { once } from 'node:events'
import { crc32, createDeflate } from 'node:zlib'

/**
 * Returns a black PNG: a few kilobytes for any number of pixels, of whose bytes only the first
 * `present` are there. An interlaced one can't be shrunk while it is read.
 */
export async function pngBomb(
  width: number,
  height: number,
  { interlaced = false, depth = 1, colour = 0, present = Number.POSITIVE_INFINITY } = {},
): Promise<Buffer> {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([depth, colour, 0, 0, interlaced ? 1 : 0], 8)
  const bytes = Math.min(present, height * (1 + Math.ceil((width * depth) / 8)))
  const chunks = [chunk('IHDR', head), chunk('IDAT', await zeros(bytes)), chunk('IEND')]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks])
}

async function zeros(length: number): Promise<Buffer> {
  const deflate = createDeflate({ level: 9 })
  const parts: Buffer[] = []
  deflate.on('data', (part) => parts.push(part))
  const piece = Buffer.alloc(2 ** 20)
  for (let left = length; left > 0; left -= piece.length) {
    if (!deflate.write(piece.subarray(0, left))) await once(deflate, 'drain')
  }
  const end = once(deflate, 'end')
  deflate.end()
  await end
  return Buffer.concat(parts)
}

function chunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  frame.set(body, 4)
  frame.writeUInt32BE(crc32(body), body.length + 4)
  return frame
}

/** Returns a GIF with that many frames of one pixel each, on a canvas of that size. */
export function gifBomb(frames: number, size: number): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1')
  head.writeUInt16LE(size, 6)
  head.writeUInt16LE(size, 8)
  const frame = Buffer.from('2c00000000010001000002024c0100', 'hex')
  const bytes = Buffer.alloc(head.length + frames * frame.length + 1, frame)
  head.copy(bytes)
  for (let i = 0; i < frames; i++) frame.copy(bytes, head.length + i * frame.length)
  bytes[bytes.length - 1] = 0x3b
  return bytes
}
