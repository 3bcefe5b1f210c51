/** Returns a value of a tag that JSON can hold, or undefined when there is nothing to show. */
export function cleanValue(name: string, value: unknown): unknown {
  if (typeof value === 'string') return cleanString(name, value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (value instanceof Uint8Array) return cleanBytes(name, Buffer.from(value))
  if (!Array.isArray(value) && !ArrayBuffer.isView(value)) return undefined
  const numbers = Array.from(value as ArrayLike<unknown>, (item) =>
    typeof item === 'number' && Number.isFinite(item) ? item : null,
  )
  if (numbers.every((number) => number === null)) return undefined
  return numbers.length === 1 ? numbers[0] : numbers
}

function cleanString(name: string, text: string): string | undefined {
  // Some cameras write NUL between year, month and day.
  if (name === 'GPSDateStamp') return cleanText(text.replace(/^(\d{4})\0(\d\d)\0/, '$1:$2:'))
  // A copyright has two parts: the photographer's and the editor's.
  return cleanText(text, name === 'Copyright' ? 2 : 1)
}

function cleanBytes(name: string, bytes: Buffer): unknown {
  if (name === 'UserComment' || name === 'GPSProcessingMethod' || name === 'GPSAreaInformation') {
    return decodeComment(bytes)
  }
  if (name.startsWith('XP')) return cleanText(decode('utf-16le', bytes))
  if (name.endsWith('Version')) return cleanText(bytes.toString('latin1'))
  if (name === 'GPSVersionID') return [...bytes]
  if (bytes.length === 1) return bytes[0]
  const text = bytes.toString('latin1')
  return /^[\x20-\x7e]+\0*$/.test(text) ? cleanString(name, text) : undefined
}

// The text names its character code in its first eight bytes.
function decodeComment(bytes: Buffer): string | undefined {
  const code = bytes.toString('latin1', 0, 8)
  const text = bytes.subarray(8)
  if (code === 'UNICODE\0') {
    const isBigEndian = text.length > 1 && text[0] === 0 && text[1] !== 0
    return cleanText(decode(isBigEndian ? 'utf-16be' : 'utf-16le', text))
  }
  if (code === 'ASCII\0\0\0' || code === '\0'.repeat(8)) return cleanText(decode('utf-8', text))
  return undefined
}

function decode(encoding: 'utf-8' | 'utf-16le' | 'utf-16be', bytes: Buffer): string {
  return new TextDecoder(encoding).decode(bytes)
}

// Returns a text up to its first NUL, or the first parts of one whose parts each end with a NUL.
function cleanText(text: string, parts = 1): string | undefined {
  const texts = text.split('\0', parts).map((part) => Buffer.from(part).toString().trimEnd())
  return texts.filter((part) => part !== '').join('\n') || undefined
}

/** A place in degrees. */
export interface Place {
  latitude: number
  longitude: number
}

/** Returns whether a place is on the earth, and not where both are 0, as devices write that know no place. */
export function isPlace({ latitude, longitude }: Place): boolean {
  const isKnown = latitude !== 0 || longitude !== 0
  return isKnown && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
}

/** Returns the place that the tags of GPS tell, or null when one is broken or missing. */
export function position(gps: Record<string, unknown>): Place | null {
  const latitude = degrees(gps.GPSLatitude, gps.GPSLatitudeRef, { N: 1, S: -1 })
  const longitude = degrees(gps.GPSLongitude, gps.GPSLongitudeRef, { E: 1, W: -1 })
  return isPlace({ latitude, longitude }) ? { latitude, longitude } : null
}

// Returns signed degrees, or NaN when a part is broken or the hemisphere is missing.
function degrees(value: unknown, ref: unknown, signs: Record<string, 1 | -1>): number {
  const [whole, minutes = 0, seconds = 0] = Array.isArray(value) ? value : [value]
  const sign = signs[String(ref).toUpperCase()]
  const isWhole = [whole, minutes, seconds].every((part) => typeof part === 'number')
  if (sign === undefined || !isWhole) return Number.NaN
  return sign * (whole + minutes / 60 + seconds / 3600)
}
