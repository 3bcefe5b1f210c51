import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import sharp, { type Exif } from 'sharp'
import { madeOnce } from '../run-folder.ts'
import { orientations, photograph } from './samples.ts'
import { writeTiff } from './tiff.ts'

/** A picture as a camera writes it, and what of its EXIF is known. */
export interface CameraFile {
  path: string
  mime_type: string
  /** By the names of the standard, with latitude and longitude in degrees. */
  says: Record<string, unknown>
}

/** What cameras say in a JPEG: as sharp takes it, and as the standard names it. */
const CAMERAS: Record<string, { exif: Exif; says: Record<string, unknown> }> = {
  'camera.jpg': {
    exif: {
      IFD0: { Make: 'Maker', Model: 'One D', Software: 'Firmware 1.0.5' },
      IFD2: {
        DateTimeOriginal: '2008:05:30 15:56:01',
        DateTimeDigitized: '2008:05:30 15:56:02',
        SubSecTimeOriginal: '07',
        FNumber: '71/10',
        ExposureTime: '1/160',
        ISOSpeedRatings: '100',
        ExposureBiasValue: '-1/3',
        FocalLength: '135/1',
        Flash: '9',
        MeteringMode: '5',
        LensModel: '17-85 mm',
      },
    },
    says: {
      Make: 'Maker',
      Model: 'One D',
      Software: 'Firmware 1.0.5',
      DateTimeOriginal: '2008:05:30 15:56:01',
      DateTimeDigitized: '2008:05:30 15:56:02',
      SubSecTimeOriginal: '07',
      FNumber: 7.1,
      ExposureTime: 1 / 160,
      PhotographicSensitivity: 100,
      ExposureBiasValue: -1 / 3,
      FocalLength: 135,
      Flash: 9,
      MeteringMode: 5,
      LensModel: '17-85 mm',
    },
  },
  'phone.jpg': {
    exif: {
      IFD0: { Make: 'Phones', Model: 'Seven' },
      IFD2: { DateTimeOriginal: '2023:07:01 09:08:07', OffsetTimeOriginal: '-03:30' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '43/1 28/1 2814/1000',
        GPSLongitudeRef: 'E',
        GPSLongitude: '11/1 53/1 645599/100000',
        GPSDateStamp: '2008:10:23',
      },
    },
    says: {
      Make: 'Phones',
      Model: 'Seven',
      DateTimeOriginal: '2023:07:01 09:08:07',
      OffsetTimeOriginal: '-03:30',
      GPSLatitudeRef: 'N',
      GPSLatitude: [43, 28, 2.814],
      GPSLongitudeRef: 'E',
      GPSLongitude: [11, 53, 6.45599],
      GPSDateStamp: '2008:10:23',
      latitude: 43 + 28 / 60 + 2.814 / 3600,
      longitude: 11 + 53 / 60 + 6.45599 / 3600,
    },
  },
  'south.jpg': {
    exif: {
      IFD3: {
        GPSLatitudeRef: 'S',
        GPSLatitude: '33/1 30/1 0/1',
        GPSLongitudeRef: 'W',
        GPSLongitude: '70/1 15/1 36/1',
      },
    },
    says: { latitude: -33.5, longitude: -70.26 },
  },
  'silent.jpg': { exif: {}, says: {} },
}

/** Returns pictures of each kind that the EXIF is read of, some held sideways, some that say nothing. */
export async function cameraFiles(): Promise<CameraFile[]> {
  const drawing = await photograph(0, 640, 480)
  const jpegs = Object.entries(CAMERAS).map(async ([name, { exif, says }]) => {
    const path = await madeOnce(name, exif, async (path) => {
      await sharp(drawing).withExif(exif).jpeg().toFile(path)
    })
    return { path, mime_type: 'image/jpeg', says }
  })
  const held = (await orientations()).map((path, n) => {
    return { path, mime_type: 'image/jpeg', says: { Orientation: n + 1 } }
  })
  const { exif, says } = CAMERAS['camera.jpg']!
  const others = (['png', 'webp', 'avif'] as const).map(async (format) => {
    const path = await madeOnce(`camera.${format}`, exif, async (path) => {
      await sharp(drawing).resize(160).withExif(exif).toFormat(format).toFile(path)
    })
    return { path, mime_type: `image/${format}`, says }
  })
  return [...(await Promise.all([...jpegs, ...others])), ...held, ...(await tiffs())]
}

/** Returns TIFFs that hold nothing but what they say, in either byte order. */
async function tiffs(): Promise<CameraFile[]> {
  const says = { Make: 'Süd-Scan', Orientation: 6, DateTimeOriginal: '2011:07:08 09:10:11' }
  return Promise.all(
    [true, false].map(async (isLittle) => {
      const path = await madeOnce('scan.tiff', ['scan', isLittle], (path) =>
        writeTiff(
          path,
          {
            ifd0: [
              [256, 4, [1]],
              [257, 4, [1]],
              [271, 2, says.Make],
              [274, 3, [says.Orientation]],
            ],
            exif: [[36867, 2, says.DateTimeOriginal]],
          },
          { isLittle },
        ),
      )
      return { path, mime_type: 'image/tiff', says }
    }),
  )
}

/** Returns pictures of cameras that are cut off, or whose middle is overwritten. */
export async function brokenFiles(): Promise<{ cut: string; torn: string }> {
  const [{ path }] = (await cameraFiles()) as [CameraFile]
  const whole = await readFile(path)
  const written = (name: string, bytes: Uint8Array) =>
    madeOnce(name, ['broken', basename(path)], (to) => writeFile(to, bytes))
  const torn = Buffer.from(whole)
  torn.fill(0x5a, whole.length >> 1, (whole.length >> 1) + 2000)
  return {
    cut: await written('cut.jpg', whole.subarray(0, Math.floor(whole.length * 0.6))),
    torn: await written('torn.jpg', torn),
  }
}
