import { type ReadonlySignal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Answer } from '../../client/index.ts'
import { answered, api, ask } from './api.ts'
import { lookForServer } from './connection.ts'
import { ApiError } from './error.ts'
import { holdPage } from './leaving.ts'

const PATH = '/api/v1/files/duplicates/rescan'

/** The server's search for look-alikes, no matter which client runs it; only admins can follow it. */
export const rescans = createWork(() => api.GET(PATH))

/**
 * Searches for look-alikes; returns how many groups there are afterwards, null if it was interrupted.
 * Throws an ApiError.
 */
export async function rescan(): Promise<number | null> {
  try {
    const isWhole = await rescans.run(() => api.POST(PATH, { parseAs: 'stream' }))
    answered.value++
    const { progress } = rescans.state.peek()!
    return isWhole && progress?.type === 'done' ? progress.clusters : null
  } catch (error) {
    await rescans.look()
    throw error
  }
}

/** Milliseconds between two readings of the progress: while it runs, and while it doesn't. */
const [SOON, LATER] = [1000, 5000]

interface Reported {
  state: 'idle' | 'running' | 'done' | 'failed'
  started_at: string | null
}

/** Work that the server does as long as a browser reads its progress. */
interface Work<State> {
  /** The last state that was read; undefined before that. */
  state: ReadonlySignal<State | undefined>
  error: ReadonlySignal<ApiError | undefined>
  /** Whether this page reads its progress, so that it ends with the page. */
  isOwn: ReadonlySignal<boolean>
  /** The start of the last run whose progress this page read; null before the first. */
  ownStart: ReadonlySignal<string | null>
  /** Whether it ran until the server was restarted, which has no record of it any more. */
  isLost: ReadonlySignal<boolean>
  /** Counts the runs that have ended, as far as this page has seen. */
  ended: ReadonlySignal<number>
  look(): Promise<void>
  /**
   * Runs it; resolves when it is over, to whether its progress arrived completely. Throws an ApiError
   * before it begins.
   */
  run(begin: () => Promise<Answer<ReadableStream<Uint8Array> | null>>): Promise<boolean>
}

/** Creates work that this page follows, no matter which client runs it; `read` requests its state. */
export function createWork<State extends Reported>(
  read: () => Promise<Answer<State>>,
): Work<State> {
  const state = signal<State | undefined>()
  const error = signal<ApiError | undefined>()
  const isOwn = signal(false)
  const ownStart = signal<string | null>(null)
  const isLost = signal(false)
  const ended = signal(0)

  function take(next: State): void {
    const before = state.peek()
    const isOther = before !== undefined && next.started_at !== before.started_at
    if (isOther) isLost.value = before.state === 'running' && next.state !== 'running'
    const isNew = isOther || before?.state === 'running'
    if (isNew && next.state !== 'running') ended.value++
    error.value = undefined
    // The state of the last run is worth more than `idle` after a restart.
    if (next.state !== 'idle' || before === undefined) state.value = next
  }

  const work: Work<State> = {
    state,
    error,
    isOwn,
    ownStart,
    isLost,
    ended,
    async look() {
      try {
        take(await ask(read()))
      } catch (reason) {
        if (!(reason instanceof ApiError)) throw reason
        error.value = reason
      }
    },
    async run(begin) {
      isOwn.value = true
      const release = holdPage()
      let isWhole: boolean
      try {
        const progress = await ask(begin())
        isLost.value = false
        void work.look().then(() => {
          ownStart.value = state.peek()?.started_at ?? null
        })
        isWhole = await isTaken(progress!)
      } finally {
        isOwn.value = false
        release()
      }
      if (!isWhole) await lookForServer()
      await work.look()
      return isWhole
    },
  }
  return work
}

/** Reads a stream; resolves to whether it was complete. */
async function isTaken(stream: ReadableStream<Uint8Array>): Promise<boolean> {
  const reader = stream.getReader()
  try {
    while (!(await reader.read()).done) {}
    return true
  } catch {
    return false
  }
}

/** Follows work as long as the component is mounted and the page is visible. */
export function useWork(work: Work<Reported>): void {
  useEffect(() => {
    let last = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const turn = async () => {
      const own = ++last
      clearTimeout(timer)
      if (!document.hidden) await work.look()
      if (own !== last) return
      timer = setTimeout(turn, work.state.peek()?.state === 'running' ? SOON : LATER)
    }
    // Work that begins here is read more often from then on.
    const stop = work.isOwn.subscribe(() => void turn())
    return () => {
      last++
      stop()
      clearTimeout(timer)
    }
  }, [work])
}
