import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { writePhoneHeic } from '../../support/media/phone-heic.ts'
import { runFfmpeg, sourceOf, writeLong } from './films.ts'

/** A file as cameras and programs for their pictures write it, and what the server is to tell of it. */
export interface Sample {
  name: string
  /** Writes it from a photograph of a camera, in a folder for what is needed on the way. */
  write(path: string, photo: string, folder: string): Promise<void> | void
  width: number
  height: number
  /** Seconds. */
  duration?: number
  /** Whether its EXIF is that of the photograph. */
  hasExif?: boolean
  /** Whether the page gets all of its pixels as a JPEG. */
  hasFull?: boolean
}

const FILM = { width: 640, height: 360 }
const SMALL = { width: 320, height: 240 }
const HOUR = 3600

const FILMS: Sample[] = [
  film('hour.mp4', HOUR, '-movflags', 'frag_keyframe+empty_moov+default_base_moof'),
  // As a recording is that was not ended: how long it is stands nowhere but in all of its fragments.
  untold(
    'hour-cut.mp4',
    HOUR,
    '-movflags',
    'frag_keyframe+empty_moov+default_base_moof+skip_trailer',
  ),
  film('hour-fine.mp4', HOUR, '-movflags', 'empty_moov', '-frag_duration', '100000'),
  film('two-hours.mkv', 2 * HOUR),
  untold('two-hours-live.mkv', 2 * HOUR, '-live', '1', '-cluster_time_limit', '1000'),
  film('hour.mov', HOUR),
  film('hour.mts', HOUR, '-mpegts_m2ts_mode', '1', '-f', 'mpegts'),
  film('hour.avi', HOUR),
  {
    name: '8k.mp4',
    ...{ width: 7680, height: 4320, duration: 1 },
    write: (path) => {
      const codec = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none']
      const how = ['-pix_fmt', 'yuv420p10le', '-tag:v', 'hvc1']
      runFfmpeg(...sourceOf('7680x4320', 1, 8), ...codec, ...how, path)
    },
  },
]

const ANIMATIONS: Sample[] = [
  animation('frames.gif', 3000),
  animation('frames.webp', 500, '-c:v', 'libwebp_anim', '-loop', '0'),
  animation('frames.png', 500, '-f', 'apng', '-plays', '0'),
  animation('sequence.avif', 20, '-c:v', 'libaom-av1', '-cpu-used', '8', '-f', 'avif'),
  {
    name: 'sequence.heics',
    ...SMALL,
    async write(path, _, folder) {
      const x265 = ['-x265-params', 'log-level=none:bframes=0']
      const codec = ['-c:v', 'libx265', ...x265, '-pix_fmt', 'yuv420p']
      const written = `${folder}/sequence.mp4`
      runFfmpeg(...sourceOf('320x240', 2), ...codec, '-brand', 'hevc', '-tag:v', 'hvc1', written)
      // A sequence is a film whose track has pictures.
      const bytes = await readFile(written)
      bytes.write('pict', bytes.indexOf('vide'), 'latin1')
      await writeFile(path, bytes)
    },
  },
]

const PICTURES: Sample[] = [
  heic('16-megapixels.heic', { width: 4608, height: 3456, bits: 8 }),
  heic('48-megapixels.heic', { width: 8064, height: 6048, bits: 8 }),
  heic('48-megapixels-deep.heic', { width: 8064, height: 6048, bits: 10 }),
  // One picture that isn't cut into tiles.
  heic('48-megapixels-whole.heic', { width: 8064, height: 6048, bits: 8, tile: 8064 }),
  still('108-megapixels.jpg', { width: 12_000, height: 9000 }, (picture) => picture.jpeg()),
  still('108-megapixels-progressive.jpg', { width: 12_000, height: 9000 }, (picture) =>
    picture.jpeg({ progressive: true }),
  ),
  still('200-megapixels.jpg', { width: 16_320, height: 12_240 }, (picture) => picture.jpeg()),
  still('200-megapixels-progressive.jpg', { width: 16_320, height: 12_240 }, (picture) =>
    picture.jpeg({ progressive: true }),
  ),
  still('100-megapixels-deep.tif', { width: 11_520, height: 8640 }, (picture) =>
    picture.toColourspace('rgb16').tiff({ compression: 'none' }),
  ),
  still('50-megapixels-deep.png', { width: 8192, height: 6144 }, (picture) =>
    picture.toColourspace('rgb16').png({ compressionLevel: 1 }),
  ),
]

/** All of them. */
export const SAMPLES = [...FILMS, ...ANIMATIONS, ...PICTURES]

function film(name: string, duration: number, ...options: string[]): Sample {
  const write = (path: string, _: string, folder: string) =>
    writeLong(path, duration, extname(path) === '.avi' ? 'mpeg4' : 'libx264', folder, options)
  return { name, ...FILM, duration, write }
}

/** A film that tells its length nowhere but in all of its pieces, which may be too many. */
function untold(...args: Parameters<typeof film>): Sample {
  const { duration, ...sample } = film(...args)
  return sample
}

function animation(name: string, frames: number, ...options: string[]): Sample {
  const write = (path: string) =>
    runFfmpeg(...sourceOf('320x240', frames / 10), ...options, '-pix_fmt', pixels(name), path)
  return { name, ...SMALL, write }
}

function pixels(name: string): string {
  return { '.gif': 'rgb8', '.png': 'rgb24' }[extname(name)] ?? 'yuv420p'
}

interface PhonePicture {
  width: number
  height: number
  bits: 8 | 10
  tile?: number
}

function heic(name: string, { width, height, bits, tile = 512 }: PhonePicture): Sample {
  return {
    name,
    ...{ width: height, height: width, hasExif: true, hasFull: true },
    async write(path, photo, folder) {
      const noisy = `${folder}/noisy-${width}.jpg`
      const filter = `scale=${width}:${height},noise=alls=8:allf=u`
      runFfmpeg('-i', photo, '-vf', filter, '-q:v', '2', noisy)
      const { exif } = await sharp(photo).metadata()
      await writePhoneHeic(path, noisy, { width, height, tile, bits, exif: exif!, turns: 3 })
    },
  }
}

type Size = Pick<Sample, 'width' | 'height'>

function still(name: string, size: Size, encode: (picture: Sharp) => Sharp): Sample {
  return {
    name,
    ...size,
    ...{ hasExif: true, hasFull: extname(name) === '.tif' },
    async write(path, photo) {
      const picture = sharp(photo)
        .resize({ ...size, fit: 'fill' })
        .keepExif()
      await encode(picture).toFile(path)
      // sharp writes none into a TIFF.
      const copy = ['-q', '-overwrite_original', '-tagsfromfile', photo, '-exif:all', path]
      if (extname(name) === '.tif') execFileSync('exiftool', copy)
    },
  }
}
