import { type Condition, type Expression, UNTAGGED } from '../../files/find/parse.ts'

/** Returns the text of an expression in the filter language, '' for null. */
export function printFilter(expression: Expression | null): string {
  return expression === null ? '' : `{${tokensOf(expression).join(',')}}`
}

function tokensOf(expression: Expression): string[] {
  switch (expression.kind) {
    case 'condition':
      return [tokenOf(expression.condition)]
    case 'not':
      return ['!', ...operandOf(expression.item, expression.item.kind !== 'condition')]
    case 'and':
    case 'or':
      return expression.items.flatMap((item, index) => {
        const inBrackets =
          item.kind === expression.kind || (expression.kind === 'and' && item.kind === 'or')
        const operator = expression.kind === 'and' ? '&' : '|'
        return [...(index === 0 ? [] : [operator]), ...operandOf(item, inBrackets)]
      })
  }
}

function operandOf(item: Expression, inBrackets: boolean): string[] {
  return inBrackets ? ['(', ...tokensOf(item), ')'] : tokensOf(item)
}

function tokenOf(condition: Condition): string {
  switch (condition.kind) {
    case 'tag':
      return `t=${condition.id}`
    case 'untagged':
      return `t=${UNTAGGED}`
    case 'mime':
      return `m=${condition.value}`
    case 'mime_like':
      return `m~${condition.pattern}`
    case 'review':
      return condition.needed ? 'r=1' : 'r=0'
  }
}
