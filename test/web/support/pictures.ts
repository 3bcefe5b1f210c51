import { readFile } from 'node:fs/promises'
import { madeOnce } from '../../support/run-folder.ts'
import { drawn } from './drawn.ts'

/** A picture that was made up for a test. */
export interface MadeUp {
  name: string
  bytes: Uint8Array
  /** RFC 3339. */
  taken: string
}

const SHAPES = [
  [480, 360],
  [360, 480],
  [480, 320],
  [720, 300],
] as const

/** Returns drawn pictures of several shapes, five to a day, the newest first on 14 July 2018. */
export function madeUpPictures(count: number): Promise<MadeUp[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, place): Promise<MadeUp> => {
      const [width, height] = SHAPES[place % SHAPES.length]!
      const path = await madeOnce('picture.jpg', ['landscape', place, width, height], (to) =>
        drawn(place, 2 * width, 2 * height)
          .jpeg()
          .toFile(to)
          .then(() => {}),
      )
      const day = Date.UTC(2018, 6, 14, 16) - Math.floor(place / 5) * 86_400_000
      const taken = new Date(day - (place % 5) * 3_600_000).toISOString()
      return { name: `picture ${place + 1}.jpg`, bytes: await readFile(path), taken }
    }),
  )
}
