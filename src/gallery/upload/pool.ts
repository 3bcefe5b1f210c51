import { type ReadonlySignal, signal } from '@preact/signals'
import { ApiError } from '../base/error.ts'
import { slicesOf } from '../base/slices.ts'

interface Named {
  id: string
  name: string
}

interface PoolOptions {
  /**
   * Adds files to a pool or removes them; returns the number of the operation, null for none. Throws an
   * ApiError.
   */
  change(action: 'add' | 'remove', pool: Named, file_ids: string[]): Promise<number | null>
  /** Called with the operations that applied a choice to files; `back` reverts the choice as well. */
  onChanged(operations: number[], back: () => void): void
  /**
   * Called when files are not in the chosen pool; `retry` is absent where trying again makes no sense.
   */
  onFailed(error: unknown, retry?: () => void): void
}

/** The pool of the files that are uploaded together. */
interface BatchPool {
  pool: ReadonlySignal<Named | null>
  /** Moves all files of the list into a pool, and out of the one that they were put into here. */
  set(pool: Named | null): void
  /**
   * Records that a file was uploaded, or existed already: then it stays in each pool that it is put
   * into.
   */
  arrive(id: string, wasHere?: boolean): void
  /** Begins another list, without a pool. */
  letGo(): void
}

interface Arrived {
  id: string
  in: Named | null
  /** Whether it may have been in the pool before. */
  stays: boolean
}

/** Creates a batch without files and pool. */
export function createBatchPool({ change, onChanged, onFailed }: PoolOptions): BatchPool {
  const pool = signal<Named | null>(null)
  let files: Arrived[] = []
  let ids = new Set<string>()
  let turn = Promise.resolve()
  let isPlanned = false

  // Moves files to their pool; with `back`, because the user has just chosen it.
  const even = (own: Arrived[], wanted: Named | null, back?: () => void) => {
    isPlanned = true
    turn = turn.then(async () => {
      isPlanned = false
      const operations: number[] = []
      const moved: [Arrived, Named | null][] = []
      const send = async (action: 'add' | 'remove', to: Named, chosen: Arrived[]) => {
        for (const slice of slicesOf(chosen)) {
          const ids = slice.map(({ id }) => id)
          const operation = await change(action, to, ids)
          if (operation !== null) operations.push(operation)
          for (const file of slice) {
            moved.push([file, file.in])
            file.in = action === 'add' ? to : null
          }
        }
      }
      try {
        const wrong = own.filter(
          (file) => file.in !== null && file.in.id !== wanted?.id && !file.stays,
        )
        for (const from of new Set(wrong.map((file) => file.in!))) {
          await send(
            'remove',
            from,
            wrong.filter((file) => file.in === from),
          )
        }
        if (wanted)
          await send(
            'add',
            wanted,
            own.filter((file) => file.in?.id !== wanted.id),
          )
      } catch (error) {
        const status = error instanceof ApiError ? error.status : 0
        const isFinal = [400, 403, 404, 409].includes(status)
        // The server would refuse it again for each file that arrives.
        if (isFinal && pool.peek()?.id === wanted?.id) pool.value = null
        onFailed(error, isFinal ? undefined : () => even(own, wanted, back))
      }
      if (!back || operations.length === 0) return
      onChanged(operations, () => {
        for (const [file, before] of moved) file.in = before
        if (own === files) back()
      })
    })
  }

  return {
    pool,
    set(next) {
      const before = pool.peek()
      pool.value = next
      even(files, next, () => {
        pool.value = before
      })
    },
    arrive(id, wasHere = false) {
      // Of two files with the same content, the first one may have arrived just now.
      if (wasHere && ids.has(id)) return
      ids.add(id)
      files.push({ id, in: null, stays: wasHere })
      // Files that arrive before their turn are added together.
      if (!pool.peek() || isPlanned) return
      even(files, pool.peek())
    },
    letGo() {
      pool.value = null
      files = []
      ids = new Set()
    },
  }
}
