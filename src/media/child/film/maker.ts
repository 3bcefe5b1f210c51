import { inMemory } from '../../bounded-file.ts'
import { fourcc } from '../../container-parts.ts'
import { MAKER_NOTE } from '../../maker-note.ts'
import {
  openTiff,
  orderOf,
  type Row,
  readDirectory,
  readValue,
  SIZES,
  type Tiff,
} from '../../tiff-directory.ts'
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
// In bytes, of a value.
const MAX_VALUE = 4096

const MAKE = 0x010f
const MODEL = 0x0110
const EXIF_POINTER = 0x8769
const TAKEN = 0x9003
const OFFSET = 0x9011
// Among Canon's own: its size, then the zone in minutes.
const CANON_TIMES = 0x0035

/** The boxes with notes, by name, and what reads their first bytes; ExifTool's tables describe them. */
export const NOTES = new Map<number, (bytes: Buffer) => MakerNotes | Promise<MakerNotes>>([
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
  // So do Casio and Fuji, without a head.
  [fourcc('QVMI'), (bytes) => readTags(tiffAt(bytes, 0, 10, false))],
  [fourcc('MVTG'), (bytes) => readTags(tiffAt(bytes, 16, 0, true))],
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
    Model: first(/<(?:Device [^<>]{0,200}modelName="|ModelName>)([^"<]+)/),
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

async function readExif(bytes: Buffer): Promise<MakerNotes> {
  const named = bytes.indexOf('Exif\0\0')
  const tiff = await openTiff(inMemory(named < 0 ? bytes : bytes.subarray(named + 6)))
  return tiff ? readTags(tiff) : {}
}

// Places count from `base`.
function tiffAt(bytes: Buffer, base: number, first: number, isLittle: boolean): Tiff {
  const file = inMemory(bytes.subarray(base))
  return { file, order: orderOf(isLittle), version: 42, placeSize: 4, first }
}

async function readTags(tiff: Tiff): Promise<MakerNotes> {
  const rows = new Map<number, Row>()
  const readRows = async (at: number) => {
    for (const row of (await readDirectory(tiff, at)).rows) rows.set(row.tag, row)
  }
  const bytesOf = async (tag: number) => {
    const row = rows.get(tag)
    const value = row && (await readValue(tiff, row, MAX_VALUE))
    return Buffer.isBuffer(value) ? value : undefined
  }
  const text = async (tag: number) => textOf(await bytesOf(tag))
  await readRows(tiff.first)
  const exif = await bytesOf(EXIF_POINTER)
  if (exif) await readRows(tiff.order.read(exif))
  const note = rows.get(MAKER_NOTE)
  if (note && (await text(MAKE))?.startsWith('Canon')) await readRows(tiff.order.read(note.rest))
  const times = await bytesOf(CANON_TIMES)
  return {
    Make: await text(MAKE),
    Model: await text(MODEL),
    taken: await text(TAKEN),
    zone:
      parseOffset(await text(OFFSET)) ??
      (times && times.length >= 8 ? tiff.order.read(times.subarray(4, 8)) | 0 : null),
  }
}

function textOf(bytes: Buffer | undefined): string | undefined {
  return bytes?.toString().replace(/\0.*/s, '').trim().slice(0, MAX_LENGTH) || undefined
}
