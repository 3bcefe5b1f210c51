import { z } from 'zod'
import { File } from '../files/schema.ts'
import { integerText, limitText, OffsetText, offsetPage, Uuid } from '../http/fields.ts'

const Distance = z
  .int()
  .min(0)
  .max(64)
  .meta({ description: 'How many bits of the perceptual hashes differ' })

const DuplicatePairDistance = z
  .object({
    a: z.uuid().meta({ description: 'Id of one file' }),
    b: z.uuid().meta({ description: 'Id of the other file' }),
    distance: Distance,
  })
  .meta({ id: 'DuplicatePairDistance' })

const DuplicateCluster = z
  .object({
    files: z.array(File).min(2).meta({ description: 'Two or more files that look alike' }),
    distances: z.array(DuplicatePairDistance).meta({
      description:
        'One for each pair that the last rescan found. Files that are joined only through ' +
        'others have none. Where more than 50 files look the same, there are only enough pairs ' +
        'to join them',
    }),
  })
  .meta({
    id: 'DuplicateCluster',
    description: 'Files that are joined by pairs that look alike',
  })

export const DuplicateClusterPage = offsetPage(DuplicateCluster)
  .extend({
    total: z.int().meta({ description: 'How many clusters there are on all pages together' }),
  })
  .meta({ id: 'DuplicateClusterPage' })

/** The most files of a cluster whose ids are listed. */
export const TOLD_FILES = 50

const DuplicateClusterIds = z
  .object({
    ids: z.array(z.uuid()).meta({
      description:
        `The ids of the files; if there are more than ${TOLD_FILES}, at most that many, joined ` +
        'by pairs',
    }),
    distances: z.array(DuplicatePairDistance).meta({
      description: 'The pairs of the cluster between these files',
    }),
    file_count: z.int().meta({ description: 'How many files the cluster has' }),
  })
  .meta({ id: 'DuplicateClusterIds', description: 'Which files are joined by pairs' })
export type DuplicateClusterIds = z.infer<typeof DuplicateClusterIds>

export const DuplicateIdPage = offsetPage(DuplicateClusterIds)
  .extend({ total: DuplicateClusterPage.shape.total })
  .meta({ id: 'DuplicateIdPage' })
export type DuplicateIdPage = z.infer<typeof DuplicateIdPage>

export const DuplicateListQuery = z.object({
  limit: limitText(50).default(20),
  offset: OffsetText.default(0),
})

export const DuplicateDismiss = z
  .object({
    file_id_a: Uuid.meta({ description: 'Id of one file' }),
    file_id_b: Uuid.meta({ description: 'Id of the other file; the order does not matter' }),
  })
  .refine((body) => body.file_id_a !== body.file_id_b, {
    path: ['file_id_b'],
    message: 'must be a different file from file_id_a',
  })
  .meta({ id: 'DuplicateDismiss' })

const keepOrDiscard = z.enum(['keep', 'discard']).default('keep')
const keepOrBoth = z.enum(['keep', 'both']).default('keep')

export const DuplicateResolve = z
  .object({
    keep: Uuid.meta({ description: 'Id of the file that is kept, the survivor' }),
    discard: Uuid.meta({ description: 'Id of the other file' }),
    delete_discarded: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether the other file is moved to the trash' }),
    fields: z
      .object({
        original_name: keepOrDiscard.meta({ description: 'Which file the name is taken from' }),
        notes: keepOrDiscard.meta({ description: 'Which file the notes are taken from' }),
        content_datetime: keepOrDiscard.meta({ description: 'Which file the time is taken from' }),
        is_public: keepOrDiscard.meta({ description: 'Which file the visibility is taken from' }),
        metadata: z
          .enum(['keep', 'discard', 'merge'])
          .default('keep')
          .meta({
            description:
              'Which file the metadata is taken from; `merge` takes the keys of both files, ' +
              "and the survivor's value for a key that both have",
          }),
        tags: keepOrBoth.meta({
          description: 'Whether the survivor also gets the tags of the other file',
        }),
        pools: keepOrBoth.meta({
          description:
            'Whether the survivor is added to the pools of the other file, right after it',
        }),
      })
      .prefault({})
      .meta({
        description:
          'Which of the two files each field of the survivor comes from; `keep` by default',
      }),
  })
  .refine((body) => body.keep !== body.discard, {
    path: ['discard'],
    message: 'must be a different file from keep',
  })
  .meta({ id: 'DuplicateResolve' })
export type DuplicateResolve = z.output<typeof DuplicateResolve>

export const SimilarQuery = z.object({
  limit: limitText(200).default(50),
  distance: integerText(0, 64).optional().meta({
    description: 'How many bits of the hashes may differ; DUPLICATE_HASH_THRESHOLD by default',
  }),
})

export const SimilarFiles = z
  .object({
    items: z
      .array(z.object({ file: File, distance: Distance }))
      .meta({ description: 'The files, nearest first; the last are left out beyond 8 MiB' }),
  })
  .meta({ id: 'SimilarFiles' })
export type SimilarFiles = z.infer<typeof SimilarFiles>
