import { signal } from '@preact/signals'
import type { Schemas } from '../../../client/index.ts'
import { api, ask } from './api.ts'

/** How many operations `Ctrl+Z` can take back, one after another. */
const DEPTH = 50

const done: number[] = []

/** The number of the last operation that was undone; what shows its files loads them anew. */
export const undone = signal<number | null>(null)

/** Lets `Ctrl+Z` take an operation back. */
export function remember(operation: number): void {
  done.push(operation)
  if (done.length > DEPTH) done.shift()
}

/** Returns the operation that `Ctrl+Z` takes back next. */
export function lastOperation(): number | undefined {
  return done.at(-1)
}

/**
 * Takes an operation back and returns what was taken back and what was not. Throws an ApiError, such
 * as 409 when it was undone already.
 */
export async function undo(operation: number): Promise<Schemas['UndoResult']> {
  const place = done.lastIndexOf(operation)
  if (place >= 0) done.splice(place, 1)
  const params = { path: { operation } }
  const result = await ask(api.POST('/api/v1/operations/{operation}/undo', { params }))
  undone.value = operation
  return result
}
