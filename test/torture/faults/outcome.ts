import type { Runtime } from '../../support/spawn.ts'
import type { Called } from './strace.ts'

export interface PointOptions {
  runtime?: Runtime
  seed: number
  /** Points at most. */
  most: number
}

/** What came of the points of one operation. */
export interface Outcome {
  /** Calls that were harmed, and how many different ones there were among them and in the unharmed operation. */
  harmed: number
  different: number
  known: number
  acknowledged: number
  /** Changes that were there although nobody was told. */
  kept: number
  /** Servers that ended by themselves at an error. */
  ended: number
}

/** Counts what is harmed of an operation that makes these calls when it is left alone. */
export function createTally(known: Called[]) {
  const nameOf = ({ thread, what, when }: Called) => `${thread} ${what} ${when}`
  const seen = new Set<string>()
  const outcome: Outcome = {
    ...{ harmed: 0, different: 0, acknowledged: 0, kept: 0, ended: 0 },
    known: new Set(known.map(nameOf)).size,
  }
  return {
    outcome,
    harmed(hit: Called) {
      outcome.harmed++
      seen.add(nameOf(hit))
      outcome.different = seen.size
    },
  }
}
