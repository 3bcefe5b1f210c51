import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { pngChunk, riffChunk } from './chunks.ts'
import { repeated, writeParts } from './write.ts'

function numbers(...values: [value: number, size: number][]): Buffer {
  return Buffer.concat(
    values.map(([value, size]) => {
      const bytes = Buffer.alloc(size)
      bytes.writeUIntLE(value, 0, size)
      return bytes
    }),
  )
}

/** Writes a WebP of so many frames, each as large as the canvas. */
export async function writeWebpFrames(path: string, count: number, size: number): Promise<void> {
  const create = { width: size, height: size, channels: 3, background: '#c04020' } as const
  const still = await sharp({ create }).webp().toBuffer()
  const canvas: [number, number][] = [
    [size - 1, 3],
    [size - 1, 3],
  ]
  const place = numbers([0, 3], [0, 3], ...canvas, [40, 3], [0, 1])
  const frame = riffChunk('ANMF', place, still.subarray(12))
  const control = riffChunk('VP8X', numbers([2, 4], ...canvas))
  const animation = riffChunk('ANIM', numbers([0, 4], [0, 2]))
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(4 + control.length + animation.length + count * frame.length, 4)
  await writeParts(path, [head, control, animation, ...repeated(count, () => frame)])
}

/** Writes a GIF of so many frames of one pixel each, on a canvas of that size. */
export async function writeGifFrames(path: string, count: number, size: number): Promise<void> {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1')
  head.writeUInt16LE(size, 6)
  head.writeUInt16LE(size, 8)
  const frame = Buffer.from('2c00000000010001000002024c0100', 'hex')
  await writeParts(path, [head, ...repeated(count, () => frame), Buffer.from(';')])
}

/** Writes an animated PNG of so many frames, each as large as the canvas. */
export async function writeApngFrames(path: string, count: number, size: number): Promise<void> {
  const u32 = (...values: number[]) => {
    const bytes = Buffer.alloc(4 * values.length)
    for (const [n, value] of values.entries()) bytes.writeUInt32BE(value, 4 * n)
    return bytes
  }
  const pixels = deflateSync(Buffer.alloc(size * (1 + size)))
  const control = (sequence: number) =>
    pngChunk('fcTL', u32(sequence, size, size, 0, 0), Buffer.from([0, 1, 0, 25, 0, 0]))
  const frame = (n: number) =>
    Buffer.concat([control(2 * n + 1), pngChunk('fdAT', u32(2 * n + 2), pixels)])
  await writeParts(path, [
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', u32(size, size), Buffer.from([8, 0, 0, 0, 0])),
    pngChunk('acTL', u32(count, 0)),
    control(0),
    pngChunk('IDAT', pixels),
    ...repeated(count - 1, frame),
    pngChunk('IEND'),
  ])
}
