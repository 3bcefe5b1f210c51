import { type AppError, invalid } from '../../errors.ts'

/** What a condition token requires of a file. */
export type Condition =
  | { kind: 'tag'; id: string }
  | { kind: 'untagged' }
  | { kind: 'mime'; value: string }
  | { kind: 'mime_like'; pattern: string }
  | { kind: 'review'; needed: boolean }

export type Expression =
  | { kind: 'condition'; condition: Condition }
  | { kind: 'not'; item: Expression }
  | { kind: 'and' | 'or'; items: Expression[] }

const TOKEN_LIMIT = 500
const LEVEL_LIMIT = 64

const UNTAGGED = '00000000-0000-0000-0000-000000000000'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface Token {
  text: string
  /** Counted from 1. */
  number: number
  /** Index of its first character in the filter, from 0. */
  offset: number
}

/**
 * Returns the expression of a filter in the specification's language, or null for a filter without
 * conditions (`{}` or empty). NOT binds tighter than AND, and AND tighter than OR. Throws a
 * validation error that names the position for anything else, for more than 500 tokens and for
 * parentheses nested deeper than 64 levels.
 */
export function parseFilter(filter: string): Expression | null {
  const tokens = tokenize(filter)
  if (tokens.length === 0) return null
  let next = 0
  let level = 0

  const peek = () => tokens[next]?.text
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
    const open = tokens[next++]!
    if (++level > LEVEL_LIMIT) {
      throw filterError(`more than ${LEVEL_LIMIT} levels of parentheses`, open)
    }
    const inner = disjunction()
    if (peek() !== ')') throw unexpected('")"', tokens[next])
    next++
    level--
    return inner
  }
  const leaf = (): Expression => {
    const token = tokens[next]
    const condition = token && parseCondition(token)
    if (!condition) throw unexpected('a condition, "(" or "!"', token)
    next++
    return { kind: 'condition', condition }
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
  if (next < tokens.length) throw unexpected('"&", "|" or the end', tokens[next])
  return expression
}

function tokenize(filter: string): Token[] {
  const start = filter.length - filter.trimStart().length
  const body = filter.trim()
  if (body === '') return []
  if (!body.startsWith('{') || !body.endsWith('}') || body.length < 2) {
    throw filterError('a filter stands in braces: {token,token,...}', {
      text: body,
      number: 1,
      offset: start,
    })
  }
  const inner = body.slice(1, -1)
  if (inner.trim() === '') return []
  const tokens: Token[] = []
  let offset = start + 1
  for (const raw of inner.split(',')) {
    const token = {
      text: raw.trim(),
      number: tokens.length + 1,
      offset: offset + raw.length - raw.trimStart().length,
    }
    if (token.number > TOKEN_LIMIT) throw filterError(`more than ${TOKEN_LIMIT} tokens`, token)
    tokens.push(token)
    offset += raw.length + 1
  }
  return tokens
}

/** Returns the condition that a token stands for, or null for an operator. */
function parseCondition(token: Token): Condition | null {
  const { text } = token
  if (['(', ')', '&', '|', '!'].includes(text)) return null
  if (text === 'r=1' || text === 'r=0') return { kind: 'review', needed: text === 'r=1' }
  const value = text.slice(2)
  if (text.startsWith('t=')) {
    const id = value.toLowerCase()
    if (!UUID.test(id)) throw filterError('"t=" takes the UUID of a tag', token)
    return id === UNTAGGED ? { kind: 'untagged' } : { kind: 'tag', id }
  }
  if (text.startsWith('m=') && value !== '') return { kind: 'mime', value }
  if (text.startsWith('m~') && value !== '') return { kind: 'mime_like', pattern: value }
  throw filterError('no such token', token)
}

function unexpected(wanted: string, token: Token | undefined): AppError {
  return token
    ? filterError(`expected ${wanted}`, token)
    : filterError(`expected ${wanted}, not the end`)
}

function filterError(problem: string, token?: Token): AppError {
  const shown = token && (token.text.length > 60 ? `${token.text.slice(0, 60)}…` : token.text)
  const place = token ? `token ${token.number} ("${shown}", character ${token.offset + 1}): ` : ''
  return invalid('filter', `${place}${problem}`)
}
