import type { CellRow } from './cell-queries.ts'

/** Pictures this near to each other, in milliseconds, are one series. */
const NEAR = 2000

type Taken = Pick<CellRow, 'rid' | 'time' | 'isFilm'>

/**
 * Returns for each of the files, which are in the order of their times, the second of the first file of its series;
 * null for a file that is in none. A series is pictures that follow one another within two seconds and name the same
 * camera. `camerasOf` returns the cameras of files by row number, and is called with those of near neighbours alone.
 */
export function seriesOf(
  files: readonly Taken[],
  camerasOf: (rids: number[]) => ReadonlyMap<number, string>,
): (number | null)[] {
  const isNear = files.map((file, at) => {
    const before = files[at - 1]
    if (!before || file.isFilm === 1 || before.isFilm === 1) return false
    return Math.abs(file.time - before.time) <= NEAR
  })
  const near = files.filter((_, at) => isNear[at] || isNear[at + 1])
  const cameras = near.length === 0 ? new Map() : camerasOf(near.map(({ rid }) => rid))
  const follows = files.map((file, at) => {
    const camera = cameras.get(file.rid)
    return isNear[at] && camera !== undefined && camera === cameras.get(files[at - 1]!.rid)
  })
  let first: number | null = null
  return files.map((file, at) => {
    if (!follows[at]) first = follows[at + 1] ? Math.floor(file.time / 1000) : null
    return first
  })
}
