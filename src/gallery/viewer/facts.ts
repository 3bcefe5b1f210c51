import type { Schemas } from '../../client/index.ts'
import { cameraName } from '../../files/places/camera.ts'
import { bytes, known, number, type Precision } from '../base/format.ts'
import { whereOf } from '../parts/near.ts'

type File = Schemas['File']

const MOVING = ['image/gif', 'image/webp']
/** Most of these stand still, and their previews are smaller. */
const SELDOM_MOVING = ['image/png', 'image/avif']
/** In bytes; a larger animation is shown by its preview. */
const LARGEST_MOVING = 32e6

/** Whether the file itself is shown, because a preview would not move. */
export function isMoving({ mime_type, size }: Pick<File, 'mime_type' | 'size'>): boolean {
  return MOVING.includes(mime_type) && size <= LARGEST_MOVING
}

/** Whether the file may have several frames, which only its head says. */
export function mayMove({ mime_type, size }: Pick<File, 'mime_type' | 'size'>): boolean {
  return SELDOM_MOVING.includes(mime_type) && size <= LARGEST_MOVING
}

/** Returns whether the head of a PNG or AVIF says that there are several frames. */
export function namesFrames(head: ArrayBuffer): boolean {
  const text = new TextDecoder('latin1').decode(head)
  const view = new DataView(head)
  if (text.slice(4, 8) === 'ftyp') return text.slice(8, view.getUint32(0)).includes('avis')
  const found = /acTL|IDAT/.exec(text)
  return found?.[0] === 'acTL' && view.getUint32(found.index + 4) > 1
}

/** Returns the local time when a file was taken, in seconds, as `moment` formats it. */
export function localTime({
  content_datetime,
  content_offset,
}: Pick<File, 'content_datetime' | 'content_offset'>): number {
  return Date.parse(content_datetime) / 1000 + (content_offset ?? 0) * 60
}

type Dated = Pick<File, 'content_datetime' | 'content_offset' | 'date_precision'>

/** Returns in words what is known of when a file was taken. */
export function takenOf(file: Dated) {
  return known(localTime(file), file.date_precision)
}

// How long the values of inputs are: `1987`, `1987-06`, `1987-06-05` and `1987-06-05T12:00:00`.
const LENGTHS = { year: 4, month: 7, day: 10, moment: 19 }
// What stands for the fields that an input lacks.
const MIDDLE = '0000-07-02T12:00:00'

/** Returns what is known of a local time, or less of it, as the value of an input of that kind. */
export function inputOf(file: Dated, precision: Precision = file.date_precision): string {
  return new Date(localTime(file) * 1000).toISOString().slice(0, LENGTHS[precision ?? 'moment'])
}

/** Returns how much the value of an input says. */
export function precisionIn(input: string): Precision {
  return (['year', 'month', 'day'] as const).find((part) => LENGTHS[part] === input.length) ?? null
}

/** Returns the value of an input as a time with the file's own zone; null if it is invalid. */
export function timeOf(
  input: string,
  { content_offset }: Pick<File, 'content_offset'>,
): string | null {
  const instant = Date.parse(`${input}${MIDDLE.slice(input.length)}Z`)
  if (!/^(?!0000)\d{4}/.test(input) || Number.isNaN(instant)) return null
  const local = new Date(instant).toISOString().slice(0, 19)
  return local + zoneOf(content_offset)
}

function zoneOf(offset: number | null): string {
  if (offset === null) return 'Z'
  const minutes = Math.abs(offset)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Returns camera and exposure in a line: `FinePix · 1/500 s · f/5.6 · ISO 125`; empty without. */
export function cameraOf({ exif }: File): string {
  const { ExposureTime, FNumber, PhotographicSensitivity, FocalLength } = exif
  return [
    cameraName(exif),
    isNumber(ExposureTime) && exposure(ExposureTime),
    isNumber(FNumber) && `f/${number(FNumber)}`,
    isNumber(PhotographicSensitivity) && `ISO ${PhotographicSensitivity}`,
    isNumber(FocalLength) && `${number(FocalLength)} mm`,
  ]
    .filter(Boolean)
    .join(' · ')
}

function exposure(seconds: number): string {
  return seconds > 0 && seconds < 0.4 ? `1/${Math.round(1 / seconds)} s` : `${number(seconds)} s`
}

/** Returns name, pixels and size in a line: `DSCF0013.JPG · 1.2 MP · 811 kB`. */
export function fileOf({ original_name, mime_extension, width, height, size }: File): string {
  const pixels = width && height ? (width * height) / 1e6 : null
  return [
    original_name ?? mime_extension.toUpperCase(),
    pixels !== null && `${number(Math.max(0.1, Math.round(pixels * 10) / 10))} MP`,
    bytes(size),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Pixels of the longer side; a smaller picture of a RAW is worth a word. */
const SMALL = 1024

/**
 * Returns the size of the picture that stands for a file of another format, if it is small; `none` if there is none, and
 * null for other files.
 */
export function standInOf({
  mime_type,
  width,
  height,
}: Pick<File, 'mime_type' | 'width' | 'height'>):
  | { width: number; height: number }
  | 'none'
  | null {
  const isRaw = mime_type.startsWith('image/x-')
  if (!isRaw && mime_type !== 'image/jxl') return null
  if (width === null || height === null) return 'none'
  return isRaw && Math.max(width, height) < SMALL ? { width, height } : null
}

/** Returns where a film lies in the bytes of a picture; null if there is none. */
export function filmBehind({ exif }: Pick<File, 'exif'>): { start: number; length: number } | null {
  const { film_start: start, film_length: length } = exif
  return isNumber(start) && isNumber(length) ? { start, length } : null
}

/** Where a picture was taken. */
export interface Place {
  /** The coordinates in degrees, as maps accept them. */
  position: string
  /** The nearest town, or the coordinates. */
  name: string
  /** The address of a public map that shows it. */
  map: string
}

/** Returns where a file was taken; null if it doesn't say. */
export function placeOf({ exif, place }: Pick<File, 'exif' | 'place'>): Place | null {
  const { latitude, longitude } = exif
  if (!isNumber(latitude) || !isNumber(longitude)) return null
  const [north, east] = [latitude.toFixed(5), longitude.toFixed(5)]
  const position = `${north}, ${east}`
  return {
    position,
    name: (place && whereOf([place])) ?? position,
    map: `https://www.openstreetmap.org/?mlat=${north}&mlon=${east}#map=15/${north}/${east}`,
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}
