import { z } from 'zod'
import { File, FileIds } from '../files/schema.ts'
import {
  integerText,
  Metadata,
  NotesText,
  nameText,
  Order,
  offsetPage,
  Uuid,
} from '../http/shared.ts'

export const PoolSortKey = z.enum(['manual', 'content_datetime', 'created', 'original_name'])

export const Pool = z
  .object({
    id: z.uuid(),
    name: z.string(),
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
  name: nameText(),
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
  cursor: z.string().optional(),
  limit: integerText(1, 200).default(50),
  filter: z.string().optional(),
})
export type PoolFilesQuery = z.output<typeof PoolFilesQuery>

export const PoolFilesAdd = z
  .object({ file_ids: FileIds, position: z.int().min(0).optional() })
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
