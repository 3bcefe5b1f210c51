import { z } from 'zod'
import { BACKUP_PROBLEMS, STORE_PROBLEMS, WALLS } from '../base/enums.ts'
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
    files: z.int().meta({ description: 'How many files there are, including those in the trash' }),
    bytes: Bytes.meta({ description: 'The total size of their contents in bytes' }),
    free_bytes: Bytes.nullable().meta({
      description: "How many bytes of the disk are free; null if its file system doesn't report it",
    }),
    store: z
      .object({
        name: z.string().meta({ description: 'Its bucket and how the names of objects begin' }),
        problem: z
          .enum(STORE_PROBLEMS)
          .nullable()
          .meta({
            description:
              '`away` when it does not answer, `refused` when it refuses, as with a wrong key, ' +
              '`foreign` when it has the contents of another library or none of this one; ' +
              'contents are not available then. Otherwise null',
          }),
        since: z.iso.datetime().nullable().meta({ description: 'When that was first seen' }),
      })
      .nullable()
      .meta({
        description:
          'The store of the contents, which is asked for this; null when they are in the data ' +
          'folder',
      }),
    decoder_jobs: z.int().meta({
      description: 'How many contents are being decoded or are waiting for it',
    }),
    decoder_walls: z.enum(WALLS).nullable().meta({
      description:
        'How far the decoder is isolated (DECODER_WALLS); null until a decoder has started',
    }),
    decoder_walls_reason: z.string().nullable().meta({
      description:
        'Why it is not isolated further, for each stronger level; null where nothing prevents it',
    }),
    readers: z.int().meta({
      description:
        'How many processes find and count files beside the server: up to two, each of which ' +
        'ends after half a minute without a question',
    }),
    long_changes: z.int().meta({ description: 'How many long changes are under way' }),
    background: Background,
    dates_operation: NumberId.nullable().meta({
      format: 'int64',
      description:
        'Number of the operation in which the server corrected dates of files of earlier ' +
        'versions. It can be undone once this work is over; until then an undo is a conflict. ' +
        'Null when there is none',
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
          '`failed` when one has failed since; for the last one, `incomplete` when a content ' +
          'was missing or damaged in the library, and `same_disk` when it protects only against ' +
          'deletion; otherwise null',
      }),
    last_scrub: z.iso.datetime().nullable().meta({
      description:
        'When the server last finished looking at all contents again; null before the first time',
    }),
    damaged: z.int().meta({
      description:
        'How many contents were found to be missing, unreadable or different from what was ' +
        'stored, and are not known to be well again; the audit log has each as ' +
        '`content_damaged`',
    }),
  })
  .meta({ id: 'Status', description: 'The status of the server' })
export type Status = z.infer<typeof Status>
