import type { Schemas } from '../../client/index.ts'
import { bytes, number } from '../base/format.ts'

type File = Schemas['File']

/** Returns the local time when a file was taken, in seconds, as `moment` formats it. */
export function localTime({
  content_datetime,
  content_offset,
}: Pick<File, 'content_datetime' | 'content_offset'>): number {
  return Date.parse(content_datetime) / 1000 + (content_offset ?? 0) * 60
}

/** Returns a local time as the value of an `<input type="datetime-local">`. */
export function inputOf(file: File): string {
  return new Date(localTime(file) * 1000).toISOString().slice(0, 19)
}

/** Returns the value of an input as a time with the file's own zone; null if it is invalid. */
export function timeOf(input: string, { content_offset }: File): string | null {
  const instant = Date.parse(`${input}Z`)
  if (Number.isNaN(instant)) return null
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

function cameraName({ Make, Model }: File['exif']): string {
  const make = typeof Make === 'string' ? Make.trim() : ''
  const model = typeof Model === 'string' ? Model.trim() : ''
  const brand = make.split(' ')[0]!
  return model.toLowerCase().startsWith(brand.toLowerCase()) ? model : `${make} ${model}`.trim()
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

/** Returns the coordinates of the place in degrees, as maps accept them; null without a place. */
export function placeOf({ exif }: File): string | null {
  const { latitude, longitude } = exif
  if (!isNumber(latitude) || !isNumber(longitude)) return null
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}
