import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { DerivativeState, Rotation } from '../../base/enums.ts'
import type { Log } from '../../base/log.ts'
import { type Clock, type Wait, within } from '../../base/time.ts'
import { ANIMATED_TYPES, isAnimated } from '../animation.ts'
import type { Edit } from '../blanked.ts'
import { withBoundedFile } from '../bounded-file.ts'
import type { Exif } from '../child/exif.ts'
import type { PictureSource } from '../child/extract.ts'
import type { Film } from '../child/film/video.ts'
import type { FinerHash } from '../child/finer-hash.ts'
import type { Look } from '../child/look.ts'
import type { EncodedShown } from '../child/luminances.ts'
import type { Hashed } from '../child/picture.ts'
import type { DerivativeKind } from '../data-folder.ts'
import { type JudgedDates, judgeDates, withMoment } from '../dates.ts'
import type { Description, Sidecar } from '../description.ts'
import type { Ffmpeg } from '../ffmpeg.ts'
import type { Outcome } from '../outcome.ts'
import { unlessAbsent } from '../unless-absent.ts'
import { createWalls, type WallsOptions, type WallsState } from '../walls/levels.ts'
import { durationOf, type Facts, factsOf } from './facts.ts'
import { noTime, type Places } from './jobs.ts'
import { type DecoderQueue, startQueue, type Waiter } from './queue.ts'
import type { Request } from './request.ts'
import { decoderVersion } from './version.ts'

/** How a content looks before its picture is there; what can't be found out is null. */
export interface Looks {
  /** Pixels as it is displayed. */
  width: number | null
  height: number | null
  /** Seconds. */
  duration: number | null
  thumbhash: Uint8Array | null
  /** Whether it is a picture of several frames. */
  is_animated: boolean | null
}

/** What is made from a content when it comes in. */
export interface Derivatives {
  exif: Exif['exif']
  /** What becomes of the content's dates, and behind them of the sidecars'. */
  dates: JudgedDates
  /** What people or their programs wrote in the content, or beside it; nothing when the system refused to read it. */
  description: Description
  /** A signed 64-bit integer in decimal. */
  phash: string | null
  /** Null where `phash` is null. */
  finer: FinerHash | null
  /** Null as long as the state is `pending`. */
  looks: Looks | null
  state: DerivativeState
  /** Whether a part of the picture is missing or broken, or all of it. */
  is_damaged: boolean
  decoder_version: string
}

/** What is made from a content within the time that its upload waits for it. */
export interface InTime {
  /** What the content says, with the state `pending`, when the rest was not in time. */
  derivatives: Derivatives
  /** Resolves with the rest; null when it was in time. */
  later: Promise<Derivatives> | null
}

/** What a thumbnail shows, for comparison with another one. */
export interface Shown {
  /** 64x64 luminances, row by row. */
  grey: Uint8Array
  /** As `phash` of a content. */
  phash: string
  finer: FinerHash
}

interface Input extends Waiter {
  path: string
  /** Whether the file has all bytes of its content, as by default; otherwise only a film gives a picture. */
  isWhole?: boolean
  mime_type: string
}

/** What describes the content beside it. */
interface WithSidecars {
  sidecars?: Sidecar[] | undefined
}

type DeriveInput = Input & WithSidecars & { thumbnailPath: string; thumbnail640Path?: string }

/** The child processes that decode pictures, as the server sees them. */
export interface Decoder {
  /**
   * Reads the EXIF, writes the thumbnail and returns what was found; the state is `pending` when either was refused. A
   * limit of time or memory that is hit counts as refused; on a second try, later, as failed. For a picture that is
   * slow to decode, also writes the larger thumbnail if that has a path. Throws what would stand in the way of any
   * content, such as a full disk.
   */
  derive(input: DeriveInput): Promise<Derivatives>
  /**
   * Does what `derive` does, but waits no longer than 10 s for the picture once the EXIF is read. Throws as `derive`
   * does; so does what comes later.
   */
  deriveInTime(input: DeriveInput): Promise<InTime>
  /**
   * Returns how a content looks by its head and, if it has one, its thumbnail, which is much less work than decoding
   * it. Returns null when the system refused; throws as `derive` does.
   */
  look(input: Input & { thumbnail: string | null }): Promise<Looks | null>
  /**
   * Returns what a content and its sidecars say of it, or null as `facts` when it can't be read. Returns null when the system
   * refused; throws as `derive` does.
   */
  read(input: Input & WithSidecars): Promise<{ facts: Facts | null } | null>
  /**
   * Returns what a thumbnail shows when it is turned, or null as `shown` when it can't be decoded. Returns null when the
   * system refused; throws as `derive` does, and the file system's error for a thumbnail that can't be read.
   */
  lookAtThumbnail(
    input: Omit<Input, 'mime_type'> & { rotation?: Rotation },
  ): Promise<{ shown: Shown | null } | null>
  /**
   * Returns what must go of a content before strangers get it (`child/blank/find.ts`), or null as `edits` when it isn't
   * understood to its end. Returns null when the system refused; throws as `derive` does.
   */
  blank(input: Input): Promise<{ edits: Edit[] | null } | null>
  /** Writes another derivative to a path and returns its state; throws as `derive` does. */
  picture(
    kind: Exclude<DerivativeKind, 'thumbnail'>,
    input: Input & { to: string },
  ): Promise<DerivativeState>
  /** Returns how far the children are shut off. */
  walls(): WallsState
  /** Returns how many jobs are under way or waiting. */
  jobs(): number
  /** Returns how many jobs wait without an upload that waits for them. */
  waitingPreviews(): number
  /**
   * Starts a child, which shows how far it can be shut off, and has that logged; the address is where the server
   * listens.
   */
  begin(server: { host: string; port: number }): void
  /** Changes whenever what can be decoded may have changed. */
  readonly version: string
  /** Ends the children; jobs under way are rejected. */
  close(): Promise<void>
}

// How long an upload waits for its picture, in milliseconds.
const PATIENCE = 10_000

interface DecoderOptions {
  log: Log
  /** Takes frames from videos, which have no picture without it. */
  ffmpeg?: Ffmpeg | null
  /** Processor time for all jobs of a file, a quarter of its clock time; by default what its size and pixels need. */
  timeLimit?: number
  /** How long a child that has work may give no sign of life. */
  silenceLimit?: number
  /** How long a child without work stays. */
  idleLimit?: number
  /** A child with more bytes of memory ends after its last job in flight. */
  idleMemory?: number
  places?: Places
  /** Where pictures are written until they are whole, on the file system of finished ones; by default beside them. */
  temporaryFolder?: string
  /** How the children are shut off; by default they only have none of the server's environment. */
  walls?: WallsOptions | undefined
  /** An IANA name: the zone of clocks that come without one; by default UTC. */
  timeZone?: string
  clock?: Clock
  /** How an upload's wait passes. */
  wait?: Wait
}

/** Returns the decoder; its children start with their first jobs. Limits are in milliseconds. */
export function startDecoder(options: DecoderOptions): Decoder {
  const { log, timeZone = 'UTC', clock = Date.now, ffmpeg = null } = options
  const version = decoderVersion(ffmpeg)
  // A child may start in another folder.
  const ffmpegPath = ffmpeg?.path.includes('/') ? resolve(ffmpeg.path) : (ffmpeg?.path ?? null)
  const walls = createWalls(options.walls, { log, ffmpeg: ffmpegPath })
  const queue = startQueue({ ...options, walls })
  const child: Child = {
    run: (request, waiter) => runLogged(queue, log, request, waiter),
    log,
    ffmpeg: ffmpegPath,
    temporaryFolder: options.temporaryFolder,
    version,
    judge({ dates, description: { date } }) {
      const here = { now: clock(), timeZone }
      return judgeDates(date?.isUtc ? withMoment(dates, date.clock, here) : dates, here)
    },
  }
  return {
    version,
    derive: async (input) => (await beginDeriving(child, input)).made,
    async deriveInTime(input) {
      const { facts, made } = await beginDeriving(child, input)
      const derivatives = await within(made, PATIENCE, options.wait)
      return derivatives ? { derivatives, later: null } : { derivatives: facts, later: made }
    },
    async look({ path, mime_type, thumbnail, ...waiter }) {
      const { ffmpeg } = child
      const outcome = await child.run({ op: 'look', path, mime_type, ffmpeg, thumbnail }, waiter)
      if ('refused' in outcome) return null
      const is_animated = await isMoving(path, mime_type)
      if ('failed' in outcome)
        return { ...looksOf({ size: null, thumbhash: null }, null), is_animated }
      const { exif = {}, ...look } = outcome.result as Look & Partial<Film>
      return { ...looksOf(look, durationOf(exif)), is_animated }
    },
    async read({ path, mime_type, sidecars, ...waiter }) {
      const { ffmpeg } = child
      const outcome = await child.run({ op: 'exif', path, mime_type, ffmpeg, sidecars }, waiter)
      if ('refused' in outcome) return null
      return { facts: 'failed' in outcome ? null : factsOf(outcome, log) }
    },
    async blank({ path, mime_type, ...waiter }) {
      const outcome = await child.run({ op: 'blank', path, mime_type }, waiter)
      if ('refused' in outcome) return null
      return { edits: 'failed' in outcome ? null : (outcome.result as Edit[] | null) }
    },
    async lookAtThumbnail({ path, rotation = 0, ...waiter }) {
      const outcome = await child.run({ op: 'grey', path, rotation }, waiter)
      if ('refused' in outcome) return null
      if ('failed' in outcome) return { shown: null }
      const { grey, ...hashes } = outcome.result as EncodedShown
      return { shown: { grey: Buffer.from(grey, 'base64'), ...hashes } }
    },
    picture: async (kind, { to, ...input }) =>
      stateOf(await makePicture(child, kind, input, { path: to })),
    begin(server) {
      if (walls.tell(server)) queue.begin()
    },
    walls: walls.state,
    jobs: queue.jobs,
    waitingPreviews: queue.waitingPreviews,
    close: queue.close,
  }
}

interface Child {
  run: DecoderQueue['run']
  log: Log
  ffmpeg: string | null
  temporaryFolder: string | undefined
  version: string
  judge: (facts: Pick<Facts, 'dates' | 'description'>) => JudgedDates
}

// Returns what a content says, once that is read, and a promise of that with its picture.
async function beginDeriving(
  child: Child,
  { thumbnailPath, thumbnail640Path, sidecars, ...waiter }: DeriveInput,
): Promise<{ facts: Derivatives; made: Promise<Derivatives> }> {
  const input = { ...waiter, time: noTime() }
  const { path, mime_type } = input
  const request = { op: 'exif', path, mime_type, ffmpeg: child.ffmpeg, sidecars } as const
  const read = await child.run(request, input)
  const { exif, dates, size, description } = factsOf(read, child.log)
  const duration = durationOf(exif)
  const facts: Derivatives = {
    exif,
    dates: child.judge({ dates, description }),
    description,
    phash: null,
    finer: null,
    looks: null,
    state: 'pending',
    is_damaged: false,
    decoder_version: child.version,
  }
  const source = { ...input, ...('result' in read && { duration }) }
  const to = { path: thumbnailPath, path640: thumbnail640Path }
  const picture = async (): Promise<Derivatives> => {
    const made = await makePicture(child, 'thumbnail', source, to)
    const state = 'refused' in read ? 'pending' : stateOf(made)
    const hashed = 'result' in made ? (made.result as Hashed) : null
    const look = { size: size ?? hashed?.size ?? null, thumbhash: hashed?.thumbhash ?? null }
    const is_animated = await isMoving(path, mime_type)
    const looks = state === 'pending' ? null : { ...looksOf(look, duration), is_animated }
    const is_damaged = state !== 'pending' && isDamaged(made, input)
    const { phash = null, finer = null } = hashed ?? {}
    return { ...facts, phash, finer, looks, state, is_damaged }
  }
  return { facts, made: picture() }
}

async function runLogged(
  queue: DecoderQueue,
  log: Log,
  request: Request,
  waiter: Waiter,
): Promise<Outcome> {
  const outcome = await queue.run(request, waiter)
  if (!('result' in outcome)) {
    const isRefused = 'refused' in outcome
    const reason = isRefused ? outcome.refused : outcome.failed
    log[isRefused ? 'warn' : 'info']('could not decode', { op: request.op, reason })
  }
  return outcome
}

// The child writes under a temporary name, which is removed here even when the child dies.
async function makePicture(
  { run, ffmpeg, temporaryFolder }: Child,
  op: DerivativeKind,
  input: Input & Pick<PictureSource, 'duration'>,
  to: { path: string; path640?: string | undefined },
): Promise<Outcome> {
  const { path, isWhole = true, mime_type, duration, ...waiter } = input
  if (!isWhole && !mime_type.startsWith('video/'))
    return { failed: 'it is too large to be seen through' }
  const name = `${basename(to.path)}.${randomBytes(6).toString('hex')}`
  const output = join(temporaryFolder ?? dirname(to.path), name)
  const output640 = to.path640 === undefined ? undefined : `${output}.640`
  try {
    const request = { op, output, output640, path, mime_type, ffmpeg, duration }
    const outcome = await run(request, waiter)
    if ('result' in outcome) {
      await rename(output, to.path)
      if (output640 !== undefined) await unlessAbsent(rename(output640, to.path640!))
    }
    return outcome
  } finally {
    for (const written of [output, output640]) if (written) await rm(written, { force: true })
  }
}

// Null where nobody knows.
async function isMoving(path: string, mime_type: string): Promise<boolean | null> {
  if (!ANIMATED_TYPES.includes(mime_type)) return false
  return withBoundedFile(path, (file) => isAnimated(file, mime_type)).catch(() => null)
}

function looksOf({ size, thumbhash }: Look, duration: number | null): Omit<Looks, 'is_animated'> {
  return {
    width: size?.width ?? null,
    height: size?.height ?? null,
    duration,
    thumbhash: thumbhash === null ? null : Buffer.from(thumbhash, 'base64'),
  }
}

// Why a picture that may be whole can't be decoded here.
const WHOLE =
  /pixel limit|too (many|much|large)|more than may be read|unsupported (codec|feature|jpeg process|tiff|essential)|not (configured|implemented)|can ?not handle|no embedded picture/i

// Of a video, and when a limit may be the reason, nobody can tell.
function isDamaged(made: Outcome, { mime_type, isSecondTry }: Input): boolean {
  if ('result' in made) return (made.result as Hashed).isDamaged
  if (!('failed' in made) || isSecondTry || !mime_type.startsWith('image/')) return false
  return !WHOLE.test(made.failed)
}

function stateOf(outcome: Outcome): DerivativeState {
  if ('result' in outcome) return 'made'
  return 'refused' in outcome ? 'pending' : 'failed'
}
