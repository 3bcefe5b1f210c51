import { computed, signal } from '@preact/signals'
import type { Condition, Expression, Letter } from '../../files/find/parse.ts'
import type { Listing } from '../base/listing.ts'
import { toast } from '../parts/toast.tsx'
import { go, hrefOf, listing, screen } from '../routes.ts'
import { colorOf, tagsById } from '../tag-box/index.ts'
import { common } from '../text/common.ts'
import { filter } from '../text/filter.ts'
import {
  type Leaf,
  leavesOf,
  limitOf,
  type Part,
  type Path,
  printFilter,
  readFilter,
  rejoined,
  type Step,
  sentenceOf,
  turned,
  without,
  withoutLast,
  withSteps,
} from './edit.ts'
import type { NameOf } from './words/say.ts'

/** The conditions that have words of their own, apart from tags. */
export const CONDITIONS = {
  picture: { kind: 'mime_like', pattern: 'image/%' },
  video: { kind: 'mime_like', pattern: 'video/%' },
  new: { kind: 'review', needed: true },
  reviewed: { kind: 'review', needed: false },
  untagged: { kind: 'untagged' },
  favourite: { kind: 'favourite', wanted: true },
  notFavourite: { kind: 'favourite', wanted: false },
} as const satisfies Record<string, Condition>

/** The filter of the address: its expression, or where its error is. */
export const parsed = computed(() => readFilter(listing.value.filter ?? ''))
/** The expression; null for no filter, and for an invalid one. */
export const expression = computed(() => parsed.value.expression ?? null)

type Name = keyof typeof CONDITIONS
const NAMES = Object.keys(CONDITIONS) as Name[]

type Words = typeof import('./words/index.ts').spokenWords
/** What understands and says words; null until it is loaded. */
export const loaded = signal<Words | null>(null)
let isLoading = false

/** Returns what understands and says words, and loads it at the first call; null until then. */
export function spoken(): Words | null {
  if (!loaded.value && !isLoading) {
    isLoading = true
    import('./words/index.ts')
      .then(({ spokenWords }) => {
        loaded.value = spokenWords
      })
      .catch(() => toast({ text: common().partLost, kind: 'bad' }))
      .finally(() => {
        isLoading = false
      })
  }
  return loaded.value
}

/** Whether anything limits what is shown. */
export const isFiltered = computed(() => {
  const { filter: text, search, from, to } = listing.value
  return Boolean(text || search || from || to)
})

/** A condition in words, with the colour of its dot if it is a tag. */
interface Described {
  words: string
  color?: string | null
  /** The opposite in words, if these are better than a "not" before them. */
  none?: string
}

/** Returns a condition in words. */
export function describe(condition: Condition): Described {
  if (condition.kind === 'tag') {
    const tag = tagsById.value.get(condition.id)
    return tag ? { words: tag.name, color: colorOf(tag) } : { words: filter().unknownTag }
  }
  const wanted = JSON.stringify(condition)
  const name = NAMES.find((one) => JSON.stringify(CONDITIONS[one]) === wanted)
  if (name) return { words: filter().chips[name] }
  if (condition.kind === 'fact') {
    const words = spoken()
    return words?.wordsOf(condition.token, words.nameOf) ?? { words: '…' }
  }
  const type = condition.kind === 'mime' ? condition.value : ''
  return { words: filter().type(condition.kind === 'mime_like' ? condition.pattern : type) }
}

/** A part of a sentence in words. */
export type SaidPart = Described & { part: Part; isNegated?: boolean }

/** Returns the parts of an expression in words; "no place" is said instead of "not with a place". */
export function saidParts(expression: Expression | null): SaidPart[] {
  const said: SaidPart[] = []
  const { words } = filter()
  for (const part of sentenceOf(expression)) {
    const before = said.at(-1)
    if (part.kind === 'chip') {
      const { none, ...described } = describe(part.condition)
      const isNone = none !== undefined && part.negated
      if (isNone && before?.part.kind === 'word') {
        const joint = before.part.word.split(' ')[0] as 'and' | 'or' | 'not'
        said.splice(-1, 1, ...(joint === 'not' ? [] : [{ ...before, words: words[joint] }]))
      }
      said.push({
        ...described,
        ...(isNone && { words: none }),
        part,
        isNegated: part.negated && !isNone,
      })
    } else said.push({ part, words: part.kind === 'word' ? words[part.word] : part.text })
  }
  return said
}

/** Returns an expression as a sentence. */
export function sentenceFor(expression: Expression | null): string {
  const said = saidParts(expression).map(({ words }) => words)
  return said.join(' ').replaceAll('( ', '(').replaceAll(' )', ')')
}

const NO_NAME: NameOf = () => undefined

/** Returns the id of what has a name; undefined if there is none. */
export function idOfName(name: string, letter: Letter): string | undefined {
  if (letter !== 't') return spoken()?.idOf(letter, name)
  return [...tagsById.value.values()].find((tag) => tag.name === name)?.id
}

/** Returns what has an id as the text of a filter names it: `<holiday>`, or the id if that name would break it. */
export function namedId(id: string, letter: Letter): string {
  const name =
    letter === 't' ? tagsById.value.get(id)?.name : (spoken()?.nameOf ?? NO_NAME)(letter, id)
  return name === undefined || name.includes(',') || idOfName(name, letter) !== id
    ? id
    : `<${name}>`
}

/** The filter as one sentence without chips. */
export const sentence = computed(() => {
  const { search } = listing.value
  const name = search ? filter().named(search) : ''
  return [sentenceFor(expression.value), name, range.value].filter(Boolean).join(', ')
})

/** The range of the address in words; '' without one. */
export const range = computed(() => {
  const { from, to } = listing.value
  return from || to ? (spoken()?.rangeWords({ from, to }) ?? '…') : ''
})

/** Shows another listing, in the same pool if any or on the map, from its beginning. */
export function show(changed: Partial<Listing>): void {
  const { pool } = listing.peek()
  const path = screen.peek() === 'map' ? '/map' : pool ? `/albums/${pool}` : '/'
  go({ path, listing: changed, at: null })
}

/** Filters by an expression only, and removes names and dates. */
export function setExpression(next: Expression | null): void {
  show({ filter: printFilter(next) })
}

/** Joins steps to the filter. */
export function addSteps(steps: readonly Step[]): void {
  setExpression(withSteps(expression.peek(), steps))
}

/** Joins the condition at a path to the one before by OR instead of AND, or the other way round. */
export function rejoinAt(path: Path): void {
  setExpression(rejoined(expression.peek()!, path))
}

export function removeAt(path: Path): void {
  setExpression(without(expression.peek(), path))
}

/** Negates a condition. */
export function turnAt(path: Path): void {
  setExpression(turned(expression.peek()!, path))
}

export function removeLast(): void {
  const change = withoutLast(listing.peek())
  if (change) show(change)
}

/** Shows everything. */
export function clear(): void {
  show({ filter: '', search: '', from: '', to: '' })
}

/** The tags that the filter names: required, or excluded. */
export const usedTags = computed(() => {
  const used = new Map<string, 'with' | 'without'>()
  for (const { condition, negated } of leavesOf(expression.value)) {
    if (condition.kind === 'tag') used.set(condition.id, negated ? 'without' : 'with')
  }
  return used
})

/** Returns the address that shows all files of a tag. */
export function hrefOfTag(id: string): string {
  const filter = printFilter({ kind: 'condition', condition: { kind: 'tag', id } })
  return hrefOf({ path: '/', listing: { filter, search: '', from: '', to: '' }, at: null })
}

/** Shows all files of a tag, or limits the current files to those with or without it. */
export function filterByTag(id: string, how: 'alone' | 'too' | 'without'): void {
  const tag: Condition = { kind: 'tag', id }
  const used = leafOf(tag)
  const isAlone = used && !used.negated && used.path.length === 0
  if (how !== 'alone') toggle(tag, how === 'without')
  else go(isAlone ? { path: '/', listing: { filter: '' }, at: null } : hrefOfTag(id))
}

/** Whether a condition of its own limits the filter to films. */
export const areFilmsAlone = computed(() => limit(CONDITIONS.video)?.negated === false)

/** Limits the listing to films, or removes that limit. */
export function toggleFilms(): void {
  const used = limit(CONDITIONS.video)
  if (!used) addSteps([stepOf(CONDITIONS.video)])
  else if (used.negated) turnAt(used.path)
  else removeAt(used.path)
}

function stepOf(condition: Condition, negated = false): Step {
  return { or: false, negated, item: { kind: 'condition', condition } }
}

function limit(condition: Condition): Leaf | undefined {
  return limitOf(expression.value, condition)
}

function leafOf(wanted: Condition): Leaf | undefined {
  const said = JSON.stringify(wanted)
  return leavesOf(expression.value).find(({ condition }) => JSON.stringify(condition) === said)
}

/** Adds a condition, negates the existing one, or removes it if it is already like that. */
function toggle(condition: Condition, negated: boolean): void {
  const used = leafOf(condition)
  if (!used) addSteps([stepOf(condition, negated)])
  else if (used.negated === negated) removeAt(used.path)
  else turnAt(used.path)
}
