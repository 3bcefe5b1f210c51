import sharp from 'sharp'
import { corpusFiles } from '../../support/media/media.ts'
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

/**
 * Returns pictures of several shapes, five to a day, the newest first on 14 July 2018: cut out of
 * the photos of the corpus, or drawn when that isn't there or isn't wanted.
 */
export async function madeUpPictures(count: number, { isDrawn = false } = {}): Promise<MadeUp[]> {
  const photos = isDrawn ? [] : corpusFiles('photos').filter((path) => path.endsWith('.jpg'))
  return Promise.all(
    Array.from({ length: count }, async (_, place): Promise<MadeUp> => {
      const [width, height] = SHAPES[place % SHAPES.length]!
      const photo = photos[place % photos.length]
      const source = photo
        ? sharp(photo).autoOrient().resize(width, height, { position: 'attention' })
        : drawn(place, 2 * width, 2 * height)
      // A brighter one each time round, so that no two are the same.
      const round = photos.length > 0 ? Math.floor(place / photos.length) : 0
      const bytes = await source
        .modulate({ brightness: 1 + round / 20 })
        .jpeg()
        .toBuffer()
      const day = Date.UTC(2018, 6, 14, 16) - Math.floor(place / 5) * 86_400_000
      const taken = new Date(day - (place % 5) * 3_600_000).toISOString()
      return { name: `picture ${place + 1}.jpg`, bytes, taken }
    }),
  )
}
