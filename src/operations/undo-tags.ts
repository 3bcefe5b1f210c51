import type { TagAction } from '../audit/details.ts'
import { auditMany } from '../audit/record.ts'
import type { User } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import { TAGS_OF_FILE } from '../tags/limits.ts'
import { type Entry, type FileState, fileStates, tagRidsById } from './queries.ts'
import { deletedPairs, insertedPairs, standingPairs } from './tag-queries.ts'
import type { Tally } from './tally.ts'

interface Pair {
  file: FileState
  tag_rid: number
  tag_id: string
  by_hand: boolean
}

const RECORDED = {
  file_tag_add: auditMany('file_tag_add', 'file'),
  file_tag_remove: auditMany('file_tag_remove', 'file'),
}

/** Takes off the tags that entries put on files, and skips those that are no longer there. */
export function undoTagsAdded(
  tx: Tx,
  user: User,
  entries: Entry<'file_tag_add' | 'file_merge'>[],
  tally: Tally,
): void {
  const pairs = pairsOf(tx, user, entries, tally)
  const standing = standingAmong(tx, pairs)
  const taken = pairs.flatMap((pair, index) => {
    // A tag that came by a rule and was put on by hand since means more than the rule.
    const stands = standing.get(index) === pair.by_hand
    if (!stands) tally.keep({ type: 'file', id: pair.file.id }, 'changed')
    return stands ? pair : []
  })
  record(tx, user, 'file_tag_remove', taken)
  deletedPairs.run(tx, { pairs: packed(taken) })
  for (const { file } of taken) tally.took({ type: 'file', id: file.id })
}

/**
 * Restores the tags that entries took off files. Skips tags that are already back, and files that would have too many.
 */
export function undoTagsRemoved(
  tx: Tx,
  user: User,
  entries: Entry<'file_tag_remove'>[],
  tally: Tally,
): void {
  const pairs = pairsOf(tx, user, entries, tally)
  const standing = standingAmong(tx, pairs)
  const absent = pairs.filter((pair, index) => {
    if (standing.has(index)) tally.keep({ type: 'file', id: pair.file.id }, 'changed')
    return !standing.has(index)
  })
  const missing = withRoom(absent, tally)
  record(tx, user, 'file_tag_add', missing)
  insertedPairs.run(tx, { pairs: packed(missing) })
  for (const { file } of missing) tally.took({ type: 'file', id: file.id })
}

// A file gets all of its tags back or none.
function withRoom(pairs: Pair[], tally: Tally): Pair[] {
  const coming = new Map<number, number>()
  for (const { file } of pairs) coming.set(file.rid, (coming.get(file.rid) ?? 0) + 1)
  return pairs.filter(({ file }) => {
    const fits = file.tag_count + coming.get(file.rid)! <= TAGS_OF_FILE
    if (!fits) tally.keep({ type: 'file', id: file.id }, 'conflict')
    return fits
  })
}

// Each pair once, as far as the user may edit its file.
function pairsOf(
  tx: Tx,
  user: User,
  entries: Entry<TagAction | 'file_merge'>[],
  tally: Tally,
): Pair[] {
  const files = fileStates(
    tx,
    user,
    entries.map((entry) => entry.object!.id),
  )
  const rids = tagRidsById(tx, new Set(entries.flatMap((entry) => entry.details.tag_ids)))
  const pairs = new Map<string, Pair>()
  for (const { object, details } of entries) {
    const file = files.get(object!.id)
    if (!file?.allowed) {
      tally.keep(object, file ? 'forbidden' : 'gone')
      continue
    }
    const byRule = new Set(details.by_rule)
    for (const tag_id of details.tag_ids) {
      const tag_rid = rids.get(tag_id)
      if (tag_rid === undefined) tally.keep(object, 'changed')
      else {
        const pair = { file, tag_rid, tag_id, by_hand: !byRule.has(tag_id) }
        pairs.set(`${file.rid} ${tag_rid}`, pair)
      }
    }
  }
  return [...pairs.values()]
}

// By the index of the pair; pairs that no longer exist are missing.
function standingAmong(tx: Tx, pairs: Pair[]): Map<number, boolean> {
  const rows = standingPairs.all(tx, { pairs: packed(pairs) })
  return new Map(rows.map((row) => [row.index, row.by_hand]))
}

function packed(pairs: Pair[]): string {
  return JSON.stringify(pairs.map((pair) => [pair.file.rid, pair.tag_rid, pair.by_hand ? 1 : 0]))
}

function record(tx: Tx, user: User, action: TagAction, pairs: Pair[]): void {
  const byFile = new Map<string, { tag_ids: string[]; by_rule: string[] }>()
  for (const { file, tag_id, by_hand } of pairs) {
    const details = byFile.get(file.id) ?? { tag_ids: [], by_rule: [] }
    byFile.set(file.id, details)
    details.tag_ids.push(tag_id)
    if (!by_hand) details.by_rule.push(tag_id)
  }
  const entries = [...byFile].map(([id, details]) => ({ id, details }))
  RECORDED[action](tx, user, entries)
}
