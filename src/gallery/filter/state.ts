import { computed } from '@preact/signals'
import { type Condition, type Expression, parseFilter } from '../../files/find/parse.ts'
import type { Listing } from '../base/listing.ts'
import { looksOnly } from '../base/session.ts'
import { locale } from '../base/text.ts'
import { go, hrefOf, listing } from '../routes.ts'
import { colorOf, tagsById } from '../tag-box/index.ts'
import { filter } from '../text/filter.ts'
import { describeRange, type Range } from './dates.ts'
import {
  type Joint,
  joined,
  type Leaf,
  leavesOf,
  limitOf,
  type Path,
  printFilter,
  sentenceOf,
  turned,
  without,
  withoutLast,
} from './edit.ts'
import type { Keyword } from './suggest.ts'

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
export const parsed = computed(() => parseFilter(listing.value.filter ?? ''))
/** The expression; null for no filter, and for an invalid one. */
export const expression = computed(() => parsed.value.expression ?? null)

type Name = keyof typeof CONDITIONS
const NAMES = Object.keys(CONDITIONS) as Name[]

/** Conditions that ask for work which isn't done yet. */
const OF_WORK: Name[] = ['new', 'reviewed', 'untagged']

/** The words for conditions other than tags, in the page's language. */
export const keywords = computed<Keyword[]>(() =>
  NAMES.filter((name) => !OF_WORK.includes(name) || !looksOnly()).map((name) => ({
    words: filter().keywords[name],
    condition: CONDITIONS[name],
  })),
)

/** Whether anything limits what is shown. */
export const isFiltered = computed(() => {
  const { filter: text, search, from, to } = listing.value
  return Boolean(text || search || from || to)
})

/** Returns a condition in words, with the colour of its dot if it is a tag; null if it has no words. */
export function describe(condition: Condition): { words: string; color?: string | null } {
  if (condition.kind === 'tag') {
    const tag = tagsById.value.get(condition.id)
    return tag ? { words: tag.name, color: colorOf(tag) } : { words: filter().unknownTag }
  }
  const wanted = JSON.stringify(condition)
  const name = NAMES.find((one) => JSON.stringify(CONDITIONS[one]) === wanted)
  if (name) return { words: filter().chips[name] }
  if (condition.kind === 'fact') return { words: condition.token }
  const type = condition.kind === 'mime' ? condition.value : ''
  return { words: filter().type(condition.kind === 'mime_like' ? condition.pattern : type) }
}

/** Returns the id of the tag of a name; undefined if there is none. */
export function idOfName(name: string): string | undefined {
  return [...tagsById.value.values()].find((tag) => tag.name === name)?.id
}

/** Returns a tag as the text of a filter names it: `<holiday>`, or the id if that name would break it. */
export function namedTag(id: string): string {
  const name = tagsById.value.get(id)?.name
  return name === undefined || name.includes(',') || idOfName(name) !== id ? id : `<${name}>`
}

/** Returns a range in the words of a chip. */
export function rangeWords(range: Range): string {
  const { open, words } = describeRange(range, locale.value)
  if (open === undefined) return words
  return open === 'to' ? filter().from(words) : filter().to(words)
}

/** The filter as one sentence without chips. */
export const sentence = computed(() => {
  const { search, from, to } = listing.value
  const { words, named } = filter()
  const said = sentenceOf(expression.value).map((part) => {
    if (part.kind === 'chip') return describe(part.condition).words
    return part.kind === 'word' ? words[part.word] : part.text
  })
  const conditions = said.join(' ').replaceAll('( ', '(').replaceAll(' )', ')')
  const name = search ? named(search) : ''
  const range = from || to ? rangeWords(listing.value) : ''
  return [conditions, name, range].filter(Boolean).join(', ')
})

/** Shows another listing, in the same pool if any, from its beginning. */
export function show(changed: Partial<Listing>): void {
  const { pool } = listing.peek()
  go({ path: pool ? `/albums/${pool}` : '/', listing: changed, at: null })
}

/** Filters by an expression only, and removes names and dates. */
export function setExpression(next: Expression | null): void {
  show({ filter: printFilter(next) })
}

/** Adds a condition to the filter. */
export function addCondition(condition: Condition, joint: Joint): void {
  setExpression(joined(expression.peek(), condition, joint))
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
  if (!used) addCondition(CONDITIONS.video, { or: false, negated: false })
  else if (used.negated) turnAt(used.path)
  else removeAt(used.path)
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
  if (!used) addCondition(condition, { or: false, negated })
  else if (used.negated === negated) removeAt(used.path)
  else turnAt(used.path)
}
