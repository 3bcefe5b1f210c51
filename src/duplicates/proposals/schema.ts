import { z } from 'zod'
import { DATE_FIELDS } from '../../files/dates/schema.ts'
import {
  boundedList,
  limitText,
  NumberId,
  OffsetText,
  PresentedNotes,
  Uuid,
} from '../../http/fields.ts'

/** The most files that one item discards; for more equal ones, several items retain the same file. */
export const MOST_DISCARDED = 50
/** For more files of equal contents and of one creator, nothing is proposed. */
export const MOST_EQUAL = 1000
// Files that one request discards.
const MOST_SETTLED = 500
/** The most tags or pools that one item names. */
export const MOST_NAMED = 1000

const WHY = ['identical', 'smaller'] as const

const Keep = z.uuid().meta({ description: 'Id of the file that is kept' })

// What a retained file gets, by ids and names.
function gained(what: string) {
  const Named = z.object({
    id: z.uuid().meta({ description: `Id of the ${what}` }),
    name: z.string().meta({ description: `Name of the ${what}` }),
  })
  return z.array(Named).meta({
    description:
      `The ${what}s that the kept file will gain, by name, as far as the caller may view them; ` +
      `the first ${MOST_NAMED}`,
  })
}

const Gains = z.object({
  tags: gained('tag'),
  pools: gained('pool'),
  notes: PresentedNotes.meta({
    description:
      'The notes that it will get; null when it has some, or when none of the others has any',
  }),
  date: z
    .object(DATE_FIELDS)
    .nullable()
    .meta({ description: 'The time that it will get; null when it keeps its own' }),
})

export const DuplicateProposal = z
  .object({
    why: z.enum(WHY).meta({
      description:
        '`identical`: the contents are equal, and the file with the most tags is kept, or else ' +
        'the oldest. `smaller`: the discarded pictures show the same with fewer pixels',
    }),
    keep: Keep,
    discard: z
      .array(z.uuid())
      .min(1)
      .max(MOST_DISCARDED)
      .meta({ description: 'Ids of the files that are merged into it and go to the trash' }),
    gains: Gains.meta({ description: 'What the kept file will get from the others' }),
  })
  .meta({ id: 'DuplicateProposal' })
export type DuplicateProposal = z.infer<typeof DuplicateProposal>

export const DuplicateProposalPage = z
  .object({
    items: z.array(DuplicateProposal).meta({
      description:
        'The items on this page, those with equal contents first. A page ends before it passes ' +
        '8 MiB, so it may have fewer items than requested. The next page then begins after as ' +
        'many items as it has',
    }),
    total: z.int().meta({ description: 'How many items the list has on all pages' }),
  })
  .meta({ id: 'DuplicateProposalPage' })

export const ProposalListQuery = z.object({
  limit: limitText(100).default(20),
  offset: OffsetText.default(0),
})

const SettledItem = z
  .object({
    keep: Uuid.meta({ description: 'Id of the file that is kept' }),
    discard: boundedList(Uuid, MOST_DISCARDED, `must name at most ${MOST_DISCARDED} files`).meta({
      minItems: 1,
      uniqueItems: true,
      description: `Ids of 1 to ${MOST_DISCARDED} other files, each once`,
    }),
  })
  .refine(({ discard }) => discard.length > 0, { path: ['discard'], error: 'must name a file' })
  .refine(({ keep, discard }) => new Set([keep, ...discard]).size === discard.length + 1, {
    path: ['discard'],
    error: 'must name other files than keep, each once',
  })

export const ProposalsSettle = z
  .object({
    items: boundedList(SettledItem, MOST_SETTLED, `must have at most ${MOST_SETTLED} items`)
      .refine(
        (items) => items.reduce((sum, { discard }) => sum + discard.length, 0) <= MOST_SETTLED,
        `must discard at most ${MOST_SETTLED} files together`,
      )
      .meta({
        description: `Items as they were proposed; together they discard at most ${MOST_SETTLED} files`,
      }),
  })
  .meta({ id: 'ProposalsSettle' })
export type ProposalsSettle = z.output<typeof ProposalsSettle>

export const SettleResult = z
  .object({
    operation: NumberId.nullable().meta({
      description:
        'The number of the operation, by which it can be undone; null when none was settled',
    }),
    settled: z.int().meta({ description: 'How many items were settled' }),
    skipped: z
      .array(
        z.object({
          keep: Keep,
          reason: z.enum(['changed', 'forbidden_or_gone', 'too_large']).meta({
            description:
              '`changed`: it would no longer be proposed like that. `forbidden_or_gone`: a file ' +
              'does not exist, or the caller may not edit it. `too_large`: the kept file would ' +
              'have more than 1,000 tags, or more than 64 KiB of metadata',
          }),
        }),
      )
      .meta({ description: 'The items for which nothing was done, in their order' }),
  })
  .meta({ id: 'SettleResult' })
export type SettleResult = z.infer<typeof SettleResult>
export type SkipReason = SettleResult['skipped'][number]['reason']
