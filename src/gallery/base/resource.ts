import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { untilBack } from './connection.ts'
import { ApiError } from './error.ts'

/** Data that is loaded from the server, cached and reloaded. */
export interface Resource<Data> {
  /** The newest data; undefined before the first. May be written, to show a change at once. */
  data: Signal<Data | undefined>
  /** Why the last attempt failed. */
  error: ReadonlySignal<ApiError | undefined>
  isLoading: ReadonlySignal<boolean>
  /** Loads again; resolves after success or failure of that or, if it was aborted, of the one after it. */
  reload(): Promise<void>
  /** Stops loading, for good. */
  dispose(): void
}

/**
 * Creates a resource. `load` runs at once, again whenever a signal changes that it read before its
 * first `await`, and again when a lost connection is back; an older load under way is aborted, and its
 * result is dropped.
 */
export function resource<Data>(load: (signal: AbortSignal) => Promise<Data>): Resource<Data> {
  const data = signal<Data | undefined>()
  const error = signal<ApiError | undefined>()
  const isLoading = signal(false)
  const turn = signal(0)
  let current: AbortController | undefined
  let settled = Promise.resolve()

  const stop = effect(() => {
    void turn.value
    current?.abort()
    const controller = new AbortController()
    current = controller
    settled = take(load(controller.signal), controller)
  })

  async function take(loading: Promise<Data>, controller: AbortController): Promise<void> {
    isLoading.value = true
    try {
      const loaded = await loading
      if (controller !== current) return
      data.value = loaded
      error.value = undefined
    } catch (reason) {
      if (controller !== current || controller.signal.aborted) return
      // Anything else is a bug, and belongs in the console.
      if (!(reason instanceof ApiError)) throw reason
      error.value = reason
      if (reason.code === 'no_connection') {
        void untilBack().then((wasLost) => wasLost && controller === current && turn.value++)
      }
    } finally {
      if (controller === current) isLoading.value = false
    }
  }

  return {
    data,
    error,
    isLoading,
    async reload() {
      turn.value = turn.peek() + 1
      // Within an effect or a batch it begins after that.
      await Promise.resolve()
      for (let last: unknown; last !== settled; await last) last = settled
    },
    dispose() {
      stop()
      current?.abort()
      current = undefined
    },
  }
}

/** Creates a resource that lives as long as the component. */
export function useResource<Data>(load: (signal: AbortSignal) => Promise<Data>): Resource<Data> {
  // The first `load` is retained, because its dependencies are signals.
  const own = useMemo(() => resource(load), [])
  useEffect(() => () => own.dispose(), [own])
  return own
}
