import type { Outcome } from '../outcome.ts'
import type { Request } from './process.ts'

/** Something that the child is asked for, and how its outcome is passed on. */
export interface Job {
  id: number
  request: Request
  isSecondTry: boolean
  /** Set when the job was in flight while a child died: it is tried once more, alone. */
  isSuspect: boolean
  timer: NodeJS.Timeout | undefined
  resolve: (outcome: Outcome) => void
  reject: (error: Error) => void
}

/** The jobs that wait for the child. */
export interface WaitingJobs {
  add(job: Job): void
  /** Returns the next job for a child with these in flight, or undefined when it gets none now. */
  take(inFlight: Job[]): Job | undefined
  /** Returns all jobs, which then no longer wait. */
  takeAll(): Job[]
  count(): number
  /** Returns how many of them nobody's upload waits for. */
  previews(): number
}

/** What an upload waits for. */
const FOR_UPLOADS = new Set<Request['op']>(['exif', 'thumbnail'])

/** After this many other jobs it is a preview's turn. */
const PATIENCE = 8

/**
 * Returns the waiting jobs, at first none. Up to `concurrency` jobs are in flight at once, but a
 * suspect is alone. Previews and whatever else no upload needs wait while there is something that one may
 * need, but not for ever.
 */
export function createWaitingJobs(concurrency: number): WaitingJobs {
  const suspects: Job[] = []
  const previews: Job[] = []
  const others: Job[] = []
  let passedOver = 0

  const takeNext = () => {
    const isPreviewsTurn = others.length === 0 || passedOver >= PATIENCE
    if (previews.length === 0 || isPreviewsTurn) passedOver = 0
    else passedOver++
    return (isPreviewsTurn && previews.shift()) || others.shift()
  }
  return {
    add(job) {
      if (job.isSuspect) suspects.push(job)
      else if (FOR_UPLOADS.has(job.request.op)) others.push(job)
      else previews.push(job)
    },
    take(inFlight) {
      if (suspects.length > 0) return inFlight.length === 0 ? suspects.shift() : undefined
      const isFull = inFlight.length >= concurrency || inFlight.some((job) => job.isSuspect)
      return isFull ? undefined : takeNext()
    },
    takeAll: () => [suspects, others, previews].flatMap((jobs) => jobs.splice(0)),
    count: () => suspects.length + previews.length + others.length,
    previews: () => previews.length,
  }
}
