import { type Condition, type Expression, parseFilter, UNTAGGED } from '../../files/find/parse.ts'
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
  const expression = parseFilter(filter).expression ?? null
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

export function joined(
  expression: Expression | null,
  condition: Condition,
  { or, negated }: Joint,
): Expression {
  const leaf: Expression = { kind: 'condition', condition }
  const added: Expression = negated ? { kind: 'not', item: leaf } : leaf
  if (expression === null) return added
  const parts = partsOf(expression, 'and')
  if (!or) return { kind: 'and', items: [...parts, added] }
  const last: Expression = { kind: 'or', items: [...partsOf(parts.at(-1)!, 'or'), added] }
  return parts.length === 1 ? last : { kind: 'and', items: [...parts.slice(0, -1), last] }
}

/** Returns the items of a group of this kind; of anything else, itself as the only item. */
function partsOf(expression: Expression, kind: 'and' | 'or' | 'not'): Expression[] {
  return expression.kind === kind && expression.kind !== 'not'
    ? (expression as Expression & { items: Expression[] }).items
    : [expression]
}

/**
 * Returns the text of an expression in the filter language, '' for null. `tagOf` may return another
 * text for the id of a tag.
 */
export function printFilter(
  expression: Expression | null,
  tagOf: (id: string) => string = (id) => id,
): string {
  return expression === null ? '' : `{${tokensOf(expression, tagOf).join(',')}}`
}

function tokensOf(expression: Expression, tagOf: (id: string) => string): string[] {
  switch (expression.kind) {
    case 'condition':
      return [tokenOf(expression.condition, tagOf)]
    case 'not':
      return ['!', ...operandOf(expression.item, expression.item.kind !== 'condition', tagOf)]
    case 'and':
    case 'or':
      return expression.items.flatMap((item, index) => {
        const inBrackets =
          item.kind === expression.kind || (expression.kind === 'and' && item.kind === 'or')
        const operator = expression.kind === 'and' ? '&' : '|'
        return [...(index === 0 ? [] : [operator]), ...operandOf(item, inBrackets, tagOf)]
      })
  }
}

function operandOf(item: Expression, inBrackets: boolean, tagOf: (id: string) => string): string[] {
  const tokens = tokensOf(item, tagOf)
  return inBrackets ? ['(', ...tokens, ')'] : tokens
}

function tokenOf(condition: Condition, tagOf: (id: string) => string): string {
  switch (condition.kind) {
    case 'tag':
      return `t=${tagOf(condition.id)}`
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
    case 'fact':
      return condition.token
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
