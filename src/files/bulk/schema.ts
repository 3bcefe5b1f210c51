import { z } from 'zod'
import { FILE_TEXT, notesText } from '../../http/text-fields.ts'
import { needsDate } from '../dates/schema.ts'
import { File, FileIds, FileUpdate } from '../schema.ts'

const { content_datetime, date_precision, is_public } = FileUpdate.shape

export const BulkUpdate = z
  .object({
    file_ids: FileIds,
    set: z
      .object({
        content_datetime,
        date_precision,
        is_public,
        notes: notesText(FILE_TEXT).nullable(),
      })
      .partial()
      .refine(...needsDate)
      .default({})
      .meta({ description: 'The fields that all files get; absent ones stay as they are' }),
    shift_minutes: z
      .int()
      .optional()
      .meta({
        description:
          'By how much to move the date of each file; not allowed together with a date. A day alone ' +
          'stays so, and moves by whole days; otherwise the file is skipped, as is one of which only ' +
          'the month or the year is known',
      }),
    turn: z.literal([90, 180, 270], 'must be 90, 180 or 270').optional().meta({
      description: 'By how many degrees to turn each file clockwise, from how it is turned now',
    }),
  })
  .refine(
    ({ set, shift_minutes }) => set.content_datetime === undefined || shift_minutes === undefined,
    { path: ['shift_minutes'], error: "can't be combined with a date" },
  )
  .meta({ id: 'BulkUpdate' })

export const BulkFavourite = z
  .object({ file_ids: FileIds, is_favourite: File.shape.is_favourite })
  .meta({ id: 'BulkFavourite' })

/** How many skipped files an answer names. */
export const SKIPPED_NAMED = 1000

export const BulkResult = z
  .object({
    changed: z.int().meta({
      description: 'How many files changed; files that were already that way are not counted',
    }),
    skipped: z.int().meta({
      description:
        'How many of the files were left out, because they do not exist or it is not allowed',
    }),
    skipped_ids: z
      .array(z.uuid())
      .max(SKIPPED_NAMED)
      .meta({ description: 'The ids of the first 1,000 of these, in the order given' }),
  })
  .meta({ id: 'BulkResult', description: 'What happened to the files' })
export type BulkResult = z.infer<typeof BulkResult>
