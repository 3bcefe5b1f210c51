import { MOST_FILES } from './listing.ts'

/** The most files that an answer names of those that were skipped. */
export const MOST_NAMED = 1000

/** The most files times tags that one request of the API changes. */
const ROWS = 40_000

/** How far a change of many files went. */
export interface Outcome {
  /** What can be undone, in the order in which it was done. */
  operations: number[]
  /** Of how many files the server has answered: less than all when it failed or was ended. */
  done: number
  error?: unknown
}

/** What hears of a change that is under way, and ends it. */
export interface Watch {
  signal: AbortSignal
  onProgress(files: number): void
}

/** Returns the ids in parts of at most `most` that one request each may change, with so many tags. */
export function slicesOf<Id>(ids: readonly Id[], tags = 1, most = MOST_FILES): Id[][] {
  const length = Math.min(most, Math.max(1, Math.floor(ROWS / Math.max(1, tags))))
  const slices: Id[][] = []
  for (let at = 0; at < ids.length; at += length) slices.push(ids.slice(at, at + length))
  return slices
}

/**
 * Changes files, one slice after another, until one fails or the change is ended. `change` returns
 * the number of its operation.
 */
export async function inSlices<Id>(
  slices: Id[][],
  change: (slice: Id[]) => Promise<number | null>,
  { signal, onProgress }: Watch,
): Promise<Outcome> {
  const outcome: Outcome = { operations: [], done: 0 }
  try {
    for (const slice of slices) {
      if (signal.aborted) break
      const operation = await change(slice)
      if (operation !== null) outcome.operations.push(operation)
      outcome.done += slice.length
      onProgress(outcome.done)
    }
  } catch (error) {
    outcome.error = error
  }
  return outcome
}
