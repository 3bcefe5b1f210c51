import { z } from 'zod'
import { CountedFiles } from './schema.ts'

export const TagCountsQuery = CountedFiles
export type TagCountsQuery = z.output<typeof TagCountsQuery>

export const TagCounts = z
  .object({
    counts: z.record(z.uuid(), z.int()).meta({
      description:
        'The number of files that have each tag, by the id of the tag, for the tags and files ' +
        'that the caller may view. Tags that none of the files has are left out',
    }),
    as_of: z.iso.datetime().meta({ description: 'When they were counted' }),
  })
  .meta({ id: 'TagCounts', description: 'How many files have each tag' })
export type TagCounts = z.infer<typeof TagCounts>
