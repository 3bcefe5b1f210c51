import { z } from 'zod'
import { Color, Metadata, NotesText, nameText, offsetPage, Uuid } from '../http/fields.ts'

const NAME = 'Places'

export const Category = z
  .object({
    id: z.uuid(),
    name: z.string().meta({ examples: [NAME] }),
    notes: z.string().nullable(),
    color: Color.nullable(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    creator_id: z.int(),
    creator_name: z.string(),
    is_public: z.boolean(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Category' })
export type Category = z.infer<typeof Category>

export const CategoryOffsetPage = offsetPage(Category).meta({ id: 'CategoryOffsetPage' })
export type CategoryOffsetPage = z.infer<typeof CategoryOffsetPage>

const fields = {
  name: nameText().meta({ examples: [NAME] }),
  notes: NotesText.nullable(),
  color: Color.nullable(),
  metadata: Metadata.nullable(),
  is_public: z.boolean(),
}

export const CategoryCreate = z
  .object({ ...fields, is_public: z.boolean().default(false) })
  .partial({ notes: true, color: true, metadata: true })
  .meta({ id: 'CategoryCreate' })
export type CategoryCreate = z.output<typeof CategoryCreate>

export const CategoryUpdate = z.object(fields).partial().meta({ id: 'CategoryUpdate' })
export type CategoryUpdate = z.output<typeof CategoryUpdate>

export const CategoryPath = z.object({ category_id: Uuid })
