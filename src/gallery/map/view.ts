import type { Point, Size, View } from '../viewer/zoom.ts'
import type { Box } from './cells.ts'

/** The side of the square world at scale 1, in pixels; its points are those of Web Mercator. */
export const SIDE = 256
/** North and south of this, the square ends. */
const STEEPEST = 85.0511287798
/** The most pixels for one of the square's: the smallest cells are then a finger wide. */
export const LARGEST = 2 ** 17
const RADIANS = Math.PI / 180

/** Returns where a position is in the square. */
export function pointOf(longitude: number, latitude: number): Point {
  const kept = Math.min(STEEPEST, Math.max(-STEEPEST, latitude)) * RADIANS
  return {
    x: ((longitude + 180) / 360) * SIDE,
    y: (0.5 - Math.asinh(Math.tan(kept)) / (2 * Math.PI)) * SIDE,
  }
}

function latitudeOf(y: number): number {
  return Math.atan(Math.sinh((0.5 - y / SIDE) * 2 * Math.PI)) / RADIANS
}

/** Returns the area that is in sight. */
export function sightOf({ x, y, scale }: View, { width, height }: Size): Box {
  const longitude = (pixel: number) => ((pixel - x) / scale / SIDE) * 360 - 180
  const latitude = (pixel: number) => latitudeOf((pixel - y) / scale)
  return {
    west: Math.max(-180, longitude(0)),
    south: y + SIDE * scale <= height ? -90 : latitude(height),
    east: Math.min(180, longitude(width)),
    north: y >= 0 ? 90 : latitude(0),
  }
}

/** Returns the view nearest to the given one that shows nothing beside the world, unless all of it is narrower. */
export function bounded(view: View, stage: Size): View {
  const scale = Math.min(LARGEST, Math.max(stage.width / SIDE, view.scale))
  const within = (at: number, room: number) => {
    const length = SIDE * scale
    return length <= room ? (room - length) / 2 : Math.min(0, Math.max(room - length, at))
  }
  const factor = scale / view.scale
  const centre = { x: stage.width / 2, y: stage.height / 2 }
  return {
    scale,
    x: within(centre.x - (centre.x - view.x) * factor, stage.width),
    y: within(centre.y - (centre.y - view.y) * factor, stage.height),
  }
}

/** Returns the view that shows an area as large as the stage allows, up to `largest`. */
export function viewOf({ west, south, east, north }: Box, stage: Size, largest = LARGEST): View {
  const [from, to] = [pointOf(west, north), pointOf(east, south)]
  const margin = Math.min(96, stage.width / 6, stage.height / 6)
  const scale = Math.min(
    largest,
    (stage.width - 2 * margin) / Math.max(to.x - from.x, 1e-9),
    (stage.height - 2 * margin) / Math.max(to.y - from.y, 1e-9),
  )
  return bounded(
    {
      scale,
      x: stage.width / 2 - ((from.x + to.x) / 2) * scale,
      y: stage.height / 2 - ((from.y + to.y) / 2) * scale,
    },
    stage,
  )
}
