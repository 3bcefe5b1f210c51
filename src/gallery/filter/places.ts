import { type Expression, parseFilter } from '../../files/find/parse.ts'
import { leavesOf, partsOf, printFilter } from './edit.ts'

/**
 * Splits an expression into the geohashes within one of which every result is, and what else it asks for. A result that
 * only has to be anywhere is within the empty one.
 */
export function splitPlaces(expression: Expression | null): {
  cells: string[]
  rest: Expression | null
} {
  const parts = expression === null ? [] : partsOf(expression, 'and')
  const cellsOf = (part: Expression) => {
    const cells = leavesOf(part).map(({ condition, negated, path }) => {
      const isOr = path.length === (part.kind === 'or' ? 1 : 0)
      if (condition.kind !== 'fact' || condition.negated || negated || !isOr) return null
      const { fact } = condition
      return fact.of === 'cell' ? fact.cell : fact.of === 'place' ? '' : null
    })
    return cells.every((cell) => cell !== null) ? cells : null
  }
  const place = parts.find((part) => cellsOf(part) !== null)
  const items = parts.filter((part) => part !== place)
  const rest: Expression | null = items.length > 1 ? { kind: 'and', items } : (items[0] ?? null)
  return { cells: (place && cellsOf(place)) ?? [], rest }
}

/** Returns the filter of an expression whose results are also within one of the geohashes. */
export function filterWithin(expression: Expression | null, cells: string[]): string {
  const tokens = cells.map((cell) => (cell === '' ? 'g=1' : `g~${cell}`))
  const place = parseFilter(`{${tokens.join(',|,')}}`).expression
  if (!place) return printFilter(expression)
  if (!expression) return printFilter(place)
  return printFilter({ kind: 'and', items: [...partsOf(expression, 'and'), place] })
}
