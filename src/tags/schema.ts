import { z } from 'zod'
import {
  Color,
  CreatedAt,
  CreatorId,
  CreatorName,
  CursorText,
  directionFrom,
  Id,
  IsPublic,
  limitText,
  OffsetQuery,
  Order,
  offsetPage,
  PresentedMetadata,
  PresentedNotes,
  Uuid,
} from '../http/fields.ts'
import {
  metadataObject,
  nameText,
  notesText,
  OBJECT_TEXT,
  type Purpose,
  SearchText,
} from '../http/text-fields.ts'

const NAME = 'beach'

const CATEGORY = { description: 'Id of the category of the tag; null for none' }

export const Tag = z
  .object({
    id: Id,
    name: z.string().meta({ description: 'Unique among all tags', examples: [NAME] }),
    notes: PresentedNotes,
    color: Color,
    category_id: z.uuid().nullable().meta(CATEGORY),
    category_name: z.string().nullable().meta({
      description: 'Name of its category; null when there is none or the caller may not view it',
    }),
    category_color: Color.meta({
      description: 'Colour of its category; null when there is none or the caller may not view it',
    }),
    metadata: PresentedMetadata,
    creator_id: CreatorId,
    creator_name: CreatorName,
    is_public: IsPublic,
    created_at: CreatedAt,
  })
  .meta({ id: 'Tag', description: 'A label that files are organised by' })
export type Tag = z.infer<typeof Tag>

export const TagOffsetPage = offsetPage(Tag).meta({ id: 'TagOffsetPage' })
export type TagOffsetPage = z.infer<typeof TagOffsetPage>

const fields = (purpose: Purpose) => ({
  name: nameText(256, purpose).meta({
    description: 'Unique among all tags; spaces around it are trimmed',
    examples: [NAME],
  }),
  notes: notesText(OBJECT_TEXT, purpose).nullable(),
  color: Color,
  category_id: Uuid.nullable().meta(CATEGORY),
  metadata: metadataObject(OBJECT_TEXT, purpose).nullable(),
  is_public: IsPublic,
})

export const TagCreate = z
  .object({ ...fields('new'), is_public: IsPublic.default(false) })
  .partial({
    notes: true,
    color: true,
    category_id: true,
    metadata: true,
  })
  .meta({ id: 'TagCreate' })
export type TagCreate = z.output<typeof TagCreate>

export const TagUpdate = z.object(fields('edit')).partial().meta({ id: 'TagUpdate' })
export type TagUpdate = z.output<typeof TagUpdate>

const TagSort = z.enum(['name', 'color', 'category_name', 'created'])

export const TagListQuery = OffsetQuery.extend({
  sort: TagSort.default('created').meta({ description: 'What to sort by' }),
  order: Order.default('desc'),
  search: SearchText.optional(),
})

export const TagId = Uuid.meta({ description: 'Id of the tag' })

export const TagPath = z.object({ tag_id: TagId })

export const TagFilesQuery = z.object({
  cursor: CursorText.optional(),
  direction: directionFrom('the cursor'),
  limit: limitText(200).default(50),
})

export const TagMerge = z
  .object({ into: Uuid.meta({ description: 'Id of the tag that takes over the files and rules' }) })
  .meta({ id: 'TagMerge' })

const THEN_TAG = { description: 'Id of the tag that follows' }
const IsActive = z.boolean().meta({ description: 'Whether the rule takes effect' })

export const TagRule = z
  .object({
    when_tag_id: z.uuid().meta({ description: 'Id of the tag that another one follows from' }),
    then_tag_id: z.uuid().meta(THEN_TAG),
    then_tag_name: z.string().meta({ description: 'Name of the tag that follows' }),
    is_active: IsActive,
  })
  .meta({
    id: 'TagRule',
    description: 'When the when-tag is added to a file, the then-tag follows',
  })
export type TagRule = z.infer<typeof TagRule>

const APPLY = {
  description: 'Whether files that already have the tag get the tags that follow from it',
}

export const TagRuleCreate = z
  .object({
    then_tag_id: Uuid.meta(THEN_TAG),
    is_active: IsActive.default(true),
    apply_to_existing: z.boolean().default(true).meta(APPLY),
  })
  .meta({ id: 'TagRuleCreate' })

export const TagRuleUpdate = z
  .object({
    is_active: IsActive,
    apply_to_existing: z.boolean().default(false).meta(APPLY),
  })
  .meta({ id: 'TagRuleUpdate' })

export const TagRulePath = TagPath.extend({ then_tag_id: Uuid.meta(THEN_TAG) })
