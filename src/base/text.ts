/** Longer runs of combining marks are in no language, and NFC takes quadratic time in their length. */
const MOST_MARKS = 30
// The lookbehinds keep the search from starting again at each mark of a run.
const EXCESS_MARKS = new RegExp(`(?<!\\p{M})\\p{M}{${MOST_MARKS + 1}}`, 'u')
// A text may be checked before it is put into lower case, which makes a mark of a dotted capital I.
const HARMFUL_MARKS = new RegExp(`(?<!\\p{M})\\p{M}{${2 * MOST_MARKS}}`, 'u')
const FURTHER_MARKS = new RegExp(`(?<!\\p{M})(\\p{M}{${MOST_MARKS}})\\p{M}+`, 'gu')

/** What is said of a text with more combining marks in a row. */
export const EXCESS_MARKS_MESSAGE = `must not have more than ${MOST_MARKS} combining marks in a row`

/** The longest name, before it is composed, in UTF-16 units: 256 characters of up to eight. */
export const LONGEST_NAME = 2048
/** The longest text, before it is composed, in UTF-16 units: two for each of 64 KiB. */
const LONGEST_TEXT = 2 ** 17
const CREDENTIAL_LIMIT = 1024

/** What is said of a text that is no credential. */
export const NO_CREDENTIAL = `must have at most ${CREDENTIAL_LIMIT} bytes and ${MOST_MARKS} combining marks in a row`

/** What Unicode has without a glyph: spaces, controls, what is to be ignored, blank letters. */
const SHOWN = /[^\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u

/** What is said of a name of which nothing can be seen. */
export const NOTHING_SHOWN = 'must show something'

/** Returns whether there is something to be seen of a text. */
export function showsSomething(text: string): boolean {
  return SHOWN.test(text)
}

/** Returns whether a text has more than 30 combining marks in a row. */
export function hasExcessMarks(text: string): boolean {
  return EXCESS_MARKS.test(text)
}

/** Returns the text without the combining marks that follow 30 others in a row. */
function withoutExcessMarks(text: string): string {
  return text.replace(FURTHER_MARKS, '$1')
}

/**
 * Returns the text as NFC. Throws RangeError for a text that its caller should have refused: beyond
 * 131,072 UTF-16 units, or beyond 2,048 with 60 combining marks in a row.
 */
export function nfc(text: string): string {
  if (text.length > LONGEST_TEXT || (text.length > LONGEST_NAME && HARMFUL_MARKS.test(text))) {
    throw new RangeError('A text must be bounded before it is composed')
  }
  return text.normalize('NFC')
}

/**
 * Returns the first 131,072 UTF-16 units of a text as NFC, without control characters, lone
 * surrogates and the combining marks that follow 30 others in a row.
 */
export function cleanLine(text: string): string {
  const printable = text.slice(0, LONGEST_TEXT).replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
  // Some marks are two when they are composed.
  return withoutExcessMarks(nfc(withoutExcessMarks(printable)))
}

/**
 * Returns whether somebody could have the name or password: it has at most 1,024 bytes and 30
 * combining marks in a row.
 */
export function isCredential(text: string): boolean {
  return Buffer.byteLength(text) <= CREDENTIAL_LIMIT && !hasExcessMarks(text)
}
