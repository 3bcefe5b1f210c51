/** Returns an ISO box of these contents. */
export function box(type: string, ...contents: Uint8Array[]): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + contents.reduce((sum, { length }) => sum + length, 0))
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...contents])
}

/** Returns so many bytes, which are zeros but for these numbers of 32 bits. */
export function fields(length: number, ...numbers: [at: number, value: number][]): Buffer {
  const bytes = Buffer.alloc(length)
  for (const [at, value] of numbers) bytes.writeUInt32BE(value, at)
  return bytes
}

const TIMESCALE = 1000
const LENGTH = 2000
const SIZE = 64

/** Returns a track of H.264 with these tables behind the one that describes its samples. */
export function trackOf(...tables: Buffer[]): Buffer {
  const sample = box('avc1', fields(78, [4, 1], [24, (SIZE << 16) | SIZE]))
  return box(
    'trak',
    box('tkhd', fields(84, [0, 7], [12, 1], [20, LENGTH], [76, SIZE << 16], [80, SIZE << 16])),
    box(
      'mdia',
      box('mdhd', fields(24, [12, TIMESCALE], [16, LENGTH])),
      box('hdlr', fields(8), Buffer.from('vide'), fields(13)),
      box(
        'minf',
        box('vmhd', fields(12)),
        box('dinf', box('dref', fields(8, [4, 1]), box('url ', fields(4, [0, 1])))),
        box('stbl', box('stsd', fields(8, [4, 1]), sample), ...tables),
      ),
    ),
  )
}

/** Yields an MP4 of two seconds with these parts, of so many bytes together, in its index. */
export function* filmOf(length: number, parts: Iterable<Uint8Array>): Generator<Uint8Array> {
  const moov = fields(8, [0, 8 + 108 + length])
  moov.write('moov', 4)
  yield box('ftyp', Buffer.from('isom\0\0\x02\0isommp41'))
  yield moov
  yield box('mvhd', fields(100, [12, TIMESCALE], [16, LENGTH], [20, 0x10000], [96, 2]))
  yield* parts
  yield box('mdat', Buffer.alloc(64))
}
