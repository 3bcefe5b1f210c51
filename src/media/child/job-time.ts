import { AsyncLocalStorage } from 'node:async_hooks'
import sharp from 'sharp'

// How much processor time the child may spend on a job, and how much its programs have spent.

// Milliseconds of processor time on the machine where the limits were chosen, for any file.
const ANY_FILE = 20_000
// Additional milliseconds for a MiB: the head of a film is found by reading through it.
const MIB = 20
// Additional milliseconds for a megapixel. A HEIC is by far the slowest.
const MEGAPIXEL = 100
const MEGAPIXEL_OF_HEIC = 700

interface JobTime {
  /** What the file may take in all, and whether that is fixed; what earlier jobs for it took. */
  limit: number
  isFixed: boolean
  spent: number
  programs: number
  bytes: number
  pixels: { count: number; isHeic: boolean }
  tell: (limit: number) => void
}

const running = new AsyncLocalStorage<JobTime>()

// The factor by which work takes longer here than on the machine where the limits were chosen.
let slowness = 1

/**
 * Runs a job for a file on which earlier jobs spent `spent` milliseconds of processor time. Without a `limit` of the
 * settings, `tell` gets what the file may take in all whenever that changes.
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

/** Allows the current job as much time as a picture of this many pixels needs. */
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

/** Returns the seconds of processor time that the current job has left. */
export function secondsLeft(): number {
  const job = running.getStore()
  if (!job) return ANY_FILE / 1000
  return Math.max(1, (job.limit - job.spent - job.programs) / 1000)
}

/** Counts the milliseconds of processor time of a program for the current job. */
export function countProgram(time: number): void {
  const job = running.getStore()
  if (job) job.programs += time
}

/** Returns the milliseconds of processor time that programs have taken for the current job. */
export function programTime(): number {
  return running.getStore()?.programs ?? 0
}

/** Returns the milliseconds of processor time that this process has taken, without its programs. */
export function ownTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

// The side of a square, in pixels, and how long it takes to shrink and compress it where the limits were chosen.
const PROBE = { side: 2000, milliseconds: 17 }

/** Measures the factor by which work takes longer here than on the machine where the limits were chosen. */
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
