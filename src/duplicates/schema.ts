import { z } from 'zod'
import { File } from '../files/schema.ts'
import { integerText, limitText, OffsetText, offsetPage, Uuid } from '../http/fields.ts'

const Distance = z
  .int()
  .min(0)
  .max(64)
  .meta({ description: 'How many bits of the perceptual hashes differ' })

export const DuplicatePairDistance = z
  .object({
    a: z.uuid().meta({ description: 'Id of the one file' }),
    b: z.uuid().meta({ description: 'Id of the other file' }),
    distance: Distance,
  })
  .meta({ id: 'DuplicatePairDistance' })
export type DuplicatePairDistance = z.infer<typeof DuplicatePairDistance>

const DuplicateCluster = z
  .object({
    files: z.array(File).min(2).meta({ description: 'Two or more that look alike' }),
    distances: z.array(DuplicatePairDistance).meta({
      description:
        'Of each pair that the last rescan found; of files joined only through others there ' +
        'is none',
    }),
  })
  .meta({
    id: 'DuplicateCluster',
    description: 'Files that are joined by pairs of files that look alike',
  })

export const DuplicateClusterPage = offsetPage(DuplicateCluster)
  .extend({ total: z.int().meta({ description: 'How many clusters there are on all pages' }) })
  .meta({ id: 'DuplicateClusterPage' })

export const DuplicateListQuery = z.object({
  limit: limitText(50).default(20),
  offset: OffsetText.default(0),
})

export const DuplicateDismiss = z
  .object({
    file_id_a: Uuid.meta({ description: 'Id of the one file' }),
    file_id_b: Uuid.meta({ description: 'Id of the other file, in any order' }),
  })
  .refine((body) => body.file_id_a !== body.file_id_b, {
    path: ['file_id_b'],
    message: 'must be another file',
  })
  .meta({ id: 'DuplicateDismiss' })

const keepOrDiscard = z.enum(['keep', 'discard']).default('keep')
const keepOrBoth = z.enum(['keep', 'both']).default('keep')

export const DuplicateResolve = z
  .object({
    keep: Uuid.meta({ description: 'Id of the file that survives' }),
    discard: Uuid.meta({ description: 'Id of the other file' }),
    delete_discarded: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether the other file moves to the trash' }),
    fields: z
      .object({
        original_name: keepOrDiscard.meta({ description: 'Whose name the survivor has' }),
        notes: keepOrDiscard.meta({ description: 'Whose notes the survivor has' }),
        content_datetime: keepOrDiscard.meta({ description: 'Whose time the survivor has' }),
        is_public: keepOrDiscard.meta({ description: 'Whose visibility the survivor has' }),
        metadata: z
          .enum(['keep', 'discard', 'merge'])
          .default('keep')
          .meta({
            description:
              'Whose metadata the survivor has; `merge` takes the keys of both, and of ' +
              'equal keys its own values',
          }),
        tags: keepOrBoth.meta({
          description: 'Whether the survivor gains the tags of the other file',
        }),
        pools: keepOrBoth.meta({
          description: 'Whether the survivor gains the places in pools of the other file',
        }),
      })
      .prefault({})
      .meta({
        description:
          'From which of the two the survivor gets each field; `keep` where nothing else is said',
      }),
  })
  .refine((body) => body.keep !== body.discard, {
    path: ['discard'],
    message: 'must be another file than keep',
  })
  .meta({ id: 'DuplicateResolve' })
export type DuplicateResolve = z.output<typeof DuplicateResolve>

export const SimilarQuery = z.object({
  limit: limitText(200).default(50),
  distance: integerText(0, 64).optional().meta({
    description: 'How many bits of the hashes may differ; DUPLICATE_HASH_THRESHOLD when not given',
  }),
})

export const SimilarFiles = z
  .object({
    items: z
      .array(z.object({ file: File, distance: Distance }))
      .meta({ description: 'The files, the most alike first' }),
  })
  .meta({ id: 'SimilarFiles' })
export type SimilarFiles = z.infer<typeof SimilarFiles>
