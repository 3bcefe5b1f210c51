import { ApiError } from '../error.ts'

/** An operation by its number, or the operations of a change that took several requests. */
export type Done = number | readonly number[]

/** The changes that can be taken back, one after another. */
interface Changes {
  remember(change: Done): void
  /** The change that was made last. */
  last(): Done | undefined
  /**
   * Takes the change that `choose` returns back, the last of its operations first, once those before
   * it are taken back. Returns how many files were kept as they are, or null when there is nothing
   * to take back. Throws what undoing throws; what that leaves can be taken back later.
   */
  takeBack(choose: () => Promise<Done | undefined>): Promise<number | null>
}

/** How many changes are remembered. */
const DEPTH = 50

/**
 * Returns an empty list of changes. `undoOne` undoes an operation, and returns how many files were
 * kept as they are; `onUndone` is told the last one, when all of a change is undone or what could be.
 */
export function createChanges(
  undoOne: (operation: number) => Promise<number>,
  onUndone: (operation: number) => void,
): Changes {
  const done: Done[] = []
  let turn: Promise<unknown> = Promise.resolve()

  const put = (change: Done, left: readonly number[]) => {
    const place = done.lastIndexOf(change)
    if (place >= 0) done.splice(place, 1, ...(left.length > 0 ? [left] : []))
  }
  const take = async (change: Done | undefined): Promise<number | null> => {
    if (change === undefined || !done.includes(change)) return null
    const left = [change].flat()
    let kept = 0
    let undone: number | null = null
    try {
      for (let operation = left.at(-1); operation !== undefined; operation = left.at(-1)) {
        kept += await undoOne(operation)
        undone = operation
        left.pop()
      }
    } catch (error) {
      if (isFinal(error)) left.pop()
      throw error
    } finally {
      put(change, left)
      if (undone !== null) onUndone(undone)
    }
    return kept
  }
  return {
    remember(change) {
      if (typeof change === 'number' || change.length > 0) done.push(change)
      // One that took longer to be told of may have been made before.
      done.sort((a, b) => newest(a) - newest(b))
      if (done.length > DEPTH) done.shift()
    },
    last: () => done.at(-1),
    takeBack(choose) {
      const result = turn.then(async () => take(await choose()))
      turn = result.catch(() => undefined)
      return result
    },
  }
}

function newest(change: Done): number {
  return Math.max(...[change].flat())
}

/** Whether another attempt would fail for the same reason, as that it was undone already. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && [403, 404, 409].includes(error.status)
}
