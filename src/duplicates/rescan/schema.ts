import { z } from 'zod'
import { runState } from '../../http/run-state.ts'

/** What a rescan found, and how long it took. */
export const RescanSummary = z.object({
  files: z.int().meta({ description: 'How many files the library has' }),
  hashed: z.int().meta({ description: 'How many files that had no hash got one' }),
  failed: z.int().meta({ description: 'For how many files no hash could be made' }),
  /** Pairs of files within the threshold, and the clusters that they form. */
  pairs: z.int().meta({ description: 'How many pairs were found' }),
  clusters: z.int().meta({ description: 'How many clusters the pairs form' }),
  seconds: z.number().meta({ description: 'How long the rescan took' }),
})
export type RescanSummary = z.infer<typeof RescanSummary>

const TYPE = { description: 'What kind of event this is' }

/** One line of the stream of a rescan. */
export const RescanEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('start').meta(TYPE) }),
    z.object({
      type: z.literal('progress').meta(TYPE),
      stage: z.enum(['hash', 'search', 'write']).meta({
        description:
          '`hash` hashes files that have no hash, `search` looks for pairs, `write` stores them',
      }),
      done: z.int().meta({ description: 'How much of the stage is done' }),
      total: z.int().meta({ description: 'How much the stage has to do in all' }),
    }),
    RescanSummary.extend({ type: z.literal('done').meta(TYPE) }),
    z.object({
      type: z.literal('error').meta(TYPE),
      code: z.string().meta({ description: 'The code for programs, as in Error' }),
      message: z.string().meta({ description: 'The message for people, as in Error' }),
    }),
  ])
  .meta({
    id: 'RescanEvent',
    description:
      'One line of a rescan: first `start`, then any number of `progress`, finally `done`. ' +
      'A rescan that fails ends with `error`, and the pairs of the previous rescan stay',
  })
export type RescanEvent = z.infer<typeof RescanEvent>

/** The progress of the present rescan, or the result of the last one. */
export const RescanState = runState(RescanEvent, RescanSummary).meta({
  id: 'RescanState',
  description:
    'The progress of the running rescan, or the result of the last one. The tallies are known ' +
    'once it is done. No refused file is named; `failed` counts the files without a hash',
})
export type RescanState = z.infer<typeof RescanState>
