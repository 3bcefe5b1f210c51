import { z } from 'zod'

/** What a rescan found, and what it took. */
export const RescanSummary = z.object({
  /** All files of the library. */
  files: z.int(),
  /** Files that had no hash until now, and those of which none could be made. */
  hashed: z.int(),
  failed: z.int(),
  /** Pairs of files within the threshold, and groups that hang together by them. */
  pairs: z.int(),
  clusters: z.int(),
  seconds: z.number(),
})
export type RescanSummary = z.infer<typeof RescanSummary>

/** One line of the stream of a rescan. */
export const RescanEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('start') }),
    z.object({
      type: z.literal('progress'),
      stage: z.enum(['hash', 'search', 'write']),
      done: z.int(),
      total: z.int(),
    }),
    RescanSummary.extend({ type: z.literal('done') }),
    z.object({ type: z.literal('error'), code: z.string(), message: z.string() }),
  ])
  .meta({ id: 'RescanEvent' })
export type RescanEvent = z.infer<typeof RescanEvent>
