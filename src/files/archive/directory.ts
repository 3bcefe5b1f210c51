/**
 * The records of a ZIP that stores contents uncompressed, with sizes known in advance and checksums not. Numbers in
 * brackets are sections of PKWARE's APPNOTE.TXT 6.3.10.
 */

/** Stands for a number that is too large for its field and is in a ZIP64 field instead (4.4.1.4). */
const FULL = 0xffffffff
const FULL_COUNT = 0xffff
const VERSION = 20
const VERSION_OF_ZIP64 = 45
/** 6.3 of the specification, on Unix, which says what MODE means (4.4.2). */
const MADE_BY = 0x033f
const MODE = (0o100664 << 16) >>> 0
/** Checksum and sizes follow the content, and names are UTF-8 (4.4.4). */
const FLAGS = 0x0808

/** Bytes of each field of a record, apart from the name and other variable parts. */
const HEADER = [4, 2, 2, 2, 4, 4, 4, 4, 2, 2]
const LISTED = [4, 2, 2, 2, 2, 4, 4, 4, 4, 2, 2, 2, 2, 2, 4, 4]
const END_OF_ZIP64 = [4, 8, 2, 2, 4, 4, 8, 8, 8, 8, 4, 4, 8, 4]
const END = [4, 2, 2, 2, 2, 4, 4, 2]

/** A file as the archive lists it. */
export interface Listed {
  name: string
  /** Bytes. */
  size: number
  /** The local clock, in milliseconds as if it were UTC. */
  clock: number
}

/**
 * Returns the list of contents of an archive, held in the bytes that it has there (4.3.12) and nothing else. A file is
 * identified by its place in the list; the first is at 0.
 */
export function createDirectory() {
  let list = Buffer.alloc(2 ** 12)
  let count = 0
  let next = { at: 0, offset: 0 }
  let last = next
  const nameEnd = (at: number) => at + lengthOf(LISTED) + list.readUInt16LE(at + 28)
  const nameBytes = (at: number) => list.subarray(at + lengthOf(LISTED), nameEnd(at))
  const extraLength = (at: number) => list.readUInt16LE(at + 30)
  const sizeOf = (at: number) =>
    extraLength(at) > 0 ? list.readUIntLE(nameEnd(at) + 4, 6) : list.readUInt32LE(at + 24)
  const isZip64 = () => count >= FULL_COUNT || next.offset >= FULL

  return {
    add({ name, size, clock }: Listed): void {
      const { at, offset } = next
      const isLarge = size >= FULL || offset >= FULL
      const extra = extraOf(isLarge ? [size, size, offset] : [])
      const version = isLarge ? VERSION_OF_ZIP64 : VERSION
      const small = isLarge ? FULL : size
      const bytes = Buffer.from(name)
      const lengths = [bytes.length, extra.length, 0, 0, 0]
      const about = [MADE_BY, version, FLAGS, 0, dosTime(clock), 0, small, small, ...lengths]
      const place = [MODE, isLarge ? FULL : offset]
      const record = Buffer.concat([pack(LISTED, [0x02014b50, ...about, ...place]), bytes, extra])
      const length = at + record.length
      if (length > list.length) list = Buffer.concat([list], 2 * list.length)
      record.copy(list, at)
      const around = lengthOf(HEADER) + bytes.length + (isLarge ? 20 + 24 : 16)
      last = next
      next = { at: length, offset: offset + around + size }
      count++
    },
    /** Returns how many bytes the archive has. */
    size: () => next.offset + next.at + lengthOf(isZip64() ? [...END_OF_ZIP64, ...END] : END),
    /** Returns the place of the file after another one. */
    after: (at: number) => nameEnd(at) + extraLength(at),
    nameOf: (at: number) => nameBytes(at).toString(),
    sizeOf,
    /** Returns what comes before a content (4.3.7). */
    header(at: number): Buffer<ArrayBuffer> {
      const isLarge = extraLength(at) > 0
      const extra = extraOf(isLarge ? [0, 0] : [])
      const small = isLarge ? FULL : 0
      const name = nameBytes(at)
      const version = list.readUInt16LE(at + 6)
      const about = [version, FLAGS, 0, list.readUInt32LE(at + 12), 0, small, small]
      const lengths = [name.length, extra.length]
      return Buffer.concat([pack(HEADER, [0x04034b50, ...about, ...lengths]), name, extra])
    },
    /** Returns what comes after a content, and lists its checksum (4.3.9). */
    descriptor(at: number, crc: number): Buffer<ArrayBuffer> {
      list.writeUInt32LE(crc, at + 16)
      const width = extraLength(at) > 0 ? 8 : 4
      return pack([4, 4, width, width], [0x08074b50, crc, sizeOf(at), sizeOf(at)])
    },
    /**
     * Returns what comes after all contents. If the last file is left out after all, a comment of NULs, which programs
     * show as none, takes the place of its bytes (4.3.14 to 4.3.16).
     */
    end({ hasLast }: { hasLast: boolean }): Buffer<ArrayBuffer>[] {
      const { at: length, offset } = hasLast ? next : last
      const files = hasLast ? count : count - 1
      const counts = [files, files, length, offset]
      const of64 = [0x06064b50, 44, MADE_BY, VERSION_OF_ZIP64, 0, 0, ...counts]
      const locator = [0x07064b50, 0, offset + length, 1]
      const few = Math.min(files, FULL_COUNT)
      const comment = Buffer.alloc(next.offset + next.at - offset - length)
      const end = [0x06054b50, 0, 0, few, few, length, Math.min(offset, FULL), comment.length]
      return [
        list.subarray(0, length),
        ...(isZip64() ? [pack(END_OF_ZIP64, [...of64, ...locator])] : []),
        pack(END, end),
        comment,
      ]
    },
  }
}

/** Returns the ZIP64 field for numbers that are too large for their own field (4.5.3), empty for none. */
function extraOf(numbers: number[]): Buffer<ArrayBuffer> {
  const widths = numbers.map(() => 8)
  return numbers.length === 0
    ? Buffer.alloc(0)
    : pack([2, 2, ...widths], [1, lengthOf(widths), ...numbers])
}

/** Numbers must be less than 2^48. */
function pack(widths: number[], numbers: number[]): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(lengthOf(widths))
  let at = 0
  for (const [n, width] of widths.entries()) {
    bytes.writeUIntLE(numbers[n]!, at, Math.min(width, 6))
    at += width
  }
  return bytes
}

function lengthOf(widths: number[]): number {
  return widths.reduce((sum, width) => sum + width, 0)
}

const FIRST_TIME = Date.UTC(1980, 0, 1)
const LAST_TIME = Date.UTC(2107, 11, 31, 23, 59, 58)

/** Returns MS-DOS date and time, or the nearest that the format can hold (4.4.6). */
function dosTime(clock: number): number {
  const time = new Date(Math.min(Math.max(clock, FIRST_TIME), LAST_TIME))
  const months = (time.getUTCFullYear() - 1980) * 16 + time.getUTCMonth() + 1
  const minutes = time.getUTCHours() * 64 + time.getUTCMinutes()
  const seconds = minutes * 32 + Math.floor(time.getUTCSeconds() / 2)
  return (months * 32 + time.getUTCDate()) * 2 ** 16 + seconds
}
