import { ApiError } from '../error.ts'

/** An operation by its number, or the operations of a change that took several requests. */
export type Done = number | readonly number[]

/** The changes that can be taken back, one after another. */
interface Changes {
  /** Lets a change be taken back; `back` is called once all of it is, or what could be. */
  remember(change: Done, back?: () => void): void
  /** The change that was made last. */
  last(): Done | undefined
  /**
   * Takes the change that `choose` returns back, the last of its operations first, once those before
   * it are taken back. Returns how many files were kept as they are, or null when there is nothing
   * to take back. Throws what undoing throws; what that leaves can be taken back later.
   */
  takeBack(choose: () => Promise<Done | undefined>): Promise<number | null>
}

/** A change that is remembered. */
interface Remembered {
  change: Done
  back: (() => void) | undefined
  /** Whether some of it is taken back. */
  isBegun: boolean
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
  let done: Remembered[] = []
  let turn: Promise<unknown> = Promise.resolve()

  const take = async (change: Done | undefined): Promise<number | null> => {
    const one = done.findLast((other) => other.change === change)
    if (!one) return null
    const left = [one.change].flat()
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
      one.change = left
      one.isBegun ||= undone !== null
      if (left.length === 0) done = done.filter((other) => other !== one)
      if (undone !== null) onUndone(undone)
      if (left.length === 0 && one.isBegun) one.back?.()
    }
    return kept
  }
  return {
    remember(change, back) {
      const isEmpty = typeof change !== 'number' && change.length === 0
      if (!isEmpty) done.push({ change, back, isBegun: false })
      // One that took longer to be told of may have been made before.
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

/** Whether another attempt would fail for the same reason, as that it was undone already. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && [403, 404, 409].includes(error.status)
}
