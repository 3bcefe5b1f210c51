const EPOCH_1904 = Date.UTC(1904, 0, 1)

/** Returns a box of these contents; `isLong` gives it a size of 64 bits. */
export function box(name: string, content: Buffer | Buffer[] = [], isLong = false): Buffer {
  const body = Buffer.concat([content].flat())
  const head = Buffer.alloc(isLong ? 16 : 8)
  head.writeUInt32BE(isLong ? 1 : head.length + body.length)
  head.write(name, 4, 'latin1')
  if (isLong) head.writeBigUInt64BE(BigInt(head.length + body.length), 8)
  return Buffer.concat([head, body])
}

/** Returns the boxes of a film, each with its head, on the topmost level. */
export function boxesOf(film: Buffer): { name: string; bytes: Buffer }[] {
  const found: { name: string; bytes: Buffer }[] = []
  for (let at = 0; at + 8 <= film.length; ) {
    const size = film.readUInt32BE(at)
    found.push({
      name: film.toString('latin1', at + 4, at + 8),
      bytes: film.subarray(at, at + size),
    })
    at += size
  }
  return found
}

/** Returns a film without its first box `ftyp`, and with others instead. */
export function beginningWith(film: Buffer, ...first: Buffer[]): Buffer {
  const rest = boxesOf(film).filter(({ name }) => name !== 'ftyp')
  return Buffer.concat([...first, ...rest.map(({ bytes }) => bytes)])
}

/** Returns the same film with this time in all its headers, in seconds since 1904, or since 1970 if `isUnix`. */
export function dated(film: Buffer, time: number, isUnix = false): Buffer {
  const seconds = (time - (isUnix ? 0 : EPOCH_1904)) / 1000
  const made = Buffer.from(film)
  for (const name of ['mvhd', 'tkhd', 'mdhd']) {
    for (let at = made.indexOf(name); at >= 0; at = made.indexOf(name, at + 4)) {
      made.writeUInt32BE(seconds, at + 8)
      made.writeUInt32BE(seconds, at + 12)
    }
  }
  return made
}

/** Returns a film, which ends with `moov`, with more boxes at the end of that. */
export function withMore(film: Buffer, ...more: Buffer[]): Buffer {
  const at = film.lastIndexOf('moov') - 4
  const made = Buffer.concat([film, ...more])
  made.writeUInt32BE(made.length - at, at)
  return made
}

/** Returns an entry of Nikon's notes in films. */
export function nikonEntry(tag: number, type: number, count: number, value: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(tag)
  head.writeUInt16BE(type, 4)
  head.writeUInt16BE(count, 6)
  return Buffer.concat([head, value])
}

type Directory = Record<number, string | number[]>

/**
 * Returns a TIFF of directories by tags: texts, numbers, and the directory that comes next, pointed to or, as `notes`,
 * as a value of its own.
 */
export function tiffOf(...directories: Directory[]): Buffer {
  return tiffIn(true, directories)
}

/** Returns the same in the other order of bytes. */
export function motorolaTiffOf(...directories: Directory[]): Buffer {
  return tiffIn(false, directories)
}

function tiffIn(isLittle: boolean, directories: Directory[]): Buffer {
  const numbers = (size: 2 | 4, ...values: number[]) => {
    const bytes = Buffer.alloc(values.length * size)
    for (const [n, value] of values.entries()) {
      if (isLittle) bytes.writeIntLE(value, n * size, size)
      else bytes.writeIntBE(value, n * size, size)
    }
    return bytes
  }
  const bytesOf = (value: string | number[]) =>
    typeof value === 'string' ? Buffer.from(`${value}\0`) : numbers(4, ...value)
  let next = 8
  const made = directories.map((directory) => {
    const values: Buffer[] = []
    const entries = Object.entries(directory)
    let free = next + 2 + entries.length * 12 + 4
    const isNext = (value: unknown) => value === 'next' || value === 'notes'
    const others = entries.flatMap(([, value]) => (isNext(value) ? [] : [bytesOf(value)]))
    next = others.reduce((end, { length }) => end + length, free)
    const rows = entries.map(([tag, value]) => {
      // Numbers up to this are positive in two bytes.
      const name = Number(tag) > 0x7fff ? Number(tag) - 0x10000 : Number(tag)
      if (value === 'next') return [numbers(2, name, 4), numbers(4, 1, next)]
      if (value === 'notes') return [numbers(2, name, 7), numbers(4, 18, next)]
      const bytes = bytesOf(value)
      values.push(bytes)
      free += bytes.length
      const isText = typeof value === 'string'
      const count = isText ? bytes.length : value.length
      return [numbers(2, name, isText ? 2 : 9), numbers(4, count, free - bytes.length)]
    })
    return [numbers(2, entries.length), ...rows.flat(), Buffer.alloc(4), ...values]
  })
  const magic = Buffer.from(isLittle ? 'II*\0' : 'MM\0*', 'latin1')
  return Buffer.concat([magic, numbers(4, 8), ...made.flat()])
}
