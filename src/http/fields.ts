import { z } from 'zod'
import { SORT_ORDERS } from '../base/enums.ts'
import { isPlausibleTime } from '../base/time.ts'
import { DIRECTIONS } from '../db/keyset.ts'
import { NAMED_SORTS } from '../db/named-list.ts'
import { SearchText } from './text-fields.ts'

/** A UUID in upper or lower case, converted to lower case. */
export const Uuid = z.guid('must be a UUID').toLowerCase()

const plainDigits = z.string().regex(/^\d+$/, 'must be a whole number in plain digits')

/** Returns the schema of a whole number in a path or a query. */
export function integerText(min = 0, max = Number.MAX_SAFE_INTEGER) {
  return plainDigits
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be from ${min} to ${max}`)
    .meta({ type: 'integer', minimum: min, maximum: max })
}

/** The id of a user, session or audit entry in a path. */
export const IntegerId = integerText(1)

/** `true` or `false` in a query, and nothing else. */
export const BooleanText = booleanText(['true'], ['false'])

/** `true` or `false` in a form; Python's clients write them with a capital letter. */
export const BooleanField = booleanText(['true', 'True'], ['false', 'False'])

function booleanText(truthy: string[], falsy: string[]) {
  const error = 'must be true or false'
  return z.stringbool({ truthy, falsy, case: 'sensitive', error }).meta({ type: 'boolean' })
}

export const Order = z.enum(SORT_ORDERS).meta({ description: 'Ascending or descending' })

/** Returns the schema of the most items that a page may have, up to `max`. */
export function limitText(max: number) {
  return integerText(1, max).meta({ description: 'How many items to return at most' })
}

export const OffsetText = integerText().meta({ description: 'How many items to skip' })

export const CursorText = z.string().meta({
  description: 'A cursor that came with an earlier page of this list, unchanged',
})

/** Returns the schema of the direction in which a list is walked from `from`. */
export function directionFrom(from: string) {
  return z
    .enum(DIRECTIONS)
    .default('forward')
    .meta({ description: `Which way to go from ${from}` })
}

/** The two query parameters of every offset-paginated list. */
export const OffsetQuery = z.object({
  offset: OffsetText.default(0),
  limit: limitText(200).default(50),
})

export const NamedListQuery = OffsetQuery.extend({
  sort: z.enum(NAMED_SORTS).default('created').meta({ description: 'What to sort by' }),
  order: Order.default('desc'),
  search: SearchText.optional(),
})
export type NamedListQuery = z.output<typeof NamedListQuery>

export function pageItems<Item extends z.ZodType>(item: Item) {
  return z.array(item).meta({ description: 'The items on this page, in the order of the list' })
}

/** Returns the schema of a list in a body of at most `max` items. The length is checked before the items are. */
export function boundedList<Item extends z.ZodType>(item: Item, max: number, tooLong: string) {
  return z.preprocess(refuseLonger<z.input<Item>>(max, tooLong), z.array(item).max(max))
}

/** Returns a preprocessing step that refuses a list of more than `max` items before they are checked. */
export function refuseLonger<Item>(max: number, tooLong: string) {
  return (list: Item[], context: z.RefinementCtx): Item[] => {
    if (!Array.isArray(list) || list.length <= max) return list
    context.addIssue({ code: 'custom', message: tooLong })
    return z.NEVER
  }
}

export const Total = z.int().meta({ description: 'How many items the list has on all pages' })

/** Returns the schema of one page of an offset-paginated list. */
export function offsetPage<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: pageItems(item),
    total: Total,
    offset: z.int().meta({ description: 'How many items were skipped' }),
    limit: z.int().meta({ description: 'How many items a page has at most' }),
  })
}

export const Id = z.uuid().meta({ description: 'Given by the server and never changed' })

/** The id of a user, session or audit entry in an answer. */
export const NumberId = z.int().meta({ format: 'int64', description: Id.description })

export const UserId = z.int().meta({ format: 'int64', description: 'Id of the user' })

export const CreatorId = z.int().meta({
  format: 'int64',
  description:
    'Id of its creator; what a deleted user created passes to the admin who deleted them',
})

export const CreatorName = z.string().meta({ description: 'Name of its creator' })

export const IsPublic = z.boolean().meta({
  description: 'Whether everyone who is signed in may view it',
})

export const CreatedAt = z.iso.datetime().meta({ description: 'When it was created' })

export const ExpiresIn = z.int().meta({ description: 'Seconds until the token expires' })

export const PresentedNotes = z
  .string()
  .nullable()
  .meta({ description: 'Free text, which may have several lines' })

/** Six hex digits without a leading `#`, or null. */
export const Color = z
  .string()
  .regex(/^[A-Fa-f0-9]{6}$/, 'must be 6 hex digits')
  .meta({ examples: ['ff8800'] })
  .nullable()
  .meta({ description: 'Six hex digits for red, green and blue, without a `#`' })

const NO_DATE_TIME = { error: 'must be an RFC 3339 date-time with a zone' }

// The T and Z of RFC 3339 may be in lower case.
const dateTimeText = z
  .string(NO_DATE_TIME)
  .toUpperCase()
  .check(z.iso.datetime({ offset: true, ...NO_DATE_TIME }))

/** An RFC 3339 date-time with a zone, as milliseconds since 1970-01-01 UTC. */
export const DateTime = dateTimeText
  .transform((text) => Date.parse(text))
  .refine(isPlausibleTime, 'must be in the years 0001 to 9999')

/** A moment with the zone in which it was given. */
export interface GivenTime {
  /** Milliseconds since 1970-01-01 UTC. */
  time: number
  /** Minutes by which the zone is ahead of UTC; null for `Z`. */
  offset: number | null
}

/** An RFC 3339 date-time with a zone, and the offset of that zone. */
export const ZonedDateTime = dateTimeText
  .transform((text): GivenTime => ({ time: Date.parse(text), offset: offsetOf(text) }))
  .refine(({ time }) => isPlausibleTime(time), 'must be in the years 0001 to 9999')

function offsetOf(text: string): number | null {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? []
  if (sign === undefined) return null
  const size = Number(hours) * 60 + Number(minutes)
  return sign === '-' ? 0 - size : size
}

export const PresentedMetadata = z
  .record(z.string(), z.unknown())
  .nullable()
  .meta({ description: 'Arbitrary key-value pairs' })
