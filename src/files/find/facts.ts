// Conditions on one fact of a file, as tokens of the filter language. Both the server and the gallery read them.
import { DATE_SOURCES, type DateSource } from '../../base/enums.ts'

/** What a token asks of a file. */
export type Fact =
  /** Everything known of the day lies from an instant of the local clock up to another; null for no end. */
  | { of: 'days'; from: number | null; to: number | null }
  /** It is known to be of this month of any year or, with a day, of this day. */
  | { of: 'yearly'; month: number; day: number | null }
  /** It has a tag of the category; null: of any. */
  | { of: 'category'; id: string | null }
  /** It is in the pool; null: in any. */
  | { of: 'pool'; id: string | null }
  | { of: 'creator'; id: number }
  | { of: 'source'; source: DateSource }
  /** It says where it was taken. */
  | { of: 'place' }
  /** It was taken within the cell of a geohash. */
  | { of: 'cell'; cell: string }
  /** It was taken in a country, a region or a town, as in `FR.93.Nice`; `_` stands for any character. */
  | { of: 'town'; town: string }
  /** Its camera's name is LIKE a pattern. */
  | { of: 'camera'; pattern: string }
  | { [Of in Amount]: { of: Of; sign: '<' | '>'; than: number } }[Amount]
  | { [Of in Look]: { of: Of } }[Look]
  /** Its notes are LIKE a pattern, in any case. */
  | { of: 'notes'; pattern: string }

const AMOUNTS = { b: 'bytes', w: 'pixels', e: 'seconds' } as const
const LOOKS = ['damaged', 'animated', 'raw', 'portrait', 'landscape'] as const
type Amount = (typeof AMOUNTS)[keyof typeof AMOUNTS]
type Look = (typeof LOOKS)[number]

/** The id that stands for none at all. */
export const NONE = '00000000-0000-0000-0000-000000000000'
/** The most characters of a pattern. */
const LONGEST_PATTERN = 256
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const CELL = /^[\db-hjkmnp-z]{1,8}$/
const TOWN = /^[A-Z]{2}(\.[A-Z\d_]*(\.[\p{L}\p{N}._-]+)?)?$/u
const TOKEN = /^([a-z])(=|~|<=|>=|<|>)(.+)$/

/** A fact of which a token says that a file has it, or that it hasn't. */
interface Told {
  fact: Fact
  negated: boolean
}

/** Returns the id that a text is, in lower case; null if it is none. */
export function idIn(text: string): string | null {
  const id = text.toLowerCase()
  return UUID.test(id) ? id : null
}

/** Returns what a token says of a file; null if it isn't one of these tokens. */
export function factOf(token: string): Told | null {
  if (token === 'g=0') return { fact: { of: 'place' }, negated: true }
  const [, letter = '', operator = '', value = ''] = TOKEN.exec(token) ?? []
  const fact = READERS[letter]?.(operator, value) ?? null
  if (!fact) return null
  const isNone = 'id' in fact && fact.id === NONE
  return isNone ? { fact: { ...fact, id: null } as Fact, negated: true } : { fact, negated: false }
}

const READERS: Record<string, (operator: string, value: string) => Fact | null> = {
  d: (operator, value) => (operator === '~' ? yearly(value) : days(operator, value)),
  c: (operator, value) => ofObject('category', operator, value),
  p: (operator, value) => ofObject('pool', operator, value),
  u: (operator, value) =>
    operator === '=' && /^[1-9]\d{0,14}$/.test(value) ? { of: 'creator', id: Number(value) } : null,
  s: (operator, value) => {
    const source = DATE_SOURCES.find((one) => operator === '=' && one === value)
    return source ? { of: 'source', source } : null
  },
  g: (operator, value) => {
    if (operator + value === '=1') return { of: 'place' }
    return operator === '~' && CELL.test(value) ? { of: 'cell', cell: value } : null
  },
  l: (operator, value) =>
    operator === '=' && TOWN.test(value) ? { of: 'town', town: value } : null,
  k: (operator, value) => pattern('camera', operator, value),
  b: (operator, value) => amount('b', operator, value),
  w: (operator, value) => amount('w', operator, value),
  e: (operator, value) => amount('e', operator, value),
  x: (operator, value) => {
    const look = LOOKS.find((one) => operator === '=' && one === value)
    return look ? { of: look } : null
  },
  n: (operator, value) => pattern('notes', operator, value),
}

function pattern(of: 'camera' | 'notes', operator: string, value: string): Fact | null {
  return operator === '~' && value.length <= LONGEST_PATTERN ? { of, pattern: value } : null
}

function ofObject(of: 'category' | 'pool', operator: string, value: string): Fact | null {
  const id = operator === '=' ? idIn(value) : null
  return id === null ? null : { of, id }
}

function amount(letter: keyof typeof AMOUNTS, sign: string, value: string): Fact | null {
  if ((sign !== '<' && sign !== '>') || !/^\d{1,15}(\.\d{1,3})?$/.test(value)) return null
  return { of: AMOUNTS[letter], sign, than: Number(value) }
}

function days(operator: string, value: string): Fact | null {
  const [, year = '', month, day] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(value) ?? []
  if (!isDay(year, month, day)) return null
  const [y, m, d] = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)]
  const from = startOf(y, m, d)
  const to = day ? startOf(y, m, d + 1) : month ? startOf(y, m + 1, 1) : startOf(y + 1, 0, 1)
  const ends: Record<string, Fact> = {
    '=': { of: 'days', from, to },
    '<': { of: 'days', from: null, to: from },
    '<=': { of: 'days', from: null, to },
    '>': { of: 'days', from: to, to: null },
    '>=': { of: 'days', from, to: null },
  }
  return ends[operator]!
}

function yearly(value: string): Fact | null {
  const [, month = '', day] = /^(\d\d)(?:-(\d\d))?$/.exec(value) ?? []
  if (!isDay('2000', month, day)) return null
  return { of: 'yearly', month: Number(month), day: day === undefined ? null : Number(day) }
}

function isDay(year: string, month = '01', day = '01'): boolean {
  const time = new Date(`${year}-${month}-${day}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.getUTCDate() === Number(day)
}

// `Date.UTC` takes the years 0 to 99 for those of the last century.
function startOf(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day)
}
