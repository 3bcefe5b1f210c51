import type { DateSource } from '../../../base/enums.ts'
import { idIn, NONE } from '../../../files/find/facts.ts'
import { bytes, number } from '../../base/format.ts'
import { locale } from '../../base/text.ts'
import { tokens } from '../../text/tokens.ts'

/** What a chip says, and what says the opposite better than a "not" before it. */
interface Said {
  words: string
  none?: string
}

/** Returns the name of a category, a pool or a user; undefined if the viewer doesn't see it. */
export type NameOf = (letter: 'c' | 'p' | 'u', id: string) => string | undefined

/** The ends of a range in an address: `from` is inclusive, `to` exclusive; an absent one is unlimited. */
interface Range {
  from?: string
  to?: string
}

const TOKEN = /^([a-z])(<=|>=|=|~|<|>)(.+)$/s
const SPAN = /^d>=(.+),&,d<=(.+)$/

/** Returns a token of the filter language, or two that bound the days, in words. */
export function wordsOf(token: string, nameOf: NameOf): Said {
  const [, from, to] = SPAN.exec(token) ?? []
  if (from && to) return { words: spanWords(from, to) }
  const [, letter = '', sign = '', value = ''] = TOKEN.exec(token) ?? []
  return SAYERS[letter]?.(sign, value, nameOf) ?? { words: token }
}

const SAYERS: Record<string, (sign: string, value: string, nameOf: NameOf) => Said> = {
  d: (sign, value) => {
    const says = tokens()
    const day = dayWords(sign === '~' ? `2000-${value}` : value, sign !== '~')
    const by: Record<string, (day: string) => string> = {
      '=': (words) => words,
      '~': says.everyYear,
      '<': says.before,
      '<=': says.until,
      '>': says.after,
      '>=': says.from,
    }
    return { words: by[sign]!(day) }
  },
  c: (_, value, nameOf) => {
    const says = tokens()
    if (value === NONE) return { words: says.noneOfAny, none: says.anyCategory }
    const name = nameOf('c', idIn(value) ?? '')
    if (name === undefined) return { words: says.categoryGone }
    return { words: says.category(name), none: says.noCategory(name) }
  },
  p: (_, value, nameOf) => {
    const says = tokens()
    if (value === NONE) return { words: says.noAlbum, none: says.anyAlbum }
    const name = nameOf('p', idIn(value) ?? '')
    return { words: name === undefined ? says.albumGone : says.album(name) }
  },
  u: (_, value, nameOf) => {
    const name = nameOf('u', value)
    return { words: name === undefined ? tokens().byNobody : tokens().by(name) }
  },
  s: (_, value) => ({ words: tokens().sources[value as DateSource] }),
  b: (sign, value) => {
    const says = tokens()
    return { words: (sign === '>' ? says.larger : says.smaller)(bytes(Number(value))) }
  },
  w: (sign, value) => {
    const says = tokens()
    const pixels = Number(value)
    const size =
      pixels < 100_000 ? says.pixels(number(pixels)) : says.megapixels(number(pixels / 1e6))
    return { words: (sign === '>' ? says.more : says.fewer)(size) }
  },
  e: (sign, value) => {
    const says = tokens()
    return { words: (sign === '>' ? says.longer : says.shorter)(timeWords(Number(value))) }
  },
  x: (_, value) => {
    const looks: Record<string, string> = tokens().looks
    return { words: looks[value] ?? value }
  },
  k: (_, value) => ({ words: tokens().camera(plain(value)) }),
  n: (_, value) => {
    const words = plain(value)
    return { words: words === '' ? tokens().anyNotes : tokens().notes(words) }
  },
  g: (sign, value) => {
    const says = tokens()
    if (sign === '~') return { words: says.here }
    const [words, none] = value === '1' ? [says.place, says.noPlace] : [says.noPlace, says.place]
    return { words, none }
  },
  l: (_, value) => {
    const says = tokens()
    const [code = '', region, ...town] = value.split('.')
    const part = town.length > 0 ? plain(town.join('.')) : region && says.region(plain(region))
    return { words: says.in([part, countryOf(code)].filter(Boolean).join(', ')) }
  },
}

/** Returns a pattern of LIKE as people write it. */
function plain(pattern: string): string {
  return pattern.replace(/[%_]+/g, ' ').trim()
}

function countryOf(code: string): string {
  try {
    return new Intl.DisplayNames(locale.value, { type: 'region' }).of(code) ?? code
  } catch {
    // It isn't the code of a country.
    return code
  }
}

const UNITS = [
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

function timeWords(seconds: number): string {
  const [length, unit] = UNITS.find(([length]) => seconds % length === 0) ?? [1, 'second']
  const options = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(locale.value, options).format(seconds / length)
}

/** Returns how a year, a month or a day is formatted, by the length of its text. */
function formatOf(length: number, hasYear = true): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale.value, {
    ...(hasYear && { year: 'numeric' }),
    ...(length > 4 && { month: 'long' }),
    ...(length > 7 && { day: 'numeric' }),
    timeZone: 'UTC',
  })
}

function dayWords(day: string, hasYear = true): string {
  return formatOf(day.length, hasYear).format(timeOf(day))
}

function spanWords(from: string, to: string): string {
  if (from.length === to.length) return formatOf(from.length).formatRange(timeOf(from), timeOf(to))
  return `${dayWords(from)} – ${dayWords(to)}`
}

// Date.parse takes a year, a month and a day for their first moments in UTC.
const timeOf = (day: string) => Date.parse(day)

/** Returns the range of an address in words. */
export function rangeWords({ from, to }: Range): string {
  const says = tokens()
  const first = from?.slice(0, 10)
  const last = to && new Date(Date.parse(to) - 1).toISOString().slice(0, 10)
  if (!first || !last)
    return first ? says.from(dayWords(first)) : last ? says.until(dayWords(last)) : ''
  return wordsOf(shortest(first, last), () => undefined).words
}

/** Returns the tokens of the days from one to another, as short as they can be. */
function shortest(first: string, last: string): string {
  for (const length of [4, 7, 10]) {
    const [from, to] = [first.slice(0, length), last.slice(0, length)]
    const isWhole = timeOf(from) === timeOf(first) && endOf(to) === endOf(last)
    if (isWhole) return from === to ? `d=${from}` : `d>=${from},&,d<=${to}`
  }
  return ''
}

function endOf(day: string): number {
  const [year = 0, month = 12, date] = day.split('-').map(Number)
  return new Date(0).setUTCFullYear(year, date ? month - 1 : month, date ? date + 1 : 1)
}
