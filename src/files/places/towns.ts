import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { BAKED_TOWNS, townsSource } from '../../base/paths.ts'
import { unlessAbsentNow } from '../../media/unless-absent.ts'
import { makeTowns, ROWS, rowOf, UNITS } from './make-towns.ts'
import type { Place } from './schema.ts'

/** The release of GeoNames' data that towns are of; the background places older files anew when it changes. */
export const TOWNS_VERSION = '1.1.64'

/** The numbers of towns, as `makeTowns` lays them out, and what reads the texts. */
interface Table {
  starts: Uint32Array
  latitudes: Int32Array
  longitudes: Int32Array
  nameOf(town: number): string
  /** The country and region of a town, as in `FR.93`. */
  regionOf(town: number): string
  regionNames: Map<string, string | null>
}

// In kilometres. Most places have a town within the first distance, which few towns have to be compared for.
const REACHES = [5, 50]
const EARTH_RADIUS = 6371.0088
const RADIANS = Math.PI / 180

let table: Table | null = null

/**
 * Returns the town that is nearest to a position in degrees, as in `FR.93.Nice`, with its country (ISO 3166) and the
 * code of its region; null if there is none within 50 km. Towns have the names that they have where they are.
 */
export function nearestTown(latitude: number, longitude: number): string | null {
  const towns = loadTowns()
  for (const reach of REACHES) {
    const town = nearestWithin(towns, { latitude, longitude }, reach)
    if (town !== null) return `${towns.regionOf(town)}.${towns.nameOf(town)}`
  }
  return null
}

/** Returns the name of the region of a code as in `FR.93`; null for one without a name. */
export function regionName(code: string): string | null {
  return loadTowns().regionNames.get(code) ?? null
}

/** Returns a town as `nearestTown` names it, in its parts; its own name may have dots. */
export function placeOf(town: string): Place {
  const [country = '', region = '', ...names] = town.split('.')
  return { country, region, region_name: regionName(`${country}.${region}`), town: names.join('.') }
}

/** Loads the table of towns, unless it is loaded. Without that, the first file with a position waits for it. */
export function loadTowns(): Table {
  table ??= tableOf(
    unlessAbsentNow(() => readFileSync(BAKED_TOWNS)) ?? madeTowns(townsSource().made),
  )
  return table
}

/** Returns the table of towns in a file beside the packages, so that it is made once and not by each process. */
export function madeTowns(made: string): Buffer {
  try {
    return readFileSync(made)
  } catch {
    // It is not there, or was made by somebody else.
  }
  const bytes = makeTowns()
  const written = `${made}.${process.pid}`
  try {
    const first = mkdirSync(dirname(made), { recursive: true })
    // A server lets nobody else read what it makes, but who may read the packages may read this.
    for (const folder of [first ?? dirname(made), dirname(made)]) chmodSync(folder, 0o755)
    writeFileSync(written, bytes)
    chmodSync(written, 0o644)
    renameSync(written, made)
  } catch {
    // The packages may belong to somebody else.
  }
  return bytes
}

function tableOf(bytes: Buffer): Table {
  const { buffer, byteOffset } = bytes
  const [count, nameBytes] = new Uint32Array(buffer, byteOffset, 2) as unknown as [number, number]
  let at = 8
  const next = (length: number, size: number) => {
    at += length * size
    return [buffer, byteOffset + at - length * size, length] as const
  }
  const starts = new Uint32Array(...next(ROWS + 1, 4))
  const latitudes = new Int32Array(...next(count, 4))
  const longitudes = new Int32Array(...next(count, 4))
  const ends = new Int32Array(...next(count, 4))
  const regions = new Uint16Array(...next(count, 2))
  const names = at
  const listed = JSON.parse(bytes.toString('utf8', names + nameBytes)) as [string, string | null][]
  return {
    starts,
    latitudes,
    longitudes,
    nameOf: (town) => bytes.toString('utf8', names + (ends[town - 1] ?? 0), names + ends[town]!),
    regionOf: (town) => listed[regions[town]!]![0],
    regionNames: new Map(listed),
  }
}

interface Position {
  latitude: number
  longitude: number
}

function nearestWithin(towns: Table, position: Position, reach: number): number | null {
  const { starts, latitudes, longitudes } = towns
  const { latitude, longitude } = position
  const high = reach / EARTH_RADIUS / RADIANS
  const first = Math.max(0, rowOf((latitude - high) * UNITS))
  const last = Math.min(ROWS - 1, rowOf((latitude + high) * UNITS))
  const wide = widthOf(latitude, high)
  let nearest: number | null = null
  let least = reach
  // Across the date line, the same towns are a turn further on.
  for (const turn of [-360, 0, 360]) {
    const west = (longitude - wide + turn) * UNITS
    const east = (longitude + wide + turn) * UNITS
    if (east < -180 * UNITS || west > 180 * UNITS) continue
    for (let row = first; row <= last; row++) {
      const end = starts[row + 1]!
      for (let town = firstFrom(longitudes, west, starts[row]!, end); town < end; town++) {
        if (longitudes[town]! > east) break
        const far = distance(position, {
          latitude: latitudes[town]! / UNITS,
          longitude: longitudes[town]! / UNITS,
        })
        if (far > least || (far === least && nearest !== null)) continue
        nearest = town
        least = far
      }
    }
  }
  return nearest
}

/** Returns the degrees of longitude that a circle of so many degrees around a place reaches to each side. */
function widthOf(latitude: number, high: number): number {
  if (Math.abs(latitude) + high >= 90) return 180
  return Math.asin(Math.sin(high * RADIANS) / Math.cos(latitude * RADIANS)) / RADIANS
}

/** Returns the first of ascending numbers that isn't below a value, between two indexes of them; the end for none. */
function firstFrom(numbers: Int32Array, value: number, start: number, end: number): number {
  let low = start
  let high = end
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

// In kilometres, by the haversine.
function distance(one: Position, other: Position): number {
  const half = (from: number, to: number) => Math.sin(((to - from) * RADIANS) / 2) ** 2
  const cosines = Math.cos(one.latitude * RADIANS) * Math.cos(other.latitude * RADIANS)
  const square = half(one.latitude, other.latitude) + cosines * half(one.longitude, other.longitude)
  return 2 * EARTH_RADIUS * Math.asin(Math.sqrt(Math.min(1, square)))
}
