import { MOST_FILES } from './listing.ts'

/** The most skipped files that an answer names. */
export const MOST_NAMED = 1000

/** The most files times tags that one request of the API changes. */
const ROWS = 40_000

/** The result of a change of many files. */
export interface Outcome {
  /** The operations that can be undone, in the order in which they ran. */
  operations: number[]
  /** How many files the server has answered about: less than all after a failure or an abort. */
  done: number
  error?: unknown
}

/** Follows and aborts a change. */
export interface Watch {
  signal: AbortSignal
  onProgress(files: number): void
}

/**
 * Returns the ids in parts of at most `most`, such that one request may change each part with `tags`
 * tags.
 */
export function slicesOf<Id>(ids: readonly Id[], tags = 1, most = MOST_FILES): Id[][] {
  const length = Math.min(most, Math.max(1, Math.floor(ROWS / Math.max(1, tags))))
  const slices: Id[][] = []
  for (let at = 0; at < ids.length; at += length) slices.push(ids.slice(at, at + length))
  return slices
}

/**
 * Changes files slice by slice, until one fails or the change is aborted. `change` returns the number
 * of its operation.
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
