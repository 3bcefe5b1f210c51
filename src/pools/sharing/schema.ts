import { z } from 'zod'
import { FileIds, idList } from '../../files/schema.ts'
import { boundedList, DateTime, IsPublic, UserId, Uuid } from '../../http/fields.ts'

const MOST_USERS = 1000
const TOO_MANY = `must name at most ${MOST_USERS} users`
// The most users about whom one request may ask.
const MOST_ASKED = 20

const NAMES_ONE = { path: ['file_ids'], error: 'must be given, or `pool_id`, but not both' }

function namesOne({ file_ids, pool_id }: { file_ids?: unknown; pool_id?: unknown }): boolean {
  return (file_ids === undefined) !== (pool_id === undefined)
}

const Added = z.object({
  user_id: UserId.min(1),
  can_edit: z.boolean().default(false).meta({
    description: 'Whether the user may also edit the files; rights that they already have stay',
  }),
})

export const BulkShare = z
  .object({
    file_ids: FileIds.optional(),
    pool_id: Uuid.optional().meta({
      description: 'Id of a pool, instead of `file_ids`: its files that the caller may view',
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
          'Users whose entries are removed before others are added: a user in both lists has ' +
          'exactly what `add` says',
      }),
    is_public: IsPublic.optional(),
  })
  .refine(namesOne, NAMES_ONE)
  .meta({ id: 'BulkShare' })
export type BulkShare = z.output<typeof BulkShare>

export const ReachAsked = z
  .object({
    file_ids: FileIds.optional(),
    pool_id: Uuid.optional().meta({
      description: 'Id of a pool, instead of `file_ids`: its files that are not in the trash',
    }),
    user_ids: idList(UserId.min(1), MOST_ASKED, 'users'),
  })
  .refine(namesOne, NAMES_ONE)
  .meta({ id: 'ReachAsked' })
export type ReachAsked = z.output<typeof ReachAsked>

export const PoolName = z
  .object({
    id: z.uuid().meta({ description: 'Id of the pool' }),
    name: z.string().meta({ description: 'Its name' }),
  })
  .meta({ id: 'PoolName', description: 'A pool with its name' })
export type PoolName = z.infer<typeof PoolName>

export const SharedThrough = z
  .object({
    pool: PoolName.nullable().meta({ description: 'The pool; null if the caller may not view it' }),
    since: z.iso
      .datetime()
      .meta({ description: 'Since when somebody has seen it through the pool' }),
  })
  .meta({ id: 'SharedThrough', description: 'A pool through which a file is shared' })
export type SharedThrough = z.infer<typeof SharedThrough>

/** The most pools that one answer on what users see names. */
export const MOST_POOLS = 20

const UserReach = z.object({
  user_id: UserId,
  seen: z.int().meta({ description: 'How many of them the user may view' }),
  can_edit: z.int().meta({ description: 'How many of them the user may edit' }),
  through_pools: z.int().meta({
    description:
      'How many of those that others created the user may view through pools that share their ' +
      'files, whatever else lets them',
  }),
  pools: z.array(PoolName).max(MOST_POOLS).meta({
    description:
      'These pools, ordered by name, at most 20, without those that the caller may not view',
  }),
})
export type UserReach = z.infer<typeof UserReach>

export const Reach = z
  .object({
    files: z.int().meta({ description: 'How many of the files the caller may view' }),
    not_yours: z.int().meta({
      description:
        'How many of `files` were created by others; the caller learns nothing about their ' +
        'rights. 0 for admins',
    }),
    users: z.array(UserReach).meta({
      description:
        'What each user may do with the rest (`files` without `not_yours`), in the order ' +
        'requested',
    }),
  })
  .meta({ id: 'Reach' })
export type Reach = z.infer<typeof Reach>

/** How many files, creators and pools an answer on news names. */
export const MOST_NAMED = 12

export const NewsQuery = z.object({
  since: DateTime.optional().meta({
    description: '`until` of the previous answer; without it nothing is new',
  }),
})

export const News = z
  .object({
    files: z.int().meta({ description: 'How many files are new to the caller' }),
    first: z.array(z.uuid()).max(MOST_NAMED).meta({
      description: 'Ids of those that came last, at most 12',
    }),
    from: z
      .array(
        z.object({
          id: UserId,
          name: z.string().meta({ description: 'Name of the user' }),
          files: z.int().meta({ description: 'How many of them the user created' }),
        }),
      )
      .max(MOST_NAMED)
      .meta({ description: 'Who created how many of them, at most 12 users' }),
    pools: z
      .array(PoolName.extend({ files: z.int().meta({ description: 'How many of them it shows' }) }))
      .max(MOST_NAMED)
      .meta({
        description: 'Through which pools the caller sees how many of them, at most 12',
      }),
    until: z.iso.datetime().meta({ description: 'When that was so' }),
  })
  .meta({ id: 'News', description: 'Files that others have let the caller see' })
export type News = z.infer<typeof News>
