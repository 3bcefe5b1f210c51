import { listPermissions } from '../../acl/queries.ts'
import { type Incomplete, type Packed, packAll, unpack } from '../../audit/packed.ts'
import { type Actor, audit, reserveOperation } from '../../audit/record.ts'
import { AppError } from '../../base/errors.ts'
import type { User } from '../../base/user.ts'
import type { Tx } from '../../db/write.ts'
import { type Begun, beginChange, type LongChange } from '../../long-changes/change.ts'
import { findChange } from '../../long-changes/queries.ts'
import { expandTags } from '../apply.ts'
import { crowdedFiles, filesAfter } from '../apply-queries.ts'
import { tagFields } from '../edit.ts'
import { requireFewFollowingMerged } from '../limits.ts'
import { deleteTag, loadTagByRid, type TagRecord } from '../queries.ts'
import { isBeingRestored } from '../restore.ts'
import { endApplicationsOf } from '../rules/apply-rule.ts'
import { moveRules } from './merge-queries.ts'
import { replaceOnFiles } from './replace.ts'
import { type MergedRules, rulesToMerge } from './rules.ts'
import { MERGE, mergeSubject, requireNoMerge } from './under-way.ts'

/** How far a tag has been merged into another one. */
interface Merge extends MergedRules {
  /** By their row numbers. */
  old: number
  into: number
  /** The files that had both tags. */
  both: Packed | Incomplete
  files_changed: number
  /** Files that got the other tag, and would have had too many with those that follow from it. */
  files_skipped: number
}

/** Giving the files of a tag to another one, and deleting it then. */
export const tagMerge: LongChange<Merge, null> = {
  kind: MERGE,
  portion(tx, actor, state, rows) {
    const { old, into } = state
    // Rules come and go meanwhile, and what follows is what follows now.
    const comes = expandTags(tx, [into])
    const limit = Math.max(1, Math.floor(rows / (comes.length + 1)))
    // Whoever has put the old tag on since, has it replaced, too: so the first ones are looked for.
    const files = filesAfter(tx, old, { after: 0, limit })
    const crowded = new Set(crowdedFiles(tx, files, comes, { losing: 1 }))
    const whole = files.filter((rid) => !crowded.has(rid))
    const following = comes.filter((rid) => rid !== into)
    const both = [
      ...replaceOnFiles(tx, actor, { files: whole, old, into, following }),
      ...replaceOnFiles(tx, actor, { files: [...crowded], old, into, following: [] }),
    ]
    const rest = {
      ...state,
      both: withMore(state.both, both),
      files_changed: state.files_changed + files.length,
      files_skipped: state.files_skipped + crowded.size,
    }
    if (files.length === limit) return { rest }
    endMerge(tx, actor, rest)
    return { result: null }
  },
}

/** Returns the list with more of it; it is lost when it is too long: each file's entry tells it, too. */
function withMore(list: Merge['both'], more: number[]): Merge['both'] {
  if ('incomplete' in list || more.length === 0) return list
  const packed = packAll({ both: [...unpack(list), ...more.toSorted((a, b) => a - b)] })
  return 'incomplete' in packed ? packed : packed.both
}

/** Deletes the tag, which no file carries any more, and writes the entry of the whole merge. */
function endMerge(tx: Tx, actor: Actor, state: Merge): void {
  const { rules, former_rules, both, files_changed, files_skipped } = state
  // Both may have been edited since the merge began.
  const [old, into] = [loadTagByRid(tx, state.old), loadTagByRid(tx, state.into)]
  const { rid, id, name, creator_id } = old
  const details = {
    name,
    into: into.id,
    into_name: into.name,
    creator_id,
    fields: tagFields(tx, old),
    permissions: listPermissions(tx, 'tag', rid),
    rules,
    former_rules,
    both,
    files_changed,
    ...(files_skipped > 0 && { files_skipped }),
    internal: { rid },
  }
  deleteTag(tx, rid)
  audit(tx, actor, 'tag_merge', { type: 'tag', id }, details)
}

/**
 * Gives the rules of a tag to another one at once, and begins to give it the files, after which the tag
 * is deleted; as a part of an operation that has an entry in this write, or as one of its own. Throws
 * conflict when too many tags would follow from one, or when something else is under
 * way with one of the two.
 */
export function mergeTag(
  tx: Tx,
  user: User,
  { old, into, isPart = false }: { old: TagRecord; into: TagRecord; isPart?: boolean },
): Begun<null> {
  const tags = { old: old.rid, into: into.rid }
  const subject = mergeSubject(tags)
  if (findChange(tx, subject)) return { subject, isJoined: true }
  requireNoMerge(tx, [old.rid, into.rid])
  if (isBeingRestored(tx, old.id)) {
    throw new AppError('conflict', 'The tag is being put back on its files; try again after that')
  }
  requireFewFollowingMerged(tx, tags)
  endApplicationsOf(tx, old.rid)
  if (isPart) reserveOperation(tx, user)
  const rules = rulesToMerge(tx, old, into)
  moveRules(tx, tags)
  const state: Merge = {
    ...tags,
    ...rules,
    both: { count: 0, packed: '' },
    files_changed: 0,
    files_skipped: 0,
  }
  return beginChange(tx, tagMerge, { subject, actor: user, state })
}
