import { z } from 'zod'
import { File, FileIds, FilterText } from '../files/schema.ts'
import {
  CursorText,
  limitText,
  Metadata,
  NotesText,
  nameText,
  Order,
  offsetPage,
  Uuid,
} from '../http/fields.ts'

const NAME = 'Summer 2024'

export const PoolSortKey = z.enum(['manual', 'content_datetime', 'created', 'original_name'])

export const Pool = z
  .object({
    id: z.uuid(),
    name: z.string().meta({ examples: [NAME] }),
    notes: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    creator_id: z.int(),
    creator_name: z.string(),
    is_public: z.boolean(),
    sort_key: PoolSortKey,
    sort_order: Order,
    file_count: z.int(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Pool' })
export type Pool = z.infer<typeof Pool>

export const PoolOffsetPage = offsetPage(Pool).meta({ id: 'PoolOffsetPage' })
export type PoolOffsetPage = z.infer<typeof PoolOffsetPage>

export const PoolFile = File.extend({ position: z.int() }).meta({ id: 'PoolFile' })

export const PoolFileCursorPage = z
  .object({
    items: z.array(PoolFile),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'PoolFileCursorPage' })
export type PoolFileCursorPage = z.infer<typeof PoolFileCursorPage>

const fields = {
  name: nameText().meta({ examples: [NAME] }),
  notes: NotesText.nullable(),
  metadata: Metadata.nullable(),
  is_public: z.boolean(),
}

export const PoolCreate = z
  .object({ ...fields, is_public: z.boolean().default(false) })
  .partial({ notes: true, metadata: true })
  .meta({ id: 'PoolCreate' })
export type PoolCreate = z.output<typeof PoolCreate>

export const PoolUpdate = z
  .object({ ...fields, sort_key: PoolSortKey, sort_order: Order })
  .partial()
  .meta({ id: 'PoolUpdate' })
export type PoolUpdate = z.output<typeof PoolUpdate>

export const PoolPath = z.object({ pool_id: Uuid })

export const PoolFilesQuery = z.object({
  cursor: CursorText.optional(),
  limit: limitText(200).default(50),
  filter: FilterText.optional(),
})
export type PoolFilesQuery = z.output<typeof PoolFilesQuery>

const Position = z
  .int()
  .min(0)
  .meta({ description: 'Where the first of them goes, from 0; at the end when not given' })

export const PoolFilesAdd = z
  .object({ file_ids: FileIds, position: Position.optional() })
  .meta({ id: 'PoolFilesAdd' })
export const PoolFilesRemove = z.object({ file_ids: FileIds }).meta({ id: 'PoolFilesRemove' })

/** In a reorder a repeated id is a mistake, not a repetition. */
export const PoolReorder = z
  .object({
    file_ids: z
      .array(Uuid)
      .max(10_000, 'must name at most 10000 files')
      .refine((ids) => new Set(ids).size === ids.length, 'must name each file once'),
  })
  .meta({ id: 'PoolReorder' })
