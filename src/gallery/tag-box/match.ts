import { type Folded, fold, unfold } from '../base/fold.ts'

interface Named {
  id: string
  name: string
}

/** Tags prepared for searching, in the order of equally good results. */
interface Index<T extends Named> {
  tags: T[]
  folded: Folded[]
  /** How many of them have files; the others come last. */
  used: number
}

export interface Match<T extends Named> {
  tag: T
  /** The matching parts of the name, as [start, end) in its UTF-16 units. */
  parts: [number, number][]
}

/** How well a name matches; the smallest is the best. */
const WHOLE = 0
const START = 1
const WORD = 2
const INSIDE = 5
/** How much later tags without files come, but before those that match less well than by a word. */
const UNUSED = { [WHOLE]: 0, [START]: 2, [WORD]: 2, [INSIDE]: 1 }
const RANKS = 7
type Rank = keyof typeof UNUSED

/**
 * Prepares tags for `findTags`. Of tags that match equally well, those with more files come first, then
 * those whose names come first.
 */
export function indexTags<T extends Named>(tags: T[], count: (id: string) => number): Index<T> {
  const counts = new Map(tags.map(({ id }) => [id, count(id)]))
  const byName = new Intl.Collator(undefined, { numeric: true })
  const sorted = [...tags].sort(
    (a, b) => counts.get(b.id)! - counts.get(a.id)! || byName.compare(a.name, b.name),
  )
  const unused = sorted.findIndex(({ id }) => counts.get(id)! <= 0)
  const used = unused < 0 ? sorted.length : unused
  return { tags: sorted, folded: sorted.map(({ name }) => fold(name)), used }
}

/**
 * Returns at most `limit` tags whose names match the text: at their start, at the start of a word, or
 * inside; accents are ignored. Of several words, each must begin a word of the name, in any order. An
 * empty text matches none. Of tags that match equally well, those of `recent` come first, its last one
 * at the top, and those without files last; these also come after all that match at a word.
 */
export function findTags<T extends Named>(
  index: Index<T>,
  text: string,
  limit: number,
  recent: readonly string[] = [],
): Match<T>[] {
  const wanted = fold(text.trim()).text
  if (wanted === '') return []
  const words = wanted.split(/\s+/)
  const ranked: Match<T>[][] = Array.from({ length: RANKS }, () => [])
  for (const [i, folded] of index.folded.entries()) {
    const found = matchOne(folded.text, wanted, words)
    if (!found) continue
    const tag = index.tags[i]!
    const isRecent = recent.includes(tag.id)
    const isUsed = isRecent || i < index.used
    const rank = ranked[found.rank + (isUsed ? 0 : UNUSED[found.rank])]!
    if (rank.length >= limit && !isRecent) continue
    rank.push({ tag, parts: found.parts.map((part) => unfold(folded, part)) })
  }
  const age = ({ tag }: Match<T>) => recent.lastIndexOf(tag.id)
  for (const rank of ranked) rank.sort((a, b) => age(b) - age(a))
  return ranked.flat().slice(0, limit)
}

/** Returns the tag with this name, apart from accents and case; null if there is none. */
export function tagNamed<T extends Named>(index: Index<T>, name: string): T | null {
  const wanted = fold(name.trim()).text
  const at = index.folded.findIndex(({ text }) => text === wanted)
  return index.tags[at] ?? null
}

function matchOne(
  name: string,
  wanted: string,
  words: string[],
): { rank: Rank; parts: [number, number][] } | null {
  const first = name.indexOf(wanted)
  if (first === 0) {
    const rank = name.length === wanted.length ? WHOLE : START
    return { rank, parts: [[0, wanted.length]] }
  }
  for (let at = first; at > 0; at = name.indexOf(wanted, at + 1)) {
    if (isWordAt(name, at)) return { rank: WORD, parts: [[at, at + wanted.length]] }
  }
  if (first > 0) return { rank: INSIDE, parts: [[first, first + wanted.length]] }
  if (words.length < 2) return null
  const parts: [number, number][] = []
  for (const word of words) {
    let at = name.indexOf(word)
    while (at >= 0 && !isWordAt(name, at)) at = name.indexOf(word, at + 1)
    if (at < 0) return null
    parts.push([at, at + word.length])
  }
  return { rank: WORD, parts: parts.sort(([a], [b]) => a - b) }
}

const WORD_START = /(?<![\p{L}\p{N}])[\p{L}\p{N}]/uy

function isWordAt(text: string, at: number): boolean {
  WORD_START.lastIndex = at
  return WORD_START.test(text)
}

/**
 * Returns a function that finds the id of a tag by its name, by the server's rule for names of imported
 * folders: the tag with exactly this name, else the oldest that differs only in case.
 */
export function tagFinder(tags: readonly Named[]): (name: string) => string | undefined {
  const alike = new Map<string, Named[]>()
  // The ids of tags ascend in the order of creation.
  for (const tag of tags.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const key = fold(tag.name).text
    const others = alike.get(key)
    if (others) others.push(tag)
    else alike.set(key, [tag])
  }
  return (given) => {
    const name = given.trim()
    const found = alike.get(fold(name).text) ?? []
    const inItsCase = found.find((tag) => isSame(tag.name, name))
    const inAnyCase = () => found.find((tag) => isSame(tag.name.toLowerCase(), name.toLowerCase()))
    return (inItsCase ?? inAnyCase())?.id
  }
}

/** Whether two names are the same; some systems write é as two characters. */
export function isSame(a: string, b: string): boolean {
  return a.localeCompare(b) === 0
}

/** The most code points that a name may have. */
const LONGEST = 256

/**
 * Returns a name of a user's own in place of one that is taken: `holiday (kid)`, then `holiday (kid) 2`, and so
 * on: the first that is not in `taken`.
 */
export function ownName(name: string, user: string, taken: ReadonlySet<string>): string {
  const mine = ` (${user})`
  const letters = [...withoutUser(name.trim(), mine)]
  for (let count = 1; ; count++) {
    const end = count === 1 ? mine : `${mine} ${count}`
    const start = letters.slice(0, LONGEST - [...end].length).join('')
    const own = start.trimEnd() + end
    if (!taken.has(own)) return own
  }
}

/** Removes the user's name from a name that has it already. */
function withoutUser(name: string, mine: string): string {
  const at = name.lastIndexOf(mine)
  return at > 0 && /^( \d+)?$/.test(name.slice(at + mine.length)) ? name.slice(0, at) : name
}
