/** How quickly a client has to send or take something. */
export interface PaceLimit {
  /** Milliseconds of waiting for the client. */
  window: number
  /** The bytes that any such window must bring; with Infinity, everything must be over by its end. */
  bytes: number
}

/** The slowest that the body of an upload or an answer may move: 1 KiB/s in any 60 s of waiting. */
export const SLOWEST: PaceLimit = { window: 60_000, bytes: 60 * 1024 }
/** How long a JSON body may keep its reader waiting. */
export const JSON_WAIT: PaceLimit = { window: 15_000, bytes: Number.POSITIVE_INFINITY }

const STEPS = 60

/** A client's remaining time, which passes only while the server waits for the client. */
export interface Pace {
  /** Returns how many milliseconds the server may still wait for the client if nothing more comes. */
  left(): number
  /** Records that the server waited `ms` milliseconds for the client, and that `bytes` moved. */
  moved(ms: number, bytes: number): void
}

/** Returns the pace of a client that has just been asked for the first bytes. */
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
