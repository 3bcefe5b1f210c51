import sharp from 'sharp'
import { withBoundedFile } from '../bounded-file.ts'
import { failureOf } from '../outcome.ts'
import { boundedPicture } from './bounded-picture.ts'
import { type Colours, readColours } from './colours.ts'
import { hasTooManyBoxes } from './film/heads.ts'
import { type Frame, takeFrame } from './frame.ts'
import { decodeHeic, HELD_OF_HEIC, MAX_HEIC_PIXELS } from './heic.ts'
import { allowMemory } from './job-memory.ts'
import { allowPixels, programTime, secondsLeft } from './job-time.ts'

/** The file from which a picture is made. */
export interface PictureSource {
  path: string
  mime_type: string
  /** The program that takes frames from videos, or null when there is none. */
  ffmpeg: string | null
  /** A video's length in seconds, or null when its container doesn't say; when absent, it is read. */
  duration?: number | null
}

/** What the picture decoder should read: the file itself, or the picture that another program takes out of it. */
interface Extracted {
  content: string | Buffer
  /** Null when they need no conversion. */
  colours: Colours | null
}

// In seconds.
const LATEST_FRAME = 10
// Where else is looked when that frame shows nothing, as shares of the length.
const ELSEWHERE = [0.03, 0.1, 0.25, 0.5]
// A small picture of nearly one colour has a standard deviation below this in each channel.
const PLAIN = { side: 32, deviation: 10 }

/**
 * Returns what the picture decoder should read. `inTurn` runs the heavy part while nothing else heavy runs. Throws when
 * there is no such picture.
 */
export async function extractPicture(
  { path, mime_type, ffmpeg, duration: known }: PictureSource,
  inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>,
): Promise<Extracted> {
  if (mime_type.startsWith('video/')) {
    if (ffmpeg === null) throw new Error('there is no ffmpeg for videos')
    return inTurn(async () => {
      if (await isTooMuch(path)) throw new Error('has too many boxes')
      const duration = known === undefined ? await readDurationOf(path) : known
      return takeShowing(ffmpeg, path, duration)
    })
  }
  const colours = await readColours(path, mime_type)
  if (mime_type === 'image/heic' || mime_type === 'image/heif') {
    // AV1 in the same container is left to sharp, whose build has no decoder for what phones write.
    const { compression, width, height } = await sharp(path)
      .metadata()
      .catch(() => ({ compression: undefined, width: MAX_HEIC_PIXELS, height: 1 }))
    allowPixels(width * height, compression !== 'av1')
    if (compression !== 'av1') {
      const pixels = Math.min(width * height, MAX_HEIC_PIXELS)
      allowMemory(pixels * HELD_OF_HEIC)
      const content = await inTurn(() => decodeHeic(path, pixels))
      return { content, colours }
    }
  }
  if (mime_type === 'image/jxl' && !sharp.format.jxl?.input.file) {
    throw new Error('JPEG XL is not implemented')
  }
  return { content: await boundedPicture(path, mime_type), colours }
}

// Returns a frame that shows something, or the first choice when none does, or looking further takes too long.
async function takeShowing(ffmpeg: string, path: string, duration: number | null): Promise<Frame> {
  const second = Math.min(LATEST_FRAME, (duration ?? LATEST_FRAME) / 10)
  const first = await takeFrame(ffmpeg, path, second)
  if (duration === null || !(await isPlain(first))) return first
  const taken = programTime() / 1000
  for (const at of ELSEWHERE.map((share) => share * duration)) {
    if (secondsLeft() < 2 * taken) break
    if (at === second) continue
    try {
      const frame = await takeFrame(ffmpeg, path, at)
      if (!(await isPlain(frame))) return frame
    } catch (error) {
      if ('refused' in failureOf(error)) throw error
      break
    }
  }
  return first
}

async function isPlain({ content }: Frame): Promise<boolean> {
  const small = await sharp(content)
    .resize(PLAIN.side, PLAIN.side, { fit: 'fill' })
    .toColourspace('srgb')
    .png()
    .toBuffer()
  const { channels } = await sharp(small).stats()
  return channels.every(({ stdev }) => stdev < PLAIN.deviation)
}

// Every track costs ffmpeg time and memory.
async function isTooMuch(path: string): Promise<boolean> {
  return withBoundedFile(path, hasTooManyBoxes)
}

// The code that reads containers is only loaded with the first video.
async function readDurationOf(path: string): Promise<number | null> {
  const { readDuration } = await import('./film/video.ts')
  return readDuration(path)
}
