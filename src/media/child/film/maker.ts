import { fourcc } from '../../container-parts.ts'
import { parseOffset, readDateText } from '../date-text.ts'
import type { KnownDate } from '../exif-dates.ts'

/** What a camera's maker writes beside the headers of a film. */
export interface MakerNotes {
  Make?: string | undefined
  Model?: string | undefined
  /** The camera's clock, as a text. */
  taken?: string | undefined
  /** By how many minutes that clock was ahead of UTC. */
  zone?: number | null | undefined
}

const MAX_LENGTH = 256
// In minutes.
const MAX_ZONE = 14 * 60
// No directory of a camera has more entries.
const MAX_ENTRIES = 500
// Bytes of one value, by its type in TIFF.
const SIZES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]

const MAKE = 0x010f
const MODEL = 0x0110
const EXIF_POINTER = 0x8769
const TAKEN = 0x9003
const OFFSET = 0x9011
const MAKER_NOTE = 0x927c
// Among Canon's own: its size, then the zone in minutes.
const CANON_TIMES = 0x0035

/** The boxes with notes, by name, and what reads their first bytes; ExifTool's tables describe them. */
export const NOTES = new Map<number, (bytes: Buffer) => MakerNotes>([
  [fourcc('NCTG'), readNikon],
  [
    fourcc('TAGS'),
    (bytes) => ({ Make: /^[A-Z ]+DIGITAL CAMERA/.exec(bytes.toString('latin1', 0, 64))?.[0] }),
  ],
  [fourcc('IDIT'), (bytes) => ({ taken: textOf(bytes) })],
  [fourcc('xml '), (bytes) => readXml(bytes.toString())],
  // Canon, Ricoh, Panasonic and Leica write EXIF.
  ...['CMT1', 'CMT2', 'CMT3', 'CNDA', 'RMKN', 'PANA', 'LEIC'].map(
    (name) => [fourcc(name), readExif] as const,
  ),
])

/** Returns the date that the notes tell, or none. */
export function noted({ taken, zone = null }: MakerNotes): KnownDate[] {
  const read = readDateText(taken)
  const isZone = zone !== null && Math.abs(zone) <= MAX_ZONE
  return read ? [{ ...read, offset: read.offset ?? (isZone ? zone : null), source: 'video' }] : []
}

/** Returns what a document of Sony or Panasonic says. */
export function readXml(xml: string): MakerNotes {
  const first = (pattern: RegExp) => pattern.exec(xml)?.[1]?.slice(0, MAX_LENGTH)
  return {
    Make: first(/<(?:Device manufacturer="|Manufacturer>)([^"<]+)/),
    Model: first(/<(?:Device [^>]{0,200}modelName="|ModelName>)([^"<]+)/),
    taken: first(/<(?:CreationDate value="|StartDate>)([^"<]+)/),
  }
}

function readNikon(bytes: Buffer): MakerNotes {
  const values = new Map<number, Buffer>()
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = (SIZES[bytes.readUInt16BE(at + 4)] ?? 0) * bytes.readUInt16BE(at + 6)
    values.set(bytes.readUInt32BE(at), bytes.subarray(at + 8, at + 8 + size))
    at += 8 + size
  }
  const zone = values.get(0x19)
  return {
    Make: textOf(values.get(1)),
    Model: textOf(values.get(2)),
    taken: textOf(values.get(0x12)) ?? textOf(values.get(0x11)),
    zone: zone?.length === 2 ? zone.readInt16BE() : null,
  }
}

function readExif(bytes: Buffer): MakerNotes {
  const named = bytes.indexOf('Exif\0\0')
  const tiff = named < 0 ? bytes : bytes.subarray(named + 6)
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return {}
  const isLittle = order === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const long = (at: number) => (isLittle ? tiff.readInt32LE(at) : tiff.readInt32BE(at))
  // Where the values of the entries are.
  const places = new Map<number, { at: number; end: number }>()
  const readDirectory = (start: number) => {
    if (start < 8 || start + 2 > tiff.length) return
    const end = start + 2 + Math.min(short(start), MAX_ENTRIES) * 12
    for (let row = start + 2; row + 12 <= Math.min(end, tiff.length); row += 12) {
      const size = (SIZES[short(row + 2)] ?? 0) * long(row + 4)
      const at = size > 4 ? long(row + 8) : row + 8
      if (size > 0 && at >= 8 && at + size <= tiff.length)
        places.set(short(row), { at, end: at + size })
    }
  }
  const text = (tag: number) => {
    const place = places.get(tag)
    return place && textOf(tiff.subarray(place.at, place.end))
  }
  readDirectory(long(4))
  const exif = places.get(EXIF_POINTER)
  if (exif) readDirectory(long(exif.at))
  const notes = places.get(MAKER_NOTE)
  if (notes && text(MAKE)?.startsWith('Canon')) readDirectory(notes.at)
  const times = places.get(CANON_TIMES)
  return {
    Make: text(MAKE),
    Model: text(MODEL),
    taken: text(TAKEN),
    zone:
      parseOffset(text(OFFSET)) ?? (times && times.end - times.at >= 8 ? long(times.at + 4) : null),
  }
}

function textOf(bytes: Buffer | undefined): string | undefined {
  return bytes?.toString().replace(/\0.*/s, '').trim().slice(0, MAX_LENGTH) || undefined
}
