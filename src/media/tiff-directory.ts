import type { BoundedFile } from './bounded-file.ts'

/** A TIFF structure. */
export interface Tiff {
  file: BoundedFile
  order: Order
  /** What the number behind the byte order says; 42 for a classic TIFF. */
  version: number
  /** The bytes of a place, and of a count. */
  placeSize: number
  /** Where the first directory is. */
  first: number
}

/** The byte order of numbers. */
export interface Order {
  isLittle: boolean
  read(bytes: Buffer): number
}

/** An entry of a directory. */
export interface Row {
  tag: number
  type: number
  /** How many values it has. */
  count: number
  /** The values, or their place when they don't fit in. */
  rest: Buffer
}

interface Directory {
  rows: Row[]
  /** How many rows it says it has. */
  claimed: number
  /** Where the place of the next directory is. */
  link: number
  /** Where the next directory is; 0 for none. */
  next: number
}

/** Types of values, as TIFF 6.0, its supplement (IFD), BigTIFF and EXIF 3.0 number them. */
export const [ASCII, SHORT, LONG, SLONG, IFD] = [2, 3, 4, 9, 13]
export const [LONG8, SLONG8, IFD8, UTF8] = [16, 17, 18, 129]
/** The bytes of one value by its type. */
export const SIZES: Record<number, number> = {
  ...{ 1: 1, [ASCII]: 1, [SHORT]: 2, [LONG]: 4, 5: 8, 6: 1, 7: 1, 8: 2, [SLONG]: 4, 10: 8 },
  ...{ 11: 4, 12: 8, [IFD]: 4, [LONG8]: 8, [SLONG8]: 8, [IFD8]: 8, [UTF8]: 1 },
}

const BIG = 43
/** The versions of Olympus' RAW, and of Panasonic's, which are classic TIFFs in all else. */
export const [ORF_VERSIONS, RW2_VERSION] = [[0x4f52, 0x5352], 0x55]
const VERSIONS = [42, BIG, ...ORF_VERSIONS, RW2_VERSION]
// Cameras write some hundred.
const MAX_ENTRIES = 4096
const HEAD = 8

/** Returns the TIFF structure that a file is, or null when it is none. */
export async function openTiff(file: BoundedFile): Promise<Tiff | null> {
  const head = await file.read(0, 16)
  const letters = head.toString('latin1', 0, 2)
  if (head.length < HEAD || (letters !== 'II' && letters !== 'MM')) return null
  const order = orderOf(letters === 'II')
  const version = order.read(head.subarray(2, 4))
  const placeSize = version === BIG ? 8 : 4
  const first = order.read(head.subarray(placeSize, 2 * placeSize))
  return VERSIONS.includes(version) ? { file, order, version, placeSize, first } : null
}

/** Returns the directory at a place, as far as it is there. */
export async function readDirectory(tiff: Tiff, at: number): Promise<Directory> {
  const { file, order, placeSize } = tiff
  const [countSize, half] = [placeSize === 8 ? 8 : 2, 4 + placeSize]
  const rowSize = half + placeSize
  const start = at + countSize
  const claimed = order.read(await file.read(at, start))
  const count = Math.min(claimed, MAX_ENTRIES, Math.floor((file.size - start) / rowSize))
  const bytes = count > 0 ? await file.read(start, start + count * rowSize) : Buffer.alloc(0)
  const rows: Row[] = []
  for (let from = 0; from + rowSize <= bytes.length; from += rowSize) {
    const row = bytes.subarray(from, from + rowSize)
    rows.push({
      tag: order.read(row.subarray(0, 2)),
      type: order.read(row.subarray(2, 4)),
      count: order.read(row.subarray(4, half)),
      rest: row.subarray(half),
    })
  }
  const link = start + claimed * rowSize
  return { rows, claimed, link, next: order.read(await file.read(link, link + placeSize)) }
}

/** Returns the bytes of an entry of at most `most` bytes, or, in words, why there are none. */
export async function readValue(tiff: Tiff, row: Row, most: number): Promise<Buffer | string> {
  const { type, count, rest } = row
  const size = SIZES[type]
  if (size === undefined) return `has the type ${type}`
  const length = count * size
  if (length === 0) return 'is empty'
  if (length > most) return `has ${length} bytes`
  if (length <= rest.length) return rest.subarray(0, length)
  const place = tiff.order.read(rest)
  if (place + length > tiff.file.size) return 'ends behind the end'
  return tiff.file.read(place, place + length)
}

const NUMBERS = [SHORT, LONG, IFD, LONG8, IFD8]

/** Returns whether the values of an entry are numbers without a sign. */
export function isNumber({ type }: Pick<Row, 'type'>): boolean {
  return NUMBERS.includes(type)
}

/** Returns the numbers of an entry of at most `most` bytes, or none when it has no numbers. */
export async function readNumbers(
  tiff: Tiff,
  row: Row | undefined,
  most: number,
): Promise<number[]> {
  const value = row && isNumber(row) ? await readValue(tiff, row, most) : ''
  if (!row || typeof value === 'string') return []
  const size = SIZES[row.type]!
  return Array.from({ length: row.count }, (_, n) =>
    tiff.order.read(value.subarray(n * size, (n + 1) * size)),
  )
}

/** Returns the byte order. */
export function orderOf(isLittle: boolean): Order {
  return {
    isLittle,
    read(bytes) {
      let value = 0
      const last = bytes.length - 1
      for (let n = 0; n <= last; n++) value = value * 256 + bytes[isLittle ? last - n : n]!
      return value
    },
  }
}
