import { auditMany } from '../audit/record.ts'
import type { User } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import { TAGS_OF_FILE } from '../tags/limits.ts'
import { type Entry, type FileState, fileStates, tagRidsById, tagsMergedAgain } from './queries.ts'
import type { KeptReason } from './schema.ts'
import { deletedPairs, handedPairs, insertedPairs, standingPairs } from './tag-queries.ts'
import type { Tally, Undo } from './tally.ts'

type Replaced = Entry<'file_tag_replace'>

// By row numbers; whether the tag was, or is to be, by hand.
interface Placed {
  file: number
  tag: number
  id: string
  by_hand: boolean
}

interface Replacement {
  file: FileState
  came: Placed[]
  went: Placed[]
  /** Those that have since become by hand, or by a rule. */
  turned: Placed[]
}

interface Plan {
  file: FileState
  off: Placed[]
  on: Placed[]
  turned: Placed[]
}

const recorded = auditMany('file_tag_replace', 'file')

/**
 * Restores tags on files in place of those that replaced them. As after a deletion, they come back to all files. On
 * files that the user may not edit, the replacing tags and those that have since become by hand stay.
 */
export const undoTagsReplaced: Undo<'file_tag_replace'> = (tx, user, entries, tally) => {
  for (const some of eachFileOnce(entries)) {
    const replacements = withoutMerged(tx, some, replacementsOf(tx, user, some, tally))
    const stands = standingAmong(tx, replacements)
    change(
      tx,
      user,
      replacements.flatMap((one) => planOf(one, stands, tally) ?? []),
    )
  }
}

// None of the stretches has two entries of one file.
function eachFileOnce(entries: Replaced[]): Replaced[][] {
  const stretches: Replaced[][] = []
  let seen = new Set<string>()
  for (const entry of entries) {
    const { id } = entry.object!
    if (stretches.length === 0 || seen.has(id)) {
      stretches.push([])
      seen = new Set()
    }
    seen.add(id)
    stretches.at(-1)!.push(entry)
  }
  return stretches
}

function replacementsOf(tx: Tx, user: User, entries: Replaced[], tally: Tally): Replacement[] {
  const files = fileStates(
    tx,
    user,
    entries.map((entry) => entry.object!.id),
  )
  const rids = tagRidsById(
    tx,
    new Set(
      entries.flatMap(({ details }) => [
        ...details.tag_ids,
        ...details.removed_tag_ids,
        ...(details.now_by_hand ?? []),
        ...(details.now_by_rule ?? []),
      ]),
    ),
  )
  return entries.flatMap(({ object, details }) => {
    const file = files.get(object!.id)
    if (!file) {
      tally.keep(object, 'gone')
      return []
    }
    const placed = (ids: string[], isByHand: (id: string) => boolean): Placed[] =>
      ids.flatMap((id) => {
        const tag = rids.get(id)
        if (tag === undefined) keep(tally, file, 'changed')
        return tag === undefined ? [] : { file: file.rid, tag, id, by_hand: isByHand(id) }
      })
    const went = placed(details.removed_tag_ids, (id) => !details.removed_by_rule.includes(id))
    // The file would be left with neither.
    if (went.length < details.removed_tag_ids.length) return []
    const turned = [
      ...placed(details.now_by_hand ?? [], () => true),
      ...placed(details.now_by_rule ?? [], () => false),
    ]
    return {
      file,
      came: placed(details.tag_ids, (id) => !details.by_rule.includes(id)),
      went,
      turned,
    }
  })
}

// On files that the user may not edit, leaves out the tags that go by being merged again.
function withoutMerged(tx: Tx, entries: Replaced[], replacements: Replacement[]): Replacement[] {
  const others = replacements.filter(({ file }) => !file.allowed)
  if (others.length === 0) return replacements
  const ids = others.flatMap(({ came }) => idsOf(came))
  const merged = tagsMergedAgain(tx, entries[0]!.id, ids)
  return replacements.map((one) => {
    if (one.file.allowed) return one
    return { ...one, came: one.came.filter(({ id }) => !merged.has(id)) }
  })
}

// Returns undefined for a tag that is no longer on the file.
function standingAmong(tx: Tx, replacements: Replacement[]): (one: Placed) => boolean | undefined {
  const all = replacements.flatMap(({ came, went, turned }) => [...came, ...went, ...turned])
  const hands = new Map(
    standingPairs
      .all(tx, { pairs: packed(all) })
      .map(({ index, by_hand }) => [keyOf(all[index]!), by_hand]),
  )
  return (one) => hands.get(keyOf(one))
}

// Returns null when there is nothing to do.
function planOf(
  { file, came, went, turned }: Replacement,
  stands: (one: Placed) => boolean | undefined,
  tally: Tally,
): Plan | null {
  const asLeft = (one: Placed) => stands(one) === one.by_hand
  const since = [...came, ...turned]
  const on = went.filter((one) => stands(one) === undefined)
  if (on.length < went.length || !since.every((one) => file.allowed && asLeft(one))) {
    keep(tally, file, 'changed')
  }
  const off = file.allowed ? came.filter(asLeft) : []
  if (on.length > 0 && file.tag_count - off.length + on.length > TAGS_OF_FILE) {
    keep(tally, file, 'conflict')
    return null
  }
  const plan = { file, off, on, turned: file.allowed ? turned.filter(asLeft) : [] }
  if (plan.off.length + plan.on.length + plan.turned.length === 0) return null
  // The number of files that the user may not edit must not be revealed.
  if (file.allowed) tally.took({ type: 'file', id: file.id })
  return plan
}

// Reveals no more of a file that the user may not edit.
function keep(tally: Tally, { id, allowed }: FileState, reason: KeptReason): void {
  tally.keep({ type: 'file', id }, allowed ? reason : 'forbidden')
}

function change(tx: Tx, user: User, plans: Plan[]): void {
  const entries = plans.map(({ file, off, on, turned }) => {
    const by_hand = turned.filter((one) => !one.by_hand)
    const by_rule = turned.filter((one) => one.by_hand)
    const details = {
      tag_ids: idsOf(on),
      by_rule: idsOf(on.filter((one) => !one.by_hand)),
      removed_tag_ids: idsOf(off),
      removed_by_rule: idsOf(off.filter((one) => !one.by_hand)),
      ...(by_hand.length > 0 && { now_by_hand: idsOf(by_hand) }),
      ...(by_rule.length > 0 && { now_by_rule: idsOf(by_rule) }),
    }
    return { id: file.id, details }
  })
  recorded(tx, user, entries)
  deletedPairs.run(tx, { pairs: packed(plans.flatMap((plan) => plan.off)) })
  insertedPairs.run(tx, { pairs: packed(plans.flatMap((plan) => plan.on)) })
  const turned = plans.flatMap((plan) => plan.turned)
  handedPairs.run(tx, {
    pairs: packed(turned.map((one) => ({ ...one, by_hand: !one.by_hand }))),
  })
}

function packed(pairs: Placed[]): string {
  return JSON.stringify(pairs.map(({ file, tag, by_hand }) => [file, tag, by_hand ? 1 : 0]))
}

function keyOf({ file, tag }: Placed): string {
  return `${file} ${tag}`
}

function idsOf(placed: Placed[]): string[] {
  return placed.map((one) => one.id)
}
