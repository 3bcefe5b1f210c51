/** How quickly a client has to send or take something. */
export interface PaceLimit {
  /** Milliseconds of waiting for the client. */
  window: number
  /** The bytes that any such time has to bring; with Infinity, all is to be over by its end. */
  bytes: number
}

/** The least that the body of an upload and an answer may move: 1 KiB/s in any 60 s of waiting. */
export const SLOWEST: PaceLimit = { window: 60_000, bytes: 60 * 1024 }
/** How long a JSON body may keep its reader waiting. */
export const JSON_WAIT: PaceLimit = { window: 15_000, bytes: Number.POSITIVE_INFINITY }

/** A window is remembered in this many steps. */
const STEPS = 60

/** What is left of a client's time. Only the time in which the client is waited for passes here. */
export interface Pace {
  /** Returns how many milliseconds the client may still be waited for if nothing more comes. */
  left(): number
  /** Notes that the client was waited for, for `ms` milliseconds, and that `bytes` came of it. */
  moved(ms: number, bytes: number): void
}

/** Returns the pace of a client who has just been asked for the first bytes. */
export function createPace({ window, bytes: least }: PaceLimit): Pace {
  let waited = 0
  const moves: { at: number; bytes: number }[] = []
  const step = (at: number) => Math.floor((at * STEPS) / window)
  return {
    left() {
      let sum = 0
      for (const move of moves.toReversed()) {
        sum += move.bytes
        if (sum >= least) return move.at + window - waited
      }
      return window - waited
    },
    moved(ms, bytes) {
      waited += ms
      while (moves[0] && moves[0].at <= waited - window) moves.shift()
      const last = moves.at(-1)
      if (last && step(last.at) === step(waited)) last.bytes += bytes
      else moves.push({ at: waited, bytes })
    },
  }
}
