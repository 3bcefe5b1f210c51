import { type ReadonlySignal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Answer } from '../../client/index.ts'
import { ask } from './api.ts'
import { lookForServer } from './connection.ts'
import { ApiError } from './error.ts'
import { holdPage } from './leaving.ts'

/** How often one looks how far it is, in milliseconds: while it runs, and whether it has begun. */
const [SOON, LATER] = [1000, 5000]

/** How far some work of the server is. */
interface Told {
  state: 'idle' | 'running' | 'done' | 'failed'
  started_at: string | null
}

/** Work that the server does as long as somebody's browser takes its progress. */
interface Work<State> {
  /** How far it is, as was told last; undefined before that. */
  state: ReadonlySignal<State | undefined>
  /** Why that could not be told. */
  error: ReadonlySignal<ApiError | undefined>
  /** Whether this page takes its progress, so that it ends with the page. */
  isOwn: ReadonlySignal<boolean>
  /** When the last one began that this page took the progress of; null before the first. */
  ownStart: ReadonlySignal<string | null>
  /** Whether it ran until the server was started again, which no longer knows of it. */
  isLost: ReadonlySignal<boolean>
  /** How often it has come to an end, as far as was told here. */
  ended: ReadonlySignal<number>
  /** Finds out how far it is. */
  look(): Promise<void>
  /** Does it; resolves when it is over, to whether all of it was told. Throws an ApiError before it begins. */
  run(begin: () => Promise<Answer<ReadableStream<Uint8Array> | null>>): Promise<boolean>
}

/** Returns work that this page follows, whoever does it; `read` asks the server for its state. */
export function createWork<State extends Told>(read: () => Promise<Answer<State>>): Work<State> {
  const state = signal<State | undefined>()
  const error = signal<ApiError | undefined>()
  const isOwn = signal(false)
  const ownStart = signal<string | null>(null)
  const isLost = signal(false)
  const ended = signal(0)

  function take(told: State): void {
    const before = state.peek()
    const isOther = before !== undefined && told.started_at !== before.started_at
    if (isOther) isLost.value = before.state === 'running' && told.state !== 'running'
    const isNew = isOther || before?.state === 'running'
    if (isNew && told.state !== 'running') ended.value++
    error.value = undefined
    // What was told of the last one is worth more than that nothing is known any more.
    if (told.state !== 'idle' || before === undefined) state.value = told
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

/** Takes all of a stream; resolves to whether it came to its end. */
async function isTaken(stream: ReadableStream<Uint8Array>): Promise<boolean> {
  const reader = stream.getReader()
  try {
    while (!(await reader.read()).done) {}
    return true
  } catch {
    return false
  }
}

/** Follows work as long as the component is there and somebody looks at the page. */
export function useWork(work: Work<Told>): void {
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
    // Begun here, it is looked at more often from then on.
    const stop = work.isOwn.subscribe(() => void turn())
    return () => {
      last++
      stop()
      clearTimeout(timer)
    }
  }, [work])
}
