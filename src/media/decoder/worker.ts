import type { Log } from '../../base/log.ts'
import { TIERS, type Tier } from '../memory.ts'
import { isOfDisk } from '../outcome.ts'
import type { Walls } from '../walls/levels.ts'
import { boundTimes, type JobTimes } from './job-times.ts'
import { createWaitingJobs, type Job, type Places, type WaitingJobs } from './jobs.ts'
import type { Message, Taken } from './messages.ts'
import { afterSecondDeath, outcomeOf, refusedAtFirst } from './outcome-of-job.ts'
import { type DecoderProcess, type End, startProcess } from './process.ts'

/** A child and its jobs; the child is started for the first one and again when it dies. */
export interface Worker {
  add(job: Job): void
  /** Starts the child, if there is none, before it has a job. */
  begin(): void
  /** Returns how many jobs are in flight or waiting. */
  jobs(): number
  /** Returns how many jobs wait without an upload that waits for them. */
  waitingPreviews(): number
  /** Ends the child; all jobs are rejected. */
  close(): Promise<void>
}

// Limits are in milliseconds.
interface Options {
  /** What the log calls the child. */
  name: string
  tier: Tier
  log: Log
  /** Of processor time for a file, instead of what the child allows it. */
  timeLimit: number | undefined
  silenceLimit: number
  /** How long the child stays without a job. */
  idleLimit: number
  /** A child with more bytes of memory does not wait for a job. */
  idleMemory: number
  places: Places
  walls: Walls
  /** Takes a job that was in flight while the child died, to be tried once more. */
  onSuspect: (job: Job) => void
  /** Takes a job that needs more memory than this child may have. */
  onStarved?: (job: Job) => void
}

interface Child {
  process: DecoderProcess
  /** In the state `going`, a child has nothing to do, and its end is no failure. */
  state: 'starting' | 'ready' | 'ending' | 'going'
}

interface State extends Options {
  waiting: WaitingJobs
  inFlight: Map<number, Job>
  child: Child | null
  times: JobTimes
  /** Its bytes of memory at its last message. */
  rss: number
  failedStarts: number
  isClosed: boolean
  /** Called when the child is gone. */
  hasEnded: (() => void) | undefined
  pings: NodeJS.Timeout | undefined
  idle: NodeJS.Timeout | undefined
}

const PING_INTERVAL = 1000
// After this many children in a row have died before they were ready, all jobs are refused.
const START_ATTEMPTS = 3

/** Returns a worker without jobs. */
export function startWorker(options: Options): Worker {
  const worker: State = {
    ...options,
    waiting: createWaitingJobs(options.places),
    inFlight: new Map(),
    child: null,
    times: boundTimes(options.timeLimit, (job) => endLong(worker, job)),
    rss: 0,
    failedStarts: 0,
    isClosed: false,
    hasEnded: undefined,
    pings: undefined,
    idle: undefined,
  }
  return {
    add(job) {
      worker.waiting.add(job)
      pump(worker)
    },
    begin() {
      if (worker.child === null && !worker.isClosed) startChild(worker)
    },
    jobs: () => worker.inFlight.size + worker.waiting.count(),
    waitingPreviews: () => worker.waiting.previews(),
    close: () => closeWorker(worker),
  }
}

async function closeWorker(worker: State): Promise<void> {
  worker.isClosed = true
  const error = new Error('the decoder is closed')
  for (const job of allJobs(worker)) settle(worker, job, () => job.reject(error))
  pump(worker)
  if (worker.child === null) return
  const ended = new Promise<void>((resolve) => {
    worker.hasEnded = resolve
  })
  endChild(worker)
  await ended
}

// Called whenever the child may take more jobs.
function pump(worker: State): void {
  const { waiting, inFlight, tier, timeLimit, times } = worker
  const hasWork = () => inFlight.size > 0 || waiting.count() > 0
  clearTimeout(worker.idle)
  if (worker.child === null && hasWork()) startChild(worker)
  if (!hasWork()) {
    clearInterval(worker.pings)
    worker.pings = undefined
    worker.idle = setTimeout(() => letGo(worker), worker.idleLimit).unref()
    return
  }
  // This timer also keeps the process alive while a job is awaited.
  worker.pings ??= setInterval(
    () => {
      if (inFlight.size > 0) worker.child?.process.ping()
      pump(worker)
    },
    Math.min(PING_INTERVAL, worker.silenceLimit),
  )
  const { child } = worker
  if (child?.state !== 'ready') return
  const next = () => waiting.take([...inFlight.values()])
  for (let job = next(); job !== undefined; job = next()) {
    inFlight.set(job.id, job)
    job.sentAt = performance.now()
    times.begin(job)
    child.process.send(job.id, job.request, { tier, spent: job.time.cpu, limit: timeLimit })
  }
}

function endLong(worker: State, job: Job): void {
  settle(worker, job, () => job.resolve(refusedAtFirst(job, 'took too long')))
  const { limit, cpu, wall } = job.time
  worker.log.warn('the decoder took too long', { op: job.request.op, limit, cpu, wall })
  endChild(worker)
}

function settle({ inFlight, times }: State, job: Job, how: () => void): void {
  times.stop(job)
  inFlight.delete(job.id)
  how()
}

function hear(worker: State, message: Message): void {
  const job = worker.inFlight.get(message.id)
  if (job === undefined) return
  if ('waiting' in message) {
    if (message.waiting) worker.times.stop(job)
    else worker.times.goOn(job)
    return
  }
  if ('limit' in message) {
    worker.times.allow(job, message.limit)
    return
  }
  if ('starved' in message && worker.onStarved) {
    settle(worker, job, () => worker.onStarved!(job))
  } else if ('error' in message) {
    const { message: text, code } = message.error
    settle(worker, job, () => job.reject(Object.assign(new Error(text), { code })))
  } else {
    job.time.cpu += message.programs ?? 0
    settle(worker, job, () => job.resolve(outcomeOf(job, message)))
  }
  // What was freed doesn't all go back to the system.
  if (worker.inFlight.size === 0 && worker.rss > worker.idleMemory) letGo(worker)
  pump(worker)
}

function startChild(worker: State): void {
  const { name, tier, log, silenceLimit, walls } = worker
  // A runtime that does not start within the bound is tried without one.
  const isAgain = worker.failedStarts > 0
  const memory = isAgain ? null : TIERS[tier].child
  const handlers = {
    onReady(pid: number, slowness: number) {
      log.debug('decoder ready', { child: name, pid, slowness })
      worker.times.measured(slowness)
      worker.failedStarts = 0
      if (worker.child) worker.child.state = 'ready'
      pump(worker)
    },
    onTaken({ cpu, rss }: Taken) {
      worker.rss = rss
      worker.times.count(worker.inFlight.values(), cpu)
    },
    onMessage: (message: Message) => hear(worker, message),
    onEnd(end: End) {
      const state = worker.child?.state
      worker.child = null
      worker.times.newChild()
      worker.rss = 0
      worker.hasEnded?.()
      if (worker.isClosed) return
      if (end.isOfWalls) beginAgain(worker)
      else if (state === 'going') pump(worker)
      else afterDeath(worker, state, end)
    },
  }
  try {
    worker.child = {
      process: startProcess({ memory, silenceLimit, isAgain, walls }, log, handlers),
      state: 'starting',
    }
  } catch (cause) {
    log.warn('the decoder does not start', { error: String(cause) })
    if (isOfDisk(cause)) {
      for (const job of allJobs(worker)) settle(worker, job, () => job.reject(cause as Error))
    } else refuseAll(worker)
  }
}

function endChild({ child }: State): void {
  if (child === null) return
  child.state = 'ending'
  child.process.kill()
}

function letGo({ child, name, log, rss }: State): void {
  if (child?.state !== 'ready') return
  child.state = 'going'
  child.process.kill()
  log.debug('decoder goes', { child: name, rss })
}

function afterDeath(worker: State, state: Child['state'] | undefined, end: End): void {
  const { name, log, waiting, inFlight, onSuspect } = worker
  log.warn('decoder died', { child: name, ...end, in_flight: inFlight.size })
  if (state === 'starting') worker.failedStarts++
  for (const job of [...inFlight.values()]) {
    // We ended it for the time of another job, and this job was charged for part of that.
    if (state === 'ending' && !job.hasBegunAgain) {
      settle(worker, job, () => waiting.add(begunAgain(job)))
    } else if (job.isSuspect) settle(worker, job, () => job.resolve(afterSecondDeath(job, end)))
    else settle(worker, job, () => onSuspect({ ...job, isSuspect: true }))
  }
  if (worker.failedStarts >= START_ATTEMPTS) {
    worker.failedStarts = 0
    refuseAll(worker)
  }
  pump(worker)
}

// Gives another child the jobs that this one could not do, for no fault of a content.
function beginAgain(worker: State): void {
  const { waiting, inFlight } = worker
  for (const job of [...inFlight.values()]) {
    settle(worker, job, () => {
      Object.assign(job.time, job.before)
      waiting.add(job)
    })
  }
  startChild(worker)
  pump(worker)
}

function begunAgain(job: Job): Job {
  Object.assign(job.time, job.before)
  return Object.assign(job, { hasBegunAgain: true })
}

function allJobs({ inFlight, waiting }: State): Job[] {
  return [...inFlight.values(), ...waiting.takeAll()]
}

function refuseAll(worker: State): void {
  for (const job of allJobs(worker)) {
    settle(worker, job, () => job.resolve({ refused: 'the decoder does not start' }))
  }
}
