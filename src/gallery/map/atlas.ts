import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { pointOf } from './view.ts'

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
  return { land: areas.map(shapeOf), borders: coordinates.map((line) => shapeOf([line])) }
}

function shapeOf(rings: Ring[]): Shape {
  const path = new Path2D()
  const points = rings.map((ring) =>
    ring.map(([longitude, latitude]) => pointOf(longitude!, latitude!)),
  )
  const shape = { path, west: Infinity, east: -Infinity, north: Infinity, south: -Infinity }
  for (const ring of points) {
    for (const [n, { x, y }] of ring.entries()) {
      if (n === 0) path.moveTo(x, y)
      else path.lineTo(x, y)
      shape.west = Math.min(shape.west, x)
      shape.east = Math.max(shape.east, x)
      shape.north = Math.min(shape.north, y)
      shape.south = Math.max(shape.south, y)
    }
  }
  return shape
}
