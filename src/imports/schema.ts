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
    type: z.enum(['start', 'file', 'done', 'error']).meta({ description: 'What the line tells' }),
    total: z
      .int()
      .optional()
      .meta({ description: 'Of `start`: entries that are to come; of `done`: entries that came' }),
    index: z.int().optional().meta({ description: 'Of `file`: which entry it is, from 1' }),
    filename: z.string().optional().meta({ description: 'Of `file`: the name of the entry' }),
    status: z
      .enum(['imported', 'skipped', 'error'])
      .optional()
      .meta({ description: 'Of `file`: what became of the entry' }),
    reason: z.string().optional().meta({ description: 'Of `file` and `error`: why, or a warning' }),
    imported: z.int().optional().meta({ description: 'Of `done`: how many were imported' }),
    skipped: z.int().optional().meta({ description: 'Of `done`: how many were skipped' }),
    errors: z.int().optional().meta({ description: 'Of `done`: how many failed' }),
  })
  .meta({
    id: 'ImportEvent',
    description:
      'One line of an import: first `start`, then a `file` for each entry, at last `done`; ' +
      '`error` ends one that could not go on',
  })
export type ImportEvent = z.infer<typeof ImportEvent>
