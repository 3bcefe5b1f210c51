import { isFinal } from '../error.ts'

/** The number of an operation, or the operations of a change that took several requests. */
export type Done = number | readonly number[]

interface Changes {
  /** Makes a change undoable; `back` is called once as much of it as possible is undone. */
  remember(change: Done, back?: () => void): void
  last(): Done | undefined
  /**
   * Undoes the change that `choose` returns, its last operation first, after earlier calls have
   * finished. Returns how many files were left as they are, or null if there is nothing to undo. Throws
   * what undoing throws; the rest can be undone later.
   */
  takeBack(choose: () => Promise<Done | undefined>): Promise<number | null>
}

interface Remembered {
  change: Done
  back: (() => void) | undefined
  /** Whether some of it is undone. */
  isBegun: boolean
}

const DEPTH = 50

/**
 * Creates an empty list of changes. `undoOne` undoes an operation, and returns how many files were left
 * as they are; `onUndone` gets the last operation, when as much of a change as possible is undone.
 */
export function createChanges(
  undoOne: (operation: number) => Promise<number>,
  onUndone: (operation: number) => void,
): Changes {
  let done: Remembered[] = []
  let turn: Promise<unknown> = Promise.resolve()

  const take = async (change: Done | undefined): Promise<number | null> => {
    const one = done.findLast((other) => other.change === change)
    if (!one) return null
    const left = [one.change].flat()
    let unchanged = 0
    let undone: number | null = null
    try {
      for (let operation = left.at(-1); operation !== undefined; operation = left.at(-1)) {
        unchanged += await undoOne(operation)
        undone = operation
        left.pop()
      }
    } catch (error) {
      if (isFinal(error)) left.pop()
      throw error
    } finally {
      one.change = left
      one.isBegun ||= undone !== null
      if (left.length === 0) done = done.filter((other) => other !== one)
      if (undone !== null) onUndone(undone)
      if (left.length === 0 && one.isBegun) one.back?.()
    }
    return unchanged
  }
  return {
    remember(change, back) {
      const isEmpty = typeof change !== 'number' && change.length === 0
      if (!isEmpty) done.push({ change, back, isBegun: false })
      // A change that was reported later may have been made earlier.
      done.sort((a, b) => newest(a) - newest(b))
      if (done.length > DEPTH) done.shift()
    },
    last: () => done.at(-1)?.change,
    takeBack(choose) {
      const result = turn.then(async () => take(await choose()))
      turn = result.catch(() => undefined)
      return result
    },
  }
}

function newest({ change }: Remembered): number {
  return Math.max(...[change].flat())
}
