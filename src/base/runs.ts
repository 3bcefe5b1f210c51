import type { Clock } from './time.ts'

export const STATES = ['idle', 'running', 'done', 'failed'] as const

/** Who started something, with the name of that time: a user, or the server itself by 0 and `system`. */
export interface Starter {
  id: number
  name: string
}

/** Work that tells its progress by events, as far as it has come; times are in milliseconds. */
interface Run<Event> {
  state: (typeof STATES)[number]
  started_at: number | null
  ended_at: number | null
  by: Starter | null
  /** The last event. */
  progress: Event | null
}

/** The runs of one kind of work in this process, of which the last one is remembered. */
export interface Runs<Event> {
  /** Returns the last run, or an idle one when there was none. */
  last(): Run<Event>
  /**
   * Yields the events of a run, which begins when the first one is asked for and is `done` when the
   * last one was; whatever else ends it, a client that goes away too, makes it `failed`.
   */
  watch(by: Starter, events: AsyncIterable<Event>): AsyncGenerator<Event>
}

/** Returns the memory of the runs of one kind of work, of which only one is under way at a time. */
export function createRuns<Event extends { type: string }>(clock: Clock): Runs<Event> {
  let last: Run<Event> = {
    state: 'idle',
    started_at: null,
    ended_at: null,
    by: null,
    progress: null,
  }
  return {
    last: () => last,
    async *watch(by, events) {
      const run: Run<Event> = {
        state: 'running',
        started_at: clock(),
        ended_at: null,
        by,
        progress: null,
      }
      last = run
      try {
        for await (const event of events) {
          run.progress = event
          yield event
        }
      } finally {
        // Only now is the lock of the work free.
        run.state = run.progress?.type === 'done' ? 'done' : 'failed'
        run.ended_at = clock()
      }
    },
  }
}
