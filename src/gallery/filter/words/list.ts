import { fold } from '../../base/fold.ts'
import { PHRASES, type Phrases } from '../../text/phrases.ts'

type Lists = { [Key in keyof Phrases as Phrases[Key] extends string[] ? Key : never]: string[] }

const LANGUAGES = Object.values(PHRASES)

/** Returns a text as it is compared: in lower case, without accents, with single spaces. */
export function folded(text: string): string {
  return fold(text.trim()).text.replace(/\s+/g, ' ')
}

/** Returns the words of a list in all languages. */
export function wordsIn(key: keyof Lists): string[] {
  return LANGUAGES.flatMap((language) => language[key]).map(folded)
}

/** Returns the rows of a table in all languages, each with its words last. */
export function rowsOf<Key extends 'conditions' | 'seasons' | 'days' | 'spans' | 'units'>(
  key: Key,
): Phrases[Key] {
  return LANGUAGES.flatMap((language): unknown[] => language[key]) as Phrases[Key]
}

/** Returns what matches any of the words, as a group of a regular expression. */
export function anyOf(words: string[]): string {
  const longestFirst = words.toSorted((a, b) => b.length - a.length)
  return `(?:${longestFirst.map(escaped).join('|')})`
}

const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
