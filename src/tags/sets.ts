import type { TagAction } from '../audit/details.ts'
import type { Actor } from '../audit/record.ts'
import type { Db } from '../db/client.ts'
import type { Tx } from '../db/write.ts'
import type { AddedTags } from './apply.ts'
import { requireRoomOnFiles } from './limits.ts'
import { tagIdsByRid } from './queries.ts'
import {
  countedOnFiles,
  countedOnTags,
  deletedFromFiles,
  insertedSets,
  namedOnFiles,
  recordedSets,
  tagsAmong,
  triggersStarted,
  triggersStopped,
} from './set-queries.ts'

interface Placed {
  tag: number
  by_hand: boolean
}

interface Alike {
  files: number[]
  has: Placed[]
}

interface Change {
  files: number[]
  tags: Placed[]
}

/**
 * Puts tags on files, with an audit entry for each file that lacked one; returns how many files did. Throws conflict
 * when a file then exceeds the limit of tags.
 */
export function addToFiles(
  tx: Tx,
  actor: Actor,
  files: number[],
  { all, named }: AddedTags,
): number {
  const byHand = new Set(named)
  const tags = all.map((tag) => ({ tag, by_hand: byHand.has(tag) }))
  const alike = filesAlike(tx, files, tags)
  const changes = alike.map(({ files, has }) => {
    const present = new Set(has.map(({ tag }) => tag))
    return { files, tags: tags.filter(({ tag }) => !present.has(tag)) }
  })
  const byRule = filesOf(alike.filter(({ has }) => has.some((one) => !one.by_hand)))
  namedOnFiles.run(tx, { files: JSON.stringify(byRule), tags: JSON.stringify(named) })
  change(tx, actor, 'file_tag_add', changes, (listed, changes) => {
    const sets = changes.map((one) => one.tags.map(({ tag, by_hand }) => [tag, by_hand ? 1 : 0]))
    insertedSets.run(tx, { files: listed, sets: JSON.stringify(sets) })
  })
  const changed = filesOf(changes.filter((one) => one.tags.length > 0))
  requireRoomOnFiles(tx, changed)
  return changed.length
}

/** Takes tags off files, with an audit entry for each file that had one. */
export function removeFromFiles(tx: Tx, actor: Actor, files: number[], rids: number[]): void {
  const tags = rids.map((tag) => ({ tag, by_hand: false }))
  const changes = filesAlike(tx, files, tags).map(({ files, has }) => ({ files, tags: has }))
  change(tx, actor, 'file_tag_remove', changes, (_, changes) => {
    const files = JSON.stringify(filesOf(changes))
    deletedFromFiles.run(tx, { files, tags: JSON.stringify(rids) })
  })
}

/** Returns the files in sets that have the same ones of the tags. */
export function filesAlike(db: Db, files: number[], tags: Placed[]): Alike[] {
  // In order, so that the changes go through neighbouring rows of the table.
  const inOrder = files.toSorted((a, b) => a - b)
  const rows = tagsAmong.all(db, {
    files: JSON.stringify(inOrder),
    tags: JSON.stringify(tags.map(({ tag }) => tag)),
  })
  const sets = new Map<string, Alike>()
  for (const [index, { among }] of rows.entries()) {
    const file = inOrder[index]!
    const set = sets.get(among ?? '')
    if (set) set.files.push(file)
    else sets.set(among ?? '', { files: [file], has: placedAmong(tags, among) })
  }
  return [...sets.values()]
}

function placedAmong(tags: Placed[], among: string | null): Placed[] {
  const numbers = new Set(among?.split(',').map(Number))
  return tags.flatMap(({ tag }) => {
    const by_hand = numbers.has(2 * tag + 1)
    return by_hand || numbers.has(2 * tag) ? [{ tag, by_hand }] : []
  })
}

function change(
  tx: Tx,
  actor: Actor,
  action: TagAction,
  all: Change[],
  work: (listed: string, changes: Change[]) => void,
): void {
  const changes = all.filter((one) => one.tags.length > 0)
  if (changes.length === 0) return
  const pairs = changes.flatMap((one, set) => one.files.map((file) => [file, set] as const))
  const files = JSON.stringify(pairs.sort(([a], [b]) => a - b))
  recordedSets[action](tx, actor, { files, sets: JSON.stringify(detailsOf(tx, changes)) })
  triggersStopped.run(tx, {})
  work(files, changes)
  const sign = action === 'file_tag_add' ? 1 : -1
  const sets = JSON.stringify(changes.map((one) => sign * one.tags.length))
  countedOnFiles.run(tx, { files, sets })
  countedOnTags.run(tx, { changes: JSON.stringify(filesOfTags(changes, sign)) })
  triggersStarted.run(tx, {})
}

function filesOf(sets: { files: number[] }[]): number[] {
  return sets.flatMap((one) => one.files)
}

function detailsOf(db: Db, changes: Change[]): string[] {
  const rids = new Set(changes.flatMap((one) => one.tags.map(({ tag }) => tag)))
  const ids = new Map(tagIdsByRid(db, [...rids]))
  const idsOf = (tags: Placed[]) => tags.map(({ tag }) => ids.get(tag)!)
  return changes.map(({ tags }) => {
    const details = { tag_ids: idsOf(tags), by_rule: idsOf(tags.filter((one) => !one.by_hand)) }
    return JSON.stringify(details)
  })
}

function filesOfTags(changes: Change[], sign: 1 | -1): [tag: number, change: number][] {
  const counts = new Map<number, number>()
  for (const { files, tags } of changes) {
    for (const { tag } of tags) counts.set(tag, (counts.get(tag) ?? 0) + sign * files.length)
  }
  return [...counts]
}
