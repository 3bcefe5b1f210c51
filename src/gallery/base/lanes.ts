import type { Outcome, Watch } from './slices.ts'

type Ended = Omit<Outcome, 'operations'>

/** How many requests run at a time, as many as a browser sends to one server. */
const LANES = 6

/**
 * Requests something for each item, six at a time, until one fails or it is aborted; resolves with the
 * number done when nothing is under way.
 */
export async function inLanes<One>(
  all: readonly One[],
  ask: (one: One) => Promise<unknown>,
  { signal, onProgress }: Watch,
): Promise<Ended> {
  const outcome: Ended = { done: 0 }
  let next = 0
  const lane = async () => {
    while (next < all.length && !signal.aborted && outcome.error === undefined) {
      try {
        await ask(all[next++]!)
        onProgress(++outcome.done)
      } catch (error) {
        outcome.error = error
      }
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return outcome
}
