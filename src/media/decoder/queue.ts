import { availableParallelism } from 'node:os'
import type { Log } from '../../log.ts'
import type { Outcome } from '../outcome.ts'
import { createWaitingJobs, type Job, type WaitingJobs } from './jobs.ts'
import {
  type DecoderProcess,
  type End,
  type Message,
  type Request,
  startProcess,
} from './process.ts'

/** The jobs of the decoder's child, which is started for the first one and again when it dies. */
export interface DecoderQueue {
  /**
   * Returns the outcome of the job; throws what stands in its way, such as a full disk. A job that
   * hits a limit of time or memory, or for which the child is killed, is refused; on a second try,
   * which comes later, it has failed. A job with which the child crashes, and crashes again when it
   * has nothing else to do, has failed on any try.
   */
  run(request: Request, isSecondTry?: boolean): Promise<Outcome>
  /** Returns how many jobs are in flight or waiting. */
  jobs(): number
  /** Returns how many jobs wait that no upload waits for. */
  waitingPreviews(): number
  close(): Promise<void>
}

interface Child {
  process: DecoderProcess
  state: 'starting' | 'ready' | 'ending'
}

/** Limits are in milliseconds. */
interface Queue {
  log: Log
  timeLimit: number
  silenceLimit: number
  waiting: WaitingJobs
  inFlight: Map<number, Job>
  child: Child | null
  failedStarts: number
  nextId: number
  isClosed: boolean
  /** Called when the child is gone. */
  hasEnded: (() => void) | undefined
  pings: NodeJS.Timeout | undefined
}

const PING_INTERVAL = 1000
/** After this many children in a row have died before they were ready, all jobs are refused. */
const START_ATTEMPTS = 3

/** Returns a queue without jobs, with the options of `startDecoder`; limits are in milliseconds. */
export function startQueue(options: {
  log: Log
  timeLimit?: number
  silenceLimit?: number
  concurrency?: number
}): DecoderQueue {
  const { log, timeLimit = 60_000, silenceLimit = 10_000 } = options
  const concurrency = options.concurrency ?? Math.min(4, Math.max(2, availableParallelism()))
  const queue: Queue = {
    log,
    timeLimit,
    silenceLimit,
    waiting: createWaitingJobs(concurrency),
    inFlight: new Map(),
    child: null,
    failedStarts: 0,
    nextId: 1,
    isClosed: false,
    hasEnded: undefined,
    pings: undefined,
  }
  return {
    run: (request, isSecondTry = false) =>
      new Promise((resolve, reject) => {
        if (queue.isClosed) throw new Error('the decoder is closed')
        const job = { id: queue.nextId++, request, isSecondTry, isSuspect: false }
        queue.waiting.add({ ...job, timer: undefined, resolve, reject })
        pump(queue)
      }),
    jobs: () => queue.inFlight.size + queue.waiting.count(),
    waitingPreviews: () => queue.waiting.previews(),
    close: () => closeQueue(queue),
  }
}

async function closeQueue(queue: Queue): Promise<void> {
  queue.isClosed = true
  const error = new Error('the decoder is closed')
  for (const job of allJobs(queue)) settle(queue, job, () => job.reject(error))
  pump(queue)
  if (queue.child === null) return
  const ended = new Promise<void>((resolve) => {
    queue.hasEnded = resolve
  })
  endChild(queue)
  await ended
}

/** Gives the child as many jobs as it may have; called whenever that may have changed. */
function pump(queue: Queue): void {
  const { waiting, inFlight } = queue
  const hasWork = () => inFlight.size > 0 || waiting.count() > 0
  if (queue.child === null && hasWork()) startChild(queue)
  if (!hasWork()) {
    clearInterval(queue.pings)
    queue.pings = undefined
    return
  }
  // This timer also keeps the process alive while somebody waits.
  queue.pings ??= setInterval(
    () => inFlight.size > 0 && queue.child?.process.ping(),
    Math.min(PING_INTERVAL, queue.silenceLimit),
  )
  const { child } = queue
  if (child?.state !== 'ready') return
  const next = () => waiting.take([...inFlight.values()])
  for (let job = next(); job !== undefined; job = next()) {
    inFlight.set(job.id, job)
    startTimer(queue, job)
    child.process.send(job.id, job.request)
  }
}

function startTimer(queue: Queue, job: Job): void {
  const { log, timeLimit: limit } = queue
  job.timer = setTimeout(() => {
    log.warn('the decoder took too long', { op: job.request.op, limit })
    settle(queue, job, () => job.resolve(inDoubt(job, 'took too long')))
    endChild(queue)
  }, limit)
}

function settle({ inFlight }: Queue, job: Job, how: () => void): void {
  clearTimeout(job.timer)
  inFlight.delete(job.id)
  how()
}

function hear(queue: Queue, message: Message): void {
  const job = queue.inFlight.get(message.id)
  if (job === undefined) return
  if ('waiting' in message) {
    clearTimeout(job.timer)
    if (!message.waiting) startTimer(queue, job)
    return
  }
  if ('error' in message) {
    const { message: text, code } = message.error
    settle(queue, job, () => job.reject(Object.assign(new Error(text), { code })))
  } else {
    const outcome = 'exceeded' in message ? inDoubt(job, message.exceeded) : message
    settle(queue, job, () => job.resolve(outcome))
  }
  pump(queue)
}

function startChild(queue: Queue): void {
  const { log, silenceLimit } = queue
  const handlers = {
    onReady(pid: number) {
      log.debug('decoder ready', { pid })
      queue.failedStarts = 0
      if (queue.child) queue.child.state = 'ready'
      pump(queue)
    },
    onMessage: (message: Message) => hear(queue, message),
    onEnd(end: End) {
      const wasStarting = queue.child?.state === 'starting'
      queue.child = null
      queue.hasEnded?.()
      if (!queue.isClosed) afterDeath(queue, wasStarting, end)
    },
  }
  try {
    queue.child = { process: startProcess(silenceLimit, log, handlers), state: 'starting' }
  } catch (cause) {
    log.warn('the decoder does not start', { error: String(cause) })
    refuseAll(queue)
  }
}

function endChild({ child }: Queue): void {
  if (child === null) return
  child.state = 'ending'
  child.process.kill()
}

function afterDeath(queue: Queue, wasStarting: boolean, end: End): void {
  const { log, inFlight, waiting } = queue
  log.warn('decoder died', { ...end, in_flight: inFlight.size })
  if (wasStarting) queue.failedStarts++
  for (const job of [...inFlight.values()]) {
    if (job.isSuspect) settle(queue, job, () => job.resolve(afterSecondDeath(job, end)))
    else settle(queue, job, () => waiting.add({ ...job, isSuspect: true }))
  }
  if (queue.failedStarts >= START_ATTEMPTS) {
    queue.failedStarts = 0
    refuseAll(queue)
  }
  pump(queue)
}

function allJobs({ inFlight, waiting }: Queue): Job[] {
  return [...inFlight.values(), ...waiting.takeAll()]
}

function refuseAll(queue: Queue): void {
  for (const job of allJobs(queue)) {
    settle(queue, job, () => job.resolve({ refused: 'the decoder does not start' }))
  }
}

/** Returns the outcome of what good content meets too on a loaded machine, but not twice. */
function inDoubt({ isSecondTry }: Job, reason: string): Outcome {
  return isSecondTry ? { failed: reason } : { refused: reason }
}

/**
 * Only a crash is surely the content's fault: the system kills for lack of memory, we for silence.
 */
function afterSecondDeath(job: Job, { how }: End): Outcome {
  const reason = `ended the decoder twice: ${how}`
  return how === 'SIGKILL' ? inDoubt(job, reason) : { failed: reason }
}
