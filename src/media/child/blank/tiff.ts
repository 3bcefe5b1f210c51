import { partOf } from '../../bounded-file.ts'
import type { Extent } from '../../raw.ts'
import {
  ASCII,
  isNumber,
  openTiff,
  type Row,
  readDirectory,
  readNumbers,
  SIZES,
  type Tiff,
  UTF8,
} from '../../tiff-directory.ts'
import { tiffIn } from '../embedded.ts'
import { merged, overlap, put, type Sheet, understand, zero, zeroOutside } from './sheet.ts'

/** A block of EXIF, a whole picture (a TIFF, or a DNG), or where in a file its other pictures are (CIPA DC-007). */
type TiffKind = 'exif' | 'picture' | 'places'

// What is kept, by the numbers of TIFF 6.0, EXIF 3.0, DNG 1.7 and CIPA DC-007. All else goes, known or not.
const TEXTS = new Set([
  ...[271, 272, 305, 306, 36867, 36868, 36880, 36881, 36882, 37520, 37521, 37522, 42035, 42036],
  ...[50708, 50931, 50932, 50934, 50936],
])
// Numbers of how a picture was taken and is shown.
const NUMBERS = new Set([
  ...[254, 255, 256, 257, 258, 259, 262, 263, 266, 274, 277, 278, 280, 281, 282, 283, 284, 290],
  ...[292, 293, 296, 297, 317, 318, 319, 321, 322, 323, 332, 334, 336, 338, 339, 340, 341],
  ...[529, 530, 531, 532, 33421, 33422, 33434, 33437, 34850, 34855, 34864, 34865, 34866],
  ...[36864, 37121, 37122, 37377, 37378, 37379, 37380, 37381, 37382, 37383, 37384, 37385, 37386],
  ...[37396, 40960, 40961, 40962, 40963, 41486, 41487, 41488, 41492, 41493, 41495, 41728, 41729],
  ...[41985, 41986, 41987, 41988, 41989, 41990, 41991, 41992, 41993, 41994, 41996, 42034, 42240],
])
// Tables of a picture, and of a DNG.
const TABLES = new Set([273, 279, 291, 301, 320, 324, 325, 347, 34675])
const DNG = [
  ...[
    [50706, 50707],
    [50710, 50734],
    [50736, 50739],
    [50778, 50780],
    [50829, 50834],
  ],
  ...[
    [50879, 50879],
    [50935, 50935],
    [50937, 50941],
    [50964, 50965],
    [50970, 50970],
  ],
  ...[
    [50974, 50975],
    [50981, 50982],
    [51008, 51009],
    [51022, 51022],
    [51041, 51041],
  ],
  ...[
    [51089, 51091],
    [51107, 51110],
    [51125, 51125],
    [51177, 51182],
    [52525, 52525],
  ],
  ...[
    [52529, 52531],
    [52533, 52537],
    [52543, 52544],
    [52547, 52549],
    [52551, 52551],
  ],
] as [first: number, last: number][]
const PLACES = new Set([0xb000, 0xb001, 0xb002])
// The two texts by which a colour space is told that has no number.
const INTEROP = new Set([1, 2])

const [COMPRESSION, TABLES_OF_JPEG] = [259, 347]
const [EXIF, INTEROP_POINTER, GPS, SUB_IFDS] = [34665, 40965, 34853, 330]
const PIXELS = [
  [273, 279],
  [324, 325],
] as const
// Old JPEG has tables anywhere; pictures in JPEG are walked through, since they may have segments of their own.
const OLD_JPEG = 6
const JPEGS = [7, 34892]

// In bytes.
const MAX_TEXT = 64
const MAX_NUMBER = 128
const MAX_BYTES = 4
const MAX_TABLE = 4 * 2 ** 20
const MAX_DIRECTORIES = 1000

// What is kept of a directory.
type Keeps = 'main' | 'interop' | 'nothing'
interface Way {
  at: number
  keeps: Keeps
}
const INSIDE = new Map<number, Keeps>([
  [EXIF, 'main'],
  [SUB_IFDS, 'main'],
  [INTEROP_POINTER, 'interop'],
  [GPS, 'nothing'],
])

interface Found {
  /** The head and directories. */
  heads: Extent[]
  pixels: Extent[]
  values: Extent[]
  gone: Extent[]
  jpegs: Extent[]
}

/**
 * Notes what must go of a TIFF structure that fills a part of a file, and returns where in it are JPEGs, which may have
 * more; throws when it isn't understood.
 */
export async function blankTiff(
  sheet: Sheet,
  { start, end }: Extent,
  kind: TiffKind,
): Promise<Extent[]> {
  const tiff = await openTiff(partOf(sheet.file, start, end))
  understand(tiff !== null && (tiff.version === 42 || tiff.version === 43))
  const { size } = tiff.file
  const head = { start: 0, end: tiff.placeSize * 2 }
  const found: Found = { heads: [head], pixels: [], values: [], gone: [], jpegs: [] }
  const seen = new Set<number>()
  const ways: Way[] = [{ at: tiff.first, keeps: 'main' }]
  for (const { at, keeps } of ways) {
    if (keeps === 'nothing') {
      found.gone.push(...(await valuesAt(tiff, at)))
      continue
    }
    understand(!seen.has(at) && seen.size < MAX_DIRECTORIES)
    seen.add(at)
    const { rows, claimed, link, next } = await readDirectory(tiff, at)
    understand(rows.length === claimed && rows.length > 0)
    const kept = new Set(rows.filter((row) => isKept(tiff, row, kind, keeps)))
    for (const row of rows) (kept.has(row) ? found.values : found.gone).push(...placed(tiff, row))
    for (const row of rows) {
      if (kept.has(row) || row.tag === GPS) ways.push(...(await waysOf(tiff, row)))
    }
    const hasNext = kind === 'picture' && keeps === 'main' && next > 0
    if (hasNext) ways.push({ at: next, keeps })
    if (kind === 'picture') await findPixels(tiff, rows, found)
    const directory = { start: at, end: Math.min(size, link + tiff.placeSize) }
    found.heads.push(directory)
    put(sheet, start + at, await written(tiff, directory, rows, kept, hasNext))
  }
  // Entries may claim more than they have, but never pixels.
  const { heads, pixels, values, gone } = found
  understand(!overlap([...heads, ...pixels]) && pixels.every((extent) => extent.end <= size))
  understand(!overlap([...merged(gone), ...merged(pixels)]))
  const outer = (extent: Extent) => ({ start: start + extent.start, end: start + extent.end })
  for (const extent of merged(gone)) zeroOutside(sheet, outer(extent), heads.map(outer))
  zeroOutside(sheet, { start, end }, [...heads, ...pixels, ...values].map(outer))
  return found.jpegs.map(outer)
}

/** Notes what must go of EXIF, all where it has no TIFF structure; throws when that isn't understood. */
export async function blankExif(sheet: Sheet, { start, end }: Extent): Promise<void> {
  const head = await sheet.file.read(start, Math.min(end, start + 32))
  const tiff = tiffIn(head)
  if (!tiff) return zero(sheet, start, end)
  const at = start + head.length - tiff.length
  zero(sheet, start, at)
  await blankTiff(sheet, { start: at, end }, 'exif')
}

async function waysOf(tiff: Tiff, row: Row): Promise<Way[]> {
  const keeps = INSIDE.get(row.tag)
  if (keeps === undefined) return []
  return (await readNumbers(tiff, row, MAX_TABLE)).map((at) => ({ at, keeps }))
}

function isKept(tiff: Tiff, row: Row, kind: TiffKind, keeps: Keeps): boolean {
  const { tag, type, count } = row
  const size = SIZES[type]
  if (size === undefined || count === 0) return false
  const length = count * size
  const isText = type === ASCII || type === UTF8
  const isIn = length <= row.rest.length || tiff.order.read(row.rest) + length <= tiff.file.size
  if (!isIn) return false
  if (keeps === 'interop') return INTEROP.has(tag) && length === MAX_BYTES
  if (kind === 'places') return PLACES.has(tag) && !isText
  if (TEXTS.has(tag)) return isText && length <= MAX_TEXT
  if (isText) return false
  if ([EXIF, INTEROP_POINTER].includes(tag)) return isNumber(row)
  if (NUMBERS.has(tag)) return length <= (size === 1 ? MAX_BYTES : MAX_NUMBER)
  if (kind !== 'picture') return false
  const isOfDng = DNG.some(([first, last]) => tag >= first && tag <= last)
  return tag === SUB_IFDS || TABLES.has(tag) || isOfDng
}

// Where the value of an entry is, if it isn't in it and in the file.
function placed({ file, order }: Tiff, { type, count, rest }: Row): Extent[] {
  const length = count * (SIZES[type] ?? 0)
  const start = order.read(rest)
  const end = Math.min(file.size, start + length)
  return length > rest.length && start < end ? [{ start, end }] : []
}

// A directory of which nothing is kept, with its values, as far as it can be read.
async function valuesAt(tiff: Tiff, at: number): Promise<Extent[]> {
  const { rows, link } = await readDirectory(tiff, at)
  const directory = { start: at, end: Math.min(tiff.file.size, link) }
  const extents = [directory, ...rows.flatMap((row) => placed(tiff, row))]
  return extents.filter(({ start, end }) => start < end)
}

async function findPixels(tiff: Tiff, rows: Row[], found: Found): Promise<void> {
  const numbers = async (tag: number) => {
    const row = rows.find((row) => row.tag === tag)
    const found = await readNumbers(tiff, row, MAX_TABLE)
    understand(found.length === (row?.count ?? 0))
    return found
  }
  const [compression = 0] = await numbers(COMPRESSION)
  understand(compression !== OLD_JPEG)
  for (const [places, lengths] of PIXELS) {
    const [starts, sizes] = [await numbers(places), await numbers(lengths)]
    understand(starts.length === sizes.length)
    const parts = starts.map((start, n) => ({ start, end: start + sizes[n]! }))
    // Some parts of a picture that has holes are empty.
    const filled = parts.filter(({ start, end }) => start < end)
    found.pixels.push(...filled)
    if (JPEGS.includes(compression)) found.jpegs.push(...filled)
  }
  const tables = rows.find(({ tag }) => tag === TABLES_OF_JPEG)
  if (tables) found.jpegs.push(...placed(tiff, tables))
}

// A directory that is as long as before, but for the entries that are kept empty.
async function written(
  { file, order, placeSize }: Tiff,
  { start, end }: Extent,
  rows: Row[],
  kept: Set<Row>,
  hasNext: boolean,
): Promise<Buffer> {
  const [countSize, rowSize] = placeSize === 8 ? [8, 20] : [2, 12]
  const before = await file.read(start, end)
  const after = Buffer.alloc(before.length)
  if (order.isLittle) after.writeUInt16LE(kept.size)
  else after.writeUInt16BE(kept.size, countSize - 2)
  let to = countSize
  for (const [n, row] of rows.entries()) {
    const from = countSize + n * rowSize
    if (kept.has(row)) to += before.copy(after, to, from, from + rowSize)
  }
  const link = countSize + rows.length * rowSize
  if (hasNext) before.copy(after, to, link, link + placeSize)
  return after
}
