import type { Job } from './jobs.ts'

/** Milliseconds of processor time for a file before the child has told more, and the most that it gets. */
const FIRST_LIMIT = 20_000
const LONGEST = 600_000
/** A machine takes at most as many times as long as the one on which these were measured. */
const SLOWEST = 10
/** As many times as much may pass on the clock: on a busy machine little of it is ours. */
const WALL = 4

/** Counts the time of a child's jobs, and tells of those that take too long. */
export interface JobTimes {
  /** Begins a job that is sent to the child. */
  begin(job: Job): void
  /** Lets no clock time count for a job, as long as it waits, or for good. */
  stop(job: Job): void
  /** Lets it count again. */
  goOn(job: Job): void
  /** Lets the file of a job take so many milliseconds of processor time in all, as the child tells. */
  allow(job: Job, limit: number): void
  /**
   * Notes the milliseconds of processor time that the child has taken, for all jobs alike that are under way: the
   * runtimes don't tell for which of them a thread has worked.
   */
  count(inFlight: Iterable<Job>, cpu: number): void
  /** Notes how many times as long as where limits were measured the child needs. */
  measured(slowness: number): void
  /** Notes that another child begins to take time. */
  newChild(): void
}

/**
 * Returns what bounds the time of a child's jobs, by `timeLimit` of the settings or what the child tells, and
 * calls `onLong` with each that takes longer.
 */
export function boundTimes(timeLimit: number | undefined, onLong: (job: Job) => void): JobTimes {
  let slowness = 1
  /** What the child has taken, as far as is known. */
  let taken = 0

  const stop = (job: Job) => {
    if (job.timer === undefined) return
    clearTimeout(job.timer)
    job.timer = undefined
    job.time.wall += performance.now() - job.timedSince
  }
  const goOn = (job: Job) => {
    stop(job)
    const { limit, wall } = job.time
    job.timedSince = performance.now()
    job.timer = setTimeout(() => onLong(job), WALL * limit - wall)
  }
  return {
    begin(job) {
      const { time } = job
      job.before = { cpu: time.cpu, wall: time.wall }
      time.limit = timeLimit ?? Math.max(time.limit, FIRST_LIMIT * slowness)
      goOn(job)
    },
    stop,
    goOn,
    allow(job, limit) {
      const { time } = job
      const allowed = Math.min(limit, LONGEST * slowness)
      if (timeLimit !== undefined || allowed <= time.limit) return
      time.limit = allowed
      if (job.timer !== undefined) goOn(job)
    },
    count(inFlight, cpu) {
      const jobs = [...inFlight].filter(({ timer }) => timer !== undefined)
      const share = (cpu - taken) / jobs.length
      taken = cpu
      for (const job of jobs) {
        job.time.cpu += share
        if (job.time.cpu > job.time.limit) onLong(job)
      }
    },
    measured(found) {
      slowness = Math.min(Math.max(found, 1), SLOWEST)
    },
    newChild() {
      taken = 0
    },
  }
}
