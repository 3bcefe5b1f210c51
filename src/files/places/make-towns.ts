import { readFileSync } from 'node:fs'
import { townsSource } from '../../base/paths.ts'

interface Source {
  name: string
  lat: string
  lng: string
  country: string
  admin1: string
}

/** Units of a degree in the table: 1.1 m. */
export const UNITS = 100_000
/** Rows of the table, and how many of them a degree of latitude has. */
export const ROWS = 721
const ROWS_OF_DEGREE = 4

/** Returns the row of a latitude in units. */
export function rowOf(latitude: number): number {
  return Math.floor((latitude / UNITS + 90) * ROWS_OF_DEGREE)
}

/**
 * Returns the table of all towns of GeoNames. It begins with the numbers of towns and of the bytes of their names.
 * There follow, in little endian: where each row of 0.25° begins; of each town, in rows from west to east, latitude,
 * longitude and where its name ends; its region; the names; and the regions in JSON, each with its code and its name.
 */
export function makeTowns(): Buffer {
  const { cities, regions } = townsSource()
  const inUnits = (degrees: string) => Math.round(Number(degrees) * UNITS)
  const towns = (read(cities) as Source[])
    .map((town) => ({ ...town, lat: inUnits(town.lat), lng: inUnits(town.lng) }))
    .sort((one, other) => rowOf(one.lat) - rowOf(other.lat) || one.lng - other.lng)
  const regionNames = new Map(
    (read(regions) as { code: string; name: string }[]).map(({ code, name }) => [code, name]),
  )
  const starts = new Uint32Array(ROWS + 1)
  const numbers = { lat: [] as number[], lng: [] as number[], end: [] as number[] }
  const names: Buffer[] = []
  const codes = new Map<string, number>()
  let end = 0
  const regionsOf = towns.map(({ name, lat, lng, country, admin1 }) => {
    const bytes = Buffer.from(name)
    names.push(bytes)
    end += bytes.length
    numbers.lat.push(lat)
    numbers.lng.push(lng)
    numbers.end.push(end)
    starts[rowOf(lat) + 1]!++
    const code = `${country}.${admin1}`
    if (!codes.has(code)) codes.set(code, codes.size)
    return codes.get(code)!
  })
  for (let row = 0; row < ROWS; row++) starts[row + 1]! += starts[row]!
  const listed = [...codes.keys()].map((code) => [code, regionNames.get(code) ?? null])
  const { lat, lng, end: ends } = numbers
  const arrays = [
    Uint32Array.of(towns.length, end),
    starts,
    ...[lat, lng, ends].map((values) => Int32Array.from(values)),
    Uint16Array.from(regionsOf),
  ]
  return Buffer.concat([
    ...arrays.map(({ buffer }) => Buffer.from(buffer)),
    ...names,
    Buffer.from(JSON.stringify(listed)),
  ])
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}
