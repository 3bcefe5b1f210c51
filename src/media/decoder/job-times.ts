import type { Job } from './jobs.ts'

// Milliseconds of processor time for a file before the child has allowed more, and the most that it gets.
const FIRST_LIMIT = 20_000
const LONGEST = 600_000
// A machine is assumed to be at most this many times as slow as the one on which limits were chosen.
const SLOWEST = 10
// Clock time may be this many times as long: on a busy machine little of it is ours.
const WALL = 4

/** Counts the time of a child's jobs, and reports those that take too long. */
export interface JobTimes {
  /** Begins a job that is sent to the child. */
  begin(job: Job): void
  /** Stops counting clock time for a job, while it waits or for good. */
  stop(job: Job): void
  /** Resumes counting. */
  goOn(job: Job): void
  /** Sets how many milliseconds of processor time the file of a job may take in all, as the child reports. */
  allow(job: Job, limit: number): void
  /**
   * Notes the milliseconds of processor time that the child has taken, for all current jobs alike: the runtimes don't
   * say for which of them a thread has worked.
   */
  count(inFlight: Iterable<Job>, cpu: number): void
  /** Notes the factor by which the child takes longer than the machine where the limits were chosen. */
  measured(slowness: number): void
  /** Notes that the times that follow are those of another child. */
  newChild(): void
}

/**
 * Returns what bounds the time of a child's jobs, by `timeLimit` of the settings or what the child reports, and calls
 * `onLong` with each job that takes longer.
 */
export function boundTimes(timeLimit: number | undefined, onLong: (job: Job) => void): JobTimes {
  let slowness = 1
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
