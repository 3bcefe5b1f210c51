import type { BoundedFile } from '../bounded-file.ts'
import { MAKER_NOTE, openNote } from '../maker-note.ts'
import {
  ASCII,
  IFD,
  IFD8,
  isNumber,
  LONG,
  LONG8,
  type Order,
  openTiff,
  type Row,
  readDirectory,
  readValue,
  SHORT,
  SIZES,
  SLONG,
  SLONG8,
  type Tiff,
  UTF8,
} from '../tiff-directory.ts'
import { APPLE_NAMES, EXIF_NAMES, GPS_NAMES, IFD0_NAMES } from './exif-tags.ts'

/** The valid entries of a TIFF structure, by directory and number. */
interface ExifBlock {
  ifd0: Values
  exif: Values
  gps: Values
  /** Texts among Apple's own tags. */
  apple: Values
  /** What could not be read, in words. */
  dropped: string[]
}

/** Texts, bytes without a meaning of their own, and lists of numbers. */
type Values = Record<number, string | Buffer | number[]>

/** Bytes that may have to be read of a structure: a large value for each tag that has a name. */
export const EXIF_MAX_READ = 16 * 2 ** 20

// In bytes; a larger value is a picture or a maker's note.
const MAX_VALUE = 65_536
// No tag with a name has as many.
const MAX_NUMBERS = 4096

const BYTE = 1
const UNDEFINED = 7
// How one value is read by its type, from TIFF 6.0, its supplement (IFD) and BigTIFF.
type Read = (view: DataView, at: number, isLittle: boolean) => number
const NUMBERS: Record<number, Read> = {
  [BYTE]: (view, at) => view.getUint8(at),
  [SHORT]: (view, at, isLittle) => view.getUint16(at, isLittle),
  [LONG]: (view, at, isLittle) => view.getUint32(at, isLittle),
  5: (view, at, isLittle) => view.getUint32(at, isLittle) / view.getUint32(at + 4, isLittle),
  6: (view, at) => view.getInt8(at),
  8: (view, at, isLittle) => view.getInt16(at, isLittle),
  [SLONG]: (view, at, isLittle) => view.getInt32(at, isLittle),
  10: (view, at, isLittle) => view.getInt32(at, isLittle) / view.getInt32(at + 4, isLittle),
  11: (view, at, isLittle) => view.getFloat32(at, isLittle),
  12: (view, at, isLittle) => view.getFloat64(at, isLittle),
  [IFD]: (view, at, isLittle) => view.getUint32(at, isLittle),
  [LONG8]: (view, at, isLittle) => Number(view.getBigUint64(at, isLittle)),
  [SLONG8]: (view, at, isLittle) => Number(view.getBigInt64(at, isLittle)),
  [IFD8]: (view, at, isLittle) => Number(view.getBigUint64(at, isLittle)),
}

const EXIF_POINTER = 0x8769
const GPS_POINTER = 0x8825
const POINTERS = [EXIF_POINTER, GPS_POINTER]

interface Entry {
  tag: number
  type: number
  value: Buffer
  order: Order
}

interface Source extends Tiff {
  dropped: string[]
  /** Entries with a maker's own tags. */
  notes: { tiff: Tiff; row: Row }[]
}

/**
 * Returns the entries of a TIFF structure and of its EXIF, GPS and Apple's directories that have a name and can be read,
 * wherever they are in it, or null when it is no such structure. `apart` has directories that are structures of their
 * own.
 */
export async function readExifBlock(
  file: BoundedFile,
  apart: { exif?: BoundedFile | undefined; gps?: BoundedFile | undefined } = {},
): Promise<ExifBlock | null> {
  const tiff = await openTiff(file)
  if (!tiff) return null
  const source: Source = { ...tiff, dropped: [], notes: [] }
  const isOfIfd0 = (tag: number) => tag in IFD0_NAMES || POINTERS.includes(tag)
  const ifd0 = await readEntries(source, 'IFD0', tiff.first, isOfIfd0)
  const readBehind = async (
    pointer: number,
    name: string,
    names: Record<number, string>,
    own: BoundedFile | undefined,
  ) => {
    const inner = own && (await openTiff(own))
    const isWanted = (tag: number) => tag in names
    if (inner) return readEntries({ ...source, ...inner }, name, inner.first, isWanted)
    const entry = ifd0.find((one) => one.tag === pointer && isNumber(one))
    if (!entry) return []
    return readEntries(source, name, tiff.order.read(entry.value), isWanted)
  }
  const exif = await readBehind(EXIF_POINTER, 'EXIF', EXIF_NAMES, apart.exif)
  const gps = await readBehind(GPS_POINTER, 'GPS', GPS_NAMES, apart.gps)
  const [found] = source.notes
  // A broken note leaves the rest as it is.
  const note = found ? await openNote(found.tiff, found.row).catch(() => null) : null
  const apple =
    note?.maker === 'Apple'
      ? await readEntries(
          { ...source, ...note.tiff },
          'Apple',
          note.at,
          (tag) => tag in APPLE_NAMES,
        )
      : []
  const values = (entries: Entry[]) =>
    Object.fromEntries(entries.map((entry) => [entry.tag, decoded(entry)]))
  return {
    ifd0: values(ifd0),
    exif: values(exif),
    gps: values(gps),
    apple: values(apple.filter(({ type }) => type === ASCII)),
    dropped: source.dropped,
  }
}

// Of a tag that occurs twice, the last one counts.
async function readEntries(
  source: Source,
  name: string,
  at: number,
  isWanted: (tag: number) => boolean,
): Promise<Entry[]> {
  const { order, dropped, notes } = source
  const { rows, claimed } = await readDirectory(source, at)
  if (rows.length !== claimed) dropped.push(`${name}: entries behind number ${rows.length}`)
  const entries = new Map<number, Entry>()
  for (const row of rows) {
    const { tag, type, count } = row
    if (tag === MAKER_NOTE) notes.push({ tiff: source, row })
    if (!isWanted(tag)) continue
    const isLong = type !== BYTE && type in NUMBERS && count > MAX_NUMBERS
    const value = isLong ? `has ${count} numbers` : await readValue(source, row, MAX_VALUE)
    if (typeof value === 'string') dropped.push(`${name}: ${tag} ${value}`)
    else entries.set(tag, { tag, type, value, order })
  }
  return [...entries.values()]
}

function decoded({ type, value, order }: Entry): Values[number] {
  if (type === ASCII || type === UTF8) return value.toString().trimStart()
  if (type === UNDEFINED || (type === BYTE && value.length > 1)) return value
  const [size, read] = [SIZES[type]!, NUMBERS[type]!]
  const view = new DataView(value.buffer, value.byteOffset, value.length)
  return Array.from({ length: value.length / size }, (_, n) => read(view, n * size, order.isLittle))
}
