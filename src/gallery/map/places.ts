import type { Schemas } from '../../client/index.ts'
import type { Point, Size, View } from '../viewer/zoom.ts'
import { boxOf } from './cells.ts'
import { pointOf } from './view.ts'

/** Files that were taken near each other, as one thing on the map. */
export interface Place extends Point {
  /** The cells of its files, the one with most files first. */
  cells: string[]
  count: number
  /** The id and version of a file in the first of these cells. */
  file: { id: string; version: string }
  town: string | null
}

/** The most that are shown at once, and the pixels between two of them. */
const MOST = 100
const APART = 52

/**
 * Returns what is in sight, cells that are near each other in the view as one, those with most files first. A place is at
 * the centre of its files, by the stage's pixels.
 */
export function placesOf(map: Schemas['FileMap'], { x, y, scale }: View, stage: Size): Place[] {
  const found = map.cells
    .map((cell, n) => {
      const { west, south, east, north } = boxOf(cell)
      const at = pointOf((west + east) / 2, (south + north) / 2)
      return { cell, n, count: map.counts[n]!, x: at.x * scale + x, y: at.y * scale + y }
    })
    .filter((one) => one.x >= 0 && one.y >= 0 && one.x <= stage.width && one.y <= stage.height)
    .sort((a, b) => b.count - a.count || a.n - b.n)
  for (let apart = APART; ; apart *= 1.25) {
    const places: Place[] = []
    for (const { cell, n, count, ...at } of found) {
      const near = places.find((place) => Math.hypot(place.x - at.x, place.y - at.y) < apart)
      if (near) {
        const share = count / (near.count + count)
        near.x += (at.x - near.x) * share
        near.y += (at.y - near.y) * share
        near.count += count
        near.cells.push(cell)
        continue
      }
      const file = { id: map.ids[n]!, version: map.v[n]! }
      places.push({ cells: [cell], count, file, town: map.towns[n]!, ...at })
    }
    if (places.length <= MOST) return places
  }
}
