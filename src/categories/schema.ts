import { z } from 'zod'
import {
  Color,
  CreatedAt,
  CreatorId,
  CreatorName,
  Id,
  IsPublic,
  Metadata,
  NotesText,
  nameText,
  offsetPage,
  PresentedMetadata,
  PresentedNotes,
  Uuid,
} from '../http/fields.ts'

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

const fields = {
  name: nameText().meta({
    description: 'Unique among all categories; spaces around it are trimmed',
    examples: [NAME],
  }),
  notes: NotesText.nullable(),
  color: Color,
  metadata: Metadata.nullable(),
  is_public: IsPublic,
}

export const CategoryCreate = z
  .object({ ...fields, is_public: IsPublic.default(false) })
  .partial({ notes: true, color: true, metadata: true })
  .meta({ id: 'CategoryCreate' })
export type CategoryCreate = z.output<typeof CategoryCreate>

export const CategoryUpdate = z.object(fields).partial().meta({ id: 'CategoryUpdate' })
export type CategoryUpdate = z.output<typeof CategoryUpdate>

export const CategoryPath = z.object({
  category_id: Uuid.meta({ description: 'Id of the category' }),
})
