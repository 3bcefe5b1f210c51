import { z } from 'zod'
import type { Clock } from '../time.ts'
import { NumberId } from './fields.ts'

const STATES = ['idle', 'running', 'done', 'failed'] as const

/** How many refused entries are kept. */
export const REFUSED_KEPT = 200

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

const Starter = z
  .object({
    id: NumberId.meta({ description: 'Id of the user; 0 for the server itself' }),
    name: z.string().meta({ description: 'Name of the user at that time, or `system`' }),
  })
  .meta({ id: 'Starter', description: 'Who started something' })
export type Starter = z.infer<typeof Starter>

const Refused = z
  .object({
    filename: z.string().meta({ description: 'The name of the entry' }),
    status: z.enum(['skipped', 'error']).meta({ description: 'What became of the entry' }),
    reason: z.string().meta({ description: 'Why it was not taken' }),
  })
  .meta({ id: 'RefusedEntry', description: 'An entry that was not taken' })

/** How far the background is. */
export const Background = z
  .object({
    looked_at: z.int().meta({ description: 'How many files it has come past' }),
    total: z.int().meta({ description: 'How many files there were when it began' }),
  })
  .nullable()
  .meta({
    description:
      'How far the server is with what files of earlier versions lack, such as their sizes; null ' +
      'when nothing is left to be done but what the system refused, to which it comes back',
  })

/** Returns the schema of how far a run is that tells such events and such tallies. */
export function runState<Event extends z.ZodType, Tallies extends z.ZodType>(
  event: Event,
  tallies: Tallies,
) {
  return z.object({
    state: z.enum(STATES).meta({
      description:
        '`idle` before the first one; `done` when its last event was `done`, else `failed` once it ' +
        'is over',
    }),
    started_at: z.iso.datetime().nullable().meta({ description: 'When it began' }),
    by: Starter.nullable().meta({ description: 'Who started it' }),
    progress: event.nullable().meta({ description: 'The last event of its stream' }),
    tallies: tallies
      .nullable()
      .meta({ description: 'What it has counted; null as long as it tells no numbers' }),
    refused: z
      .array(Refused)
      .max(REFUSED_KEPT)
      .meta({
        description: `The last ${REFUSED_KEPT} entries that were not taken, in their order`,
      }),
    background: Background,
  })
}
