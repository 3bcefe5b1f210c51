import { MOST_FILES } from './listing.ts'
import { filmOf } from './pairs.ts'

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

const PAGE = 200

/** Returns all items of a paged list, each once. Throws what `read` throws. */
export async function allPages<One extends { id: string | number }>(
  read: (page: { limit: number; offset: number }) => Promise<{ items: One[]; total: number }>,
): Promise<One[]> {
  const first = await read({ limit: PAGE, offset: 0 })
  const others = Array.from({ length: Math.ceil(first.total / PAGE) - 1 }, (_, number) =>
    read({ limit: PAGE, offset: (number + 1) * PAGE }),
  )
  const pages = [first, ...(await Promise.all(others))]
  // An item that was created or renamed meanwhile may have moved to another page.
  return [...new Map(pages.flatMap(({ items }) => items).map((one) => [one.id, one])).values()]
}

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
 * Returns the ids in parts of at most `most`, such that one request may change each part with its films
 * and with `tags` tags.
 */
export function slicesOf<Id>(ids: readonly Id[], tags = 1, most = MOST_FILES): Id[][] {
  const share = ids.some(filmOf) ? 2 : 1
  const files = Math.min(most, Math.floor(ROWS / Math.max(1, tags)))
  const length = Math.max(1, Math.floor(files / share))
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
