/** A range of time: `from` is inclusive, `to` exclusive. An absent one is unlimited. */
export interface Range {
  from?: string
  to?: string
}

interface Day {
  year: number
  /** From 0, as in Date. */
  month?: number
  day?: number
}

const NUMBERS = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/
const WORDS = /^(?:(\d{1,2})\.?\s+)?(\p{L}{3,})\.?\s+(\d{4})$/u

/**
 * Parses a year, a month or a day, or two of them with `..` between, one of which may be left out; null
 * for any other text. Months may be named in English or in the given language. Times are UTC: a picture
 * whose camera knew no zone is stored as if it had been taken there. For a picture with a zone, the
 * grid's headings show the local day, while `from` and `to` of the API bound the instant: taken within
 * hours of midnight, it is found under the day before or after.
 */
export function rangeOf(text: string, language: string): Range | null {
  const [first = '', last, ...more] = text.trim().split('..')
  if (more.length > 0) return null
  if (last === undefined) {
    const day = dayOf(first, language)
    return day && { from: startOf(day), to: endOf(day) }
  }
  const from = first.trim() === '' ? undefined : dayOf(first, language)
  const to = last.trim() === '' ? undefined : dayOf(last, language)
  if (from === null || to === null || (!from && !to)) return null
  const range = { ...(from && { from: startOf(from) }), ...(to && { to: endOf(to) }) }
  return range.from && range.to && range.from >= range.to ? null : range
}

/** Returns whether a text is a whole month or day in digits, to which the grid may jump at once. */
export function isJump(text: string): boolean {
  const [, , month, day] = NUMBERS.exec(text.trim()) ?? []
  return month?.length === 2 && (day === undefined || day.length === 2)
}

function dayOf(text: string, language: string): Day | null {
  const [, year, month, day] = NUMBERS.exec(text.trim()) ?? []
  if (year !== undefined) return real(Number(year), month && Number(month) - 1, day && Number(day))
  const [, date, name, ofYear] = WORDS.exec(text.trim()) ?? []
  if (name === undefined) return null
  const number = monthNamed(name, language) ?? monthNamed(name, 'en')
  return number === null ? null : real(Number(ofYear), number, date && Number(date))
}

function real(year: number, month?: number | '', day?: number | ''): Day | null {
  if (year < 1) return null
  if (month === undefined || month === '') return { year }
  if (month < 0 || month > 11) return null
  if (day === undefined || day === '') return { year, month }
  const isThere = day >= 1 && day <= new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return isThere ? { year, month, day } : null
}

function monthNamed(name: string, language: string): number | null {
  const wanted = name.toLocaleLowerCase(language)
  const months = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
  for (let month = 0; month < 12; month++) {
    const whole = months.format(Date.UTC(2000, month)).toLocaleLowerCase(language)
    if (whole.startsWith(wanted)) return month
  }
  return null
}

function startOf({ year, month = 0, day = 1 }: Day): string {
  return instant(year, month, day)
}

function endOf({ year, month, day }: Day): string {
  if (month === undefined) return instant(year + 1, 0, 1)
  return day === undefined ? instant(year, month + 1, 1) : instant(year, month, day + 1)
}

function instant(year: number, month: number, day: number): string {
  // Date.UTC maps years below 100 to the last century.
  const date = new Date(Date.UTC(2000, month, day))
  date.setUTCFullYear(year + date.getUTCFullYear() - 2000)
  return `${date.toISOString().slice(0, 19)}Z`
}

/**
 * Returns a range in words: "2018", "July 2018", "14 July 2018", or the first and the last day. `open`
 * says which end is missing, for which the caller has the words.
 */
export function describeRange(
  { from, to }: Range,
  language: string,
): { open?: 'from' | 'to'; words: string } {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
  const day = format({ day: 'numeric', month: 'long', year: 'numeric' })
  const first = from === undefined ? null : new Date(from)
  const last = to === undefined ? null : new Date(Date.parse(to) - 1)
  if (!first || !last) {
    return { open: first ? 'to' : 'from', words: first || last ? day.format(first ?? last!) : '' }
  }
  for (const [text, options] of SPANS) {
    const year = first.toISOString().slice(0, text)
    const span = rangeOf(year, language)
    if (span && Date.parse(span.from!) === +first && Date.parse(span.to!) === Date.parse(to!)) {
      return { words: format(options).format(first) }
    }
  }
  return { words: day.formatRange(first, last) }
}

/** A year, a month and a day by the number of characters of their digits. */
const SPANS: [number, Intl.DateTimeFormatOptions][] = [
  [4, { year: 'numeric' }],
  [7, { month: 'long', year: 'numeric' }],
  [10, { day: 'numeric', month: 'long', year: 'numeric' }],
]
