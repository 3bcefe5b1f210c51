import { MINUTE } from '../../../base/time.ts'
import { inOrder } from '../../date-order.ts'
import type { ReadDate } from '../../dates.ts'
import { type KnownDate, wholeOf } from '../exif-dates.ts'
import { isPlace, type Place } from '../exif-values.ts'
import { type MakerNotes, noted, readXml } from './maker.ts'

interface FilmTags extends Partial<Place> {
  Make?: string
  Model?: string
  /** What a film and its picture have in common, as Apple writes it. */
  ContentIdentifier?: string
}

// Apple's, Android's, those of QuickTime before them, and how a camera misspells these.
const MAKES = ['com.apple.quicktime.make', 'com.android.manufacturer', '©mak', '@mak']
const MODELS = ['com.apple.quicktime.model', 'com.android.model', '©mod', '@mod']
// The last two are Matroska's.
const DATES = [
  ...['com.apple.quicktime.creationdate', '©day', '@day', 'date'],
  ...['DATE_RECORDED', 'DATE_DIGITIZED'],
]
const IDENTIFIERS = ['com.apple.quicktime.content.identifier']
const XML = ['com.panasonic.Semi-Pro.metadata.xml']
const PLACES = ['com.apple.quicktime.location.ISO6709', '©xyz']
// In characters.
const MAX_LENGTH = 256
const MAX_XML = 65_536
// Bytes of a `loci` box up to its two numbers, without a name.
const MIN_LOCI = 16

/**
 * Returns what the tags of a container, by their names, say of the camera and of the place, and the dates that they
 * tell, the best first; both also by the notes of the camera's maker.
 */
export function readFilmTags(
  raw: Record<string, unknown>,
  notes: MakerNotes = {},
): { camera: FilmTags; told: KnownDate[] } {
  const [xml] = texts(raw, XML, MAX_XML).map(readXml)
  const [Make = notes.Make ?? xml?.Make] = texts(raw, MAKES)
  const [Model = notes.Model ?? xml?.Model] = texts(raw, MODELS)
  const [ContentIdentifier] = texts(raw, IDENTIFIERS)
  const places = texts(raw, PLACES).map(placeOf)
  const camera = {
    ...(Make === undefined ? {} : { Make }),
    ...(Model === undefined ? {} : { Model }),
    ...(ContentIdentifier === undefined ? {} : { ContentIdentifier }),
    ...(places.find((place) => place !== null) ?? placeOfLoci(raw.loci)),
  }
  const dates = texts(raw, DATES).flatMap((taken) => noted({ taken }))
  return { camera, told: [...dates, ...noted(notes), ...(xml ? noted(xml) : [])] }
}

// In minutes: all zones are multiples of the first, none is further from UTC than the second.
const [ZONE_STEP, MAX_ZONE] = [15, 14 * 60]
// Of a minute; a camera writes both times at one moment.
const ROUGHLY = 0.1

/**
 * Returns the dates of a film, the best first, from those that its tags tell and those of its headers, which are in
 * UTC. A header that differs by a zone from a clock without one tells which; one that doesn't differ is that clock.
 */
export function settled(told: KnownDate[], headers: KnownDate[]): ReadDate[] {
  const isVague = ({ precision }: KnownDate) => precision === 'year' || precision === 'month'
  const all = inOrder({
    'tags of a film': told.filter((date) => !isVague(date)),
    'headers of a film': headers,
    'a year or month in tags of a film': told.filter(isVague),
  })
  const zoneOf = (clock: number) => {
    const minutes = headers[0]?.offset === 0 ? (clock - headers[0].clock) / MINUTE : 0
    const zone = Math.round(minutes / ZONE_STEP) * ZONE_STEP
    const isZone = Math.abs(minutes - zone) < ROUGHLY && zone !== 0 && Math.abs(zone) <= MAX_ZONE
    return isZone ? zone : null
  }
  return all.map((date) => {
    const { clock, offset, source, precision } = wholeOf(date, all)
    if (precision !== null) return { clock, offset, source, precision }
    return { clock, offset: offset ?? zoneOf(clock), source }
  })
}

function texts(raw: Record<string, unknown>, names: string[], most = MAX_LENGTH): string[] {
  const stated = names.map((name) => {
    const value = raw[name]
    // Behind a length and a language.
    const start = name.startsWith('@') ? 4 : 0
    return value instanceof Uint8Array ? Buffer.from(value).toString('utf8', start) : value
  })
  const strings = stated.filter((value) => typeof value === 'string')
  const clean = strings.map((text) => text.split('\0', 1)[0]!.trim().slice(0, most))
  return clean.filter((text) => text !== '')
}

/**
 * Returns the place of a text like `+27.5916+086.5640+8850/` in ISO 6709 (annex H): degrees, or degrees and minutes, or
 * these and seconds, by the number of digits before the point.
 */
function placeOf(stated: string): Place | null {
  const number = String.raw`([+-])(\d+)(\.\d+)?`
  const match = new RegExp(`^${number}${number}(?:[+-]\\d+(?:\\.\\d+)?)?(?:CRS[^/]*)?/?$`).exec(
    stated,
  )
  if (!match) return null
  const [, south, latitude, latitudeRest = '', west, longitude, longitudeRest = ''] = match
  return within({
    latitude: degrees(south!, latitude!, latitudeRest, 2),
    longitude: degrees(west!, longitude!, longitudeRest, 3),
  })
}

function degrees(sign: string, digits: string, fraction: string, length: number): number {
  // A number that is too short has lost its leading zeros.
  const parts = Math.max(0, Math.ceil((digits.length - length) / 2))
  const padded = digits.padStart(length + parts * 2, '0')
  const numbers = [
    padded.slice(0, length),
    padded.slice(length).slice(0, 2),
    padded.slice(length + 2),
  ]
  const [whole, minutes, seconds] = numbers.map((part, n) =>
    Number(n === parts ? part + fraction : part),
  )
  if (parts > 2 || minutes! >= 60 || seconds! >= 60) return Number.NaN
  const size = whole! + minutes! / 60 + seconds! / 3600
  return sign === '-' ? 0 - size : size
}

/**
 * Returns the place of a `loci` box (3GPP TS 26.244, 8.10): after version, flags and language a name that ends with a
 * NUL and a role, then longitude and latitude as numbers with 16 bits behind the point.
 */
function placeOfLoci(box: unknown): Place | null {
  if (!(box instanceof Uint8Array) || box.length < MIN_LOCI) return null
  const bytes = Buffer.from(box)
  const isWide = bytes.readUInt16BE(6) === 0xfeff
  const end = isWide ? bytes.indexOf('\0', 6, 'utf16le') + 2 : bytes.indexOf(0, 6) + 1
  if (end < 7 || bytes.length < end + 9) return null
  return within({
    latitude: bytes.readInt32BE(end + 5) / 65536,
    longitude: bytes.readInt32BE(end + 1) / 65536,
  })
}

function within(place: Place): Place | null {
  return isPlace(place) ? place : null
}
