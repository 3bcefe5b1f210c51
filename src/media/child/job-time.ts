import { AsyncLocalStorage } from 'node:async_hooks'
import sharp from 'sharp'

// How much processor time the child may spend on a job, and how much its programs have spent.

/** Milliseconds of processor time on the machine where the limits were measured, for any file. */
const ANY_FILE = 20_000
/** More of them for a MiB: the head of a film is found by reading through it. */
const MIB = 20
/**
 * More of them for a megapixel. Measured: all that is made of a HEIC takes 110 to 150 for each, twice that
 * on a busy machine, and what is made of other pictures 5 to 50.
 */
const MEGAPIXEL = 100
const MEGAPIXEL_OF_HEIC = 700

interface JobTime {
  /** What the file may take in all, and no more when it is fixed; what earlier jobs for it took. */
  limit: number
  isFixed: boolean
  spent: number
  /** What programs have taken for the job. */
  programs: number
  bytes: number
  pixels: { count: number; isHeic: boolean }
  tell: (limit: number) => void
}

const running = new AsyncLocalStorage<JobTime>()

/** How many times as long as where the limits were measured work takes here. */
let slowness = 1

/**
 * Runs a job for a file of which earlier jobs took `spent` milliseconds of processor time; without a
 * `limit` of the settings, `tell` hears each time what it may take in all.
 */
export function timed<Result>(
  { bytes, spent, limit }: { bytes: number; spent: number; limit: number | undefined },
  tell: (limit: number) => void,
  work: () => Promise<Result>,
): Promise<Result> {
  const pixels = { count: 0, isHeic: false }
  const isFixed = limit !== undefined
  const job = { limit: limit ?? 0, isFixed, spent, programs: 0, bytes, pixels, tell }
  return running.run(job, () => {
    allow(job)
    return work()
  })
}

/** Lets the job that is under way here take as long as a picture of so many pixels needs. */
export function allowPixels(count: number, isHeic = false): void {
  const job = running.getStore()
  if (!job || count <= job.pixels.count) return
  job.pixels = { count, isHeic: isHeic || job.pixels.isHeic }
  allow(job)
}

function allow(job: JobTime): void {
  if (job.isFixed) return
  const { bytes, pixels } = job
  const megapixels = (pixels.count / 1e6) * (pixels.isHeic ? MEGAPIXEL_OF_HEIC : MEGAPIXEL)
  job.limit = slowness * (ANY_FILE + (bytes / 2 ** 20) * MIB + megapixels)
  job.tell(job.limit)
}

/** Returns the seconds of processor time that are left to the job that is under way here. */
export function secondsLeft(): number {
  const job = running.getStore()
  if (!job) return ANY_FILE / 1000
  return Math.max(1, (job.limit - job.spent - job.programs) / 1000)
}

/** Counts the milliseconds of processor time of a program for the job that is under way here. */
export function countProgram(time: number): void {
  const job = running.getStore()
  if (job) job.programs += time
}

/** Returns what programs have taken for the job that is under way here. */
export function programTime(): number {
  return running.getStore()?.programs ?? 0
}

/** Returns the milliseconds of processor time that this process has taken, without its programs. */
export function ownTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The side of a square, in pixels, and how long it takes to shrink and compress it. */
const PROBE = { side: 2000, milliseconds: 17 }

/** Measures what this machine needs for a piece of work, and returns how many times as long that is. */
export async function measureSlowness(): Promise<number> {
  const { side, milliseconds } = PROBE
  const raw = { width: side, height: side, channels: 3 } as const
  const pixels = Buffer.alloc(side * side * 3)
  const before = ownTime()
  await sharp(pixels, { raw })
    .resize(side / 2)
    .jpeg()
    .toBuffer()
  slowness = Math.max(1, (ownTime() - before) / milliseconds)
  return slowness
}
