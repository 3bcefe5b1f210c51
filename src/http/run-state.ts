import { z } from 'zod'
import { STATES } from '../base/runs.ts'
import { NumberId } from './fields.ts'

/** How many refused entries are retained. */
export const REFUSED_KEPT = 200

const Starter = z
  .object({
    id: NumberId.meta({ description: 'Id of the user; 0 for the server itself' }),
    name: z.string().meta({ description: 'Name of the user at that time, or `system`' }),
  })
  .meta({ id: 'Starter', description: 'Who started something' })

const Refused = z
  .object({
    filename: z.string().meta({ description: 'The name of the entry' }),
    status: z.enum(['skipped', 'error']).meta({ description: 'What became of the entry' }),
    reason: z.string().meta({ description: 'Why it was not taken' }),
  })
  .meta({ id: 'RefusedEntry', description: 'An entry that was not taken' })

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

/** Returns the schema of a run's progress with these events and tallies. */
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
