import {
  type Condition,
  type Expression,
  type IdOf,
  type Letter,
  type Parsed,
  parseFilter,
  UNTAGGED,
} from '../../files/find/parse.ts'
import type { Listing } from '../base/listing.ts'

/** The path from the whole expression to one of its leaves: an index for each group, 0 for a NOT. */
export type Path = number[]

/** A condition of an expression, as the bar shows it. */
export interface Leaf {
  condition: Condition
  /** Whether a NOT stands right before it. */
  negated: boolean
  path: Path
}

/** How a new condition joins the expression. */
export interface Joint {
  /** Joined to the last part by OR, instead of to the whole by AND. */
  or: boolean
  negated: boolean
}

/** A part of a sentence: what it says, and how it joins what is before it. */
export interface Step extends Joint {
  item: Expression
}

/** Parses a filter as `parseFilter` does; two conditions that bound the days are one: `d>=2019,&,d<=2021`. */
export function readFilter(text: string, idOf?: IdOf): Parsed {
  const parsed = parseFilter(text, idOf)
  return parsed.expression ? { expression: withSpans(parsed.expression) } : parsed
}

function withSpans(expression: Expression): Expression {
  if (expression.kind === 'condition') return expression
  if (expression.kind === 'not') return { kind: 'not', item: withSpans(expression.item) }
  const items = expression.items.map(withSpans)
  if (expression.kind === 'or') return { kind: 'or', items }
  const folded: Expression[] = []
  for (const item of items) {
    const span = spanOf(folded.at(-1), item)
    if (span) folded.splice(-1, 1, span)
    else folded.push(item)
  }
  return folded.length === 1 ? folded[0]! : { kind: 'and', items: folded }
}

function spanOf(first: Expression | undefined, last: Expression): Expression | null {
  const [from, to] = [first, last].map((item) =>
    item?.kind === 'condition' ? item.condition : null,
  )
  if (from?.kind !== 'fact' || to?.kind !== 'fact') return null
  if (!/^d>=[^,]+$/.test(from.token) || !/^d<=/.test(to.token)) return null
  const [begin, end] = [from.fact, to.fact]
  if (begin.of !== 'days' || end.of !== 'days' || begin.from! >= end.to!) return null
  const fact = { of: 'days', from: begin.from, to: end.to } as const
  const condition = { ...from, token: `${from.token},&,${to.token}`, fact }
  return { kind: 'condition', condition }
}

/** Whether a condition is of two tokens. */
function isSpan(item: Expression): boolean {
  return (
    item.kind === 'condition' && item.condition.kind === 'fact' && /,/.test(item.condition.token)
  )
}

/** Returns the conditions of an expression from left to right. */
export function leavesOf(expression: Expression | null, path: Path = []): Leaf[] {
  if (expression === null) return []
  switch (expression.kind) {
    case 'condition':
      return [{ condition: expression.condition, negated: false, path }]
    case 'not':
      return expression.item.kind === 'condition'
        ? [{ condition: expression.item.condition, negated: true, path: [...path, 0] }]
        : leavesOf(expression.item, [...path, 0])
    case 'and':
    case 'or':
      return expression.items.flatMap((item, index) => leavesOf(item, [...path, index]))
  }
}

/**
 * Returns the leaf by which a condition, or its opposite, holds for every result: it is the whole
 * expression, or joined to it by AND. Undefined if there is none, as inside an OR.
 */
export function limitOf(expression: Expression | null, wanted: Condition): Leaf | undefined {
  const parts = expression === null ? [] : partsOf(expression, 'and')
  const said = JSON.stringify(wanted)
  return leavesOf(expression).find(
    ({ condition, negated, path }) =>
      JSON.stringify(condition) === said &&
      path.length === Number(parts.length > 1) + Number(negated),
  )
}

/** Returns the expression without the leaf at a path; null if nothing is left. */
export function without(expression: Expression | null, path: Path): Expression | null {
  const [index, ...rest] = path
  if (expression === null || expression.kind === 'condition' || index === undefined) return null
  if (expression.kind === 'not') {
    const item = without(expression.item, rest)
    return item && { kind: 'not', item }
  }
  const changed = without(expression.items[index]!, rest)
  const items = expression.items.flatMap((item, at) =>
    at === index ? (changed ? partsOf(changed, expression.kind) : []) : [item],
  )
  return items.length > 1 ? { ...expression, items } : (items[0] ?? null)
}

/**
 * Returns how a listing changes without the last part of the bar: dates, a name, the last condition, or
 * an invalid filter; null if nothing limits the listing.
 */
export function withoutLast({ filter, search, from, to }: Listing): Partial<Listing> | null {
  if (from || to) return { from: '', to: '' }
  if (search) return { search: '' }
  if (!filter) return null
  const expression = readFilter(filter).expression ?? null
  const last = leavesOf(expression).at(-1)
  return { filter: last ? printFilter(without(expression, last.path)) : '' }
}

/** Returns the expression with the leaf at a path negated. */
export function turned(expression: Expression, path: Path): Expression {
  const [index, ...rest] = path
  if (expression.kind === 'condition' || index === undefined)
    return { kind: 'not', item: expression }
  if (expression.kind === 'not') {
    const isLeaf = expression.item.kind === 'condition'
    return isLeaf ? expression.item : { kind: 'not', item: turned(expression.item, rest) }
  }
  const items = expression.items.map((item, at) => (at === index ? turned(item, rest) : item))
  return { ...expression, items }
}

function joined(expression: Expression | null, { or, negated, item }: Step): Expression {
  const added: Expression = negated ? { kind: 'not', item } : item
  if (expression === null) return added
  const parts = partsOf(expression, 'and')
  if (!or) return { kind: 'and', items: [...parts, ...partsOf(added, 'and')] }
  const items = [...partsOf(parts.at(-1)!, 'or'), ...partsOf(added, 'or')]
  const last: Expression = { kind: 'or', items }
  return parts.length === 1 ? last : { kind: 'and', items: [...parts.slice(0, -1), last] }
}

/**
 * Returns the expression with steps more. Days that are added replace those that no picture can have with them: 2019
 * after 2018 shows 2019.
 */
export function withSteps(
  expression: Expression | null,
  steps: readonly Step[],
): Expression | null {
  return steps.reduce((before: Expression | null, step) => {
    return joined(step.or || step.negated ? before : withoutOtherDays(before, step.item), step)
  }, expression)
}

function withoutOtherDays(expression: Expression | null, added: Expression): Expression | null {
  const parts = expression ? partsOf(expression, 'and') : []
  const rest = parts.filter((part) => !exclude(part, added))
  return rest.length > 1 ? { kind: 'and', items: rest } : (rest[0] ?? null)
}

/** Whether two conditions ask for days that have none in common. */
export function exclude(one: Expression, other: Expression): boolean {
  const [a, b] = [one, other].map((item) =>
    item.kind === 'condition' && item.condition.kind === 'fact' ? item.condition.fact : null,
  )
  if (a?.of === 'yearly' && b?.of === 'yearly')
    return a.month !== b.month || (a.day !== b.day && a.day !== null && b.day !== null)
  if (a?.of !== 'days' || b?.of !== 'days') return false
  const isBefore = (end: number | null, start: number | null) =>
    end !== null && start !== null && end <= start
  return isBefore(a.to, b.from) || isBefore(b.to, a.from)
}

/** Returns whether OR joins the leaf at a path to the one before; null for the first one, and in brackets. */
export function isOrAt(expression: Expression, path: Path): boolean | null {
  return stepAt(expression, path)?.step.or ?? null
}

/** Returns the expression with the leaf at a path joined by OR instead of AND, or the other way round. */
export function rejoined(expression: Expression, path: Path): Expression {
  const { steps, step } = stepAt(expression, path)!
  const changed = steps.map((one) => (one === step ? { ...one, or: !one.or } : one))
  return changed.reduce<Expression | null>(joined, null)!
}

function stepAt(expression: Expression, path: Path): { steps: Step[]; step: Step } | null {
  const steps = partsOf(expression, 'and').flatMap((part) =>
    partsOf(part, 'or').map((item, place) => ({ or: place > 0, negated: false, item })),
  )
  const leaves = leavesOf(expression)
  if (steps.some(({ item }) => item.kind === 'and' || item.kind === 'or')) return null
  if (leaves.length !== steps.length) return null
  const place = leaves.findIndex((leaf) => String(leaf.path) === String(path))
  return place > 0 ? { steps, step: steps[place]! } : null
}

/** Returns the items of a group of this kind; of anything else, itself as the only item. */
export function partsOf(expression: Expression, kind: 'and' | 'or' | 'not'): Expression[] {
  return expression.kind === kind && expression.kind !== 'not'
    ? (expression as Expression & { items: Expression[] }).items
    : [expression]
}

/** Returns the text for the id that a token has. */
type Named = (id: string, letter: Letter) => string

/** Returns the text of an expression in the filter language, '' for null. */
export function printFilter(expression: Expression | null, named: Named = (id) => id): string {
  return expression === null ? '' : `{${tokensOf(expression, named).join(',')}}`
}

function tokensOf(expression: Expression, named: Named): string[] {
  switch (expression.kind) {
    case 'condition':
      return [tokenOf(expression.condition, named)]
    case 'not':
      return ['!', ...operandOf(expression.item, isGroup(expression.item), named)]
    case 'and':
    case 'or':
      return expression.items.flatMap((item, index) => {
        const inBrackets =
          item.kind === expression.kind || (expression.kind === 'and' && item.kind === 'or')
        const operator = expression.kind === 'and' ? '&' : '|'
        return [...(index === 0 ? [] : [operator]), ...operandOf(item, inBrackets, named)]
      })
  }
}

function isGroup(item: Expression): boolean {
  return item.kind !== 'condition' || isSpan(item)
}

function operandOf(item: Expression, inBrackets: boolean, named: Named): string[] {
  const tokens = tokensOf(item, named)
  return inBrackets ? ['(', ...tokens, ')'] : tokens
}

function tokenOf(condition: Condition, named: Named): string {
  switch (condition.kind) {
    case 'tag':
      return `t=${named(condition.id, 't')}`
    case 'untagged':
      return `t=${UNTAGGED}`
    case 'mime':
      return `m=${condition.value}`
    case 'mime_like':
      return `m~${condition.pattern}`
    case 'review':
      return condition.needed ? 'r=1' : 'r=0'
    case 'favourite':
      return condition.wanted ? 'f=1' : 'f=0'
    case 'fact': {
      const [, letter, id] = /^([cpu])=(.+)$/.exec(condition.token) ?? []
      return id === undefined ? condition.token : `${letter}=${named(id, letter as Letter)}`
    }
  }
}

/** A part of the bar: a chip, or a word or bracket between chips. */
export type Part =
  | ({ kind: 'chip' } & Leaf)
  | { kind: 'word'; word: 'and' | 'or' | 'not' | 'and not' | 'or not' }
  | { kind: 'bracket'; text: '(' | ')' }

/**
 * Returns an expression as a sentence. "Or" binds more tightly than "and", as people read "Arezzo or
 * holiday and not work"; all other groups get brackets.
 */
export function sentenceOf(expression: Expression | null): Part[] {
  return expression === null ? [] : saidOf(expression, [], 0)
}

function saidOf(expression: Expression, path: Path, level: number): Part[] {
  switch (expression.kind) {
    case 'condition':
      return [{ kind: 'chip', condition: expression.condition, negated: false, path }]
    case 'not': {
      const inner = [...path, 0]
      const item = expression.item
      return item.kind === 'condition'
        ? [
            { kind: 'word', word: 'not' },
            { kind: 'chip', condition: item.condition, negated: true, path: inner },
          ]
        : [{ kind: 'word', word: 'not' }, ...inBrackets(saidOf(item, inner, level + 1))]
    }
    case 'and':
    case 'or':
      return expression.items.flatMap((item, index) => {
        const parts = saidOf(item, [...path, index], level + 1)
        const isGroup = item.kind === 'and' || item.kind === 'or'
        const isNear = level === 0 && expression.kind === 'and' && item.kind === 'or'
        const shown = isGroup && !isNear ? inBrackets(parts) : parts
        return index === 0 ? shown : afterWord(expression.kind, shown)
      })
  }
}

function inBrackets(parts: Part[]): Part[] {
  return [{ kind: 'bracket', text: '(' }, ...parts, { kind: 'bracket', text: ')' }]
}

function afterWord(word: 'and' | 'or', parts: Part[]): Part[] {
  const [first, ...rest] = parts
  return first?.kind === 'word' && first.word === 'not'
    ? [{ kind: 'word', word: `${word} not` }, ...rest]
    : [{ kind: 'word', word }, ...parts]
}
