import { invalid } from '../../errors.ts'
import { type Expression, LEVEL_LIMIT, type Problem, parseFilter, TOKEN_LIMIT } from './parse.ts'

const PROBLEMS: Record<Problem, string> = {
  braces: 'a filter stands in braces: {token,token,...}',
  'too many tokens': `more than ${TOKEN_LIMIT} tokens`,
  'too deep': `more than ${LEVEL_LIMIT} levels of parentheses`,
  'unknown token': 'no such token',
  'no id': '"t=" takes the UUID of a tag',
  'condition expected': 'expected a condition, "(" or "!"',
  'closing expected': 'expected ")"',
  'operator expected': 'expected "&", "|" or the end',
}
/** How much of a token is told. */
const SHOWN = 60

/**
 * Returns the expression of a filter, null for one without conditions. Throws a validation error that names the place
 * at which it breaks.
 */
export function readExpression(filter: string): Expression | null {
  const { expression, broken } = parseFilter(filter)
  if (!broken) return expression
  const { problem, token, start, end } = broken
  if (token === null) throw invalid('filter', `${PROBLEMS[problem]}, not the end`)
  const text = filter.slice(start, end)
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
  const place = `token ${token} ("${shown}", character ${start + 1})`
  throw invalid('filter', `${place}: ${PROBLEMS[problem]}`)
}
