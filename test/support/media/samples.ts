import sharp from 'sharp'
import { randomNumbers } from '../file-rows.ts'
import { madeOnce } from '../run-folder.ts'
import { writePhoneHeic } from './phone-heic.ts'

/**
 * Returns the path of a made-up photograph, a JPEG that says nothing about itself: soft spots of colour with some grain.
 * Another number shows something that neither hash takes for the same.
 */
export function photograph(number: number, width = 1600, height = 1200): Promise<string> {
  return madeOnce('photo.jpg', ['spots', number, width, height], async (path) => {
    const random = randomNumbers(number * 7919 + 1)
    const [columns, rows] = [16, 12]
    const spots = Buffer.from(Array.from({ length: columns * rows * 3 }, () => random(256)))
    const grain = await sharp({
      create: {
        width,
        height,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 6 },
      },
    })
      .png()
      .toBuffer()
    await sharp(spots, { raw: { width: columns, height: rows, channels: 3 } })
      .resize(width, height, { fit: 'fill', kernel: 'cubic' })
      .composite([{ input: grain, blend: 'soft-light' }])
      .jpeg({ quality: 92 })
      .toFile(path)
  })
}

/**
 * Returns the paths of one photograph as cameras write it that were held in each of EXIF's eight orientations: all of
 * them show the same.
 */
export async function orientations(): Promise<string[]> {
  const upright = await photograph(0, 640, 480)
  return Promise.all(
    [1, 2, 3, 4, 5, 6, 7, 8].map((orientation) =>
      madeOnce('held.jpg', ['orientation', orientation], async (path) => {
        await turnedBack(upright, orientation)
          .withMetadata({ orientation })
          .jpeg({ quality: 92 })
          .toFile(path)
      }),
    ),
  )
}

/**
 * Returns a picture which the orientation makes upright again: TIFF 6.0, tag 274. sharp mirrors before it turns,
 * whichever is written first.
 */
function turnedBack(path: string, orientation: number) {
  const picture = sharp(path)
  switch (orientation) {
    case 2:
      return picture.flop()
    case 3:
      return picture.rotate(180)
    case 4:
      return picture.flip()
    case 5:
      return picture.flip().rotate(90)
    case 6:
      return picture.rotate(270)
    case 7:
      return picture.flop().rotate(90)
    case 8:
      return picture.rotate(90)
    default:
      return picture
  }
}

/**
 * Returns the path of a small HEIC of tiles, which a phone that was held upright calls its own, and that of the drawing
 * that it shows lying. It needs an ffmpeg with libx265.
 */
export async function smallHeic(bits: 8 | 10): Promise<{ path: string; drawing: string }> {
  const size = { width: 280, height: 200 }
  const drawing = await madeOnce('drawing.jpg', ['of a phone', size], async (path) => {
    const exif = { IFD0: { Model: 'A phone' } }
    const picture = sharp(await photograph(3, size.width, size.height)).withExif(exif)
    await picture.jpeg({ quality: 95 }).toFile(path)
  })
  const exif = (await sharp(drawing).metadata()).exif!
  const how = { ...size, tile: 64, bits, exif, turns: 1, thumbnail: 64 } as const
  const path = await madeOnce('tiles.heic', ['tiles', bits], (path) =>
    writePhoneHeic(path, drawing, how),
  )
  return { path, drawing }
}

/** Returns the path of a HEIC as a phone writes it that was held upright, 3024 x 4032. It needs an ffmpeg with libx265. */
export function phoneHeic(): Promise<string> {
  return madeOnce('phone.heic', 'held upright', async (path) => {
    const drawing = await photograph(0, 1008, 756)
    const dated = await sharp(drawing)
      .withExif({ IFD0: { Model: 'A phone' } })
      .jpeg()
      .toBuffer()
    const { exif } = await sharp(dated).metadata()
    const size = { width: 4032, height: 3024 }
    await writePhoneHeic(path, drawing, { ...size, tile: 512, bits: 8, exif: exif!, turns: 3 })
  })
}
