import { anyOf, folded, rowsOf, wordsIn } from './list.ts'

/** Days: from the first of them to the last, each a year, a month or a day of the filter language. */
interface Span {
  first: string
  last: string
}

/** A day or month of any year, or several: `05`, `05-14`. */
interface Yearly {
  yearly: string[]
}

type Days = Span | Yearly

const DAY = 86_400_000
const LANGUAGES = ['en', 'de']

/** Returns the conditions for the days that a folded text names, as tokens; null if it names none. */
export function daysIn(text: string, today: string): string | null {
  for (const [pattern, sign, end] of ENDS) {
    const days = daysOf(pattern.exec(text)?.[1] ?? '', today)
    if (days) return `d${sign}${('first' in days ? days : latest(days, today))[end]}`
  }
  const days = yearlyOf(text, today) ?? rangeOf(text, today) ?? daysOf(text, today)
  return days && tokensOf(days)
}

/** The last of these days that have begun: "since May" says no year. */
function latest({ yearly }: Yearly, today: string): Span {
  const [first, last] = [yearly[0]!, yearly.at(-1)!]
  const year = Number(today.slice(0, 4)) - Number(first > today.slice(5))
  return { first: `${year}-${first}`, last: `${last < first ? year + 1 : year}-${last}` }
}

function tokensOf(days: Days): string | null {
  if ('yearly' in days) return days.yearly.map((part) => `d~${part}`).join(',|,')
  const { first, last } = days
  if (first === last) return `d=${first}`
  return first < last ? `d>=${first},&,d<=${last}` : null
}

const words = (key: Parameters<typeof wordsIn>[0]) => anyOf(wordsIn(key))
const ENDS = [
  [/^(.+?) ?\.\.$/, '>=', 'first'],
  [/^\.\. ?(.+)$/, '<=', 'last'],
  [new RegExp(`^${words('since')} (.+?)(?: ${words('on')})?$`), '>=', 'first'],
  [new RegExp(`^${words('from')} (.+) ${words('on')}$`), '>=', 'first'],
  [new RegExp(`^${words('until')} (.+)$`), '<=', 'last'],
  [new RegExp(`^${words('earlier')} (.+)$`), '<', 'first'],
  [new RegExp(`^${words('later')} (.+)$`), '>', 'last'],
] as const
const EVERY = new RegExp(`^(?:${words('every')} (.+)|(.+?) ${words('ofEveryYear')})$`)
const BETWEEN = new RegExp(`^${words('between')} (.+) ${words('and')} (.+)$`)
const RANGE = new RegExp(
  `^(?:${words('from')} )?(.+?)(?: ${words('to')} | ?(?:\\.\\.|–|—|…) ?)(.+)$`,
)
const YEARS = /^(\d{4}) ?[-–/] ?(\d{4})$/

function yearlyOf(text: string, today: string): Days | null {
  const [, after, before] = EVERY.exec(text) ?? []
  const days = daysOf(after ?? before ?? '', today)
  return days && 'yearly' in days ? days : null
}

function rangeOf(text: string, today: string): Days | null {
  const [, from, to] = YEARS.exec(text) ?? BETWEEN.exec(text) ?? RANGE.exec(text) ?? []
  if (!from || !to) return null
  const last = daysOf(to, today)
  const first = daysOf(from, today) ?? dayBefore(from, last)
  if (!first || !last) return null
  if ('yearly' in last) return 'yearly' in first ? monthsFrom(first, last) : null
  if ('first' in first) return { first: first.first, last: last.last }
  // "May to July 2019"; "December to February 2020" begins in the year before.
  const year = Number(last.last.slice(0, 4))
  const begin = `${year}-${first.yearly[0]}`
  return { first: begin <= last.last ? begin : `${year - 1}-${first.yearly[0]}`, last: last.last }
}

/** "14" of "14 to 20 May 2019". */
function dayBefore(text: string, last: Days | null): Span | null {
  const day = /^(\d{1,2})\.?$/.exec(text)?.[1]?.padStart(2, '0')
  if (!day || !last || !('first' in last) || last.last.length !== 10) return null
  return real(`${last.last.slice(0, 8)}${day}`)
}

function monthsFrom({ yearly: [from = ''] }: Yearly, { yearly }: Yearly): Yearly | null {
  const to = yearly.at(-1)!
  if (from.length !== 2 || to.length !== 2) return null
  const count = (Number(to) - Number(from) + 12) % 12
  return { yearly: Array.from({ length: count + 1 }, (_, n) => monthAfter(Number(from), n)) }
}

function monthAfter(month: number, count: number): string {
  return two(((month + count - 1) % 12) + 1)
}

/** Returns the days of a text without a range; null if it names none. */
function daysOf(text: string, today: string): Days | null {
  const plain = text.replace(IN, '')
  for (const read of [written, named, seasonOf, decadeOf, relative]) {
    const days = read(plain, today)
    if (days) return days
  }
  return null
}

const IN = new RegExp(
  `^(?:${anyOf(['in', 'im', 'on', 'am', 'the', 'dem', 'den', 'der', 'year', 'jahr', 'jahre'].map(folded))} )+`,
)
const ISO = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/
const DOTTED = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})$/

function written(text: string): Span | null {
  const [, year, month, day] = ISO.exec(text) ?? []
  if (year) return real([year, month && two(month), day && two(day)].filter(Boolean).join('-'))
  const [, date, ofMonth, ofYear] = DOTTED.exec(text) ?? []
  return date ? real(`${ofYear}-${two(ofMonth!)}-${two(date)}`) : null
}

const TH = '(?:\\.|st|nd|rd|th)?'
const DATE_FIRST = new RegExp(
  `^(?:(\\d{1,2})${TH} (?:of )?)?(\\p{L}{3,})\\.?(?: (?:of )?(\\d{4}))?$`,
  'u',
)
const MONTH_FIRST = new RegExp(`^(\\p{L}{3,})\\.? (\\d{1,2})${TH}(?: (\\d{4}))?$`, 'u')

function named(text: string): Days | null {
  const dateFirst = DATE_FIRST.exec(text)
  const [, date, name, year] = dateFirst ?? []
  const [, laterName = '', laterDate, laterYear] = dateFirst ? [] : (MONTH_FIRST.exec(text) ?? [])
  const day = date ?? laterDate
  const month = monthNamed(name ?? laterName, !day && !year)
  if (!month) return null
  const ofYear = [month, day && two(day)].filter(Boolean).join('-')
  if (year ?? laterYear) return real(`${year ?? laterYear}-${ofYear}`)
  return real(`2000-${ofYear}`) && { yearly: [ofYear] }
}

/** The names of months and weekdays, in each language. */
const MONTHS = LANGUAGES.map((language) =>
  Array.from({ length: 12 }, (_, month) =>
    nameOf(language, { month: 'long' }, Date.UTC(2000, month)),
  ),
)
// 3 January 2000 was a Monday.
const WEEKDAYS = LANGUAGES.map((language) =>
  Array.from({ length: 7 }, (_, n) =>
    nameOf(language, { weekday: 'long' }, Date.UTC(2000, 0, 3 + n)),
  ),
)

function nameOf(language: string, options: Intl.DateTimeFormatOptions, time: number): string {
  return folded(new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(time))
}

/** Returns a month by its name, or by a part of it; alone, `Jan` may be somebody. */
function monthNamed(name: string, isAlone: boolean): string | null {
  if (name.length < 3) return null
  const isMeant = (month: string) => month === name || (!isAlone && month.startsWith(name))
  for (const months of MONTHS) {
    const at = months.findIndex(isMeant)
    if (at >= 0) return two(at + 1)
  }
  return null
}

const SEASONS = rowsOf('seasons').map(([month, ...names]) => ({ month, names: names.map(folded) }))
const SEASON = new RegExp(
  `^(?:(${words('last')}|${words('this')}) )?(\\p{L}+)(?: (?:of )?(\\d{4})(?:/\\d\\d(?:\\d\\d)?)?)?$`,
  'u',
)
const IS_LAST = new RegExp(`^${words('last')}$`)

function seasonOf(text: string, today: string): Days | null {
  const [, which, name = '', year] = SEASON.exec(text) ?? []
  const season = SEASONS.find(({ names }) => names.includes(name))
  if (!season || (which && year)) return null
  const { month } = season
  if (!which && !year) return { yearly: [0, 1, 2].map((n) => monthAfter(month, n)) }
  if (year) return inYear(month, Number(year))
  const now = Number(today.slice(0, 4))
  const years = [now, now - 1, now - 2].map((one) => inYear(month, one))
  const isOver = ({ last }: Span) => last < today.slice(0, 7)
  const hasBegun = ({ first }: Span) => first <= today.slice(0, 7)
  const isThis = !IS_LAST.test(which!)
  return (isThis ? (years.slice(0, 2).find(hasBegun) ?? years[0]) : years.find(isOver)) ?? null
}

function inYear(month: number, year: number): Span {
  const last = `${month + 2 > 12 ? year + 1 : year}-${monthAfter(month, 2)}`
  return { first: `${year}-${two(month)}`, last }
}

const DECADE = new RegExp(`^(\\d\\d)?(\\d)0${words('decade')}$`)

function decadeOf(text: string, today: string): Span | null {
  const [, century, ten] = DECADE.exec(text) ?? []
  if (ten === undefined) return null
  const ofThis = `20${ten}0` <= today ? '20' : '19'
  const start = `${century ?? ofThis}${ten}`
  return { first: `${start}0`, last: `${start}9` }
}

const NEAR_DAYS = rowsOf('days').map(([count, ...names]) => ({ count, names: names.map(folded) }))
const SPANS = rowsOf('spans').map(([unit, ...names]) => ({ unit, names: names.map(folded) }))
const RELATIVE = new RegExp(`^(${words('last')}|${words('this')}) (?:(\\d{1,3}) )?(\\p{L}+)$`, 'u')

function relative(text: string, today: string): Span | null {
  const now = Date.parse(today)
  const near = NEAR_DAYS.find(({ names }) => names.includes(text))
  if (near) return one(iso(now + near.count * DAY))
  const [, which = '', count, name = ''] = RELATIVE.exec(text) ?? []
  const isLast = IS_LAST.test(which)
  const unit = SPANS.find(({ names }) => names.includes(name))?.unit
  const date = new Date(now)
  const weekday = (date.getUTCDay() + 6) % 7
  if (count !== undefined) return unit && isLast ? lastOf(date, Number(count), unit) : null
  const at = WEEKDAYS.map((days) => days.indexOf(name)).find((place) => place >= 0)
  if (at !== undefined && isLast) return one(iso(now - (((weekday - at + 6) % 7) + 1) * DAY))
  const back = isLast ? 1 : 0
  const monday = now - (weekday + 7 * back) * DAY
  switch (unit) {
    case 'week':
      return { first: iso(monday), last: iso(monday + 6 * DAY) }
    case 'weekend':
      return { first: iso(monday + 5 * DAY), last: iso(monday + 6 * DAY) }
    case 'month':
      return one(iso(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back)).slice(0, 7))
    case 'year':
      return one(String(date.getUTCFullYear() - back))
    default:
      return null
  }
}

/** The last days, weeks, months or years, of which today is the last day. */
function lastOf(today: Date, count: number, unit: (typeof SPANS)[number]['unit']): Span | null {
  if (count === 0 || unit === 'weekend') return null
  const first = new Date(today)
  if (unit === 'year') first.setUTCFullYear(first.getUTCFullYear() - count)
  else if (unit === 'month') first.setUTCMonth(first.getUTCMonth() - count)
  else first.setUTCDate(first.getUTCDate() - count * (unit === 'week' ? 7 : 1))
  return { first: iso(+first + DAY), last: iso(+today) }
}

const iso = (time: number) => new Date(time).toISOString().slice(0, 10)
const two = (part: string | number) => String(part).padStart(2, '0')
const one = (day: string): Span => ({ first: day, last: day })

/** Returns a day of the filter language as a span; null if there is no such day. */
function real(day: string): Span | null {
  const time = Date.parse(day)
  const isReal = !Number.isNaN(time) && iso(time).startsWith(day) && day >= '0001'
  return isReal ? one(day) : null
}
