import { z } from 'zod'
import { File } from '../files/schema.ts'
import { integerText, limitText, OffsetText, Uuid } from '../http/fields.ts'

export const DuplicatePairDistance = z
  .object({
    a: z.uuid(),
    b: z.uuid(),
    distance: z.int().min(0).max(64),
  })
  .meta({ id: 'DuplicatePairDistance' })
export type DuplicatePairDistance = z.infer<typeof DuplicatePairDistance>

export const DuplicateCluster = z
  .object({
    files: z.array(File).min(2),
    distances: z.array(DuplicatePairDistance),
  })
  .meta({ id: 'DuplicateCluster' })

export const DuplicateClusterPage = z
  .object({
    items: z.array(DuplicateCluster),
    total: z.int(),
    offset: z.int(),
    limit: z.int(),
  })
  .meta({ id: 'DuplicateClusterPage' })

export const DuplicateListQuery = z.object({
  limit: limitText(50).default(20),
  offset: OffsetText.default(0),
})

export const DuplicateDismiss = z
  .object({ file_id_a: Uuid, file_id_b: Uuid })
  .refine((body) => body.file_id_a !== body.file_id_b, {
    path: ['file_id_b'],
    message: 'must be another file',
  })
  .meta({ id: 'DuplicateDismiss' })

const keepOrDiscard = z.enum(['keep', 'discard']).default('keep')
const keepOrBoth = z.enum(['keep', 'both']).default('keep')

export const DuplicateResolve = z
  .object({
    keep: Uuid,
    discard: Uuid,
    delete_discarded: z.boolean().default(true),
    fields: z
      .object({
        original_name: keepOrDiscard,
        notes: keepOrDiscard,
        content_datetime: keepOrDiscard,
        is_public: keepOrDiscard,
        metadata: z.enum(['keep', 'discard', 'merge']).default('keep'),
        tags: keepOrBoth,
        pools: keepOrBoth,
      })
      .prefault({}),
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
    items: z.array(z.object({ file: File, distance: z.int().min(0).max(64) })),
  })
  .meta({ id: 'SimilarFiles' })
export type SimilarFiles = z.infer<typeof SimilarFiles>
