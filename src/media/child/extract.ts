import sharp from 'sharp'
import { withBoundedFile } from '../bounded-file.ts'
import { boundedPicture } from './bounded-picture.ts'
import { hasTooManyBoxes } from './film/heads.ts'
import { takeFrame } from './frame.ts'
import { decodeHeic, HELD_OF_HEIC, MAX_HEIC_PIXELS } from './heic.ts'
import { allowMemory } from './job-memory.ts'
import { allowPixels } from './job-time.ts'

/** The file from which a picture is made. */
export interface PictureSource {
  path: string
  mime_type: string
  /** The program that takes frames from videos, or null when there is none. */
  ffmpeg: string | null
  /** A video's length in seconds, or null when its container doesn't say; when absent, it is read. */
  duration?: number | null
}

// In seconds.
const LATEST_FRAME = 10

/**
 * Returns what the picture decoder should read: the file itself, or the picture that another program takes out of it.
 * `inTurn` runs the heavy part while nothing else heavy runs. Throws when there is no such picture.
 */
export async function extractPicture(
  { path, mime_type, ffmpeg, duration: known }: PictureSource,
  inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>,
): Promise<string | Buffer> {
  if (mime_type.startsWith('video/')) {
    if (ffmpeg === null) throw new Error('there is no ffmpeg for videos')
    return inTurn(async () => {
      if (await isTooMuch(path)) throw new Error('has too many boxes')
      const duration = known === undefined ? await readDurationOf(path) : known
      const tenth = (duration ?? LATEST_FRAME) / 10
      return takeFrame(ffmpeg, path, Math.min(LATEST_FRAME, tenth))
    })
  }
  if (mime_type === 'image/heic' || mime_type === 'image/heif') {
    // AV1 in the same container is left to sharp, whose build has no decoder for what phones write.
    const { compression, width, height } = await sharp(path)
      .metadata()
      .catch(() => ({ compression: undefined, width: MAX_HEIC_PIXELS, height: 1 }))
    allowPixels(width * height, compression !== 'av1')
    if (compression !== 'av1') {
      const pixels = Math.min(width * height, MAX_HEIC_PIXELS)
      allowMemory(pixels * HELD_OF_HEIC)
      return inTurn(() => decodeHeic(path, pixels))
    }
  }
  return boundedPicture(path, mime_type)
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
