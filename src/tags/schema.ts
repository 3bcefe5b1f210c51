import { z } from 'zod'
import {
  Color,
  CursorText,
  limitText,
  Metadata,
  NotesText,
  nameText,
  OffsetQuery,
  Order,
  offsetPage,
  SearchText,
  Uuid,
} from '../http/fields.ts'

const NAME = 'beach'

export const Tag = z
  .object({
    id: z.uuid(),
    name: z.string().meta({ examples: [NAME] }),
    notes: z.string().nullable(),
    color: Color.nullable(),
    category_id: z.uuid().nullable(),
    category_name: z.string().nullable(),
    category_color: Color.nullable(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    creator_id: z.int(),
    creator_name: z.string(),
    is_public: z.boolean(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Tag' })
export type Tag = z.infer<typeof Tag>

export const TagOffsetPage = offsetPage(Tag).meta({ id: 'TagOffsetPage' })
export type TagOffsetPage = z.infer<typeof TagOffsetPage>

const fields = {
  name: nameText().meta({ examples: [NAME] }),
  notes: NotesText.nullable(),
  color: Color.nullable(),
  category_id: Uuid.nullable(),
  metadata: Metadata.nullable(),
  is_public: z.boolean(),
}

export const TagCreate = z
  .object({ ...fields, is_public: z.boolean().default(false) })
  .partial({
    notes: true,
    color: true,
    category_id: true,
    metadata: true,
  })
  .meta({ id: 'TagCreate' })
export type TagCreate = z.output<typeof TagCreate>

export const TagUpdate = z.object(fields).partial().meta({ id: 'TagUpdate' })
export type TagUpdate = z.output<typeof TagUpdate>

export const TagSort = z.enum(['name', 'color', 'category_name', 'created'])

export const TagListQuery = OffsetQuery.extend({
  sort: TagSort.default('created').meta({ description: 'What to sort by' }),
  order: Order.default('desc'),
  search: SearchText.optional(),
})

export const TagPath = z.object({ tag_id: Uuid })

export const TagFilesQuery = z.object({
  cursor: CursorText.optional(),
  direction: z
    .enum(['forward', 'backward'])
    .default('forward')
    .meta({ description: 'Which way to go from the cursor' }),
  limit: limitText(200).default(50),
})

export const TagRule = z
  .object({
    when_tag_id: z.uuid(),
    then_tag_id: z.uuid(),
    then_tag_name: z.string(),
    is_active: z.boolean(),
  })
  .meta({ id: 'TagRule' })
export type TagRule = z.infer<typeof TagRule>

const APPLY = { description: 'Whether the files that carry the tag now gain what follows' }

export const TagRuleCreate = z
  .object({
    then_tag_id: Uuid,
    is_active: z.boolean().default(true),
    apply_to_existing: z.boolean().default(true).meta(APPLY),
  })
  .meta({ id: 'TagRuleCreate' })

export const TagRuleUpdate = z
  .object({
    is_active: z.boolean(),
    apply_to_existing: z.boolean().default(false).meta(APPLY),
  })
  .meta({ id: 'TagRuleUpdate' })

export const TagRulePath = z.object({ tag_id: Uuid, then_tag_id: Uuid })
