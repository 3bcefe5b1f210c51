import { z } from 'zod'
import { Uuid } from '../../http/fields.ts'
import { FileListQuery, Pairs } from '../schema.ts'

const { filter, search, trash } = FileListQuery.shape

export const TagCountsQuery = z.object({
  filter: filter.meta({ description: 'Which files to count, in the filter language' }),
  search,
  pool: Uuid.optional().meta({ description: 'Id of the pool whose files to count' }),
  trash: trash.meta({
    description: 'Whether to count only the files in the trash, instead of only the others',
  }),
  pairs: Pairs.meta({ description: '`1` to count a living picture without its film' }),
})
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
