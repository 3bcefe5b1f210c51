import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { xmpOf } from '../../support/media/embedded.ts'
import { writePhoneHeic } from '../../support/media/phone-heic.ts'
import { losslessOf, RAWS } from '../../support/media/raws.ts'
import { filmHeads, tellingPictures } from './heads.ts'

/** A file that is mutated. */
export interface Original {
  mime_type: string
  bytes: Buffer
  /** Whether it is only read what it says, without a picture. */
  isHead?: boolean
}

/** A film, and a HEIC, costs as much time as many other pictures. */
const STILLS_FOR_EACH_FILM = 12
const SIZE = '64x48'
/** What ffmpeg makes of its test picture, by the type that it is. */
const FILMS: [mime_type: string, name: string, ...codec: string[]][] = [
  ['video/mp4', 'h264.mp4', 'libx264'],
  ['video/mp4', 'fragmented.mp4', 'libx264', '-movflags', 'frag_keyframe+empty_moov'],
  ['video/quicktime', 'hevc.mov', 'libx265', '-tag:v', 'hvc1'],
  ['video/webm', 'vp9.webm', 'libvpx-vp9'],
  ['video/matroska', 'h264.mkv', 'libx264'],
  ['video/vnd.avi', 'mjpeg.avi', 'mjpeg'],
  ['video/mp2t', 'h264.ts', 'libx264'],
  ['video/3gpp', 'h263.3gp', 'h263', '-s', '176x144'],
]

/** Returns small files of the types that are taken, made in a folder. */
export async function makeOriginals(folder: string): Promise<Original[]> {
  const films = FILMS.map(([mime_type, name, ...codec]) => {
    const path = join(folder, name)
    const source = ['-f', 'lavfi', '-i', `testsrc=s=${SIZE}:d=0.3:r=10`]
    execFileSync('ffmpeg', ['-v', 'error', ...source, '-c:v', ...codec, path], { stdio: 'ignore' })
    return { mime_type, bytes: readFileSync(path) }
  })
  const stills = await pictures()
  const heic = { mime_type: 'image/heic', bytes: await phonePicture(folder, stills[0]!.bytes) }
  const quick = [...stills, ...filmHeads(folder)]
  return [...Array.from({ length: STILLS_FOR_EACH_FILM }, () => quick).flat(), ...films, heic]
}

async function phonePicture(folder: string, jpeg: Buffer): Promise<Buffer> {
  const [source, path] = [join(folder, 'photo.jpg'), join(folder, 'photo.heic')]
  writeFileSync(source, jpeg)
  const { exif } = await sharp(jpeg).metadata()
  const size = { width: 64, height: 48, tile: 32, thumbnail: 32 }
  await writePhoneHeic(path, source, { ...size, bits: 8, exif: exif! })
  return readFileSync(path)
}

async function pictures(): Promise<Original[]> {
  const width = 64
  const raw = { width, height: 48, channels: 3 } as const
  const pixels = Uint8Array.from({ length: width * 48 * 3 }, (_, n) => (n * n) >> 7)
  const noisy = () => sharp(pixels, { raw })
  const told = noisy().withExif({
    IFD0: { Make: 'Maker', Model: 'Model' },
    IFD2: { DateTimeOriginal: '2020:01:02 03:04:05' },
  })
  const frames = { raw: { ...raw, height: 48, pageHeight: 16 } } as const
  const moving = () => sharp(pixels, frames)
  const made: [mime_type: string, bytes: Promise<Buffer>][] = [
    ['image/jpeg', told.jpeg().toBuffer()],
    ['image/jpeg', noisy().jpeg({ progressive: true }).toBuffer()],
    ['image/png', noisy().withIccProfile('p3').png().toBuffer()],
    ['image/png', noisy().png({ progressive: true, palette: true }).toBuffer()],
    ['image/gif', moving().gif().toBuffer()],
    ['image/webp', moving().webp().toBuffer()],
    ['image/webp', noisy().webp({ lossless: true }).toBuffer()],
    ['image/tiff', noisy().tiff({ compression: 'lzw', predictor: 'horizontal' }).toBuffer()],
    ['image/tiff', noisy().tiff({ tile: true, tileWidth: 16, tileHeight: 16 }).toBuffer()],
    ['image/avif', noisy().avif().toBuffer()],
  ]
  const stills = made.map(async ([mime_type, bytes]) => ({ mime_type, bytes: await bytes }))
  const jpeg = await noisy().jpeg().toBuffer()
  const plain = {
    jpeg,
    png: await noisy().png().toBuffer(),
    webp: await noisy().webp().toBuffer(),
    gif: await noisy().gif().toBuffer(),
  }
  return [...(await Promise.all(stills)), ...(await raws(jpeg)), ...tellingPictures(plain)]
}

async function raws(large: Buffer): Promise<Original[]> {
  const small = await sharp(large).resize(16).jpeg().toBuffer()
  const xmp = xmpOf('DateTimeOriginal', '2025-03-29T20:14:32').toString()
  const pictures = { large, small, raw: losslessOf(large), orientation: 6, xmp }
  return Object.entries(RAWS).flatMap(([mime_type, make]) =>
    [true, false].map((isLittle) => ({ mime_type, bytes: make({ ...pictures, isLittle }) })),
  )
}
