import { z } from 'zod'
import { OBJECT_TYPES } from '../base/enums.ts'
import { IntegerId, limitText, NumberId, pageItems, UserId } from '../http/fields.ts'
import { SharedThrough } from '../pools/sharing/schema.ts'

const OperationNumber = NumberId.meta({
  description: 'Number of the operation, as the header `Operation` of an answer names it',
})

export const OperationPath = z.object({
  operation: IntegerId.meta({ description: OperationNumber.description }),
})

/** Why something was not undone. */
export const KEPT_REASONS = [
  'changed',
  'gone',
  'forbidden',
  'conflict',
  'incomplete',
  'not_undoable',
] as const
export type KeptReason = (typeof KEPT_REASONS)[number]

const Kept = z
  .object({
    object_type: z
      .enum(OBJECT_TYPES)
      .nullable()
      .meta({ description: 'What kind of object it is; null if there is none' }),
    object_id: z.uuid().nullable().meta({
      description: 'Id of the object; null if there is none, or if the caller may not view it',
    }),
    reason: z.enum(KEPT_REASONS).meta({
      description:
        '`changed`: something is no longer as the operation left it; `gone`: the object no ' +
        'longer exists, or a file that was merged into it no longer does, and what came from ' +
        'that file stays; `forbidden`: the caller may not edit it; `conflict`: the state of the ' +
        'library does not allow it, for example because another object has the name now, or ' +
        'because a file would have more than 1,000 tags; `incomplete`: it was too much to ' +
        'record; `not_undoable`: this is never undone',
    }),
  })
  .meta({ id: 'Kept', description: 'Something that was not undone' })
export type Kept = z.infer<typeof Kept>

export const UndoResult = z
  .object({
    operation: NumberId.nullable().meta({
      description:
        'Number of the operation of the undo itself, which can also be undone unless it took ' +
        'back a merge of files. Null when nothing was undone, so that it can be tried again',
    }),
    undone: z.int().meta({ description: 'For how many objects something was undone' }),
    kept: z
      .array(Kept)
      .max(1000)
      .meta({ description: 'What was not undone, at most 1,000; an object may be in both' }),
    kept_total: z.int().meta({ description: 'How much was not undone in all' }),
  })
  .meta({ id: 'UndoResult' })
export type UndoResult = z.infer<typeof UndoResult>

export const HistoryQuery = z.object({
  cursor: IntegerId.optional().meta({ description: '`next_cursor` of the previous page' }),
  limit: limitText(200).default(50),
})
export type HistoryQuery = z.output<typeof HistoryQuery>

const HistoryEntry = z
  .object({
    id: NumberId.meta({
      description:
        'Number of the entry in the history of the file; the audit log has another number for ' +
        'it',
    }),
    action: z.string().meta({ description: 'What was done, as the audit log names it' }),
    user_id: UserId,
    user_name: z.string().meta({ description: 'Name of the user at that time' }),
    details: z.record(z.string(), z.unknown()).meta({
      description:
        'What changed, as far as the caller may view it. Callers who may not edit the file get ' +
        '`fields` instead of `changes`. Beyond 8 KiB it holds only a part, and `shortened` is ' +
        'true',
    }),
    performed_at: z.iso.datetime().meta({ description: 'When it was done' }),
    operation: NumberId.nullable().meta({
      description: 'Number of the operation; null for entries of versions that had no operations',
    }),
  })
  .meta({ id: 'HistoryEntry', description: 'Something that was done to a file' })
export type HistoryEntry = z.infer<typeof HistoryEntry>

export const FileHistoryPage = z
  .object({
    items: pageItems(HistoryEntry),
    through: z
      .array(SharedThrough)
      .max(20)
      .meta({
        description:
          'The pools through which people see the file now, the oldest first, at most 20, on every ' +
          'page; for callers who neither created it nor are admins only those through which they ' +
          'see it themselves',
      }),
    next_cursor: z
      .string()
      .nullable()
      .meta({
        description:
          'Where to go on; null at the end. A page may have fewer entries than requested, and the ' +
          'last may have none',
      }),
  })
  .meta({ id: 'FileHistoryPage' })
export type FileHistoryPage = z.infer<typeof FileHistoryPage>
