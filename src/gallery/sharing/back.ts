import { isFinal } from '../base/error.ts'

/** A change that is taken back step by step. */
export interface Back {
  /**
   * Takes the steps that are left, in turn. A step that would fail again for the same reason is left out. Throws the
   * first error; after one of another kind, the next call goes on with the step that failed.
   */
  take(): Promise<void>
  /** Whether another call has something to do. */
  isLeft(): boolean
}

/** Returns a way to take a change back by steps, of which each may safely run again after it has failed. */
export function backBy(steps: readonly (() => Promise<unknown>)[]): Back {
  const left = [...steps]
  return {
    async take() {
      const errors: unknown[] = []
      while (left.length > 0) {
        try {
          await left[0]!()
        } catch (error) {
          errors.push(error)
          if (!isFinal(error)) break
        }
        left.shift()
      }
      if (errors.length > 0) throw errors[0]
    },
    isLeft: () => left.length > 0,
  }
}
