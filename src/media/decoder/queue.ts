import { availableParallelism } from 'node:os'
import type { Log } from '../../base/log.ts'
import type { Outcome } from '../outcome.ts'
import type { Walls } from '../walls/levels.ts'
import { type FileTime, type Job, noTime, type Places } from './jobs.ts'
import type { Request } from './request.ts'
import { startWorker, type Worker } from './worker.ts'

/** For whom a job is done, and how it is tried. */
export interface Waiter {
  /** The user's id; without one, something is made again that nobody waits for. */
  by?: number | undefined
  /** Whether an upload waits for it, or an import. */
  isUpload?: boolean
  isSecondTry?: boolean
  /** The time of the file of this and other jobs. */
  time?: FileTime
}

/** The jobs of the decoder's two children, each of which is started when there is something for it. */
export interface DecoderQueue {
  /**
   * Returns the outcome of the job; throws what stands in its way, such as a full disk. A job that hits a limit of time
   * or memory, or for which the child is killed, is refused; on a second try, which comes later, it has failed. A job
   * with which the child crashes, and crashes again when it has nothing else to do, has failed on any try.
   */
  run(request: Request, waiter: Waiter): Promise<Outcome>
  /** Starts the child for most jobs before there is one. */
  begin(): void
  /** Returns how many jobs are in flight or waiting. */
  jobs(): number
  /** Returns how many jobs wait without an upload that waits for them. */
  waitingPreviews(): number
  close(): Promise<void>
}

const IDLE_LIMIT = 5 * 60_000
// In milliseconds, for the child that is seldom needed.
const IDLE_LIMIT_OF_SUSPECTS = 30_000
// In bytes; more than a child for ordinary pictures, two at once, has on either runtime.
const IDLE_MEMORY = 400_000_000
// In bytes: what is freed doesn't all go back to the system, and a large picture needs all that there is.
const IDLE_MEMORY_OF_LARGE = 150_000_000

/** Returns a queue without jobs, with the options of `startDecoder`; limits are in milliseconds. */
export function startQueue(options: {
  log: Log
  timeLimit?: number
  silenceLimit?: number
  idleLimit?: number
  idleMemory?: number
  places?: Places
  walls: Walls
}): DecoderQueue {
  const { log, walls, timeLimit, silenceLimit = 10_000, idleLimit = IDLE_LIMIT } = options
  const { idleMemory = IDLE_MEMORY } = options
  const ofOne = Math.min(4, Math.max(2, availableParallelism()))
  const places = options.places ?? { ofOne, ofAll: ofOne + 1, ofAnswers: 2, ofLate: 2 }
  let nextId = 1
  let isClosed = false
  // What was in flight while a child died, or is tried again, may also end the next one.
  const onSuspect = (job: Job) => suspects.add(job)
  const shared = { log, timeLimit, silenceLimit, idleLimit, idleMemory, walls, onSuspect }
  const alone = { ofOne: 1, ofAll: 1 }
  const suspects = startWorker({
    ...shared,
    name: 'suspects',
    tier: 'large',
    idleLimit: Math.min(idleLimit, IDLE_LIMIT_OF_SUSPECTS),
    idleMemory: Math.min(idleMemory, IDLE_MEMORY_OF_LARGE),
    places: alone,
  })
  const onStarved = (job: Job) => suspects.add(job)
  const healthy = startWorker({ ...shared, name: 'healthy', tier: 'common', places, onStarved })
  const both: Worker[] = [healthy, suspects]
  const sum = (count: (worker: Worker) => number) => count(healthy) + count(suspects)
  return {
    run: (request, { by, isUpload = false, isSecondTry = false, time = noTime() }) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw new Error('the decoder is closed')
        const made = by === undefined ? 'again' : 'view'
        const urgency = !isUpload ? made : request.op === 'exif' ? 'answer' : 'upload'
        const party = { by: by ?? null, urgency } as const
        const job = { id: nextId++, request, ...party, isSecondTry, isSuspect: false }
        const worker = isSecondTry ? suspects : healthy
        const unsent = { sentAt: 0, before: { cpu: 0, wall: 0 }, hasBegunAgain: false }
        worker.add({ ...job, ...unsent, time, timer: undefined, timedSince: 0, resolve, reject })
      }),
    begin: healthy.begin,
    jobs: () => sum((worker) => worker.jobs()),
    waitingPreviews: () => sum((worker) => worker.waitingPreviews()),
    async close() {
      isClosed = true
      await Promise.all(both.map((worker) => worker.close()))
      await walls.close()
    },
  }
}
