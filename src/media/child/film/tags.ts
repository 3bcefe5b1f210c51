interface FilmTags {
  Make?: string
  Model?: string
  /** Degrees. */
  latitude?: number
  longitude?: number
}

// Apple's, Android's, and those of QuickTime before them.
const MAKES = ['com.apple.quicktime.make', 'com.android.manufacturer', '©mak']
const MODELS = ['com.apple.quicktime.model', 'com.android.model', '©mod']
const PLACES = ['com.apple.quicktime.location.ISO6709', '©xyz']
const MAX_LENGTH = 256
// Bytes of a `loci` box up to its two numbers, without a name.
const MIN_LOCI = 16

/** Returns what the tags of a container, by their names, say of the camera and of the place. */
export function readFilmTags(raw: Record<string, unknown>): FilmTags {
  const [Make] = texts(raw, MAKES)
  const [Model] = texts(raw, MODELS)
  const places = texts(raw, PLACES).map(placeOf)
  return {
    ...(Make === undefined ? {} : { Make }),
    ...(Model === undefined ? {} : { Model }),
    ...(places.find((place) => place !== null) ?? placeOfLoci(raw.loci)),
  }
}

function texts(raw: Record<string, unknown>, names: string[]): string[] {
  const stated = names.map((name) => raw[name]).filter((value) => typeof value === 'string')
  const clean = stated.map((text) => text.split('\0', 1)[0]!.trim().slice(0, MAX_LENGTH))
  return clean.filter((text) => text !== '')
}

type Place = Pick<FilmTags, 'latitude' | 'longitude'>

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

function within(place: Required<Place>): Place | null {
  const { latitude, longitude } = place
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? place : null
}
