export type Person = 'ann' | 'bob' | 'root'
export type Type = 'file' | 'tag' | 'category' | 'pool'
type Right = 'view' | 'edit'
export type Fields = Record<string, unknown>

/** A file, tag, category or pool; only files have `tags`, each with whether by hand, and pools `files`. */
export interface Thing {
  type: Type
  /** What a PATCH gives, and of a file also `is_deleted` and `needs_review`. */
  fields: Fields
  owner: Person
  rights: Map<Person, Right>
  tags: Map<string, boolean>
  files: string[]
}

export interface World {
  things: Map<string, Thing>
  /** Whether each is active, by `when then`. */
  rules: Map<string, boolean>
  /** What the operation that is going on has changed so far. */
  facts: Fact[]
}

interface Deleted {
  thing: Thing
  tagged: [file: string, byHand: boolean][]
  rules: [rule: string, isActive: boolean][]
  /** Of a category. */
  tags: string[]
}

/**
 * Something elementary that an operation changed; a tag or rule that isn't there is null. It is not taken
 * back when the file `merged` is gone for good; that a file is in a pool beside the one that was `joined`
 * with it, takes no right to the pool.
 */
export type Fact = Change & { merged?: string; joined?: string }
type Change =
  | { is: 'tag'; id: string; tag: string; from: boolean | null; to: boolean | null }
  | { is: 'fields'; id: string; changes: Map<string, { from: unknown; to: unknown }> }
  | { is: 'rule'; id: string; then: string; from: boolean | null; to: boolean | null }
  | { is: 'created'; id: string; fields: Fields; sizes: number[] }
  | { is: 'deleted'; id: string; was: Deleted }
  | { is: 'added'; id: string; files: string[] }
  | { is: 'removed'; id: string; places: [file: string, position: number][] }
  | { is: 'moved'; id: string; from: string[]; to: string[] }
  /** An undo that takes this back is not undone itself; there is nothing to be taken back of it. */
  | { is: 'merge'; id: string }
  /** It is never taken back. */
  | { is: 'final'; id: string }

export function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

export function mayThing(by: Person, thing: Thing, right: Right): boolean {
  if (by === 'root' || thing.owner === by) return true
  const granted = thing.rights.get(by)
  return (
    granted === 'edit' || (right === 'view' && (granted === 'view' || !!thing.fields.is_public))
  )
}

/** Returns whether the object exists and the person has the right to it. */
export function may(world: World, by: Person, id: string, right: Right): boolean {
  const thing = world.things.get(id)
  return thing !== undefined && mayThing(by, thing, right)
}

export function editable(world: World, by: Person, files: string[]): string[] {
  return files.filter((file) => may(world, by, file, 'edit'))
}

/** Returns whether another tag or category has the name; pools and files may have the same. */
export function isNameTaken(world: World, type: Type, name: unknown, except: string): boolean {
  if (type !== 'tag' && type !== 'category') return false
  return [...world.things].some(
    ([id, thing]) => id !== except && thing.type === type && thing.fields.name === name,
  )
}

/** Returns the tags and all that follow from them by active rules. */
function following(world: World, tags: string[]): string[] {
  const reached = new Set(tags)
  for (const tag of reached) {
    for (const [rule, isActive] of world.rules) {
      const [when, then] = rule.split(' ') as [string, string]
      if (isActive && when === tag) reached.add(then)
    }
  }
  return [...reached]
}

export function setTag(world: World, file: string, tag: string, to: boolean | null): void {
  const { tags } = world.things.get(file)!
  const from = tags.get(tag) ?? null
  if (to === null) tags.delete(tag)
  else tags.set(tag, to || from === true)
  // A tag that was there by a rule and is named now is no other tag.
  if ((from === null) !== (to === null)) world.facts.push({ is: 'tag', id: file, tag, from, to })
}

/** Puts tags on a file; those that aren't named only follow. */
function putTags(world: World, file: string, tags: string[], named: string[]): void {
  for (const tag of following(world, tags)) setTag(world, file, tag, named.includes(tag))
}

/** Makes a tag of a file one by hand, or one that only follows. */
export function turnTag(world: World, file: string, tag: string, to: boolean): void {
  world.things.get(file)!.tags.set(tag, to)
  world.facts.push({ is: 'tag', id: file, tag, from: !to, to })
}

export function nameTags(world: World, file: string, tags: string[]): void {
  putTags(world, file, tags, tags)
}

/** Gives a file these tags instead of those that the person sees. */
export function replaceTags(world: World, by: Person, file: string, tags: string[]): void {
  const wanted = following(world, tags)
  for (const tag of [...world.things.get(file)!.tags.keys()]) {
    if (!wanted.includes(tag) && may(world, by, tag, 'view')) setTag(world, file, tag, null)
  }
  nameTags(world, file, tags)
}

const MIDDLE: Record<string, [known: number, rest: string]> = {
  day: [10, 'T12:00:00.000Z'],
  month: [7, '-15T12:00:00.000Z'],
  year: [4, '-07-02T12:00:00.000Z'],
}

/** Returns the middle of the day, month or year of a time in UTC. */
export function middleOf(time: unknown, precision: unknown): string {
  const [known, rest] = MIDDLE[String(precision)]!
  return String(time).slice(0, known) + rest
}

/** Returns whether a person says how much is known of a date, but not the date. */
export function lacksDate({ content_datetime, date_precision }: Fields): boolean {
  return date_precision !== undefined && content_datetime === undefined
}

/** Returns what a person sets, with the whole date of the file, if that is another one then. */
export function withDate(world: World, id: string, update: Fields): Fields {
  const { content_datetime: time, date_precision: precision, ...others } = update
  const before = world.things.get(id)!.fields
  const isAsBefore = precision === undefined && time === before.content_datetime
  if (time === undefined || isAsBefore) return others
  const content_datetime = precision ? middleOf(time, precision) : time
  const date = { content_datetime, date_precision: precision ?? null }
  const isOther = Object.entries(date).some(([name, value]) => before[name] !== value)
  return isOther ? { ...others, ...date, date_source: 'given' } : others
}

export function setFields(world: World, id: string, update: Fields): void {
  const { fields } = world.things.get(id)!
  const changed = Object.entries(update).filter(([name, to]) => !sameJson(fields[name], to))
  if (changed.length === 0) return
  const changes = new Map(changed.map(([name, to]) => [name, { from: fields[name], to }]))
  Object.assign(fields, update)
  world.facts.push({ is: 'fields', id, changes })
}

export function setRule(world: World, [when, then]: [string, string], to: boolean | null): void {
  const rule = `${when} ${then}`
  const from = world.rules.get(rule) ?? null
  if (to === null) world.rules.delete(rule)
  else world.rules.set(rule, to)
  if (from !== to) world.facts.push({ is: 'rule', id: when, then, from, to })
}

const UNSET = { notes: null, metadata: null, is_public: false }
const NEW: Record<Type, Fields> = {
  file: {
    ...UNSET,
    original_name: null,
    rotation: 0,
    is_deleted: false,
    needs_review: true,
    date_source: null,
    date_precision: null,
  },
  tag: { ...UNSET, color: null, category_id: null },
  category: { ...UNSET, color: null },
  pool: { ...UNSET, sort_key: 'manual', sort_order: 'asc', shares_files: false },
}

/** Makes an object; returns false when its name is taken. */
export function create(world: World, owner: Person, type: Type, id: string, fields: Fields) {
  if (isNameTaken(world, type, fields.name, id)) return false
  const all = { ...NEW[type], ...fields }
  const thing = { type, fields: all, owner, rights: new Map(), tags: new Map(), files: [] }
  world.things.set(id, thing)
  noteCreated(world, id)
}

/** Edits an object as a person; returns false when the name is taken. */
export function edit(world: World, by: Person, id: string, update: Fields) {
  const { type, fields } = world.things.get(id)!
  if ('name' in update && isNameTaken(world, type, update.name, id)) return false
  if (lacksDate(update)) return false
  const { category_id, ...others } = update
  const isShown = !fields.category_id || may(world, by, String(fields.category_id), 'view')
  // Who is not shown the category may send null back without meaning to clear it.
  const isMeant = category_id !== undefined && (category_id !== null || isShown)
  setFields(world, id, withDate(world, id, isMeant ? update : others))
}

function noteCreated(world: World, id: string): void {
  const fields = { ...world.things.get(id)!.fields }
  world.facts.push({ is: 'created', id, fields, sizes: sizesOf(world, id) })
}

/** Returns how many files, rules and tags an object has. */
export function sizesOf(world: World, id: string): number[] {
  const { thing, tagged, rules, tags } = contentsOf(world, id)
  return [thing.files.length, tagged.length, rules.length, tags.length]
}

function contentsOf(world: World, id: string): Deleted {
  const things = [...world.things]
  return {
    thing: world.things.get(id)!,
    tagged: things.flatMap(([file, { tags }]) => (tags.has(id) ? [[file, tags.get(id)!]] : [])),
    rules: [...world.rules].filter(([rule]) => rule.split(' ').includes(id)),
    tags: things.filter(([, { fields }]) => fields.category_id === id).map(([tag]) => tag),
  }
}

export function remove(world: World, id: string): void {
  const was = contentsOf(world, id)
  for (const [file] of was.tagged) world.things.get(file)!.tags.delete(id)
  for (const [rule] of was.rules) world.rules.delete(rule)
  for (const tag of was.tags) world.things.get(tag)!.fields.category_id = null
  world.things.delete(id)
  world.facts.push({ is: 'deleted', id, was })
}

/** Makes an object again, with what still exists of what it was joined to. */
export function restore(world: World, id: string, was: Deleted): void {
  const { thing } = was
  const exists = (other: string) => world.things.has(other)
  const fields = { ...thing.fields }
  if (thing.type === 'tag' && !exists(String(fields.category_id))) fields.category_id = null
  world.things.set(id, { ...thing, fields, files: thing.files.filter(exists) })
  for (const [file, byHand] of was.tagged) world.things.get(file)?.tags.set(id, byHand)
  for (const [rule, isActive] of was.rules) {
    if (rule.split(' ').every(exists)) world.rules.set(rule, isActive)
  }
  for (const tag of was.tags) {
    const fields = world.things.get(tag)?.fields
    if (fields?.category_id === null) fields.category_id = id
  }
  noteCreated(world, id)
}

/** Puts those of the files into a pool that aren't in it. */
export function addToPool(
  world: World,
  id: string,
  named: string[],
  { position, joined }: { position: number; joined?: string },
): void {
  const pool = world.things.get(id)!
  const files = named.filter((file) => !pool.files.includes(file))
  if (files.length === 0) return
  pool.files.splice(position, 0, ...files)
  world.facts.push({ is: 'added', id, files, ...(joined && { joined }) })
}

export function removeFromPool(world: World, id: string, files: string[]): void {
  const pool = world.things.get(id)!
  const places = [...pool.files.entries()].flatMap(([position, file]) =>
    files.includes(file) ? [[file, position] as [string, number]] : [],
  )
  if (places.length === 0) return
  pool.files = pool.files.filter((file) => !files.includes(file))
  world.facts.push({ is: 'removed', id, places })
}

/** Arranges what a person sees of a manual pool: the named files first; returns false if it can't. */
export function arrangeSeen(world: World, by: Person, id: string, first: string[]) {
  const { files, fields } = world.things.get(id)!
  const seen = files.filter(
    (file) => may(world, by, file, 'view') && !world.things.get(file)!.fields.is_deleted,
  )
  if (fields.sort_key !== 'manual' || !first.every((file) => seen.includes(file))) return false
  const arranged = [...first, ...seen.filter((file) => !first.includes(file))]
  const order = files.map((file) => (seen.includes(file) ? arranged.shift()! : file))
  arrangePool(world, id, order)
}

/** Arranges a pool; the facts are only the files that move. */
export function arrangePool(world: World, id: string, order: string[]): void {
  const pool = world.things.get(id)!
  const hasMoved = (file: string) => pool.files.indexOf(file) !== order.indexOf(file)
  const [from, to] = [pool.files.filter(hasMoved), order.filter(hasMoved)]
  pool.files = order
  if (to.length > 0) world.facts.push({ is: 'moved', id, from, to })
}

/** Deletes a trashed file for good; returns false for any other. */
export function purge(world: World, id: string) {
  if (!world.things.get(id)!.fields.is_deleted) return false
  world.things.delete(id)
  for (const thing of world.things.values()) {
    thing.files = thing.files.filter((file) => file !== id)
  }
  world.facts.push({ is: 'final', id })
}

/** Gives Bob a right to an object, or none; returns false for a person who didn't make it. */
export function share(world: World, by: Person, id: string, right: Right | null) {
  const thing = world.things.get(id)
  if (thing?.owner !== by) return false
  if ((thing.rights.get('bob') ?? null) === right) return
  thing.rights = new Map(right && [['bob', right]])
  world.facts.push({ is: 'final', id })
}

/** Makes or switches a rule and, if asked to, applies it to the files that have its when-tag. */
export function switchRule(
  world: World,
  [when, then]: [string, string],
  rule: { is_active: boolean; apply_to_existing: boolean },
): void {
  setRule(world, [when, then], rule.is_active)
  if (!rule.is_active || !rule.apply_to_existing) return
  for (const [file] of contentsOf(world, when).tagged) putTags(world, file, [then], [])
}

/** Merges `discard` into `keep`, and trashes it or not; returns false for one file or one in the trash. */
export function merge(
  world: World,
  { keep, discard, isTrashed }: { keep: string; discard: string; isTrashed: boolean },
  fields: Record<string, string>,
) {
  if (join(world, [keep, discard], fields) === false) return false
  if (!isTrashed) return
  for (const fact of world.facts) fact.merged = discard
  setFields(world, discard, { is_deleted: true })
}

function join(
  world: World,
  [keep, discard]: [string, string],
  { metadata, tags, pools, ...choices }: Record<string, string>,
) {
  const [kept, other] = [world.things.get(keep)!, world.things.get(discard)!]
  if (keep === discard || kept.fields.is_deleted || other.fields.is_deleted) return false
  const taken = Object.keys(choices).filter((name) => choices[name] === 'discard')
  const update = Object.fromEntries(taken.map((name) => [name, other.fields[name]]))
  if (taken.includes('content_datetime')) {
    update.date_source = other.fields.date_source
    update.date_precision = other.fields.date_precision
  }
  if (metadata === 'discard') update.metadata = other.fields.metadata
  if (metadata === 'merge') {
    const [mine, others] = [kept.fields.metadata, other.fields.metadata] as (object | null)[]
    update.metadata = mine && others ? { ...others, ...mine } : (mine ?? others)
  }
  setFields(world, keep, update)
  // A merge is an operation, and the survivor its object, even if no field changes.
  world.facts.push({ is: 'merge', id: keep })
  if (tags === 'both') {
    const named = [...other.tags].flatMap(([tag, byHand]) => (byHand ? [tag] : []))
    for (const tag of named) if (kept.tags.get(tag) === false) turnTag(world, keep, tag, true)
    putTags(world, keep, [...other.tags.keys()], named)
  }
  if (pools !== 'both') return
  for (const [id, { files }] of world.things) {
    const place = files.indexOf(discard)
    if (place >= 0) addToPool(world, id, [keep], { position: place + 1, joined: discard })
  }
}
