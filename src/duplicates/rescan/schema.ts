import { z } from 'zod'

/** What a rescan found, and what it took. */
export const RescanSummary = z.object({
  files: z.int().meta({ description: 'How many files the library has' }),
  hashed: z.int().meta({ description: 'How many files got a hash that had none' }),
  failed: z.int().meta({ description: 'Of how many files no hash could be made' }),
  /** Pairs of files within the threshold, and groups that hang together by them. */
  pairs: z.int().meta({ description: 'How many pairs were found' }),
  clusters: z.int().meta({ description: 'How many clusters they make' }),
  seconds: z.number().meta({ description: 'How long the rescan took' }),
})
export type RescanSummary = z.infer<typeof RescanSummary>

const TYPE = { description: 'What the line tells' }

/** One line of the stream of a rescan. */
export const RescanEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('start').meta(TYPE) }),
    z.object({
      type: z.literal('progress').meta(TYPE),
      stage: z.enum(['hash', 'search', 'write']).meta({
        description:
          'Hashing of files without a hash, the search for pairs, the writing of what was found',
      }),
      done: z.int().meta({ description: 'How much of the stage is done' }),
      total: z.int().meta({ description: 'How much the stage has to do' }),
    }),
    RescanSummary.extend({ type: z.literal('done').meta(TYPE) }),
    z.object({
      type: z.literal('error').meta(TYPE),
      code: z.string().meta({ description: 'For programs, as in Error' }),
      message: z.string().meta({ description: 'For people, as in Error' }),
    }),
  ])
  .meta({
    id: 'RescanEvent',
    description:
      'One line of a rescan: first `start`, then some `progress`, at last `done`; ' +
      '`error` ends one that failed, and the pairs of the rescan before stay',
  })
export type RescanEvent = z.infer<typeof RescanEvent>
