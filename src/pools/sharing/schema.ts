import { z } from 'zod'
import { FileIds } from '../../files/schema.ts'
import { boundedList, IsPublic, UserId, Uuid } from '../../http/fields.ts'

const MOST_USERS = 1000
const TOO_MANY = `must name at most ${MOST_USERS} users`

const Added = z.object({
  user_id: UserId.min(1),
  can_edit: z.boolean().default(false).meta({
    description: 'Whether the user may edit the files, too; what they may already, they still may',
  }),
})

export const BulkShare = z
  .object({
    file_ids: FileIds.optional(),
    pool_id: Uuid.optional().meta({
      description: 'Id of a pool, in the place of `file_ids`: its files that the caller may view',
    }),
    add: boundedList(Added, MOST_USERS, TOO_MANY)
      .refine(
        (added) => new Set(added.map((user) => user.user_id)).size === added.length,
        'must name each user at most once',
      )
      .default([])
      .meta({ description: 'Who may view the files from now on' }),
    remove: boundedList(UserId.min(1), MOST_USERS, TOO_MANY)
      .default([])
      .meta({
        description:
          'Whose entries are taken away, before others are added: a user in both has exactly what ' +
          '`add` says',
      }),
    is_public: IsPublic.optional(),
  })
  .refine(({ file_ids, pool_id }) => (file_ids === undefined) !== (pool_id === undefined), {
    path: ['file_ids'],
    error: 'must be there, or `pool_id`, and not both',
  })
  .meta({ id: 'BulkShare' })
export type BulkShare = z.output<typeof BulkShare>
