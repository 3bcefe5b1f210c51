import type { Schemas } from '../../client/index.ts'

/** What a person may do with one object. */
export type Right = 'view' | 'edit'

/** How many pictures a person sees, and how many of these they may edit. */
export interface Sight {
  seen: number
  edits: number
  /** The names of the albums through which they see some; empty if the caller may not know these. */
  through?: readonly string[]
}

/** The pictures that are shared, as far as the caller may know who sees them. */
export interface Pictures {
  /** How many the caller sees. */
  all: number
  /** How many of them have rights that the caller may read and change. */
  own: number
  /** How many of `own` others may have created, who see them whatever is shared. */
  foreign: number
  /** What each other person sees of `own`, by their id. */
  sights: ReadonlyMap<number, Sight>
  /** How many of `own` everybody may view, at least and at most. */
  open: { least: number; most: number }
}

/** The changes that the user has chosen. */
export interface Draft {
  /** Who gets a right, or loses all, by their id. */
  rights: ReadonlyMap<number, Right | 'out'>
  /** Whether everybody may view it afterwards; null leaves that as it is. */
  isPublic: boolean | null
  /** Whether a pool shares its pictures from then on; absent leaves that as it is. */
  sharesFiles?: boolean
}

/**
 * What a person sees after a change: a number of pictures or, where the page can't know the number,
 * only what everybody may view (`open`), that and what is their own or an admin's (`unless`), what is
 * shared with them by name (`named`), or what albums share with them (`through`).
 */
export type After = Sight | 'open' | 'unless' | 'named' | 'through'

const NOTHING: Sight = { seen: 0, edits: 0 }

/** Returns how many pictures everybody may view at least and at most: nobody sees fewer than these. */
export function openAmong(sights: Iterable<Sight>, own: number): Pictures['open'] {
  return { least: 0, most: Math.min(own, ...[...sights].map(({ seen }) => seen)) }
}

/**
 * Returns what a person will see of the pictures, and may edit by sharing: owners and admins may edit
 * theirs in addition.
 */
export function sightAfter(pictures: Pictures, { rights, isPublic }: Draft, id: number): After {
  const { own, foreign, sights } = pictures
  const now = sights.get(id) ?? NOTHING
  const right = rights.get(id)
  if (right === 'edit') return { seen: own, edits: own }
  if (right === 'view') return { seen: own, edits: 0 }
  if (right === undefined) {
    if (isPublic) return { seen: own, edits: now.edits }
    const isSame = isPublic === null || pictures.open.most === 0 || now.seen === 0
    if (isSame) return now
    return now.through ? 'through' : 'named'
  }
  if (isPublic) return { seen: own, edits: 0 }
  if (now.through) return 'through'
  // Only users that may edit a picture can be its owner, and only those that may edit all can be
  // admins.
  if (now.edits > 0 && (foreign > 0 || now.edits === own)) return 'unless'
  const { least, most } = isPublic === false ? { least: 0, most: 0 } : pictures.open
  return least === most ? { seen: most, edits: 0 } : 'open'
}

/** Who may do what with one object. */
export interface List {
  entries: ReadonlyMap<number, Right>
  isPublic: boolean
}

/** Returns what a person may do with one object after a change, by its list and what everybody may. */
export function rightAfter(list: List, { rights, isPublic }: Draft, id: number): Right | null {
  const right = rights.get(id) ?? list.entries.get(id)
  if (right === 'view' || right === 'edit') return right
  return (isPublic ?? list.isPublic) ? 'view' : null
}

/** Returns whether a draft changes nothing. */
export function isEmpty({ rights, isPublic, sharesFiles }: Draft): boolean {
  return rights.size === 0 && isPublic === null && sharesFiles === undefined
}

interface PoolList {
  list: List | null
  sharesFiles: boolean
}

/** Whether a pool is to share its pictures without a choice: as now, but one that nobody sees yet begins to. */
export function isSharedAtFirst({ list, sharesFiles }: PoolList): boolean {
  return sharesFiles || list!.entries.size === 0
}

/** Returns a draft with whether a pool is to share its pictures, as `chosen` if that isn't null. */
export function withSharing(draft: Draft, pool: PoolList, chosen: boolean | null): Draft {
  const wanted = chosen ?? isSharedAtFirst(pool)
  // It takes people for whom it matters.
  const hasPeople = pool.list!.entries.size > 0 || listsOf(draft).add.length > 0
  const isChange = wanted !== pool.sharesFiles && (!wanted || hasPeople)
  return isChange ? { ...draft, sharesFiles: wanted } : draft
}

/** A tag that not everybody sees, and that the caller may share. */
export interface ClosedTag {
  id: string
  creator_id: number
  /** Who may see it by name. */
  seers: ReadonlySet<number>
}

/** Returns who of those that a draft shares with doesn't see a tag. */
export function blindTo({ creator_id, seers }: ClosedTag, draft: Draft): number[] {
  const added = listsOf(draft).add.map(({ user_id }) => user_id)
  return added.filter((id) => id !== creator_id && !seers.has(id))
}

/** Returns those of the tags that are hidden from somebody whom a draft shares with. */
export function hiddenTags(tags: readonly ClosedTag[], draft: Draft): ClosedTag[] {
  return tags.filter((tag) => draft.isPublic === true || blindTo(tag, draft).length > 0)
}

/** Returns a draft with another right for a person; undefined leaves theirs as it is. */
export function withRight(draft: Draft, id: number, right: Right | 'out' | undefined): Draft {
  const rights = new Map(draft.rights)
  if (right === undefined) rights.delete(id)
  else rights.set(id, right)
  return { ...draft, rights }
}

/** Returns a draft in which a person may at least view; the same one if they will already. */
export function withAdded(draft: Draft, id: number): Draft {
  const right = draft.rights.get(id)
  return right === 'view' || right === 'edit' ? draft : withRight(draft, id, 'view')
}

/** The request that changes the lists of many files. */
export interface Lists {
  add: { user_id: number; can_edit: boolean }[]
  remove: number[]
}

/** Returns the changes to the lists of many files: a person in both gets exactly what is added. */
export function listsOf({ rights }: Draft): Lists {
  const add = [...rights].flatMap(([user_id, right]) =>
    right === 'out' ? [] : [{ user_id, can_edit: right === 'edit' }],
  )
  const lowered = [...rights].filter(([, right]) => right !== 'edit')
  return { add, remove: lowered.map(([user_id]) => user_id) }
}

interface Entry {
  user_id: number
  can_view: boolean
  can_edit: boolean
}

/** Returns the access list of one object after a change. */
export function entriesAfter(entries: readonly Entry[], { rights }: Draft): Entry[] {
  const unchanged = entries.filter(({ user_id }) => !rights.has(user_id))
  const { add } = listsOf({ rights, isPublic: null })
  const added = add.map((one) => ({ ...one, can_view: true }))
  return [...unchanged, ...added].map(({ user_id, can_view, can_edit }) => ({
    user_id,
    can_view,
    can_edit,
  }))
}

type Reach = Schemas['Reach']

/** The combined result of several requests. */
export interface Sum {
  all: number
  /** How many others created; the caller may know nothing else about them. */
  others: number
  sights: Map<number, Sight>
}

/**
 * Combines the results of requests about different files, or about different users of the same files.
 */
export function sumOf(slices: readonly (readonly Reach[])[]): Sum {
  const sum: Sum = { all: 0, others: 0, sights: new Map() }
  for (const slice of slices) {
    sum.all += slice[0]?.files ?? 0
    sum.others += slice[0]?.not_yours ?? 0
    for (const one of slice.flatMap(({ users }) => users)) {
      const before: Sight = sum.sights.get(one.user_id) ?? NOTHING
      const names = new Set([...(before.through ?? []), ...one.pools.map(({ name }) => name)])
      const isThrough = before.through !== undefined || one.through_pools > 0
      sum.sights.set(one.user_id, {
        seen: before.seen + one.seen,
        edits: before.edits + one.can_edit,
        ...(isThrough && { through: [...names] }),
      })
    }
  }
  return sum
}

/**
 * Returns what people see of pictures and of the films that are one with some of them: a picture counts only where its
 * film can be seen as well, as far as the numbers tell.
 */
export function asOne(pictures: Sum, films: Sum): Sum {
  const [own, ownFilms] = [pictures.all - pictures.others, films.all - films.others]
  const sights = new Map<number, Sight>()
  for (const [id, { seen, edits, through = [] }] of pictures.sights) {
    const film = films.sights.get(id) ?? NOTHING
    const names = new Set([...through, ...(film.through ?? [])])
    const isThrough = (pictures.sights.get(id)?.through ?? film.through) !== undefined
    sights.set(id, {
      seen: Math.max(0, Math.min(seen, own - ownFilms + film.seen)),
      edits: Math.max(0, Math.min(edits, own - ownFilms + film.edits)),
      ...(isThrough && { through: [...names] }),
    })
  }
  return { ...pictures, sights }
}

/**
 * Returns the change of rights that restores exactly what was before a draft; null if the page can't know
 * what that was. Whether everybody may view it isn't in it, because an undo restores that.
 */
export function rightsBefore(
  state: PoolList & { kind: string; pictures: Pictures | null },
  draft: Draft,
  hasPictures: boolean,
): Draft | null {
  const { kind, list, pictures, sharesFiles } = state
  const sees = (id: number) => (pictures?.sights.get(id)?.seen ?? 0) > 0
  const isThrough = kind === 'pool' && (draft.sharesFiles ?? sharesFiles)
  const isLosing = draft.sharesFiles === false || [...draft.rights.values()].includes('out')
  if (sharesFiles && isLosing) {
    const losers = draft.sharesFiles === false ? list!.entries : draft.rights
    // Who shares again shares all of their own pictures, and no others.
    const sawAll = (id: number) => pictures!.sights.get(id)?.seen === pictures!.own
    if (pictures!.all > pictures!.own || ![...losers.keys()].every(sawAll)) return null
  }
  const rights = new Map<number, Right | 'out'>()
  for (const [id, right] of draft.rights) {
    // Each picture has a list of its own, which may have named them.
    const hasLists = kind === 'files' || (kind === 'pool' && hasPictures && !isThrough)
    if (hasLists && (right === 'out' || sees(id))) return null
    rights.set(id, list?.entries.get(id) ?? 'out')
  }
  const isOther = draft.sharesFiles !== undefined
  return { rights, isPublic: null, ...(isOther && { sharesFiles }) }
}
