import type { Clock } from './time.ts'

export const STATES = ['idle', 'running', 'done', 'failed'] as const

/** A user with the name at the time of the start, or the server itself as 0 and `system`. */
export interface Starter {
  id: number
  name: string
}

// Times are in milliseconds.
interface Run<Event> {
  state: (typeof STATES)[number]
  started_at: number | null
  ended_at: number | null
  by: Starter | null
  progress: Event | null
}

/** The runs of one kind of work in this process, of which the last one is remembered. */
export interface Runs<Event> {
  /** Returns the last run, or an idle one when there was none. */
  last(): Run<Event>
  /**
   * Yields the events of a run. The run begins when the first event is requested, and is `done` when the last one was
   * of that type. Any other end, including a client that hangs up, makes it `failed`.
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
        // Only now has the work released its lock.
        run.state = run.progress?.type === 'done' ? 'done' : 'failed'
        run.ended_at = clock()
      }
    },
  }
}
