import { z } from 'zod'

export const ImportRequest = z
  .object({
    path: z
      .string()
      .refine((path) => !path.includes('\0') && path.isWellFormed(), 'must be the path of a folder')
      .optional()
      .meta({ description: 'A folder in the import folder; that one when not given' }),
  })
  .meta({ id: 'ImportRequest' })

/** One line of the stream of an import. */
export const ImportEvent = z
  .object({
    type: z.enum(['start', 'file', 'done', 'error']),
    total: z.int().optional(),
    index: z.int().optional(),
    filename: z.string().optional(),
    status: z.enum(['imported', 'skipped', 'error']).optional(),
    reason: z.string().optional(),
    imported: z.int().optional(),
    skipped: z.int().optional(),
    errors: z.int().optional(),
  })
  .meta({ id: 'ImportEvent' })
export type ImportEvent = z.infer<typeof ImportEvent>
