import { crc32 } from 'node:zlib'

/** Returns a chunk of a PNG. */
export function pngChunk(type: string, ...contents: Uint8Array[]): Buffer {
  const body = Buffer.concat([Buffer.from(type), ...contents])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(body.length - 4)
  chunk.set(body, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

/** Returns a chunk of a RIFF file, filled up to an even number of bytes. */
export function riffChunk(type: string, ...contents: Uint8Array[]): Buffer {
  const length = contents.reduce((sum, { length }) => sum + length, 0)
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(length, 4)
  return Buffer.concat([head, ...contents, Buffer.alloc(length % 2)])
}
