import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import type { Point } from '../viewer/zoom.ts'
import { pointOf, SIDE } from './view.ts'

/** A line or an area of the map, in the points of the square world. */
interface Shape {
  path: Path2D
  west: number
  east: number
  north: number
  south: number
}

export interface Atlas {
  land: Shape[]
  borders: Shape[]
}

type Ring = number[][]
type World = Topology<{ countries: GeometryCollection; land: GeometryCollection }>

/** Loads the coasts and borders of Natural Earth: coarse ones for the whole world, or the finer ones. */
export async function loadAtlas(isFine: boolean): Promise<Atlas> {
  const { default: world } = await (isFine
    ? import('world-atlas/countries-50m.json')
    : import('world-atlas/countries-110m.json'))
  return atlasOf(world)
}

function atlasOf(world: World): Atlas {
  const areas = feature(world, world.objects.land).features.flatMap(({ geometry }) =>
    geometry.type === 'MultiPolygon' ? geometry.coordinates : [],
  )
  const { coordinates } = mesh(world, world.objects.countries, (a, b) => a !== b)
  return {
    land: areas.flatMap(shapesOf),
    borders: coordinates.flatMap((line) => shapesOf([line])),
  }
}

/** Returns the shape of rings or a line; where it crosses the 180th meridian, once on each side. */
function shapesOf(rings: Ring[]): Shape[] {
  const points = rings.map(unrolled)
  const all = points.flat()
  const xs = all.map(({ x }) => x)
  const ys = all.map(({ y }) => y)
  const [least, most] = [Math.min(...xs), Math.max(...xs)]
  return [0, SIDE, -SIDE].flatMap((by) => {
    const [west, east] = [least + by, most + by]
    if (by !== 0 && (east <= 0 || west >= SIDE)) return []
    const path = new Path2D()
    for (const ring of points) {
      ring.forEach(({ x, y }, n) => {
        if (n === 0) path.moveTo(x + by, y)
        else path.lineTo(x + by, y)
      })
    }
    return [{ path, west, east, north: Math.min(...ys), south: Math.max(...ys) }]
  })
}

/** Returns a ring without leaps from one side of the map to the other; one around the pole ends below the map. */
function unrolled(ring: Ring): Point[] {
  const points: Point[] = []
  for (const [longitude, latitude] of ring) {
    const { x, y } = pointOf(longitude!, latitude!)
    const before = points.at(-1)?.x ?? x
    points.push({ x: x + Math.round((before - x) / SIDE) * SIDE, y })
  }
  const [first, last] = [points[0]!, points.at(-1)!]
  if (Math.abs(last.x - first.x) < SIDE / 2 || ring[0]![0] !== ring.at(-1)![0]) return points
  return [...points, { x: last.x, y: SIDE + 1 }, { x: first.x, y: SIDE + 1 }]
}
