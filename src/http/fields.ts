import { z } from 'zod'
import { DIRECTIONS } from '../db/keyset.ts'
import { NAMED_SORTS } from '../db/named-list.ts'
import { SORT_ORDERS } from '../enums.ts'
import { isPlausibleTime } from '../time.ts'

/** A UUID in upper or lower case, converted to lower case. */
export const Uuid = z.guid('must be a UUID').toLowerCase()

const plainDigits = z.string().regex(/^\d{1,16}$/, 'must be a whole number in plain digits')

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
export const BooleanText = z
  .stringbool({
    truthy: ['true'],
    falsy: ['false'],
    case: 'sensitive',
    error: 'must be true or false',
  })
  .meta({ type: 'boolean' })

export const Order = z.enum(SORT_ORDERS).meta({ description: 'Ascending or descending' })

/** Returns the schema of how many items a page has at most; that may be up to `max`. */
export function limitText(max: number) {
  return integerText(1, max).meta({ description: 'How many items to return at most' })
}

export const OffsetText = integerText().meta({ description: 'How many items to skip' })

export const SearchText = z.string().meta({
  description: 'Part of the name, in upper or lower case',
  examples: ['beach'],
})

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

/** The query of a list of categories or pools. */
export const NamedListQuery = OffsetQuery.extend({
  sort: z.enum(NAMED_SORTS).default('created').meta({ description: 'What to sort by' }),
  order: Order.default('desc'),
  search: SearchText.optional(),
})
export type NamedListQuery = z.output<typeof NamedListQuery>

/** Returns the schema of the items of one page. */
export function pageItems<Item extends z.ZodType>(item: Item) {
  return z.array(item).meta({ description: 'The items on this page, in the order of the list' })
}

/** The length of a list. */
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

/** The id of an object in the library. */
export const Id = z.uuid().meta({ description: 'Given by the server and never changed' })

/** The id of a user, session or audit entry, as it is presented. */
export const NumberId = z.int().meta({ description: Id.description })

/** The id of a user that a body refers to. */
export const UserId = z.int().meta({ description: 'Id of the user' })

export const CreatorId = z.int().meta({
  description:
    'Id of its creator; what a deleted user created passes to the admin who deleted them',
})

export const CreatorName = z.string().meta({ description: 'Name of its creator' })

export const IsPublic = z.boolean().meta({
  description: 'Whether everyone who is signed in may view it',
})

export const CreatedAt = z.iso.datetime().meta({ description: 'When it was created' })

/** How long a token is valid. */
export const ExpiresIn = z.int().meta({ description: 'Seconds until the token expires' })

const CONTROL = /\p{Cc}/u
const CONTROL_BUT_NEWLINE_AND_TAB = /(?![\n\t])\p{Cc}/u

/** Returns the form of a text that is stored and compared: NFC, newlines as LF. */
function stored(text: string): string {
  return text.normalize('NFC').replaceAll('\r\n', '\n')
}

/** Returns the schema of one line: trimmed, 1 to `max` code points, no control characters. */
export function nameText(max = 256) {
  return z
    .string()
    .overwrite((text) => stored(text).trim())
    .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
    .refine((text) => !CONTROL.test(text), 'must not contain control characters')
    .refine((text) => text !== '', 'must not be empty')
    .refine((text) => [...text].length <= max, `must have at most ${max} characters`)
    .meta({ minLength: 1, maxLength: max })
}

/** Notes as they are presented. */
export const PresentedNotes = z
  .string()
  .nullable()
  .meta({ description: 'Free text, which may have several lines' })

const NOTES_LIMIT = 64 * 1024

/** Text of any number of lines, at most 64 KiB, with no control characters but newline and tab. */
export const NotesText = z
  .string()
  .overwrite(stored)
  .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
  .refine(
    (text) => !CONTROL_BUT_NEWLINE_AND_TAB.test(text),
    'must not contain control characters other than newline and tab',
  )
  .refine((text) => Buffer.byteLength(text) <= NOTES_LIMIT, 'must not be larger than 64 KiB')
  .meta({ maxLength: NOTES_LIMIT, description: 'At most 64 KiB as UTF-8' })

/** Six hex digits without a leading `#`, or null. */
export const Color = z
  .string()
  .regex(/^[A-Fa-f0-9]{6}$/, 'must be 6 hex digits')
  .meta({ examples: ['ff8800'] })
  .nullable()
  .meta({ description: 'Six hex digits for red, green and blue, without a `#`' })

/** An RFC 3339 date-time with a zone, as milliseconds since 1970-01-01 UTC. */
export const DateTime = z.iso
  .datetime({ offset: true, error: 'must be an RFC 3339 date-time with a zone' })
  .transform((text) => Date.parse(text))
  .refine(isPlausibleTime, 'must be in the years 0001 to 9999')

/** Metadata as it is presented. */
export const PresentedMetadata = z
  .record(z.string(), z.unknown())
  .nullable()
  .meta({ description: 'Arbitrary key-value pairs' })

const METADATA_LIMIT = 64 * 1024

/** Arbitrary key-value pairs: a JSON object of at most 64 KiB. */
export const Metadata = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be a JSON object',
  )
  .superRefine((value, context) => {
    const problem = findProblem(value)
    if (problem) context.addIssue({ code: 'custom', message: problem })
    else if (Buffer.byteLength(JSON.stringify(value)) > METADATA_LIMIT) {
      context.addIssue({ code: 'custom', message: 'must not be larger than 64 KiB' })
    }
  })
  .meta({
    type: 'object',
    additionalProperties: true,
    description: 'Arbitrary key-value pairs, at most 64 KiB as JSON',
  })

function findProblem(value: unknown): string | null {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) return 'must be well-formed Unicode'
    return value.includes('\0') ? 'must not contain NUL' : null
  }
  if (typeof value === 'number') {
    return Number.isFinite(value) ? null : 'must not contain numbers beyond the range of a double'
  }
  if (typeof value !== 'object' || value === null) return null
  for (const [key, item] of Object.entries(value)) {
    // A copy made by assignment would lose this key, or worse.
    if (key === '__proto__') return 'must not have a key __proto__'
    const problem = findProblem(key) ?? findProblem(item)
    if (problem) return problem
  }
  return null
}
