import { AppError, invalid } from '../../base/errors.ts'

/** Seconds after which somebody who got no turn may try again. */
const RETRY_AFTER = 10

/**
 * Of one user, so many uploads are read, decoded and stored at once, so many more may wait, and none
 * for longer than a minute.
 */
export const UPLOADS = { atOnce: 8, waiting: 100, longest: 60_000 }

interface TurnsLimit {
  /** How many of one key have their turn at once. */
  atOnce: number
  /** How many more of one key may wait for theirs. */
  waiting: number
  /** Milliseconds that one may wait. */
  longest: number
}

/** Turns that requests take, those of one key in the order in which they came. */
export interface Turns {
  /**
   * Waits for a turn and returns how to end it. Throws AppError rate_limited when too many are
   * waiting, or the turn doesn't come in time, and a validation error when `signal` tells that the
   * client has hung up. It may tell so late or never: nobody sees the end of a connection from which
   * nobody reads.
   */
  take(key: number, signal: AbortSignal): Promise<() => void>
}

/** Returns the turns of everybody, with limits for each key. */
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
      // Whoever ends a turn hands it on, so the number stays as it is.
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
