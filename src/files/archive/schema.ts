import { z } from 'zod'
import { Uuid } from '../../http/fields.ts'
import { FilterText } from '../find/filter-schema.ts'
import { idList, ListedFiles } from '../schema.ts'

// A body has no room for many more.
const MOST_NAMED = 25_000
/** The most files that an archive holds. */
export const MOST_FILES = 100_000
/** The most bytes of contents that an archive holds. */
export const MOST_BYTES = 200e9

const { search, from, to } = ListedFiles.shape

const LISTED = ['filter', 'search', 'from', 'to'] as const

function namesOne(asked: Record<string, unknown>): boolean {
  const isListed = LISTED.some((field) => asked[field] !== undefined)
  const ways = [asked.file_ids !== undefined, asked.pool_id !== undefined, isListed]
  return ways.filter(Boolean).length === 1
}

export const ArchiveAsked = z
  .object({
    file_ids: idList(Uuid, MOST_NAMED, 'files').optional(),
    pool_id: Uuid.optional().meta({
      description: 'Id of a pool, instead of `file_ids`: its files',
    }),
    filter: FilterText.optional().meta({
      description:
        'Instead of `file_ids` and `pool_id`: the filter of a list of files, whose other parts ' +
        'are `search`, `from` and `to`. When it is empty, all files',
    }),
    search,
    from: from.meta({
      description: 'The instant from which to take files, by `content_datetime`',
    }),
    to: to.meta({ description: 'The instant before which to take files, by `content_datetime`' }),
  })
  .refine(namesOne, {
    path: ['file_ids'],
    error:
      'must be given, or `pool_id`, or any of `filter`, `search`, `from` and `to`, but only one of the three',
  })
  .meta({ id: 'ArchiveAsked' })
export type ArchiveAsked = z.output<typeof ArchiveAsked>

export const Archive = z
  .object({
    token: z.string().meta({
      description: 'Send it as `access_token` in the query, once and within ten minutes',
    }),
    files: z.int().meta({ description: 'How many files it will hold' }),
    bytes: z.int().meta({ format: 'int64', description: 'The total size of their contents' }),
  })
  .meta({ id: 'Archive' })
export type Archive = z.infer<typeof Archive>

export const ArchiveQuery = z.object({
  access_token: z.string().optional().meta({ description: 'The token of the archive' }),
  sidecars: z
    .literal('1', 'must be 1')
    .optional()
    .meta({
      description:
        '`1` puts an XMP sidecar, `NAME.xmp`, beside each file: with its tags, rating, notes, date, ' +
        'position, people and pools, as far as the caller may view them',
    }),
})
