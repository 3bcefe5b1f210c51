import { AppError, invalid } from '../../base/errors.ts'

// Seconds.
const RETRY_AFTER = 10

/**
 * For each user: how many uploads are read, decoded and stored at once, and how many more may wait, for a minute at
 * most.
 */
export const UPLOADS = { atOnce: 8, waiting: 100, longest: 60_000 }

interface TurnsLimit {
  atOnce: number
  waiting: number
  /** Milliseconds that one may wait. */
  longest: number
}

/** Turns that requests take, in the order of arrival for each key. */
export interface Turns {
  /**
   * Waits for a turn and returns a function that ends it. Throws AppError rate_limited when too many are waiting, or
   * the turn doesn't come in time, and a validation error when `signal` reports that the client has hung up. The signal
   * may come late or never: the end of a connection goes unnoticed while nothing reads from it.
   */
  take(key: number, signal: AbortSignal): Promise<() => void>
}

/** Returns turns whose limits apply to each key. */
export function createTurns({ atOnce, waiting, longest }: TurnsLimit): Turns {
  const taken = new Map<number, number>()
  const queues = new Map<number, Set<() => void>>()

  function end(key: number): void {
    const queue = queues.get(key)
    const [next] = queue ?? []
    if (next) {
      next()
      return
    }
    const rest = taken.get(key)! - 1
    if (rest > 0) taken.set(key, rest)
    else taken.delete(key)
  }

  function queueUp(key: number, signal: AbortSignal): Promise<void> {
    const queue = queues.get(key) ?? new Set()
    if (queue.size >= waiting) throw refused('Too many uploads are waiting; try again later')
    queues.set(key, queue)
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', giveUp)
        queue.delete(begin)
        if (queue.size === 0) queues.delete(key)
      }
      const begin = () => {
        leave()
        resolve()
      }
      const giveUp = () => {
        leave()
        reject(invalid('body', 'stopped before its end'))
      }
      const timer = setTimeout(() => {
        leave()
        reject(refused('The uploads before this one take too long; try again later'))
      }, longest)
      queue.add(begin)
      signal.addEventListener('abort', giveUp)
      if (signal.aborted) giveUp()
    })
  }

  return {
    async take(key, signal) {
      const now = taken.get(key) ?? 0
      // A turn that ends is passed to the next request, so the number stays as it is.
      if (now >= atOnce) await queueUp(key, signal)
      else taken.set(key, now + 1)
      return () => end(key)
    },
  }
}

function refused(message: string): AppError {
  return new AppError('rate_limited', message, {
    headers: { 'Retry-After': String(RETRY_AFTER) },
  })
}
