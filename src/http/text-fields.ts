import { z } from 'zod'
import { type ErrorDetail, invalidFields } from '../base/errors.ts'
import {
  EXCESS_MARKS_MESSAGE,
  hasExcessMarks,
  LONGEST_NAME,
  NOTHING_SHOWN,
  nfc,
  showsSomething,
} from '../base/text.ts'

/** The most bytes of a file's notes, and of its metadata as JSON. */
export const FILE_TEXT = 64 * 1024
/** The same for tags, categories and pools. */
export const OBJECT_TEXT = 4 * 1024

/**
 * Whether a text is for a `new` object or the `edit` of one, which may have a text from before a limit was set. For an
 * edit, the schema accepts what could once have been stored, and `requireLimits` decides.
 */
export type Purpose = 'new' | 'edit'

const CONTROL = /\p{Cc}/u
const CONTROL_BUT_NEWLINE_AND_TAB = /(?![\n\t])\p{Cc}/u

// The document describes texts in the syntax that all kinds of regular expressions share: a name must contain something
// visible.
const CONTROLS = '\\x00-\\x1f\\x7f-\\x9f'
const OTHER_SPACES = '\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'
const TRIMMED = `[\\t-\\r ${OTHER_SPACES}]*`
const IGNORED =
  '\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e' +
  '\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0\\ufff0-\\ufffb'
const SHOWN = `[^${CONTROLS} ${OTHER_SPACES}${IGNORED}]`
const NAME_PATTERN = `^${TRIMMED}[ ${OTHER_SPACES}${IGNORED}]*${SHOWN}[^${CONTROLS}]*${TRIMMED}$`
const LINE = '[^\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]*'
const NOTES_PATTERN = `^${LINE}(\\r\\n${LINE})*$`

// Texts are stored and compared as NFC, with LF as newlines.
function storedText(longest: number, tooLong: string, purpose: Purpose) {
  const hasFewMarks = (text: string) => purpose === 'edit' || !hasExcessMarks(text)
  return (
    z
      .string()
      .refine((text) => text.length <= longest, { error: tooLong, abort: true })
      .refine((text) => text.isWellFormed(), { error: 'must be well-formed Unicode', abort: true })
      .refine(hasFewMarks, { error: EXCESS_MARKS_MESSAGE, abort: true })
      .overwrite((text) => (hasExcessMarks(text) ? text : nfc(text)).replaceAll('\r\n', '\n'))
      // Some marks become two when they are composed.
      .refine(hasFewMarks, { error: EXCESS_MARKS_MESSAGE, abort: true })
  )
}

/** Returns the schema of one line: trimmed, 1 to `max` code points, no control characters, and something visible. */
export function nameText(max = 256, purpose: Purpose = 'new') {
  const tooLong = `must have at most ${max} characters`
  return storedText((LONGEST_NAME / 256) * max, tooLong, purpose)
    .overwrite((text) => text.trim())
    .refine((text) => !CONTROL.test(text), 'must not contain control characters')
    .refine((text) => text !== '', 'must not be empty')
    .refine((text) => text === '' || purpose === 'edit' || showsSomething(text), NOTHING_SHOWN)
    .refine((text) => [...text].length <= max, tooLong)
    .meta({ pattern: NAME_PATTERN, minLength: 1, maxLength: max })
}

// The limit of a request's head.
const LONGEST_QUERY = 16_384

/** Text in a query, which isn't stored. */
export const QueryText = z
  .string()
  .max(LONGEST_QUERY, { error: `must have at most ${LONGEST_QUERY} characters`, abort: true })
  .refine((text) => !hasExcessMarks(text), EXCESS_MARKS_MESSAGE)

export const SearchText = QueryText.meta({
  description: 'Part of the name, in upper or lower case',
  examples: ['beach'],
})

/** Returns the schema of text of any number of lines, of at most `limit` bytes. */
export function notesText(limit: number, purpose: Purpose = 'new') {
  const most = purpose === 'edit' ? FILE_TEXT : limit
  // Composing saves at most one UTF-16 unit for each byte that remains.
  return storedText(2 * most, tooLarge(most), purpose)
    .refine(
      (text) => !CONTROL_BUT_NEWLINE_AND_TAB.test(text),
      'must not contain control characters other than newline and tab',
    )
    .refine((text) => Buffer.byteLength(text) <= most, tooLarge(most))
    .meta({
      pattern: NOTES_PATTERN,
      maxLength: limit,
      description: `At most ${limit / 1024} KiB as UTF-8${orStored(limit, purpose)}`,
    })
}

/** Returns the schema of arbitrary key-value pairs: a JSON object of at most `limit` bytes. */
export function metadataObject(limit: number, purpose: Purpose = 'new') {
  const most = purpose === 'edit' ? FILE_TEXT : limit
  return z
    .custom<Record<string, unknown>>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'must be a JSON object',
    )
    .superRefine((value, context) => {
      const problem = findProblem(value)
      if (problem) context.addIssue({ code: 'custom', message: problem })
      else if (Buffer.byteLength(JSON.stringify(value)) > most) {
        context.addIssue({ code: 'custom', message: tooLarge(most) })
      }
    })
    .meta({
      type: 'object',
      additionalProperties: true,
      description: `Arbitrary key-value pairs, at most ${limit / 1024} KiB as JSON${orStored(limit, purpose)}`,
    })
}

function tooLarge(limit: number): string {
  return `must not be larger than ${limit / 1024} KiB`
}

// Files have always had their limit.
function orStored(limit: number, purpose: Purpose): string {
  return purpose === 'edit' && limit < FILE_TEXT ? '; or unchanged, if it is longer already' : ''
}

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

const TEXTS = ['name', 'original_name', 'notes', 'metadata'] as const
type Texts = { [Field in (typeof TEXTS)[number]]?: unknown }

/**
 * Throws a validation error for each text of an edit that exceeds a limit and differs from the stored text. Notes and
 * metadata have at most `limit` bytes. Both arguments are in the API's form.
 */
export function requireLimits(edit: Texts, stored: Texts, limit = FILE_TEXT): void {
  const details: ErrorDetail[] = []
  for (const field of TEXTS) {
    const given = edit[field] ?? null
    if (given === null || JSON.stringify(given) === JSON.stringify(stored[field])) continue
    const message =
      typeof given === 'string'
        ? textProblem(field, given, limit)
        : sizeProblem(JSON.stringify(given), limit)
    if (message !== null) details.push({ field, message })
  }
  if (details.length > 0) throw invalidFields(details)
}

function textProblem(field: keyof Texts, text: string, limit: number): string | null {
  if (field !== 'notes' && !showsSomething(text)) return NOTHING_SHOWN
  return hasExcessMarks(text) ? EXCESS_MARKS_MESSAGE : sizeProblem(text, limit)
}

function sizeProblem(text: string, limit: number): string | null {
  return Buffer.byteLength(text) > limit ? tooLarge(limit) : null
}
