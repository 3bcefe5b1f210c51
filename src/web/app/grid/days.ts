const DAY = 86_400

/** Returns the number of the day of a local time in seconds, counted from 1970. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY)
}

/** Returns the month of a day as the timeline names it: 2018-07. */
export function monthKey(day: number): string {
  return new Date(day * DAY * 1000).toISOString().slice(0, 7)
}

/** Tells whether two days are in the same month. */
export function isSameMonth(a: number, b: number): boolean {
  return monthKey(a) === monthKey(b)
}

/** Returns the name of a day: `Friday, 13 July`, or `Friday, 13 July 2018`. */
export function dayName(day: number, language: string, withYear: boolean): string {
  const format = formatOf(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(withYear ? { year: 'numeric' } : {}),
  })
  return format.format(new Date(day * DAY * 1000))
}

/** Returns the name of the month that the timeline calls 2018-07: `July 2018`. */
export function monthName(key: string, language: string): string {
  const format = formatOf(language, { month: 'long', year: 'numeric' })
  return format.format(new Date(`${key}-01T00:00:00Z`))
}

/** Returns a local time in seconds in words: `13 July 2018 at 14:05`. */
export function momentName(time: number, language: string): string {
  const format = formatOf(language, { dateStyle: 'long', timeStyle: 'short' })
  return format.format(new Date(time * 1000))
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns a format, made once: making one takes longer than using it a hundred times. */
function formatOf(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`
  let format = formats.get(key)
  if (!format) {
    // English dates as Europe writes them, unless the reader is American.
    const locale = language === 'en' ? 'en-GB' : language
    format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
    formats.set(key, format)
  }
  return format
}
