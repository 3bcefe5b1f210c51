import { locale } from '../base/text.ts'
import { map } from '../text/map.ts'
import { boxOf } from './cells.ts'
import type { Place } from './places.ts'

/** Returns a place with its number of photos in words: `23 photos near Nice, France`. */
export function wordsOf({ cells, count, town }: Place): string {
  const words = map()
  return town === null ? words.at(count, positionOf(cells[0]!)) : words.near(count, townWords(town))
}

/** Returns the name of a town of a text such as `FR.93.Nice`. */
export function nameOf(town: string): string {
  return town.replace(/^[^.]*\.[^.]*\./, '')
}

function townWords(town: string): string {
  const country = /^[A-Z]{2}/.exec(town)?.[0] ?? 'ZZ'
  const countries = new Intl.DisplayNames(locale.value, { type: 'region' })
  return `${nameOf(town)}, ${countries.of(country)}`
}

function positionOf(cell: string): string {
  const words = map()
  const { west, south, east, north } = boxOf(cell)
  const [latitude, longitude] = [(south + north) / 2, (west + east) / 2]
  const degrees = (value: number) =>
    new Intl.NumberFormat(locale.value, {
      style: 'unit',
      unit: 'degree',
      unitDisplay: 'narrow',
      maximumFractionDigits: 1,
    }).format(Math.abs(value))
  const [vertical, across] = [degrees(latitude), degrees(longitude)]
  return [
    latitude < 0 ? words.south(vertical) : words.north(vertical),
    longitude < 0 ? words.west(across) : words.east(across),
  ].join(', ')
}
