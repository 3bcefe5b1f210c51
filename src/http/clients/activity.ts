import type { MiddlewareHandler } from 'hono'
import { beforeAbort, type Wait } from '../../base/time.ts'
import type { AppEnv } from '../env.ts'
import { answerSent } from './client-requests.ts'

/** Whether the server is answering requests. */
export interface Activity {
  /** The middleware that counts each request, from its head to the end of its answer. */
  watch: MiddlewareHandler<AppEnv>
  /** Returns whether a request is under way. */
  isBusy(): boolean
  /** Resolves when no request is under way and none was for two seconds; rejects when the signal is aborted first. */
  calm(signal: AbortSignal): Promise<void>
  /** Resolves as soon as a request is under way; rejects when the signal is aborted first. */
  busy(signal: AbortSignal): Promise<void>
}

/** Milliseconds. */
const CALM = 2000
// Neither monitoring nor a window that waits for changes must keep the server from its background work.
const UNNOTED = ['/health', '/api/v1/changes']

/** Returns the activity of a server that has had no request yet. */
export function createActivity(wait: Wait): Activity {
  let underWay = 0
  let begun = 0
  /** How many requests had begun when the server was last calm. */
  let calmAt = -1
  let tellEnd = () => {}
  let ended = Promise.resolve()
  let tellBegin = () => {}
  let awaited = new Promise<void>((resolve) => {
    tellBegin = resolve
  })

  const enter = () => {
    begun++
    if (underWay++ > 0) return
    tellBegin()
    ended = new Promise((resolve) => {
      tellEnd = resolve
    })
  }
  const leave = () => {
    if (--underWay > 0) return
    tellEnd()
    awaited = new Promise((resolve) => {
      tellBegin = resolve
    })
  }

  const note: MiddlewareHandler<AppEnv> = async (c, next) => {
    enter()
    try {
      await next()
    } finally {
      void answerSent(c).then(leave)
    }
  }

  return {
    watch(c, next) {
      return UNNOTED.includes(c.req.path) ? next() : note(c, next)
    },
    isBusy: () => underWay > 0,
    async calm(signal) {
      for (;;) {
        signal.throwIfAborted()
        if (underWay > 0) await beforeAbort(ended, signal)
        else if (calmAt === begun) return
        else {
          const seen = begun
          await wait(CALM, signal)
          if (seen === begun && underWay === 0) calmAt = begun
        }
      }
    },
    async busy(signal) {
      signal.throwIfAborted()
      if (underWay === 0) await beforeAbort(awaited, signal)
    },
  }
}
