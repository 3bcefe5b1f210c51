import { access, constants, stat } from 'node:fs/promises'
import { onLine } from '../../base/child-process.ts'
import type { Allowed, Message, Signal } from '../decoder/messages.ts'
import type { Request } from '../decoder/request.ts'
import { type ChildOutcome, endOf } from '../outcome.ts'
import type { Tries } from '../walls/enclosure.ts'
import { findPrivate } from './blank/find.ts'
import { tryDoors } from './doors.ts'
import { readExif } from './exif.ts'
import { inTier } from './job-memory.ts'
import { measureSlowness, ownTime, programTime, timed } from './job-time.ts'
import { hashOrNull, lookAtPicture } from './look.ts'
import { lookAtThumbnail } from './luminances.ts'
import { makePicture, makeThumbnail } from './picture.ts'

// This process reads files that come from strangers. It gets its jobs line by line on standard input, answers on
// standard output, and ends when the input does, however the server ended.

const say = (message: Message | Signal) =>
  // The leading line break ends whatever a library may have printed.
  process.stdout.write(`\n${JSON.stringify({ ...message, cpu: ownTime(), rss: memory() })}\n`)

// Returns 0 when there is no open file to spare.
function memory(): number {
  try {
    return process.memoryUsage.rss()
  } catch {
    return 0
  }
}

/**
 * The code that reads videos takes as long to load as all the rest, and most files are pictures. A runtime remembers
 * that a module could not be loaded, for lack of open files for example, so another process has to try.
 */
function loadVideo(): Promise<typeof import('./film/video.ts')> {
  return import('./film/video.ts').catch((error) => {
    process.kill(process.pid, 'SIGKILL')
    throw error
  })
}

async function perform(
  request: Request,
  onWait: (isWaiting: boolean) => void,
): Promise<ChildOutcome<unknown>> {
  if (request.op === 'grey') return lookAtThumbnail(request.path, request.rotation)
  if (request.op === 'blank') {
    return { result: await findPrivate(request.path, request.mime_type) }
  }
  const video = request.mime_type.startsWith('video/') ? await loadVideo() : null
  switch (request.op) {
    case 'exif': {
      const { path, mime_type, ffmpeg, sidecars } = request
      if (!video) return { result: await readExif(path, mime_type, sidecars) }
      return { result: await video.readVideo(path, mime_type, ffmpeg, sidecars) }
    }
    case 'look':
      if (!video) return { result: await lookAtPicture(request.path, request.thumbnail) }
      return {
        result: {
          ...(await video.readVideo(request.path, request.mime_type, request.ffmpeg)),
          thumbhash: await hashOrNull(request.thumbnail),
        },
      }
    case 'thumbnail':
      return makeThumbnail(request, onWait)
    default:
      return makePicture(request.op, request, onWait)
  }
}

async function answer(asked: Request & Allowed & { id: number }): Promise<void> {
  const { id, spent, limit, tier, ...request } = asked
  try {
    await access(request.path, constants.R_OK)
    const { size: bytes } = await stat(request.path)
    const tell = (time: number) => say({ id, limit: time })
    await timed({ bytes, spent, limit }, tell, async () => {
      const wait = (waiting: boolean) => say({ id, waiting })
      const outcome = await inTier(tier, () => perform(request, wait))
      say({ id, ...outcome, programs: programTime() })
    })
  } catch (error) {
    say({ id, ...endOf(error) })
  }
}

// A terminal's Ctrl-C and a service manager's SIGTERM reach the child as well, but the server may still need it for
// the uploads that it finishes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.stdout.on('error', () => process.exit(0))
process.stdin.on('close', () => process.exit(0))
onLine(process.stdin, (line) => {
  const request = JSON.parse(line)
  if ('ping' in request) say({ pong: true })
  else void answer(request)
})
const tries: Tries | null = JSON.parse(process.argv[2] ?? 'null')
const opened = tries === null ? [] : await tryDoors(tries)
say({ ready: true, slowness: await measureSlowness(), opened })
