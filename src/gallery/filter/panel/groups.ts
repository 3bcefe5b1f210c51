import { type Fact, factOf } from '../../../files/find/facts.ts'
import { type Expression, parseFilter } from '../../../files/find/parse.ts'
import { printFilter } from '../edit.ts'

/** Conditions on one subject, which the panel shows together. */
export interface Group {
  /** Which tokens are of the group. */
  tokens: Pick<RegExp, 'test'>
  /** Whether a file has to have one of several values, or all; whether there is only one, or bounds of a span. */
  match: 'any' | 'all' | 'one' | 'span'
}

/** What a filter asks of a value; a value that it doesn't name is off. */
export type Asked = 'is' | 'not'

/** What a filter asks of a group, by token in its order, and its other parts, joined by AND. */
interface Read {
  asked: Map<string, Asked>
  rest: Expression[]
}

/**
 * Returns what a filter asks of a group in parts of its own; what it asks otherwise, as inside an OR, is rest. So is a
 * second part of a group that the panel joins by OR, because that would find more.
 */
export function readGroup(expression: Expression | null, group: Group): Read {
  const asked: Read['asked'] = new Map()
  let isLimited = false
  const rest = partsOf(expression).filter((part) => {
    const own = ownIn(part, group)
    const limits = own !== null && part.kind !== 'not' && !areTogether(group)
    if (own === null || (limits && isLimited)) return true
    isLimited ||= limits
    for (const [token, how] of own) asked.set(token, how)
    return false
  })
  return { asked, rest }
}

/** Returns a filter that asks something else of a group, in its place. */
export function withGroup(
  expression: Expression | null,
  group: Group,
  asked: Read['asked'],
): Expression | null {
  const tokens = (how: Asked) =>
    [...asked].filter(([, other]) => other === how).map(([token]) => conditionOf(token))
  const is = tokens('is')
  const joined: Expression[] =
    areTogether(group) || is.length < 2 ? is : [{ kind: 'or', items: is }]
  const not = tokens('not').map((item): Expression => ({ kind: 'not', item }))
  const parts = partsOf(expression)
  const first = parts.findIndex((part) => ownIn(part, group) !== null)
  const before = (first < 0 ? parts : parts.slice(0, first)).length
  const { rest } = readGroup(expression, group)
  return all([...rest.slice(0, before), ...joined, ...not, ...rest.slice(before)])
}

/** Returns what is asked after a tap on a value: it is on, then excluded, then off. */
export function tapped({ match }: Group, asked: Read['asked'], token: string): Read['asked'] {
  const now = asked.get(token)
  return now === 'is'
    ? new Map([...asked, [token, 'not']])
    : now === 'not'
      ? new Map([...asked].filter(([other]) => other !== token))
      : new Map([
          ...[...asked].filter(([, how]) => match !== 'one' || how === 'not'),
          [token, 'is'],
        ])
}

/**
 * Returns the filter under which the values of a group are counted: without what it asks of the group itself. Where a
 * file may have several, those that it has to have stay, so that a count says what one more would leave.
 */
export function filterToCount(expression: Expression | null, group: Group): string {
  const { asked, rest } = readGroup(expression, group)
  const kept = group.match === 'all' ? [...asked].filter(([, how]) => how === 'is') : []
  return printFilter(all([...rest, ...kept.map(([token]) => conditionOf(token))]))
}

/** Returns the text of a filter with more tokens, joined by AND. */
export function narrowed(filter: string, tokens: string[]): string {
  return printFilter(all([...partsOf(parsed(filter)), ...tokens.map(conditionOf)]))
}

/** The days that a filter asks for, such as `2019-05-14`; '' for no bound. */
export interface Days {
  from: string
  to: string
}

const DAY = 86_400_000
export const DAYS: Group = { tokens: /^d[=<>]/, match: 'span' }

/** Returns the first and the last day that a filter asks for. */
export function readDays(expression: Expression | null): Days {
  let [from, to] = [-Infinity, Infinity]
  const { asked } = readGroup(expression, DAYS)
  // Two that bound the days are one condition.
  const tokens = [...asked].flatMap(([token, how]) => (how === 'is' ? token.split(',&,') : []))
  for (const token of tokens) {
    const days = daysOf(token)
    if (!days) continue
    from = Math.max(from, days.from ?? -Infinity)
    to = Math.min(to, days.to ?? Infinity)
  }
  return { from: textOf(from), to: textOf(to - DAY) }
}

/** Returns a filter with other days, written as months or years where they begin and end with these. */
export function withDays(expression: Expression | null, { from, to }: Days): Expression | null {
  const length = Math.max(
    from === '' ? 0 : from.endsWith('-01-01') ? 4 : from.endsWith('-01') ? 7 : 10,
    to === '' ? 0 : to.endsWith('-12-31') ? 4 : isLastOfMonth(to) ? 7 : 10,
  )
  const [first, last] = [from.slice(0, length), to.slice(0, length)]
  const tokens = first === last ? [`d=${first}`] : [`d>=${first}`, `d<=${last}`]
  const known = tokens.filter((token) => /\d/.test(token))
  const { asked } = readGroup(expression, DAYS)
  const others = [...asked].filter(([, how]) => how === 'not')
  return withGroup(
    expression,
    DAYS,
    new Map([...known.map((token) => [token, 'is'] as const), ...others]),
  )
}

function isLastOfMonth(day: string): boolean {
  return new Date(Date.parse(day) + DAY).getUTCDate() === 1
}

function daysOf(token: string): (Fact & { of: 'days' }) | null {
  const fact = factOf(token)?.fact
  return fact?.of === 'days' ? fact : null
}

function textOf(time: number): string {
  return Number.isFinite(time) ? new Date(time).toISOString().slice(0, 10) : ''
}

/** What a part asks of a group alone; null if it asks anything else. */
function ownIn(part: Expression, group: Group): [string, Asked][] | null {
  const leaf = part.kind === 'not' ? part.item : part
  const isOr = part.kind === 'or' && !areTogether(group)
  const items = isOr ? part.items : [leaf]
  const own = items.map((item) => (item.kind === 'condition' ? printFilter(item).slice(1, -1) : ''))
  if (!own.every((token) => group.tokens.test(token))) return null
  return own.map((token) => [token, part.kind === 'not' ? 'not' : 'is'])
}

function areTogether({ match }: Group): boolean {
  return match === 'all' || match === 'span'
}

function partsOf(expression: Expression | null): Expression[] {
  return expression === null ? [] : expression.kind === 'and' ? expression.items : [expression]
}

function all(items: Expression[]): Expression | null {
  return items.length > 1 ? { kind: 'and', items } : (items[0] ?? null)
}

function parsed(filter: string): Expression | null {
  return parseFilter(filter).expression ?? null
}

/** Returns a token as a filter. */
export function conditionOf(token: string): Expression {
  return parsed(`{${token}}`)!
}
