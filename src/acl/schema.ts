import { z } from 'zod'
import { Uuid } from '../http/fields.ts'

export const Permission = z
  .object({
    user_id: z.int(),
    user_name: z.string(),
    can_view: z.boolean(),
    can_edit: z.boolean(),
  })
  .meta({ id: 'Permission' })
export type Permission = z.infer<typeof Permission>

export const AclPath = z.object({
  object_type: z.enum(['file', 'tag', 'category', 'pool']),
  object_id: Uuid,
})

export const AclUpdate = z
  .object({
    permissions: z
      .array(
        z.object({
          user_id: z.int().min(1),
          can_view: z.boolean().default(true),
          can_edit: z.boolean().default(false),
        }),
      )
      .max(1000, 'must have at most 1000 entries')
      .refine(
        (entries) => new Set(entries.map((entry) => entry.user_id)).size === entries.length,
        'must name each user once',
      ),
  })
  .meta({ id: 'AclUpdate' })
export type AclUpdate = z.output<typeof AclUpdate>
