import { type BySource, inOrder } from '../date-order.ts'
import type { Description, Sidecar } from '../description.ts'
import { readDateText } from './date-text.ts'
import { type Beside, describe, type Said } from './describe.ts'
import type { Embedded } from './embedded.ts'
import type { KnownDate } from './exif-dates.ts'
import { isPlace, type Place } from './exif-values.ts'
import type { FilmClaim } from './film-behind.ts'
import { type Records, readIptc } from './iptc.ts'
import { readJsonSidecar } from './json-sidecar.ts'
import { LENGTH, PADDING, type Properties, readXmp, SEMANTIC } from './xmp.ts'

interface Captions {
  dates: BySource<KnownDate>
  keywords: string[]
  caption: string | undefined
  place: Place | undefined
  films: FilmClaim[]
  description: Description
}

// Numbers of IPTC's second record (IIM 4.2).
const IPTC = { keywords: 25, date: 55, time: 60, caption: 120 }

/**
 * Returns what XMP, IPTC and the texts of a PNG say; what is broken or larger than a MiB is ignored. Of several blocks,
 * the first one counts that says something. Of sidecars, the description has all, and the dates those of XMP.
 */
export function readCaptions(embedded: Embedded[], sidecars: Sidecar[] = []): Captions {
  const of = (wanted: Embedded['kind']) =>
    embedded.flatMap(({ kind, bytes }) => (kind === wanted ? [bytes] : []))
  const xmp = of('xmp').map(readXmp)
  const iptc = of('iptc').map(readIptc)
  const beside = sidecars.map(readSidecar)
  const first = (lists: string[][]) => lists.find(({ length }) => length > 0) ?? []
  const property = (name: string) => xmp.map((properties) => properties.get(name) ?? [])
  const record = (number: number) => first(iptc.map((records) => records.get(number) ?? []))
  const keywords = [...record(IPTC.keywords), ...first(property('dc:subject'))]
  return {
    dates: {
      ...xmpDates([...xmp, ...beside.map((one) => one.xmp)]),
      'IPTC DateCreated and TimeCreated': dated(...iptc.map(iptcDate)),
      'PNG Creation Time': dated(...embedded.map(creationTime)),
    },
    keywords: [...new Set(keywords)],
    caption: [...record(IPTC.caption), ...first(property('dc:description'))][0],
    place: placeOf(xmp),
    films: xmp.flatMap(filmsOf),
    description: describe(saidIn(xmp, iptc), beside),
  }
}

function readSidecar({ kind, base64 }: Sidecar): Beside & { xmp: Properties } {
  const bytes = Buffer.from(base64, 'base64')
  if (kind === 'json') return { ...readJsonSidecar(bytes), xmp: new Map() }
  const xmp = readXmp(bytes)
  const [date] = inOrder(xmpDates([xmp]))
  return {
    said: saidIn([xmp], []),
    date: date ? { ...date, isUtc: false } : null,
    position: placeOf([xmp]) ?? null,
    xmp,
  }
}

function saidIn(xmp: Properties[], iptc: Records[]): Said {
  const said: Said = new Map()
  const add = (name: string, texts: string[] = []) => {
    const found = said.get(name) ?? []
    for (const text of texts) found.push(text)
    said.set(name, found)
  }
  for (const properties of xmp) for (const [name, texts] of properties) add(`XMP ${name}`, texts)
  for (const records of iptc) {
    add('IPTC Keywords', records.get(IPTC.keywords))
    add('IPTC Caption-Abstract', records.get(IPTC.caption))
  }
  return said
}

function xmpDates(xmp: Properties[]): BySource<KnownDate> {
  const of = (name: string) => dated(...xmp.map((properties) => xmpDate(properties.get(name)?.[0])))
  return {
    'XMP exif:DateTimeOriginal': of('exif:DateTimeOriginal'),
    'XMP photoshop:DateCreated': of('photoshop:DateCreated'),
    'XMP xmp:CreateDate': of('xmp:CreateDate'),
    'XMP exif:DateTimeDigitized': of('exif:DateTimeDigitized'),
  }
}

function dated(...dates: (KnownDate | null)[]): KnownDate[] {
  return dates.filter((date) => date !== null)
}

function xmpDate(text: unknown): KnownDate | null {
  const read = readDateText(text)
  return read && { ...read, source: 'xmp' }
}

function creationTime(one: Embedded): KnownDate | null {
  return one.kind === 'text' && /^Creation Time$/i.test(one.keyword) ? xmpDate(one.bytes) : null
}

function iptcDate(records: Records): KnownDate | null {
  const [day] = records.get(IPTC.date) ?? []
  const [time] = records.get(IPTC.time) ?? []
  return xmpDate(`${day}T${time}`) ?? xmpDate(day)
}

// In XMP, a place is written like `26,34.951N`, or like `26,34,57N`.
function placeOf(xmp: Properties[]): Place | undefined {
  for (const properties of xmp) {
    const latitude = degrees(properties.get('exif:GPSLatitude'), 'NS')
    const longitude = degrees(properties.get('exif:GPSLongitude'), 'EW')
    if (isPlace({ latitude, longitude })) return { latitude, longitude }
  }
  return undefined
}

// By "Motion Photo format 1.0" of Android, and Google's format before it: what the container lists lies one behind the
// other at the end of the file.
function filmsOf(properties: Properties): FilmClaim[] {
  const numbers = (name: string) =>
    (properties.get(name) ?? []).map((text) => (/^\d{1,15}$/.test(text) ? Number(text) : 0))
  const films: FilmClaim[] = []
  const [isMotion, isMicro] = ['GCamera:MotionPhoto', 'GCamera:MicroVideo'].map(numbers)
  const at = properties.get(SEMANTIC)?.indexOf('MotionPhoto') ?? -1
  if (isMotion?.[0] === 1 && at >= 0) {
    const [lengths, paddings] = [numbers(LENGTH), numbers(PADDING)]
    const rest = [...lengths.slice(at), ...paddings.slice(at)]
    films.push({ fromEnd: rest.reduce((sum, size) => sum + size, 0), length: lengths[at]! })
  }
  const [offset = 0] = numbers('GCamera:MicroVideoOffset')
  if (isMicro?.[0] === 1) films.push({ fromEnd: offset, length: offset })
  return films
}

// Returns NaN for what is malformed.
function degrees([text = '']: string[] = [], letters: string): number {
  const [, whole, minutes, seconds = 0, letter = ''] =
    /^(\d+),([\d.]+)(?:,([\d.]+))?([NSEW])$/.exec(text) ?? []
  const size = Number(whole) + Number(minutes) / 60 + Number(seconds) / 3600
  if (letter === '' || !letters.includes(letter)) return Number.NaN
  return letter === letters[1] ? 0 - size : size
}
