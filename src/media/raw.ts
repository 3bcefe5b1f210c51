import { type BoundedFile, partOf, withinBounds } from './bounded-file.ts'
import { boxes, findParts, fourcc, MOOV, type Part, TRAK } from './container-parts.ts'
import { MAKER_NOTE, openNote } from './maker-note.ts'
import {
  isNumber,
  ORF_VERSIONS,
  openTiff,
  type Row,
  RW2_VERSION,
  readDirectory,
  readNumbers,
  readValue,
  SIZES,
  type Tiff,
} from './tiff-directory.ts'

/** Where something is in a file. */
export interface Extent {
  start: number
  end: number
}

/** What a camera's RAW file holds beside the raw itself, which is never decoded. */
export interface Raw {
  mime_type: string
  /** What may be JPEGs. */
  pictures: Extent[]
  /** How to turn what has no orientation of its own, as EXIF numbers it. */
  orientation: number | undefined
  /** The TIFF structure of its EXIF; null when the picture has it. */
  ifd0: Extent | null
  /** Where EXIF and GPS are structures of their own. */
  exif?: Extent
  gps?: Extent
  xmp?: Extent | undefined
  iptc?: Extent | undefined
}

const RAF = 'FUJIFILMCCD-RAW '
// In bytes, of all that says where the pictures are.
const MAX_HEADS = 4 * 2 ** 20
// Those of a CR3 are boxes, which take some thousands.
const MAX_BOXES = 65_536
const MAX_DIRECTORIES = 64

/** Returns what a RAW file holds, or null for any other file. Throws the errors of the disk. */
export async function readRaw(file: BoundedFile): Promise<Raw | null> {
  const head = (await file.read(0, 16)).toString('latin1')
  if (head === RAF) return withinBounds(file, readRaf, MAX_HEADS)
  if (head.startsWith('ftypcrx ', 4)) return withinBounds(file, readCr3, MAX_BOXES)
  return /^(II|MM)/.test(head) ? withinBounds(file, readTiffRaw, MAX_HEADS) : null
}

// Where the JPEG is: LibRaw and exiftool agree.
async function readRaf(file: BoundedFile): Promise<Raw> {
  const [start, length] = [await numberAt(file, 84), await numberAt(file, 88)]
  return { ...rawOf('image/x-fuji-raf'), pictures: extentsOf(file, start, length) }
}

// The boxes of a CR3, and the UUIDs of some: exiftool, QuickTime.pm and Canon.pm.
const [UUID, THMB] = [fourcc('uuid'), fourcc('THMB')]
const [CMT1, CMT2, CMT4] = [fourcc('CMT1'), fourcc('CMT2'), fourcc('CMT4')]
const TABLE = [fourcc('mdia'), fourcc('minf'), fourcc('stbl')]
const [STSZ, CO64, STCO] = [fourcc('stsz'), fourcc('co64'), fourcc('stco')]
const CANON = '85c0b687820f11e08111f4ce462b6a48'
const XMP_BOX = 'be7acfcb97a942e89c71999491e3afac'
const PREVIEW = 'eaf42b5e1c984b88b9fbb7dc406e4d16'
const ID_LENGTH = 16
// The boxes in a box in `moov`.
const MAX_DEPTH = 2

async function readCr3(file: BoundedFile): Promise<Raw> {
  const raw = rawOf('image/x-canon-cr3')
  const readBoxes = async (start: number, end: number, depth: number) => {
    for await (const part of boxes(file, start, end)) {
      const from = (skipped: number) => ({ start: part.start + skipped, end: part.end })
      const isId = part.name === UUID
      const id = isId ? (await file.read(part.start, part.start + ID_LENGTH)).toString('hex') : ''
      if ((part.name === MOOV || id === CANON) && depth < MAX_DEPTH) {
        await readBoxes(part.start + id.length / 2, part.end, depth + 1)
      }
      if (part.name === TRAK) raw.pictures.push(...(await firstSample(file, part)))
      if (part.name === THMB) raw.pictures.push(from(16))
      if (id === PREVIEW) raw.pictures.push(from(48))
      if (id === XMP_BOX) raw.xmp = from(ID_LENGTH)
      if (part.name === CMT1) raw.ifd0 = from(0)
      if (part.name === CMT2) raw.exif = from(0)
      if (part.name === CMT4) raw.gps = from(0)
    }
  }
  // What was found counts, even if too much would have to be read.
  await readBoxes(0, file.size, 0).catch(() => {})
  raw.orientation = await orientationOf(file, raw.ifd0).catch(() => undefined)
  return raw
}

async function orientationOf(file: BoundedFile, ifd0: Extent | null): Promise<number | undefined> {
  const tiff = ifd0 && (await openTiff(partOf(file, ifd0.start, ifd0.end)))
  if (!tiff) return undefined
  const { rows } = await readDirectory(tiff, tiff.first)
  const row = rows.find(({ tag }) => tag === ORIENTATION)
  return (await readNumbers(tiff, row, MAX_NUMBERS))[0]
}

// One of the tracks is a JPEG of all pixels.
async function firstSample(file: BoundedFile, track: Part): Promise<Extent[]> {
  const [sizes] = await findParts(boxes, file, [...TABLE, STSZ], track)
  const [long] = await findParts(boxes, file, [...TABLE, CO64], track)
  const places = long ?? (await findParts(boxes, file, [...TABLE, STCO], track))[0]
  if (!sizes || !places) return []
  const length = (await numberAt(file, sizes.start + 4)) || (await numberAt(file, sizes.start + 12))
  const high = long ? await numberAt(file, long.start + 8) : 0
  const start = high * 2 ** 32 + (await numberAt(file, places.start + (long ? 12 : 8)))
  return extentsOf(file, start, length)
}

// Numbers of tags: TIFF 6.0, its supplements, EXIF, DNG, and Panasonic's.
const [MAKE, ORIENTATION, SUB_IFDS, DNG_VERSION] = [0x10f, 0x112, 0x14a, 0xc612]
const [SUBFILE, COMPRESSION, PHOTOMETRIC] = [0xfe, 0x103, 0x106]
const [STRIPS, STRIP_LENGTHS] = [0x111, 0x117]
const [XMP, IPTC, EXIF, JPEG_FROM_RAW] = [0x2bc, 0x83bb, 0x8769, 0x2e]
// Values of these: the raw itself; its colours, which no viewer knows; JPEG, with losses also where it is a raw.
const FULL = 0
const MOSAICS = [32803, 34892]
const JPEGS = [6, 7, 34892]
const LOSSY = 34892
// The bytes of numbers; no directory lists more pictures.
const MAX_NUMBERS = 1024
const CR2 = 'CR\x02'
// A scan or an edited picture has the same makers, so one of these compressions, or such colours, must be there, too.
const MAKERS: [make: RegExp, compression: number, mime_type: string][] = [
  [/^NIKON/i, 34713, 'image/x-nikon-nef'],
  [/^SONY/i, 32767, 'image/x-sony-arw'],
  [/^(PENTAX|RICOH|ASAHI)/i, 65535, 'image/x-pentax-pef'],
]

// What a directory may have: pictures, by the tags of place and length, and other directories.
interface Kind {
  pictures?: [place: number, length: number]
  inside?: Record<number, Kind>
}
const IN_EXIF: Kind = {}
const PICTURE: Kind = { pictures: [0x201, 0x202], inside: { [EXIF]: IN_EXIF } }
PICTURE.inside![SUB_IFDS] = PICTURE
const IN_NOTES: Record<string, Kind> = {
  Olympus: { inside: { 8224: { pictures: [0x101, 0x102] } } },
  Pentax: { pictures: [4, 3] },
  Nikon: { inside: { 17: PICTURE } },
}

interface Way {
  tiff: Tiff
  at: number
  kind: Kind
  isFirst?: boolean
}

async function readTiffRaw(file: BoundedFile): Promise<Raw | null> {
  const tiff = await openTiff(file)
  if (!tiff) return null
  const mark = (await file.read(8, 8 + CR2.length)).toString('latin1')
  const raw = rawOf('')
  raw.ifd0 = { start: 0, end: file.size }
  const seen = new Set<number>()
  const compressions = new Set<number | undefined>()
  let make = ''
  let isMosaic = false
  let isDng = false
  let hasRows = false
  const ways: Way[] = [{ tiff, at: tiff.first, kind: PICTURE, isFirst: true }]
  const visit = async ({ tiff, at, kind, isFirst }: Way) => {
    const { rows, next } = await readDirectory(tiff, at)
    const row = (tag: number) => rows.find((one) => one.tag === tag)
    const number = async (tag: number) => (await readNumbers(tiff, row(tag), MAX_NUMBERS))[0]
    const base = file.size - tiff.file.size
    const add = (start = 0, length = 0) =>
      raw.pictures.push(...extentsOf(file, base + start, length))
    if (isFirst) {
      hasRows = rows.length > 0
      make = (await textOf(tiff, row(MAKE))) ?? ''
      isDng = row(DNG_VERSION) !== undefined
      raw.orientation = await number(ORIENTATION)
      raw.xmp = placedValue(tiff, row(XMP))[0]
      raw.iptc = placedValue(tiff, row(IPTC))[0]
      if (tiff.version === RW2_VERSION) raw.pictures.push(...placedValue(tiff, row(JPEG_FROM_RAW)))
    }
    if (kind.pictures) add(await number(kind.pictures[0]), await number(kind.pictures[1]))
    if (kind === PICTURE) {
      const [compression, subfile] = [await number(COMPRESSION), await number(SUBFILE)]
      const isRaw = MOSAICS.includes((await number(PHOTOMETRIC)) ?? 0)
      const strips = await readNumbers(tiff, row(STRIPS), MAX_NUMBERS)
      const isPicture = !isRaw && (subfile !== FULL || compression === LOSSY)
      if (isPicture && JPEGS.includes(compression ?? 0) && strips.length === 1) {
        add(strips[0], await number(STRIP_LENGTHS))
      }
      compressions.add(compression)
      isMosaic ||= isRaw
      if (next > 0) ways.push({ tiff, at: next, kind })
    }
    for (const [tag, inner] of Object.entries(kind.inside ?? {})) {
      const places = await placesOf(tiff, row(Number(tag)))
      ways.push(...places.map((place) => ({ tiff, at: place, kind: inner })))
    }
    const note = kind === IN_EXIF ? await openNote(tiff, row(MAKER_NOTE)) : null
    const inNote = note && IN_NOTES[note.maker]
    if (inNote) ways.push({ ...note, kind: inNote })
  }
  for (const way of ways) {
    const key = file.size - way.tiff.file.size + way.at
    if (seen.has(key) || seen.size === MAX_DIRECTORIES) continue
    seen.add(key)
    // What was found counts, even if too much would have to be read.
    await visit(way).catch(() => {})
  }
  const maker = MAKERS.find(([name, own]) => name.test(make) && (isMosaic || compressions.has(own)))
  if (ORF_VERSIONS.includes(tiff.version) && hasRows) raw.mime_type = 'image/x-olympus-orf'
  else if (tiff.version === RW2_VERSION && hasRows) raw.mime_type = 'image/x-panasonic-rw2'
  else if (mark === CR2) raw.mime_type = 'image/x-canon-cr2'
  else if (isDng) raw.mime_type = 'image/x-adobe-dng'
  else if (maker) raw.mime_type = maker[2]
  return raw.mime_type === '' ? null : raw
}

// Some directories are an entry's value.
async function placesOf(tiff: Tiff, row: Row | undefined): Promise<number[]> {
  if (!row || isNumber(row)) return readNumbers(tiff, row, MAX_NUMBERS)
  return [tiff.order.read(row.rest)]
}

async function textOf(tiff: Tiff, row: Row | undefined): Promise<string | null> {
  const value = row && (await readValue(tiff, row, MAX_NUMBERS))
  return Buffer.isBuffer(value) ? value.toString('latin1') : null
}

// Where a value is that doesn't fit into its entry.
function placedValue({ file, order }: Tiff, row: Row | undefined): Extent[] {
  const length = row ? row.count * (SIZES[row.type] ?? 0) : 0
  return row && length > row.rest.length ? extentsOf(file, order.read(row.rest), length) : []
}

function extentsOf(file: BoundedFile, start: number, length: number): Extent[] {
  const end = start + length
  return start > 0 && length > 0 && end <= file.size ? [{ start, end }] : []
}

async function numberAt(file: BoundedFile, at: number): Promise<number> {
  const bytes = await file.read(at, at + 4)
  return bytes.length < 4 ? 0 : bytes.readUInt32BE(0)
}

function rawOf(mime_type: string): Raw {
  return { mime_type, pictures: [], orientation: undefined, ifd0: null }
}
