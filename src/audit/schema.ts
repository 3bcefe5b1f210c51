import { z } from 'zod'
import { OBJECT_TYPES } from '../base/enums.ts'
import {
  DateTime,
  integerText,
  NumberId,
  OffsetQuery,
  offsetPage,
  UserId,
  Uuid,
} from '../http/fields.ts'
import { AUDIT_ACTIONS } from './details.ts'

const Action = z.string().meta({
  description: `What was done: one of ${AUDIT_ACTIONS.join(', ')}`,
  examples: ['file_create'],
})

export const AuditLogEntry = z
  .object({
    id: NumberId,
    user_id: UserId,
    user_name: z.string().meta({ description: 'Name of the user at that time' }),
    action: Action,
    object_type: z
      .string()
      .nullable()
      .meta({ description: 'What kind of object it was done to; null if there is none' }),
    object_id: z
      .uuid()
      .nullable()
      .meta({ description: 'Id of the object it was done to; null if there is none' }),
    details: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        description:
          'What changed, without any secrets. Beyond 8 KiB it holds only a part, and `shortened` ' +
          'is true',
      }),
    performed_at: z.iso.datetime().meta({ description: 'When it was done' }),
    operation: NumberId.nullable().meta({
      description:
        'The number of the operation that it belongs to. Each user has numbers of their own. ' +
        'Null for entries of versions that had no operations',
    }),
  })
  .meta({ id: 'AuditLogEntry' })
export type AuditLogEntry = z.infer<typeof AuditLogEntry>

export const AuditLogOffsetPage = offsetPage(AuditLogEntry).meta({ id: 'AuditLogOffsetPage' })
export type AuditLogOffsetPage = z.infer<typeof AuditLogOffsetPage>

export const AuditQuery = OffsetQuery.extend({
  user_id: integerText().optional().meta({ description: 'Id of the user who did it' }),
  action: Action.optional(),
  object_type: z
    .enum(OBJECT_TYPES)
    .optional()
    .meta({ description: 'What kind of object it was done to' }),
  object_id: Uuid.optional().meta({ description: 'Id of the object it was done to' }),
  from: DateTime.optional().meta({ description: 'Not before this time' }),
  to: DateTime.optional().meta({ description: 'Not after this time' }),
})
export type AuditQuery = z.output<typeof AuditQuery>
