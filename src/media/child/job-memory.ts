import { AsyncLocalStorage } from 'node:async_hooks'
import { TIERS, type Tier } from '../memory.ts'
import { STARVED } from '../outcome.ts'

// The tier of the current job, which says how much memory it may take.

const running = new AsyncLocalStorage<Tier>()

/** Runs a job as one of a child of this tier. */
export function inTier<Result>(tier: Tier, work: () => Promise<Result>): Promise<Result> {
  return running.run(tier, work)
}

/** Returns the tier of this child. */
export function thisTier(): Tier {
  return running.getStore() ?? 'large'
}

/**
 * Throws when this many bytes are more than a picture may take here: with the code STARVED when there is a child in
 * which it may take as much.
 */
export function allowMemory(bytes: number): void {
  if (bytes > TIERS.large.held) throw new Error('takes too much memory')
  if (bytes <= TIERS[thisTier()].held) return
  throw Object.assign(new Error('takes much memory'), { code: STARVED })
}
