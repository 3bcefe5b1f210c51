import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Log } from '../context.ts'
import type { Request } from './decoder-process.ts'
import { type Outcome, startQueue } from './decoder-queue.ts'
import type { Exif } from './exif.ts'
import { type Ffmpeg, findFfmpeg } from './ffmpeg.ts'

/** What is made from a content when it comes in. */
export interface Derivatives extends Exif {
  /** A signed 64-bit integer in decimal. */
  phash: string | null
  state: 'made' | 'failed'
  decoder_version: string
}

/** The child process that decodes pictures, seen from the server. */
export interface Decoder {
  /**
   * Reads the EXIF, writes the thumbnail and returns what was found; a picture that can't be
   * decoded is `failed` and has no thumbnail. Throws only for what is not the picture's fault.
   */
  derive(input: { path: string; mime_type: string; thumbnailPath: string }): Promise<Derivatives>
  /** Writes the preview; returns false when the content can't be decoded. */
  preview(input: { path: string; mime_type: string; previewPath: string }): Promise<boolean>
  /** Changes when what can be decoded may have changed. */
  readonly version: string
  /** Ends the child; jobs under way are rejected. */
  close(): Promise<void>
}

/** Raised when our own code decodes something that it could not, or hashes in another way. */
const OUR_VERSION = 2

/** Returns the decoder; its child starts with the first job. Limits are in milliseconds. */
export function startDecoder(options: {
  log: Log
  /** The program that takes frames from videos; without one they have no picture. */
  ffmpegPath?: string | null
  /** For one job, from its start in the child. */
  timeLimit?: number
  /** Without a sign of life from a child that has work. */
  silenceLimit?: number
  /** Jobs in flight. */
  concurrency?: number
  /** For what is not whole yet, on the file system of the pictures; beside them without one. */
  temporaryFolder?: string
}): Decoder {
  const ffmpeg = options.ffmpegPath ? findFfmpeg(options.ffmpegPath) : null
  if (ffmpeg === null) {
    const path = options.ffmpegPath ?? null
    options.log.info('no ffmpeg: videos get a placeholder instead of a picture', { path })
  }
  const version = decoderVersion(ffmpeg)
  const queue = startQueue(options)
  const run = async (request: Request): Promise<Outcome> => {
    const outcome = await queue.run(request)
    if ('failed' in outcome) {
      options.log.info('could not decode', { op: request.op, reason: outcome.failed })
    }
    return outcome
  }
  /** The child writes to a name of the client's, so that nothing is left of it when it dies. */
  const make = async (op: 'thumbnail' | 'preview', path: string, mime_type: string, to: string) => {
    const name = `${basename(to)}.${randomBytes(6).toString('hex')}`
    const output = join(options.temporaryFolder ?? dirname(to), name)
    try {
      const outcome = await run({ op, path, mime_type, output, ffmpeg: ffmpeg?.path ?? null })
      if ('result' in outcome) await rename(output, to)
      return outcome
    } finally {
      await rm(output, { force: true })
    }
  }
  return {
    version,
    async derive({ path, mime_type, thumbnailPath }) {
      const read = await run({ op: 'exif', path, mime_type })
      const made = await make('thumbnail', path, mime_type, thumbnailPath)
      const tags = 'result' in read ? (read.result as Exif) : { exif: {}, content_datetime: null }
      return {
        ...tags,
        phash: 'result' in made ? (made.result as { phash: string }).phash : null,
        state: 'result' in made ? 'made' : 'failed',
        decoder_version: version,
      }
    },
    async preview({ path, mime_type, previewPath }) {
      return 'result' in (await make('preview', path, mime_type, previewPath))
    },
    close: queue.close,
  }
}

/** The versions of libvips and its codecs follow from sharp's, which pins its binaries. */
function decoderVersion(ffmpeg: Ffmpeg | null): string {
  const require = createRequire(import.meta.url)
  const entry = pathToFileURL(require.resolve('sharp'))
  const sharp = readJson(fileURLToPath(new URL('../package.json', entry)))
  const libheif = readJson(require.resolve('libheif-js/package.json'))
  const parts = [OUR_VERSION, 'sharp', sharp.version, 'libheif', libheif.version]
  return [...parts, 'ffmpeg', ffmpeg?.version ?? 'none'].join('-')
}

function readJson(path: string): { version: string } {
  return JSON.parse(readFileSync(path, 'utf8'))
}
