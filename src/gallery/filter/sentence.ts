import type { Expression } from '../../files/find/parse.ts'
import type { Leaf, Path } from './edit.ts'

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
  return expression === null ? [] : partsOf(expression, [], 0)
}

function partsOf(expression: Expression, path: Path, level: number): Part[] {
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
        : [{ kind: 'word', word: 'not' }, ...inBrackets(partsOf(item, inner, level + 1))]
    }
    case 'and':
    case 'or':
      return expression.items.flatMap((item, index) => {
        const parts = partsOf(item, [...path, index], level + 1)
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
