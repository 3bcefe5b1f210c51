import { cleanText, isReadable } from './caption-text.ts'
import type { Beside } from './describe.ts'
import { isPlace } from './exif-values.ts'

/**
 * Returns what a file of Google Takeout, or of Ente's export, says of the picture beside it; nothing where it is broken
 * or larger than a MiB. Google documents none of it; this is what exports hold, and what immich-go reads of them
 * (`adapters/googlePhotos/json.go`). Ente writes files of the same shape (`getGoogleLikeMetadataFile`).
 */
export function readJsonSidecar(bytes: Buffer): Beside {
  const file = parsed(bytes)
  const isSo = (name: string) => fieldOf(file, name) === true
  const people = fieldOf(file, 'people')
  const names = Array.isArray(people) ? people.map((one) => fieldOf(one, 'name')) : []
  // Older versions of Ente call it a caption.
  const captions = [fieldOf(file, 'description'), fieldOf(file, 'caption')]
  // Where people have moved a picture on the map, and where the picture says that it was taken.
  const places = ['geoData', 'geoDataExif'].map((name) => placeIn(fieldOf(file, name)))
  // An object without fields.
  const partner = fieldOf(fieldOf(file, 'googlePhotosOrigin'), 'fromPartnerSharing')
  return {
    said: new Map([
      ['JSON description', captions.flatMap(textIn)],
      ['JSON people', names.flatMap(textIn)],
    ]),
    date: momentIn(file),
    position: places.find((place) => place !== null) ?? null,
    isFavorite: isSo('favorited'),
    isArchived: isSo('archived'),
    isTrashed: isSo('trashed'),
    isPartners: partner !== undefined && partner !== false && partner !== null,
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return isReadable(bytes) ? JSON.parse(new TextDecoder().decode(bytes)) : null
  } catch {
    return null
  }
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

function textIn(value: unknown): string[] {
  return typeof value === 'string' ? cleanText(value) : []
}

// Seconds since 1970 UTC, in Takeout as text; 0 where nobody knows. There, `creationTime` is that of the upload; in
// Ente's files it is that of the picture, and there is no other.
function momentIn(file: unknown): Beside['date'] {
  const time = fieldOf(file, 'photoTakenTime') ?? fieldOf(file, 'creationTime')
  const seconds = String(fieldOf(time, 'timestamp'))
  if (!/^-?\d{1,12}$/.test(seconds) || Number(seconds) === 0) return null
  return { clock: Number(seconds) * 1000, offset: 0, precision: null, isUtc: true }
}

function placeIn(value: unknown): Beside['position'] {
  const [latitude, longitude] = [fieldOf(value, 'latitude'), fieldOf(value, 'longitude')]
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null
  return isPlace({ latitude, longitude }) ? { latitude, longitude } : null
}
