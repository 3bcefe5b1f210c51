import { joined } from '../base/joined.ts'
import { sharing } from '../text/sharing.ts'
import { type After, type Draft, type Right, rightAfter, type Sight, sightAfter } from './sight.ts'
import type { Person, State } from './state.ts'

/** A sentence about who sees what is shared. */
export interface Line {
  text: string
  /** Whether it describes a change. */
  isNew: boolean
}

const NAMED = 8
const UNCHANGED: Draft = { rights: new Map(), isPublic: null }

/** Joins names, or parts of a sentence; of many, the first and how many more. */
export function listed(parts: readonly string[]): string {
  return joined(named(parts))
}

function named(parts: readonly string[]): readonly string[] {
  const rest = parts.length - NAMED
  return rest > 1 ? [...parts.slice(0, NAMED), sharing().more(rest)] : parts
}

/** Returns who sees what is shared now, one sentence after another. */
export function linesNow(state: State): string[] {
  const lines = linesOf(state, UNCHANGED, state.people, { isSeenAlone: true, mayBeAll: true })
  return asSentences(lines.length > 0 ? lines : [onlyOwner(state)])
}

/** Returns what each person of an incomplete state sees now, including those that see nothing. */
export function linesOfSome(state: State): string[] {
  return asSentences(linesOf(state, UNCHANGED, state.people, {}))
}

/**
 * Returns who will see what is shared: first those for whom something changes. `hasPictures` says
 * whether the pictures of a pool change with it.
 */
export function linesAfter(state: State, draft: Draft, hasPictures: boolean): Line[] {
  const isNew = ({ id }: Person) =>
    draft.isPublic === true ||
    draft.rights.has(id) ||
    meaning(state, draft, hasPictures, id) !== meaning(state, UNCHANGED, true, id)
  const [changed, same] = [state.people.filter(isNew), state.people.filter((one) => !isNew(one))]
  const before = linesOf(state, UNCHANGED, same, { isSeenAlone: true, isShort: true })
  const lines = linesOf(state, draft, changed, { hasPictures, mayBeAll: true })
  return [
    ...asSentences(lines).map((text) => ({ text, isNew: true })),
    ...asSentences(before.map(sharing().asBefore)).map((text) => ({ text, isNew: false })),
  ]
}

const asSentences = (lines: string[]) => lines.map((text) => `${text}.`)

/** Returns a key that is equal for two people if they see the same. */
function meaning(state: State, draft: Draft, hasPictures: boolean, id: number): string {
  return JSON.stringify([
    state.list && rightAfter(state.list, draft, id),
    state.pictures && afterOf(state, draft, hasPictures, id),
  ])
}

/** Returns what a person sees of the pictures; for a single file its list says it. */
function afterOf(state: State, draft: Draft, hasPictures: boolean, id: number): After {
  const { kind, list, sharesFiles } = state
  const pictures = state.pictures!
  if (draft.sharesFiles ?? sharesFiles) return throughPool(state, draft, hasPictures, id)
  if (kind !== 'file') {
    const isLost = sharesFiles && list!.entries.has(id) && !draft.rights.has(id)
    return isLost ? 'named' : sightAfter(pictures, hasPictures ? draft : UNCHANGED, id)
  }
  const now = pictures.sights.get(id) ?? { seen: 0, edits: 0 }
  const right = rightAfter(list!, draft, id)
  if (right) return { seen: pictures.own, edits: right === 'edit' ? pictures.own : 0 }
  // A person that sees it without being named is an admin, or sees it through an album.
  const isAnyway = (!list!.entries.has(id) && !list!.isPublic) || now.through !== undefined
  return isAnyway ? now : { seen: 0, edits: 0 }
}

/** Returns what a person sees of the pictures of a pool that shares them. */
function throughPool(state: State, draft: Draft, hasPictures: boolean, id: number): After {
  const pictures = state.pictures!
  const { rights, sharesFiles } = draft
  const right = rights.get(id)
  const isNamed = right === undefined ? state.list!.entries.has(id) : right !== 'out'
  const isNew = sharesFiles === true || (right !== undefined && !state.list!.entries.has(id))
  // The right to edit a pool is none to edit its pictures.
  if (isNamed && isNew) return { seen: pictures.own, edits: pictures.sights.get(id)?.edits ?? 0 }
  const left: Draft['rights'] = right === 'out' ? new Map([[id, right]]) : new Map()
  return sightAfter(pictures, { rights: left, isPublic: hasPictures ? draft.isPublic : null }, id)
}

interface Options {
  hasPictures?: boolean
  /** Whether people that see nothing are left out. */
  isSeenAlone?: boolean
  /** Whether all people may be combined in one sentence. */
  mayBeAll?: boolean
  /** Whether a previous sentence gives the number of pictures. */
  isShort?: boolean
}

interface PersonSees {
  name: string
  right: Right | null
  after: After | null
}

function linesOf(
  state: State,
  draft: Draft,
  people: readonly Person[],
  { hasPictures = true, isSeenAlone = false, mayBeAll = false, isShort = false }: Options,
): string[] {
  const { list, pictures, kind } = state
  const sights = people.map(
    ({ id, name }): PersonSees => ({
      name,
      right: list && rightAfter(list, draft, id),
      after: pictures && afterOf(state, draft, hasPictures, id),
    }),
  )
  const isListed = (one: PersonSees) => !isSeenAlone || isSeeing(state, one)
  const seeing = sights.filter(isListed)
  if (mayBeAll && seeing.length > 1 && seeing.length === state.people.length) {
    const { everyone: name } = sharing()
    const [all, ...others] = new Set(
      seeing.map((one) => sentenceOf(state, { ...viewing(one), name })),
    )
    const editors = seeing.filter(
      (one) => sentenceOf(state, one) !== sentenceOf(state, viewing(one)),
    )
    if (others.length === 0) return [all!, ...editors.map((one) => sentenceOf(state, one))]
  }
  return kind === 'files'
    ? together(state, seeing, isShort)
    : seeing.map((one) => sentenceOf(state, one))
}

function isSeeing({ kind }: State, { right, after }: PersonSees): boolean {
  if (kind === 'tag' || kind === 'category' || kind === 'pool') return right !== null
  return typeof after === 'string' || after!.seen > 0
}

/** Removes the right to edit from what a person sees. */
function viewing({ name, right, after }: PersonSees): PersonSees {
  const sight = typeof after === 'string' || after === null ? after : { ...after, edits: 0 }
  return { name, right: right && 'view', after: sight }
}

/** Returns what one person sees, as a sentence without its full stop. */
function sentenceOf({ kind, pictures }: State, { name, right, after }: PersonSees): string {
  const words = sharing()
  if (kind === 'tag' || kind === 'category') {
    const edits = right === 'edit' ? 1 : 0
    return words.see(name, { seen: right ? 1 : 0, edits, all: 1 })
  }
  const { all, own } = pictures!
  const others = all > own ? `; ${words.others(all - own)}` : ''
  if (kind !== 'pool')
    return typeof after === 'string'
      ? loose(name, after)
      : words.see(name, { ...after!, all }) + throughOf(after!) + others
  if (!right) return words.seeNoPool(name)
  const pool = words.seePool(name, right === 'edit')
  if (all === 0) return pool
  if (typeof after === 'string') return `${pool}. ${loose(name, after)}`
  const sight = { ...after!, all }
  return (right === 'edit' ? words.editPool(name, sight) : words.inPool(pool, sight)) + others
}

/** Returns what people see of several files, such as `Anna sees 12 of these 52, Grandma 6`. */
function together(state: State, people: readonly PersonSees[], isShort: boolean): string[] {
  const { all, own } = state.pictures!
  const words = sharing()
  const isPlain = ({ after }: PersonSees) =>
    typeof after !== 'string' && after!.edits === 0 && after!.seen > 0 && !after!.through
  const plain = people
    .filter(isPlain)
    .map(({ name, after }) => ({ name, sight: after as Sight }))
    .sort((a, b) => b.sight.seen - a.sight.seen)
  const [first, ...others] = plain
  const rest = people.filter((one) => !isPlain(one)).map((one) => sentenceOf(state, one))
  if (!first) return rest
  const parts = [
    isShort
      ? words.seeSome(first.name, first.sight.seen)
      : words.see(first.name, { ...first.sight, all }),
    ...others.map(({ name, sight }) => words.seeMore(name, sight.seen)),
  ]
  return [
    named(parts).join(', ') + (all > own && !isShort ? `; ${words.others(all - own)}` : ''),
    ...rest,
  ]
}

/** Returns the end of a sentence on who sees pictures through albums; empty without any. */
function throughOf({ through }: Sight): string {
  return through ? `, ${sharing().through(through)}` : ''
}

/** Returns a sentence for a person whose number of pictures can't be known. */
function loose(name: string, after: Exclude<After, Sight>): string {
  const words = sharing()
  const by = {
    open: words.onlyOpen,
    unless: words.onlyOpenUnless,
    named: words.onlyNamed,
    through: words.onlyThrough,
  }
  return by[after](name)
}

function onlyOwner({ isOwn, creator, pictures }: State): string {
  const words = sharing()
  const others = pictures ? pictures.all - pictures.own : 0
  const owner = isOwn ? words.onlyYou : words.only(creator)
  return others > 0 ? `${owner}; ${words.others(others)}` : owner
}

/** A person that sees a pool but not all of its pictures that the caller may share. */
interface Lacking {
  id: number
  name: string
  count: number
}

/**
 * Returns who sees a pool but not all of its pictures, and whether the pool is open to everybody, in which
 * case its pictures must be as well. A pool that shares its pictures lacks those of others that an editor added.
 */
export function gapsOf({ list, pictures, people, isMine }: State): {
  people: Lacking[]
  isOpen: boolean
} {
  if (!isMine || !list || !pictures) return { people: [], isOpen: false }
  const lacking = people.flatMap(({ id, name }) => {
    const sees = rightAfter(list, { rights: new Map(), isPublic: null }, id) !== null
    const count = pictures.own - (pictures.sights.get(id)?.seen ?? 0)
    return sees && count > 0 ? [{ id, name, count }] : []
  })
  const isOpen = lacking.some(({ id }) => !list.entries.has(id))
  return { people: lacking, isOpen }
}
