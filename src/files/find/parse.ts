// The filter language, as both the server and the gallery read it.
import { type Fact, factOf, idIn, NONE } from './facts.ts'

/** A condition of a filter on a file. */
export type Condition =
  | { kind: 'tag'; id: string }
  | { kind: 'untagged' }
  | { kind: 'mime'; value: string }
  | { kind: 'mime_like'; pattern: string }
  | { kind: 'review'; needed: boolean }
  | { kind: 'favourite'; wanted: boolean }
  /** Another fact, which `token` asks for. */
  | { kind: 'fact'; token: string; fact: Fact; negated: boolean }

export type Expression =
  | { kind: 'condition'; condition: Condition }
  | { kind: 'not'; item: Expression }
  | { kind: 'and' | 'or'; items: Expression[] }

/** What is wrong with the text of a filter. */
export type Problem =
  | 'braces'
  | 'too many tokens'
  | 'too deep'
  | 'unknown token'
  | 'no id'
  | 'condition expected'
  | 'closing expected'
  | 'operator expected'

/** What tokens name by an id: a tag, a category, a pool, a user. */
export type Letter = 't' | 'c' | 'p' | 'u'
/** Returns the id of what has a name. */
export type IdOf = (name: string, letter: Letter) => string | undefined

/** Where the text of a filter is wrong: between two indexes of it. */
export interface Break {
  problem: Problem
  /** The token, counted from 1; null where one more is expected. */
  token: number | null
  start: number
  end: number
}

/** The expression of a text, or where it is wrong. */
export type Parsed =
  | { expression: Expression | null; broken?: undefined }
  | { expression?: undefined; broken: Break }

export const TOKEN_LIMIT = 500
export const LEVEL_LIMIT = 64

/** The id that stands for no tag at all. */
export const UNTAGGED = NONE
const OPERATORS = ['(', ')', '&', '|', '!']

interface Token {
  text: string
  token: number
  start: number
  end: number
}

class Broken extends Error {
  readonly where: Break

  constructor(problem: Problem, { token, start, end }: Omit<Break, 'problem'>) {
    super(problem)
    this.where = { problem, token, start, end }
  }
}

/**
 * Returns the expression of a filter in the specification's language, null for one without conditions (`{}` or empty),
 * or where it is wrong: at anything else, at more than 500 tokens and at parentheses nested deeper than 64 levels. NOT
 * binds tighter than AND, and AND tighter than OR. With `idOf`, what has an id may be named, as in `{t=<holiday>}`.
 */
export function parseFilter(filter: string, idOf: IdOf = () => undefined): Parsed {
  try {
    const tokens = tokenize(filter)
    if (tokens.length === 0) return { expression: null }
    return { expression: read(tokens, filter.trimEnd().length - 1, idOf) }
  } catch (error) {
    if (error instanceof Broken) return { broken: error.where }
    throw error
  }
}

function read(tokens: Token[], end: number, idOf: IdOf): Expression {
  let next = 0
  let level = 0

  const peek = () => tokens[next]?.text
  const fail = (problem: Problem) =>
    new Broken(problem, tokens[next] ?? { token: null, start: end, end })
  const operand = (): Expression => {
    let negated = false
    while (peek() === '!') {
      negated = !negated
      next++
    }
    const item = peek() === '(' ? group() : leaf()
    return negated ? { kind: 'not', item } : item
  }
  const group = (): Expression => {
    if (++level > LEVEL_LIMIT) throw fail('too deep')
    next++
    const inner = disjunction()
    if (peek() !== ')') throw fail('closing expected')
    next++
    level--
    return inner
  }
  const leaf = (): Expression => {
    const token = tokens[next]
    if (!token || OPERATORS.includes(token.text)) throw fail('condition expected')
    next++
    return { kind: 'condition', condition: conditionOf(token, idOf) }
  }
  const chain = (kind: 'and' | 'or', operator: string, item: () => Expression): Expression => {
    const items = [item()]
    while (peek() === operator) {
      next++
      items.push(item())
    }
    return items.length === 1 ? items[0]! : { kind, items }
  }
  const conjunction = () => chain('and', '&', operand)
  const disjunction = () => chain('or', '|', conjunction)

  const expression = disjunction()
  if (next < tokens.length) throw fail('operator expected')
  return expression
}

function tokenize(filter: string): Token[] {
  const first = filter.length - filter.trimStart().length
  const body = filter.trim()
  if (body === '') return []
  if (!body.startsWith('{') || !body.endsWith('}') || body.length < 2) {
    throw new Broken('braces', { token: 1, start: first, end: first + body.length })
  }
  const inner = body.slice(1, -1)
  if (inner.trim() === '') return []
  const tokens: Token[] = []
  let offset = first + 1
  for (const raw of inner.split(',')) {
    const start = offset + raw.length - raw.trimStart().length
    const text = raw.trim()
    const token = { text, token: tokens.length + 1, start, end: start + text.length }
    if (tokens.length === TOKEN_LIMIT) throw new Broken('too many tokens', token)
    tokens.push(token)
    offset += raw.length + 1
  }
  return tokens
}

function conditionOf(token: Token, idOf: IdOf): Condition {
  const text = withId(token, idOf)
  if (text === 'r=1' || text === 'r=0') return { kind: 'review', needed: text === 'r=1' }
  if (text === 'f=1' || text === 'f=0') return { kind: 'favourite', wanted: text === 'f=1' }
  const value = text.slice(2)
  if (text.startsWith('t=')) {
    const id = idIn(value)
    if (id === null) throw new Broken('no id', token)
    return id === UNTAGGED ? { kind: 'untagged' } : { kind: 'tag', id }
  }
  if (text.startsWith('m=') && value !== '') return { kind: 'mime', value }
  if (text.startsWith('m~') && value !== '') return { kind: 'mime_like', pattern: value }
  const told = factOf(text)
  if (!told) throw new Broken('unknown token', token)
  return { kind: 'fact', token: text, ...told }
}

function withId(token: Token, idOf: IdOf): string {
  const [, letter, name] = /^([tcpu])=<(.+)>$/.exec(token.text) ?? []
  const id = name && idOf(name, letter as Letter)
  return id ? `${letter}=${id}` : token.text
}
