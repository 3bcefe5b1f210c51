import sharp from 'sharp'
import { takeFrame } from './frame.ts'
import { decodeHeic } from './heic.ts'

/** The file that a picture is made of. */
export interface PictureSource {
  path: string
  mime_type: string
  /** The program that takes frames from videos, if there is one. */
  ffmpeg: string | null
  /** Seconds of a video, null when its container does not tell; it is read here when it is not given. */
  duration?: number | null
}

/** Seconds. */
const LATEST_FRAME = 10

/**
 * Returns what the picture decoder shall read: the file itself, or the picture that another program
 * gets out of it. `inTurn` does the heavy part when nothing else heavy is done. Throws when there is
 * no such picture.
 */
export async function extractPicture(
  { path, mime_type, ffmpeg, duration: known }: PictureSource,
  inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>,
): Promise<string | Buffer> {
  if (mime_type.startsWith('video/')) {
    if (ffmpeg === null) throw new Error('no ffmpeg for a video')
    return inTurn(async () => {
      const duration = known === undefined ? await readDurationOf(path) : known
      const tenth = (duration ?? LATEST_FRAME) / 10
      return takeFrame(ffmpeg, path, Math.min(LATEST_FRAME, tenth))
    })
  }
  if (mime_type === 'image/heic' || mime_type === 'image/heif') {
    // AV1 in the same container is for sharp, whose build has no decoder for what phones write.
    const { compression } = await sharp(path)
      .metadata()
      .catch(() => ({ compression: undefined }))
    if (compression !== 'av1') return inTurn(() => decodeHeic(path))
  }
  return path
}

/** What reads containers is loaded with the first video. */
async function readDurationOf(path: string): Promise<number | null> {
  const { readDuration } = await import('./video.ts')
  return readDuration(path)
}
