// No language has longer runs of combining marks, and NFC takes quadratic time in their length.
const MOST_MARKS = 30
// The lookbehinds keep the search from starting again at each mark of a run.
const EXCESS_MARKS = new RegExp(`(?<!\\p{M})\\p{M}{${MOST_MARKS + 1}}`, 'u')
// A text may be checked before it is lower-cased, which produces a mark from a dotted capital I.
const HARMFUL_MARKS = new RegExp(`(?<!\\p{M})\\p{M}{${2 * MOST_MARKS}}`, 'u')
const FURTHER_MARKS = new RegExp(`(?<!\\p{M})(\\p{M}{${MOST_MARKS}})\\p{M}+`, 'gu')

/** The message for a text with more combining marks in a row. */
export const EXCESS_MARKS_MESSAGE = `must not have more than ${MOST_MARKS} combining marks in a row`

/** The longest name, before it is composed, in UTF-16 units: 256 characters of up to eight. */
export const LONGEST_NAME = 2048
// The longest text, before it is composed, in UTF-16 units: two for each of 64 KiB.
const LONGEST_TEXT = 2 ** 17
const CREDENTIAL_LIMIT = 1024

/** The message for a text that can't be a credential. */
export const NO_CREDENTIAL = `must have at most ${CREDENTIAL_LIMIT} bytes and ${MOST_MARKS} combining marks in a row`

// Unicode has characters without a glyph: spaces, controls, ignorable characters, blank letters.
const SHOWN = /[^\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u

/** The message for a name without a visible character. */
export const NOTHING_SHOWN = 'must contain a visible character'

/** Returns whether a text has a visible character. */
export function showsSomething(text: string): boolean {
  return SHOWN.test(text)
}

/** Returns whether a text has more than 30 combining marks in a row. */
export function hasExcessMarks(text: string): boolean {
  return EXCESS_MARKS.test(text)
}

function withoutExcessMarks(text: string): string {
  return text.replace(FURTHER_MARKS, '$1')
}

/**
 * Returns the text as NFC. Throws RangeError for a text that its caller should have refused: beyond 131,072 UTF-16
 * units, or beyond 2,048 with 60 combining marks in a row.
 */
export function nfc(text: string): string {
  if (text.length > LONGEST_TEXT || (text.length > LONGEST_NAME && HARMFUL_MARKS.test(text))) {
    throw new RangeError('A text must be bounded before it is composed')
  }
  return text.normalize('NFC')
}

/**
 * Returns the first 131,072 UTF-16 units of a text as NFC, without control characters, lone surrogates and the
 * combining marks that follow 30 others in a row.
 */
export function cleanLine(text: string): string {
  const printable = text.slice(0, LONGEST_TEXT).replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
  // Some marks become two when they are composed.
  return withoutExcessMarks(nfc(withoutExcessMarks(printable)))
}

/** Returns whether a name or password is possible: it has at most 1,024 bytes and 30 combining marks in a row. */
export function isCredential(text: string): boolean {
  return Buffer.byteLength(text) <= CREDENTIAL_LIMIT && !hasExcessMarks(text)
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

/** Returns a number of bytes as people read it, such as `1.5 GiB`. */
export function sizeText(bytes: number): string {
  let [size, unit] = [bytes, 0]
  for (; size >= 1024 && unit < UNITS.length - 1; unit++) size /= 1024
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit]}`
}
