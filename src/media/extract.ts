import sharp from 'sharp'
import { takeFrame } from './ffmpeg.ts'
import { decodeHeic } from './heic.ts'

/** The file to make a picture of. */
export interface Content {
  path: string
  mime_type: string
  /** The program that takes frames from videos, if there is one. */
  ffmpeg: string | null
}

/** Seconds. */
const LATEST_FRAME = 10

/**
 * Returns what the picture decoder shall read: the file itself, or the picture that another program
 * gets out of it. `inTurn` does the heavy part when nothing else heavy is done. Throws when there is
 * no such picture.
 */
export async function extractPicture(
  { path, mime_type, ffmpeg }: Content,
  inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>,
): Promise<string | Buffer> {
  if (mime_type.startsWith('video/')) {
    if (ffmpeg === null) throw new Error('no ffmpeg for a video')
    return inTurn(async () => {
      const { readDuration } = await import('./video.ts')
      const tenth = ((await readDuration(path)) ?? LATEST_FRAME) / 10
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
