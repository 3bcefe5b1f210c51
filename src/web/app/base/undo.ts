import { signal } from '@preact/signals'
import { api, ask } from './api.ts'

/** An operation by its number, or the operations of a change that took several requests. */
export type Done = number | readonly number[]

/** How many changes `Ctrl+Z` can take back, one after another. */
const DEPTH = 50

const done: Done[] = []

/** The number of the last operation that was undone; what shows its files loads them anew. */
export const undone = signal<number | null>(null)

/** Lets `Ctrl+Z` take a change back. */
export function remember(change: Done): void {
  if (typeof change === 'number' || change.length > 0) done.push(change)
  if (done.length > DEPTH) done.shift()
}

/** Returns the change that `Ctrl+Z` takes back next. */
export function lastChange(): Done | undefined {
  return done.at(-1)
}

/**
 * Takes a change back, the last of its operations first, and returns how many files were kept as
 * they are. Throws an ApiError, such as 409 when it was undone already.
 */
export async function undo(change: Done): Promise<{ kept_total: number }> {
  const place = done.lastIndexOf(change)
  if (place >= 0) done.splice(place, 1)
  let kept = 0
  for (const operation of [change].flat().reverse()) {
    const params = { path: { operation } }
    const result = await ask(api.POST('/api/v1/operations/{operation}/undo', { params }))
    kept += result.kept_total
    undone.value = operation
  }
  return { kept_total: kept }
}
