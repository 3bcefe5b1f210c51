import { z } from 'zod'
import { OBJECT_TYPES } from '../base/enums.ts'
import { boundedList, UserId, Uuid } from '../http/fields.ts'

const CanView = z.boolean().meta({ description: 'Whether the user may view the object' })
const CanEdit = z.boolean().meta({
  description: 'Whether the user may edit the object, which includes viewing it',
})

export const Permission = z
  .object({
    user_id: UserId,
    user_name: z.string().meta({ description: 'Name of the user' }),
    can_view: CanView,
    can_edit: CanEdit,
  })
  .meta({ id: 'Permission', description: 'What one user may do with an object' })
export type Permission = z.infer<typeof Permission>

export const AclPath = z.object({
  object_type: z.enum(OBJECT_TYPES).meta({ description: 'The kind of object' }),
  object_id: Uuid.meta({ description: 'Id of the object' }),
})

export const AclUpdate = z
  .object({
    permissions: boundedList(
      z.object({
        user_id: UserId.min(1),
        can_view: CanView.default(true),
        can_edit: CanEdit.default(false),
      }),
      1000,
      'must have at most 1000 entries',
    )
      .refine(
        (entries) => new Set(entries.map((entry) => entry.user_id)).size === entries.length,
        'must name each user at most once',
      )
      .meta({
        description: 'All entries that the object has from now on; at most one for each user',
      }),
  })
  .meta({ id: 'AclUpdate' })
export type AclUpdate = z.output<typeof AclUpdate>
