import { z } from 'zod'
import { BACKUP_PROBLEMS, WALLS } from '../base/enums.ts'
import { NumberId } from '../http/fields.ts'
import { Background } from '../http/run-state.ts'

const Bytes = z.int().meta({ format: 'int64' })

export const Status = z
  .object({
    version: z.string().meta({ description: 'The version of the server' }),
    runtime: z.string().meta({
      description: 'What the server runs on, with its version',
      examples: ['bun 1.4.5'],
    }),
    files: z.int().meta({ description: 'How many files there are, with those in the trash' }),
    bytes: Bytes.meta({ description: 'How many bytes their contents have together' }),
    free_bytes: Bytes.nullable().meta({
      description: "How many bytes of the disk are free; null if its file system doesn't tell",
    }),
    decoder_jobs: z.int().meta({
      description: 'How many contents are being decoded, or are waiting for that',
    }),
    decoder_walls: z.enum(WALLS).nullable().meta({
      description:
        'How far decoding is shut off (DECODER_WALLS); null as long as no decoder has started',
    }),
    decoder_walls_reason: z.string().nullable().meta({
      description:
        'Why it is not shut off further, for each stronger level; null where nothing stands against it',
    }),
    readers: z.int().meta({
      description:
        'How many processes find and count files beside the server: up to two, ' +
        'each until half a minute without a question',
    }),
    long_changes: z.int().meta({ description: 'How many long changes are under way' }),
    background: Background,
    dates_operation: NumberId.nullable().meta({
      format: 'int64',
      description:
        'Number of the operation in which the server mended dates of files of earlier versions, which ' +
        'can be undone once this work is over; until then an undo is a conflict. Null when there is none',
    }),
    last_backup: z.iso.datetime().nullable().meta({
      description:
        'When the last backup was made, by the server or by hand; null when there is none',
    }),
    backup_problem: z
      .enum(['failed', ...BACKUP_PROBLEMS])
      .nullable()
      .meta({
        description:
          '`failed` when one failed since; of the last one, `incomplete` when a content was missing or ' +
          'damaged in the library, and `same_disk` when it guards against deletion only; else null',
      }),
    last_scrub: z.iso.datetime().nullable().meta({
      description:
        'When the server last came to the end of reading all contents again; null before the first time',
    }),
    damaged: z.int().meta({
      description:
        'How many contents were found to be missing, unreadable or other than they were stored, and are not known ' +
        'to be well again; the audit log has each as `content_damaged`',
    }),
  })
  .meta({ id: 'Status', description: 'How the server is' })
export type Status = z.infer<typeof Status>
