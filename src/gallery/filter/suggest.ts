import type { Condition } from '../../files/find/parse.ts'
import { findTags, type Index, type Match } from '../tag-box/match.ts'
import { type Range, rangeOf } from './dates.ts'
import type { Joint } from './edit.ts'

/** A word for a condition, such as `type:video`, with its synonyms. */
export interface Keyword {
  words: string[]
  condition: Condition
}

interface KeywordMeaning {
  kind: 'keyword'
  word: string
  condition: Condition
}

/** A possible meaning of a typed text. */
export type Meaning<T extends { id: string; name: string }> =
  | ({ kind: 'tag' } & Match<T>)
  | KeywordMeaning
  | { kind: 'range'; range: Range }
  | { kind: 'search'; text: string }

const TAGS = 8

const MIME = /^(?:\p{L}+:)?([a-z]+\/[a-z0-9.+-]+)$/iu
const QUOTED = /^"(.+?)"?$/

/** Splits how a typed condition joins the others (`|` for OR, `-` or `!` for NOT) from its text. */
export function splitJoint(typed: string): Joint & { text: string } {
  const [sign = ''] = /^[\s|!-]*/.exec(typed) ?? []
  return {
    or: sign.includes('|'),
    negated: /[!-]/.test(sign),
    text: typed.slice(sign.length).trim(),
  }
}

/**
 * Returns a text that begins with a word for NOT or OR with the sign instead: `not work` as `-work`.
 * Null if it begins with neither.
 */
export function withSign(typed: string, joints: { not: string[]; or: string[] }): string | null {
  const [, word = '', rest = ''] = /^\s*(\S+)\s+(\S.*)$/.exec(typed) ?? []
  const wanted = word.toLowerCase()
  if (joints.not.includes(wanted)) return `-${rest}`
  return joints.or.includes(wanted) ? `|${withSign(rest, joints) ?? rest}` : null
}

/**
 * Returns the possible meanings of a typed text, the likeliest first; the keywords for an empty one.
 * Names of files and dates limit the whole listing, and so aren't suggested after `-` and `|`.
 */
export function meaningsOf<T extends { id: string; name: string }>(
  typed: string,
  tags: Index<T>,
  keywords: Keyword[],
  language: string,
): Meaning<T>[] {
  const { or, negated, text } = splitJoint(typed)
  const isWhole = !or && !negated
  const quoted = QUOTED.exec(text)?.[1]
  if (quoted !== undefined) return isWhole ? [{ kind: 'search', text: quoted }] : []

  const meanings: Meaning<T>[] = []
  const range = isWhole ? rangeOf(text, language) : null
  if (range) meanings.push({ kind: 'range', range })
  const words = keywordsFor(text, keywords)
  if (text.includes(':')) meanings.push(...words)
  for (const match of findTags(tags, text, TAGS)) meanings.push({ kind: 'tag', ...match })
  if (!text.includes(':')) meanings.push(...words)
  const mime = MIME.exec(text)?.[1]
  if (mime) {
    meanings.push({
      kind: 'keyword',
      word: mime.toLowerCase(),
      condition: { kind: 'mime', value: mime.toLowerCase() },
    })
  }
  if (isWhole && text !== '') meanings.push({ kind: 'search', text })
  return meanings
}

/** Returns the keywords that begin with the text, with or without what is before the colon. */
function keywordsFor(text: string, keywords: Keyword[]): KeywordMeaning[] {
  const wanted = text.toLowerCase()
  return keywords.flatMap(({ words, condition }) => {
    const isMeant = words.some(
      (word) => word.startsWith(wanted) || word.slice(word.indexOf(':') + 1).startsWith(wanted),
    )
    return isMeant ? [{ kind: 'keyword', word: words[0]!, condition }] : []
  })
}
