import { availableParallelism } from 'node:os'
import type { Log } from '../context.ts'
import { type DecoderProcess, type Message, type Request, startProcess } from './decoder-process.ts'

/** What became of a job: what the child made, or why it could not. */
export type Outcome = { result: unknown } | { failed: string }

/** The jobs of the decoder's child, which is started for the first one and again when it dies. */
export interface DecoderQueue {
  /** Returns what became of the job; throws what is not the content's fault, such as a full disk. */
  run(request: Request): Promise<Outcome>
  close(): Promise<void>
}

interface Job {
  id: number
  request: Request
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
  const suspects: Job[] = []
  const inFlight = new Map<number, Job>()
  const pingInterval = Math.min(PING_INTERVAL, silenceLimit)
  let child: Child | null = null
  let failedStarts = 0
  let nextId = 1
  let isClosed = false
  let hasEnded: (() => void) | undefined
  let pings: NodeJS.Timeout | undefined

  const hasWork = () => waiting.length + suspects.length + inFlight.size > 0
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
    while (inFlight.size < concurrency && waiting.length > 0) send(waiting.shift()!)
  }

  const send = (job: Job) => {
    inFlight.set(job.id, job)
    startTimer(job)
    child!.process.send(job.id, job.request)
  }
  const startTimer = (job: Job) => {
    job.timer = setTimeout(() => {
      log.warn('the decoder took too long', { op: job.request.op, limit: timeLimit })
      settle(job, () => job.resolve({ failed: 'took too long' }))
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
    } else settle(job, () => job.resolve(message))
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
      onEnd(end: object) {
        const wasStarting = child?.state === 'starting'
        child = null
        hasEnded?.()
        if (!isClosed) afterDeath(wasStarting, end)
      },
    }
    try {
      child = { process: startProcess(silenceLimit, log, handlers), state: 'starting' }
    } catch (cause) {
      rejectAll(new Error('the decoder does not start', { cause }))
    }
  }
  const endChild = () => {
    if (child === null) return
    child.state = 'ending'
    child.process.kill()
  }

  const afterDeath = (wasStarting: boolean, end: object) => {
    log.warn('decoder died', { ...end, in_flight: inFlight.size })
    if (wasStarting) failedStarts++
    for (const job of [...inFlight.values()]) {
      if (job.isSuspect) settle(job, () => job.resolve({ failed: 'ended the decoder twice' }))
      else settle(job, () => suspects.push({ ...job, isSuspect: true }))
    }
    if (failedStarts >= START_ATTEMPTS) {
      failedStarts = 0
      rejectAll(new Error('the decoder does not start'))
    }
    pump()
  }

  const rejectAll = (error: Error) => {
    const jobs = [...inFlight.values(), ...suspects.splice(0), ...waiting.splice(0)]
    for (const job of jobs) settle(job, () => job.reject(error))
  }

  return {
    run: (request) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw new Error('the decoder is closed')
        waiting.push({ id: nextId++, request, isSuspect: false, timer: undefined, resolve, reject })
        pump()
      }),
    async close() {
      isClosed = true
      rejectAll(new Error('the decoder is closed'))
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
