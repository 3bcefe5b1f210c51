import { z } from 'zod'
import { POOL_SORT_KEYS } from '../base/enums.ts'
import { FilterParameter, FilterText } from '../files/find/filter-schema.ts'
import { File, FileIds, NextCursor } from '../files/schema.ts'
import {
  boundedList,
  CreatedAt,
  CreatorId,
  CreatorName,
  CursorText,
  Id,
  IsPublic,
  limitText,
  NamedListQuery,
  Order,
  offsetPage,
  PresentedMetadata,
  PresentedNotes,
  pageItems,
  Uuid,
} from '../http/fields.ts'
import {
  metadataObject,
  nameText,
  notesText,
  OBJECT_TEXT,
  type Purpose,
} from '../http/text-fields.ts'

const NAME = 'Summer 2024'

const PoolSortKey = z.enum(POOL_SORT_KEYS).meta({
  description:
    '`manual` is the order that people gave the files, whatever `sort_order` says; any other key ' +
    'sorts by that field',
})

const Filter = FilterText.nullable()

const SharesFiles = z.boolean().meta({
  description:
    'Whether the people on the access list of the pool may view its files, including files that ' +
    'are added later. It shares only the files of the user who switches this on or adds them; an ' +
    'admin shares all. They may view the files, not edit them. A public pool shares nothing with ' +
    'other users. Only the creator of the pool and admins may change this',
})

export const Pool = z
  .object({
    id: Id,
    name: z.string().meta({ description: 'Other pools may have the same name', examples: [NAME] }),
    notes: PresentedNotes,
    metadata: PresentedMetadata,
    creator_id: CreatorId,
    creator_name: CreatorName,
    is_public: IsPublic,
    sort_key: PoolSortKey,
    sort_order: Order,
    shares_files: SharesFiles,
    is_smart: z.boolean().meta({
      description:
        'Whether the pool fills itself: it holds the files that match its `filter`, for each caller ' +
        'those that they may view',
    }),
    filter: z
      .string()
      .nullable()
      .meta({
        description:
          'The filter of a pool that fills itself, in the filter language. Null for other pools, ' +
          'and for callers who may not edit the pool',
      }),
    may_edit: z.boolean().meta({ description: 'Whether the caller may edit the pool' }),
    file_count: z.int().meta({
      description:
        'How many files the caller sees in the pool; where it fills itself, counted at most 30 ' +
        'seconds ago',
    }),
    created_at: CreatedAt,
  })
  .meta({ id: 'Pool', description: 'A collection of files' })
export type Pool = z.infer<typeof Pool>

export const PoolOffsetPage = offsetPage(Pool).meta({ id: 'PoolOffsetPage' })
export type PoolOffsetPage = z.infer<typeof PoolOffsetPage>

const PoolFile = File.extend({
  position: z.int().meta({
    description:
      'Its position in the manual order, counted from 0; files that the caller does not see ' +
      'leave gaps. In a pool that fills itself, its place among the files that the caller sees there',
  }),
}).meta({ id: 'PoolFile', description: 'A file with its position in a pool' })

export const PoolFileCursorPage = z
  .object({
    items: pageItems(PoolFile),
    next_cursor: NextCursor,
  })
  .meta({ id: 'PoolFileCursorPage' })
export type PoolFileCursorPage = z.infer<typeof PoolFileCursorPage>

const fields = (purpose: Purpose) => ({
  name: nameText(256, purpose).meta({
    description: 'Other pools may have the same name; spaces around it are trimmed',
    examples: [NAME],
  }),
  notes: notesText(OBJECT_TEXT, purpose).nullable(),
  metadata: metadataObject(OBJECT_TEXT, purpose).nullable(),
  is_public: IsPublic,
  filter: Filter.meta({
    description:
      'Makes the pool fill itself with the files that match, in the filter language. Each caller ' +
      'sees those that they may view, and what the filter names and they may not view matches ' +
      'nothing. It may not name a pool that fills itself. `null` makes it an empty pool again',
  }),
})

export const PoolCreate = z
  .object({
    ...fields('new'),
    is_public: IsPublic.default(false),
    shares_files: SharesFiles.default(false),
  })
  .partial({ notes: true, metadata: true, filter: true })
  .meta({ id: 'PoolCreate' })
export type PoolCreate = z.output<typeof PoolCreate>

export const PoolUpdate = z
  .object({
    ...fields('edit'),
    sort_key: PoolSortKey,
    sort_order: Order,
    shares_files: SharesFiles,
  })
  .partial()
  .meta({ id: 'PoolUpdate' })
export type PoolUpdate = z.output<typeof PoolUpdate>

export const PoolsQuery = NamedListQuery.extend({
  names: z
    .string()
    .regex(/^([tcp]=[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|u=[1-9]\d{0,14})$/, {
      error: 'must be t=, c= or p= with an id, or u= with the id of a user',
    })
    .toLowerCase()
    .optional()
    .meta({
      description:
        'Only pools that fill themselves, whose filter has this token, and that the caller may ' +
        'edit: those that match other files once what it names is deleted',
      examples: ['t=018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f'],
    }),
})
export type PoolsQuery = z.output<typeof PoolsQuery>

export const PoolPath = z.object({ pool_id: Uuid.meta({ description: 'Id of the pool' }) })

export const PoolFilesQuery = z.object({
  cursor: CursorText.optional(),
  limit: limitText(200).default(50),
  filter: FilterParameter.optional(),
})
export type PoolFilesQuery = z.output<typeof PoolFilesQuery>

const Position = z.int().min(0).meta({
  description: 'The position of the first of them, counted from 0; when absent, they go to the end',
})

export const PoolFilesAdd = z
  .object({ file_ids: FileIds, position: Position.optional() })
  .meta({ id: 'PoolFilesAdd' })
export const PoolFilesRemove = z.object({ file_ids: FileIds }).meta({ id: 'PoolFilesRemove' })

/** A repeated id is an error in a reorder, while elsewhere it counts once. */
export const PoolReorder = z
  .object({
    file_ids: boundedList(Uuid, 10_000, 'must name at most 10000 files')
      .refine((ids) => new Set(ids).size === ids.length, 'must not name a file twice')
      .meta({
        uniqueItems: true,
        description:
          'Ids of files of the pool, each at most once, in their new order; files that are not ' +
          'named follow in their old order',
      }),
  })
  .meta({ id: 'PoolReorder' })
