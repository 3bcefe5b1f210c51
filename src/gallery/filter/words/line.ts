import type { Expression } from '../../../files/find/parse.ts'
import { exclude, type Joint, readFilter, type Step } from '../edit.ts'
import { conditionIn, type Known } from './conditions.ts'
import { folded, wordsIn } from './list.ts'

/** The end of a text that is still being typed: what is before it, and how it joins that. */
export interface Open {
  steps: Step[]
  joint: Joint
  text: string
}

/** What a text means. */
interface Read {
  /** The conditions that it says; null where a part of it isn't understood. */
  steps: Step[] | null
  /** The ends of the text that may be the beginning of a name, the longest first. */
  open: Open[]
}

interface Word {
  /** `-`, `!` or `|` before it. */
  sign: string
  text: string
  /** Where it begins and ends in the text. */
  start: number
  end: number
  /** Whether a comma follows. */
  isLast: boolean
}

/** The longest text that is read as words; others are names. */
const LONGEST = 300
// The comma of "1,5 MB" is a part of the number.
const WORD = /([|!-]*)((?:[^\s,]|(?<=\d),(?=\d{1,2}(?!\d)))+)(\s*,)?/g
const SIGN = /^[|!-]+$/
const PLAIN: Joint = { or: false, negated: false }
const [AND, OR, NOT] = (['and', 'or', 'not'] as const).map((key) => new Set(wordsIn(key)))

/** Reads a line of conditions such as "holiday but not work, 2019, in Italy". */
export function readLine(text: string, known: Known): Read {
  const words = text.length > LONGEST ? [] : wordsOf(text)
  const steps: Step[] = []
  const open: Open[] = []
  let at = 0
  while (at < words.length) {
    let joint = PLAIN
    let found: Found | null = null
    for (; at < words.length; at++) {
      const word = words[at]!
      if (word.sign === '') {
        open.push({ steps: [...steps], joint, text: text.slice(word.start).trim() })
        found = longestAt(words, at, text, known)
        if (found) break
      }
      const next = jointWith(word, joint)
      if (!next) return { steps: null, open }
      joint = next
      if (word.sign !== '') {
        // The sign is read; the word itself comes next.
        words[at--] = { ...word, sign: '', start: word.start + word.sign.length }
      }
    }
    // A line that ends with "or" is going on.
    if (!found) break
    const step = { ...joint, item: found.item }
    steps.push({ ...step, or: step.or || areAlternatives(steps.at(-1), step) })
    at = found.end
  }
  return { steps: steps.length > 0 ? steps : null, open }
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].map(({ 1: sign = '', 2: word = '', 3: comma, index }) => {
    const end = index + sign.length + word.length
    return { sign, text: word, start: index, end, isLast: comma !== undefined }
  })
}

/** Returns the joint with what a word adds to it; null if the word isn't one that joins. */
function jointWith({ sign, text }: Word, { or, negated }: Joint): Joint | null {
  const signs = sign === '' && SIGN.test(text) ? text : sign
  if (signs !== '') return { or: or || signs.includes('|'), negated: negated || /[!-]/.test(signs) }
  const word = folded(text)
  if (AND!.has(word)) return { or, negated }
  if (OR!.has(word)) return { or: true, negated }
  return NOT!.has(word) ? { or, negated: true } : null
}

/** "2018, 2019" means both years, though no picture is of both. */
function areAlternatives(before: Step | undefined, step: Step): boolean {
  return before !== undefined && !before.negated && !step.negated && exclude(before.item, step.item)
}

interface Found {
  item: Expression
  /** The place of the word after it. */
  end: number
}

function longestAt(words: Word[], at: number, text: string, known: Known): Found | null {
  let end = at + 1
  while (end < words.length && !words[end - 1]!.isLast && words[end]!.sign === '') end++
  for (; end > at; end--) {
    const tokens = conditionIn(text.slice(words[at]!.start, words[end - 1]!.end), known)
    const { expression } = tokens === null ? {} : readFilter(`{${tokens}}`)
    if (expression) return { item: expression, end }
  }
  return null
}
