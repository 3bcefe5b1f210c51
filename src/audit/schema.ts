import { z } from 'zod'
import { DateTime, integerText, OffsetQuery, offsetPage, Uuid } from '../http/shared.ts'

export const AuditLogEntry = z
  .object({
    id: z.int(),
    user_id: z.int(),
    user_name: z.string(),
    action: z.string(),
    object_type: z.string().nullable(),
    object_id: z.uuid().nullable(),
    details: z.record(z.string(), z.unknown()).nullable(),
    performed_at: z.iso.datetime(),
  })
  .meta({ id: 'AuditLogEntry' })
export type AuditLogEntry = z.infer<typeof AuditLogEntry>

export const AuditLogOffsetPage = offsetPage(AuditLogEntry).meta({ id: 'AuditLogOffsetPage' })
export type AuditLogOffsetPage = z.infer<typeof AuditLogOffsetPage>

export const AuditQuery = OffsetQuery.extend({
  user_id: integerText().optional(),
  action: z.string().optional(),
  object_type: z.enum(['file', 'tag', 'category', 'pool']).optional(),
  object_id: Uuid.optional(),
  from: DateTime.optional(),
  to: DateTime.optional(),
})
export type AuditQuery = z.output<typeof AuditQuery>
