import { z } from 'zod'
import { integerText, Uuid } from '../http/fields.ts'

/** Seconds that a request may wait at most. */
const LONGEST_WAIT = 25
/** An answer names this many files at most. */
export const MOST_FILES = 200

export const ChangesQuery = z.object({
  since: z.string().optional().meta({
    description: 'The `next` of the last answer, unchanged. Without it, the answer comes at once',
  }),
  wait: integerText(0, LONGEST_WAIT)
    .default(LONGEST_WAIT)
    .meta({ description: 'How many seconds to wait for a change at most' }),
})

export const FileChanges = z
  .object({
    next: z
      .string()
      .meta({ description: 'The `since` of the next request; it tells nothing else' }),
    files: z.union([z.array(Uuid).max(MOST_FILES), z.literal('many')]).meta({
      description:
        'The files that have changed, come or gone since; `many` when there are more, or when a ' +
        'tag, a category, a pool or the rights of the caller have changed: read everything anew',
    }),
  })
  .meta({ id: 'FileChanges', description: 'What has changed of what the caller sees' })
export type FileChanges = z.infer<typeof FileChanges>
