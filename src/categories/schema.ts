import { z } from 'zod'
import {
  Color,
  CreatedAt,
  CreatorId,
  CreatorName,
  Id,
  IsPublic,
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
} from '../http/text-fields.ts'

const NAME = 'Places'

export const Category = z
  .object({
    id: Id,
    name: z.string().meta({ description: 'Unique among all categories', examples: [NAME] }),
    notes: PresentedNotes,
    color: Color,
    metadata: PresentedMetadata,
    creator_id: CreatorId,
    creator_name: CreatorName,
    is_public: IsPublic,
    created_at: CreatedAt,
  })
  .meta({ id: 'Category', description: 'A group of tags of one kind' })
export type Category = z.infer<typeof Category>

export const CategoryOffsetPage = offsetPage(Category).meta({ id: 'CategoryOffsetPage' })
export type CategoryOffsetPage = z.infer<typeof CategoryOffsetPage>

const fields = (purpose: Purpose) => ({
  name: nameText(256, purpose).meta({
    description: 'Unique among all categories; spaces around it are trimmed',
    examples: [NAME],
  }),
  notes: notesText(OBJECT_TEXT, purpose).nullable(),
  color: Color,
  metadata: metadataObject(OBJECT_TEXT, purpose).nullable(),
  is_public: IsPublic,
})

export const CategoryCreate = z
  .object({ ...fields('new'), is_public: IsPublic.default(false) })
  .partial({ notes: true, color: true, metadata: true })
  .meta({ id: 'CategoryCreate' })
export type CategoryCreate = z.output<typeof CategoryCreate>

export const CategoryUpdate = z.object(fields('edit')).partial().meta({ id: 'CategoryUpdate' })
export type CategoryUpdate = z.output<typeof CategoryUpdate>

export const CategoryPath = z.object({
  category_id: Uuid.meta({ description: 'Id of the category' }),
})
