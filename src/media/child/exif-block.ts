import type { BoundedFile } from '../bounded-file.ts'
import { EXIF_NAMES, GPS_NAMES, IFD0_NAMES } from './exif-tags.ts'

/** The valid entries of a TIFF structure, as a small structure of their own. */
export interface ExifBlock {
  /** A classic TIFF with three directories, in the byte order of the source. */
  block: Buffer
  /** What could not be read, in words. */
  dropped: string[]
}

/** Bytes that may have to be read of a structure: a large value for each tag that has a name. */
export const EXIF_MAX_READ = 16 * 2 ** 20

// In bytes; a larger value is a picture or a maker's note.
const MAX_VALUE = 65_536
// Cameras write some hundred.
const MAX_ENTRIES = 4096

const ASCII = 2
const SHORT = 3
const LONG = 4
const SLONG = 9
const IFD = 13
const LONG8 = 16
const SLONG8 = 17
const IFD8 = 18
const UTF8 = 129
// The bytes of one value by its type, from TIFF 6.0, its supplement (IFD), BigTIFF and EXIF 3.0.
const SIZES: Record<number, number> = {
  ...{ 1: 1, [ASCII]: 1, [SHORT]: 2, [LONG]: 4, 5: 8, 6: 1, 7: 1, 8: 2, [SLONG]: 4, 10: 8 },
  ...{ 11: 4, 12: 8, [IFD]: 4, [LONG8]: 8, [SLONG8]: 8, [IFD8]: 8, [UTF8]: 1 },
}

const EXIF_POINTER = 0x8769
const GPS_POINTER = 0x8825
const POINTERS = [EXIF_POINTER, GPS_POINTER]
const POINTER_TYPES = [SHORT, LONG, IFD, LONG8, IFD8]

// Bytes of the head, of an entry, and of what surrounds the entries of a classic directory.
const HEAD = 8
const ROW = 12
const AROUND = 6

interface Entry {
  tag: number
  type: number
  value: Buffer
}

interface Order {
  isLittle: boolean
  read(bytes: Buffer): number
  write(value: number, size: number): Buffer
}

interface Source {
  file: BoundedFile
  order: Order
  /** Whether places and counts have 64 bits. */
  isBig: boolean
  dropped: string[]
}

/**
 * Returns the entries of a TIFF structure and of its EXIF and GPS directories that have a name and can be read,
 * wherever they are in it, or null when it is no such structure.
 */
export async function readExifBlock(file: BoundedFile): Promise<ExifBlock | null> {
  const head = await file.read(0, 16)
  const letters = head.toString('latin1', 0, 2)
  if (head.length < HEAD || (letters !== 'II' && letters !== 'MM')) return null
  const order = orderOf(letters === 'II')
  const version = order.read(head.subarray(2, 4))
  const isBig = version === 43
  if (version !== 42 && !isBig) return null
  const source: Source = { file, order, isBig, dropped: [] }
  const first = order.read(isBig ? head.subarray(8, 16) : head.subarray(4, 8))
  const isOfIfd0 = (tag: number) => tag in IFD0_NAMES || POINTERS.includes(tag)
  const ifd0 = await readDirectory(source, 'IFD0', first, isOfIfd0)
  const readBehind = async (pointer: number, name: string, names: Record<number, string>) => {
    const entry = ifd0.find(({ tag, type }) => tag === pointer && POINTER_TYPES.includes(type))
    if (!entry) return []
    return readDirectory(source, name, order.read(entry.value), (tag) => tag in names)
  }
  const exif = await readBehind(EXIF_POINTER, 'EXIF', EXIF_NAMES)
  const gps = await readBehind(GPS_POINTER, 'GPS', GPS_NAMES)
  const facts = ifd0.filter(({ tag }) => !POINTERS.includes(tag))
  return { block: structureOf(order, facts, exif, gps), dropped: source.dropped }
}

// Of a tag that occurs twice, the last one counts.
async function readDirectory(
  source: Source,
  name: string,
  at: number,
  isWanted: (tag: number) => boolean,
): Promise<Entry[]> {
  const { file, order, isBig, dropped } = source
  const [countSize, rowSize] = isBig ? [8, 20] : [2, ROW]
  const start = at + countSize
  const raw = order.read(await file.read(at, start))
  const count = Math.min(raw, MAX_ENTRIES, Math.floor((file.size - start) / rowSize))
  if (count !== raw) dropped.push(`${name}: entries behind number ${Math.max(0, count)}`)
  const rows = count > 0 ? await file.read(start, start + count * rowSize) : Buffer.alloc(0)
  const entries = new Map<number, Entry>()
  for (let from = 0; from + rowSize <= rows.length; from += rowSize) {
    const row = rows.subarray(from, from + rowSize)
    const tag = order.read(row.subarray(0, 2))
    if (!isWanted(tag)) continue
    const type = order.read(row.subarray(2, 4))
    const value = await readValue(source, type, row.subarray(4))
    if (typeof value === 'string') {
      dropped.push(`${name}: ${tag} ${value}`)
      continue
    }
    const entry = { tag, type, value }
    const kept = POINTERS.includes(tag) ? entry : classic(order, entry)
    if (kept) entries.set(tag, kept)
    else dropped.push(`${name}: ${tag} has too large a number`)
  }
  return [...entries.values()]
}

async function readValue(
  { file, order, isBig }: Source,
  type: number,
  rest: Buffer,
): Promise<Buffer | string> {
  const size = SIZES[type]
  if (size === undefined) return `has the type ${type}`
  const half = isBig ? 8 : 4
  const length = order.read(rest.subarray(0, half)) * size
  if (length === 0) return 'is empty'
  if (length > MAX_VALUE) return `has ${length} bytes`
  if (length <= half) return rest.subarray(half, half + length)
  const place = order.read(rest.subarray(half))
  if (place + length > file.size) return 'ends behind the end'
  return file.read(place, place + length)
}

// Returns null when a number is too large for the format.
function classic(order: Order, { tag, type, value }: Entry): Entry | null {
  if (type === UTF8) return { tag, type: ASCII, value }
  if (type !== LONG8 && type !== SLONG8 && type !== IFD8) return { tag, type, value }
  const isSigned = type === SLONG8
  const numbers: Buffer[] = []
  for (let at = 0; at < value.length; at += 8) {
    const number = order.isLittle ? value.readBigInt64LE(at) : value.readBigInt64BE(at)
    if ((isSigned ? BigInt.asIntN(32, number) : BigInt.asUintN(32, number)) !== number) return null
    const start = order.isLittle ? at : at + 4
    numbers.push(value.subarray(start, start + 4))
  }
  return { tag, type: isSigned ? SLONG : LONG, value: Buffer.concat(numbers) }
}

function structureOf(order: Order, facts: Entry[], exif: Entry[], gps: Entry[]): Buffer {
  const pointer = (tag: number, to: Entry[], at: number): Entry[] =>
    to.length === 0 ? [] : [{ tag, type: LONG, value: order.write(at, 4) }]
  const ifd0At = (exifAt: number, gpsAt: number) => {
    const pointers = [...pointer(EXIF_POINTER, exif, exifAt), ...pointer(GPS_POINTER, gps, gpsAt)]
    return directoryAt(order, [...facts, ...pointers], HEAD)
  }
  // The length of a directory does not depend on where it is.
  const exifAt = HEAD + ifd0At(0, 0).length
  const exifDirectory = directoryAt(order, exif, exifAt)
  const gpsAt = exifAt + exifDirectory.length
  return Buffer.concat([
    Buffer.from(order.isLittle ? 'II' : 'MM'),
    order.write(42, 2),
    order.write(HEAD, 4),
    ifd0At(exifAt, gpsAt),
    exifDirectory,
    directoryAt(order, gps, gpsAt),
  ])
}

function directoryAt(order: Order, entries: Entry[], at: number): Buffer {
  const rows: Buffer[] = []
  const values: Buffer[] = []
  let end = at + AROUND + entries.length * ROW
  for (const { tag, type, value } of entries.toSorted((a, b) => a.tag - b.tag)) {
    const count = value.length / SIZES[type]!
    rows.push(order.write(tag, 2), order.write(type, 2), order.write(count, 4))
    const isInline = value.length <= 4
    const rest = Buffer.alloc(isInline ? 4 - value.length : value.length % 2)
    if (isInline) rows.push(value, rest)
    else {
      rows.push(order.write(end, 4))
      values.push(value, rest)
      end += value.length + rest.length
    }
  }
  return Buffer.concat([order.write(entries.length, 2), ...rows, Buffer.alloc(4), ...values])
}

function orderOf(isLittle: boolean): Order {
  return {
    isLittle,
    read: (bytes) => {
      const ordered = isLittle ? [...bytes].reverse() : [...bytes]
      return ordered.reduce((sum, byte) => sum * 256 + byte, 0)
    },
    write: (value, size) => {
      const bytes = Buffer.alloc(size)
      if (isLittle) bytes.writeUIntLE(value, 0, size)
      else bytes.writeUIntBE(value, 0, size)
      return bytes
    },
  }
}
