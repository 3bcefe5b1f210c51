import { joined } from '../base/joined.ts'
import { audit as text } from '../text/audit.ts'
import { type Deed, type Entry, isUndoEntry, subjectOf } from './entries.ts'

/** Finds the names of tags and albums. */
export type NameOf = (type: string, id: string) => string | undefined

/** The entries of one kind among those of an operation. */
export interface Group {
  action: string
  entries: Entry[]
}

/** By an action: those that come with it and that nobody needs to be told. */
const IMPLIED: Record<string, RegExp> = {
  operation_undo: /./,
  file_merge: /^file_(delete|edit|pool_add|pool_remove|tag_add)$/,
  file_create: /^file_tag_add$/,
  tag_merge: /^(file_tag_|tag_rule_)/,
  tag_delete: /^(file_tag_|tag_rule_)/,
  tag_rule_create: /^file_tag_/,
  tag_rule_edit: /^file_tag_/,
  category_delete: /^tag_edit$/,
  pool_delete: /^file_pool_remove$/,
}

/** Groups the entries of an operation by action, without those that only follow from others. */
export function groupsOf(entries: readonly Entry[]): Group[] {
  const groups = new Map<string, Entry[]>()
  for (const entry of entries) {
    const group = groups.get(entry.action)
    if (group) group.push(entry)
    else groups.set(entry.action, [entry])
  }
  const actions = [...groups.keys()]
  const isImplied = (action: string) =>
    actions.some((lead) => lead !== action && IMPLIED[lead]?.test(action))
  return [...groups]
    .filter(([action]) => !isImplied(action))
    .map(([action, entries]) => ({ action, entries }))
}

/** What an undo took back, as far as the page has it. */
export interface Undone {
  /** The operation that was undone first, before its undo was undone, and so on. */
  root: Deed
  /** Whether the last undo did it again. */
  isRedo: boolean
}

/** Returns what a deed took back; undefined if it is no undo, or if the page lacks what it undid. */
export function undoneOf(deed: Deed, deeds: readonly Deed[]): Undone | undefined {
  let root = deed
  let depth = 0
  for (;;) {
    const undo = root.entries.find(isUndoEntry)
    if (!undo) break
    const target = deeds.find(({ operation }) => operation === undo.details?.operation)
    if (!target || target === root) return undefined
    root = target
    depth++
  }
  return depth === 0 ? undefined : { root, isRedo: depth % 2 === 0 }
}

/** A sentence with places for names, and these names as far as they are words. */
interface Wording {
  sentence: string
  names: Record<string, string>
}

/** The places for names in a sentence. */
export const PLACE = /\{(who|what|dative|tags|other|undone)\}/

/**
 * Returns the sentence for entries of one action. `undone` is what they took back; `isOfOne` says that they are from
 * the history of one file.
 */
export function wordingOf(
  { action, entries }: Group,
  nameOf: NameOf,
  undone?: Undone,
  isOfOne = false,
): Wording {
  const words = text()
  const [entry] = entries as [Entry]
  const { count, files, into_name, then_tag_name, user_name } = entry.details ?? {}
  const photos = count ?? files
  const other = [into_name, then_tag_name, user_name].find((name) => typeof name === 'string')
  const name = nameIn(entry, nameOf)
  const names = {
    who: actorOf(entry),
    what: isOfOne ? words.thisFile : (name ?? words.objects[entry.object_type ?? ''] ?? ''),
    dative: isOfOne ? words.dative.thisFile : (name ?? words.dative.file),
    tags: tagsOf(entries, nameOf),
    other: other === undefined || other === entry.user_name ? '' : String(other),
    undone: undone ? plainSentence(undone.root, nameOf) : '',
  }
  const isVideo = ({ details }: Entry) => String(details?.mime_type).startsWith('video/')
  const sentence = words.sentences[action]?.({
    count: entries.length,
    isNamed: name !== undefined,
    photos: typeof photos === 'number' ? photos : null,
    videos: entries.filter(isVideo).length,
    isOn: isOnIn(entries),
    isRedo: undone?.isRedo ?? false,
    tags: names.tags !== '',
    other: names.other !== '',
    undone: names.undone !== '',
  })
  return { sentence: sentence ?? `{who}: ${action.replaceAll('_', ' ')}`, names }
}

/** Returns the name of what an entry is about; undefined if it is unknown. */
export function nameIn(entry: Entry, nameOf: NameOf): string | undefined {
  const { object_type, object_id } = entry
  return subjectOf(entry) ?? (object_id ? nameOf(object_type!, object_id) : undefined)
}

/** Returns who did it. */
function actorOf({ user_id, user_name }: Entry): string {
  return user_id === 0 ? text().server : user_name
}

/** Returns the first sentence of a deed, with its names. */
export function plainSentence({ entries }: Deed, nameOf: NameOf): string {
  const { sentence, names } = wordingOf(groupsOf(entries)[0]!, nameOf)
  return sentence.replace(new RegExp(PLACE, 'g'), (_, place) => names[place]!)
}

function tagsOf(entries: readonly Entry[], nameOf: NameOf): string {
  const ids = entries.map(({ details }) => (details?.tag_ids ?? []) as string[])
  const first = String(ids[0])
  if (!ids.every((some) => String(some) === first)) return ''
  return joined(ids[0]!.map((id) => nameOf('tag', id)).filter((name) => name !== undefined))
}

function isOnIn(entries: readonly Entry[]): boolean | null {
  const values = new Set(
    entries.map(({ details }) => {
      const changed = (details?.is_active ?? details?.needs_review) as { to?: unknown } | undefined
      return changed?.to
    }),
  )
  const [value] = values
  return values.size === 1 && typeof value === 'boolean' ? value : null
}
