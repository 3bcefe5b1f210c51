const HEAD_LENGTH = 8
const ENTRY = 12
const SHORT = 3
const LONG = 4
const UNDEFINED = 7
const SIZES: Record<number, number> = { [SHORT]: 2, [LONG]: 4, [UNDEFINED]: 1 }
const ROWS_PER_STRIP = 16

// Values that are bytes are written as they are.
type Entry = [tag: number, type: number, values: number[] | Buffer]

/**
 * Returns what a TIFF has before its pixels, which follow row by row, with 8 bits per sample, as RGB or RGBA. With it,
 * raw pixels can be given to a reader together with their colour profile.
 */
export function tiffHead(picture: {
  width: number
  height: number
  samples: number
  icc: Buffer | undefined
}): Buffer {
  const { width, height, samples, icc } = picture
  const strips = Math.ceil(height / ROWS_PER_STRIP)
  const stripLength = ROWS_PER_STRIP * width * samples
  const lengths = Array.from({ length: strips }, (_, i) =>
    Math.min(stripLength, height * width * samples - i * stripLength),
  )
  const entriesFor = (pixels: number): Entry[] => [
    [256, LONG, [width]],
    [257, LONG, [height]],
    [258, SHORT, Array.from({ length: samples }, () => 8)],
    [259, SHORT, [1]],
    [262, SHORT, [2]],
    [273, LONG, lengths.map((_, i) => pixels + i * stripLength)],
    [277, SHORT, [samples]],
    [278, LONG, [ROWS_PER_STRIP]],
    [279, LONG, lengths],
    ...(samples === 4 ? [[338, SHORT, [2]] satisfies Entry] : []),
    ...(icc === undefined ? [] : [[34675, UNDEFINED, icc] satisfies Entry]),
  ]
  // Where the pixels begin depends on the lengths of the values, not on the values themselves.
  return write(entriesFor(write(entriesFor(0)).length))
}

function write(entries: Entry[]): Buffer {
  const directory = Buffer.alloc(2 + entries.length * ENTRY + 4)
  directory.writeUInt16LE(entries.length, 0)
  const values: Buffer[] = []
  let end = HEAD_LENGTH + directory.length
  for (const [i, [tag, type, list]] of entries.entries()) {
    const at = 2 + i * ENTRY
    const bytes = encode(type, list)
    directory.writeUInt16LE(tag, at)
    directory.writeUInt16LE(type, at + 2)
    directory.writeUInt32LE(list.length, at + 4)
    if (bytes.length <= 4) bytes.copy(directory, at + 8)
    else {
      directory.writeUInt32LE(end, at + 8)
      const padded = Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)])
      values.push(padded)
      end += padded.length
    }
  }
  return Buffer.concat([Buffer.from('II*\0\x08\0\0\0'), directory, ...values])
}

function encode(type: number, list: number[] | Buffer): Buffer {
  if (Buffer.isBuffer(list)) return list
  const size = SIZES[type]!
  const bytes = Buffer.alloc(list.length * size)
  for (const [i, value] of list.entries()) bytes.writeUIntLE(value, i * size, size)
  return bytes
}
