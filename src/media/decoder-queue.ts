import { availableParallelism } from 'node:os'
import type { Log } from '../log.ts'
import {
  type DecoderProcess,
  type End,
  type Message,
  type Request,
  startProcess,
} from './decoder-process.ts'

/**
 * What became of a job: what the child made, or why it could not. `failed` is the content's fault,
 * `refused` the system's, and worth another try.
 */
export type Outcome = { result: unknown } | { failed: string } | { refused: string }

/**
 * The jobs of the decoder's child, which is started for the first one and again when it dies. Previews
 * wait while there is something else to do, which an upload may wait for, but not for ever.
 */
export interface DecoderQueue {
  /**
   * Returns what became of the job; throws what stands in its way, such as a full disk. A limit of
   * time or memory, and a child that the system kills, are a refusal; on a second try, which comes
   * later, they are the content's fault. So is, at any time, a content with which the child crashes,
   * and crashes again when it has nothing else to do.
   */
  run(request: Request, isSecondTry?: boolean): Promise<Outcome>
  close(): Promise<void>
}

interface Job {
  id: number
  request: Request
  isSecondTry: boolean
  /** Was in flight when a child died: it is tried once more, alone. */
  isSuspect: boolean
  timer: NodeJS.Timeout | undefined
  resolve: (outcome: Outcome) => void
  reject: (error: Error) => void
}

interface Child {
  process: DecoderProcess
  state: 'starting' | 'ready' | 'ending'
}

const PING_INTERVAL = 1000
/** After so many other jobs a preview has its turn. */
const PATIENCE = 8
/** A child that dies this often in a row before it is ready does not start at all. */
const START_ATTEMPTS = 3

/** Limits are in milliseconds, as `startDecoder` says. */
export function startQueue(options: {
  log: Log
  timeLimit?: number
  silenceLimit?: number
  concurrency?: number
}): DecoderQueue {
  const { log, timeLimit = 60_000, silenceLimit = 10_000 } = options
  const concurrency = options.concurrency ?? Math.min(4, Math.max(2, availableParallelism()))
  const waiting: Job[] = []
  const previews: Job[] = []
  const suspects: Job[] = []
  const inFlight = new Map<number, Job>()
  const pingInterval = Math.min(PING_INTERVAL, silenceLimit)
  let child: Child | null = null
  let failedStarts = 0
  let passedOver = 0
  let nextId = 1
  let isClosed = false
  let hasEnded: (() => void) | undefined
  let pings: NodeJS.Timeout | undefined

  const hasWork = () => waiting.length + previews.length + suspects.length + inFlight.size > 0
  /** Gives the child as much as it may have; called whenever that may have changed. */
  const pump = () => {
    if (child === null && hasWork()) startChild()
    if (!hasWork()) {
      clearInterval(pings)
      pings = undefined
      return
    }
    // This timer also keeps the process alive while somebody waits.
    pings ??= setInterval(() => inFlight.size > 0 && child?.process.ping(), pingInterval)
    if (child?.state !== 'ready') return
    if (suspects.length > 0) {
      if (inFlight.size === 0) send(suspects.shift()!)
      return
    }
    if ([...inFlight.values()].some((job) => job.isSuspect)) return
    while (inFlight.size < concurrency) {
      const job = takeNext()
      if (job === undefined) return
      send(job)
    }
  }
  const takeNext = () => {
    const isPreviewsTurn = waiting.length === 0 || passedOver >= PATIENCE
    if (previews.length === 0 || isPreviewsTurn) passedOver = 0
    else passedOver++
    return (isPreviewsTurn && previews.shift()) || waiting.shift()
  }

  const send = (job: Job) => {
    inFlight.set(job.id, job)
    startTimer(job)
    child!.process.send(job.id, job.request)
  }
  const startTimer = (job: Job) => {
    job.timer = setTimeout(() => {
      log.warn('the decoder took too long', { op: job.request.op, limit: timeLimit })
      settle(job, () => job.resolve(inDoubt(job, 'took too long')))
      endChild()
    }, timeLimit)
  }
  const settle = (job: Job, how: () => void) => {
    clearTimeout(job.timer)
    inFlight.delete(job.id)
    how()
  }

  const onMessage = (message: Message) => {
    const job = inFlight.get(message.id)
    if (job === undefined) return
    if ('waiting' in message) {
      clearTimeout(job.timer)
      if (!message.waiting) startTimer(job)
      return
    }
    if ('error' in message) {
      const { message: text, code } = message.error
      settle(job, () => job.reject(Object.assign(new Error(text), { code })))
    } else {
      const outcome = 'exceeded' in message ? inDoubt(job, message.exceeded) : message
      settle(job, () => job.resolve(outcome))
    }
    pump()
  }

  const startChild = () => {
    const handlers = {
      onReady(pid: number) {
        log.debug('decoder ready', { pid })
        failedStarts = 0
        if (child) child.state = 'ready'
        pump()
      },
      onMessage,
      onEnd(end: End) {
        const wasStarting = child?.state === 'starting'
        child = null
        hasEnded?.()
        if (!isClosed) afterDeath(wasStarting, end)
      },
    }
    try {
      child = { process: startProcess(silenceLimit, log, handlers), state: 'starting' }
    } catch (cause) {
      log.warn('the decoder does not start', { error: String(cause) })
      refuseAll()
    }
  }
  const endChild = () => {
    if (child === null) return
    child.state = 'ending'
    child.process.kill()
  }

  const afterDeath = (wasStarting: boolean, end: End) => {
    log.warn('decoder died', { ...end, in_flight: inFlight.size })
    if (wasStarting) failedStarts++
    for (const job of [...inFlight.values()]) {
      if (job.isSuspect) settle(job, () => job.resolve(afterSecondDeath(job, end)))
      else settle(job, () => suspects.push({ ...job, isSuspect: true }))
    }
    if (failedStarts >= START_ATTEMPTS) {
      failedStarts = 0
      refuseAll()
    }
    pump()
  }

  const allJobs = () => [
    ...inFlight.values(),
    ...[suspects, waiting, previews].flatMap((jobs) => jobs.splice(0)),
  ]
  const refuseAll = () => {
    for (const job of allJobs()) {
      settle(job, () => job.resolve({ refused: 'the decoder does not start' }))
    }
  }

  return {
    run: (request, isSecondTry = false) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw new Error('the decoder is closed')
        const job = { id: nextId++, request, isSecondTry, isSuspect: false }
        const list = request.op === 'preview' ? previews : waiting
        list.push({ ...job, timer: undefined, resolve, reject })
        pump()
      }),
    async close() {
      isClosed = true
      const error = new Error('the decoder is closed')
      for (const job of allJobs()) settle(job, () => job.reject(error))
      pump()
      if (child === null) return
      const ended = new Promise<void>((resolve) => {
        hasEnded = resolve
      })
      endChild()
      await ended
    },
  }
}

/** What good content meets too on a loaded machine, but not twice. */
function inDoubt({ isSecondTry }: Job, reason: string): Outcome {
  return isSecondTry ? { failed: reason } : { refused: reason }
}

/** Only a crash is surely the content's doing: the system kills for want of memory, we for silence. */
function afterSecondDeath(job: Job, { how }: End): Outcome {
  const reason = `ended the decoder twice: ${how}`
  return how === 'SIGKILL' ? inDoubt(job, reason) : { failed: reason }
}
