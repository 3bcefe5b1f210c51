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
import { moveRules, renameInFilters } from './merge-queries.ts'
import { replaceOnFiles } from './replace.ts'
import { type MergedRules, rulesToMerge } from './rules.ts'
import { MERGE, mergeSubject, requireNoMerge } from './under-way.ts'

interface Merge extends MergedRules {
  old: number
  into: number
  both: Packed | Incomplete
  files_changed: number
  /** Files that got the other tag, but not the tags that follow from it, which would be too many. */
  files_skipped: number
}

/** Replaces a tag on its files by another one, and then deletes it. */
export const tagMerge: LongChange<Merge, null> = {
  kind: MERGE,
  portion(tx, actor, state, rows) {
    const { old, into } = state
    // Rules may change meanwhile, so this follows the present ones.
    const comes = expandTags(tx, [into])
    const limit = Math.max(1, Math.floor(rows / (comes.length + 1)))
    // Always starts with the first files, since the old tag may have been put on more files meanwhile; it is replaced
    // there as well.
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

// A list that gets too long is dropped: the entry of each file says the same.
function withMore(list: Merge['both'], more: number[]): Merge['both'] {
  if ('incomplete' in list || more.length === 0) return list
  const packed = packAll({ both: [...unpack(list), ...more.toSorted((a, b) => a - b)] })
  return 'incomplete' in packed ? packed : packed.both
}

// No file has the tag any more.
function endMerge(tx: Tx, actor: Actor, state: Merge): void {
  const { rules, former_rules, both, files_changed, files_skipped } = state
  // Both tags may have been edited since the merge began.
  const [old, into] = [loadTagByRid(tx, state.old), loadTagByRid(tx, state.into)]
  const { rid, id, name, creator_id } = old
  const renamed = renameInFilters(tx, { old: id, into: into.id })
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
    internal: { rid, ...(renamed.length > 0 && packAll({ renamed })) },
  }
  deleteTag(tx, rid)
  audit(tx, actor, 'tag_merge', { type: 'tag', id }, details)
}

/**
 * Gives the rules of a tag to another one at once, and begins to give it the files, after which the tag is deleted;
 * either as a part of an operation that has an entry in this write, or as an operation of its own. Throws conflict when
 * too many tags would follow from one, or when another long change of one of the two is under way.
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
