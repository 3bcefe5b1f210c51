import { couldEdit } from '../acl/access.ts'
import { listPermissions } from '../acl/queries.ts'
import type { Deleted, RuleOfTag, TagFields } from '../audit/details.ts'
import { type Incomplete, type Packed, packAll, unpack } from '../audit/packed.ts'
import { audit, reserveOperation } from '../audit/record.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import type { Tx } from '../db/write.ts'
import { type Begun, beginChange, type LongChange } from '../long-changes/change.ts'
import { findChange } from '../long-changes/queries.ts'
import { tagFields } from './edit.ts'
import { requireNoMerge } from './merge/under-way.ts'
import { deleteTag, hideTag, type TagRecord, takeOffFirst } from './queries.ts'
import { endRestoration } from './restore.ts'
import { endApplicationsOf } from './rules/apply-rule.ts'
import { rulesAbout } from './rules/rule-queries.ts'

interface Removal {
  id: string
  deleted: Deleted<TagFields> & { file_count: number; rules: RuleOfTag[] }
  files: { by_hand: Packed; by_rule: Packed } | Incomplete
}

/** Takes a deleted tag off the files that have it. */
export const tagRemoval: LongChange<Removal, null> = {
  kind: 'remove_tag',
  isDeletion: true,
  portion(tx, actor, { id, deleted, files }, rows) {
    const { rid } = deleted.internal
    const taken = takeOffFirst(tx, rid, rows)
    const rest = { id, deleted, files: withFiles(files, taken) }
    if (taken.length === rows) return { rest }
    deleteTag(tx, rid)
    audit(tx, actor, 'tag_delete', { type: 'tag', id }, { ...deleted, ...rest.files })
    return { result: null }
  },
}

// The lists are dropped when together they get too long.
function withFiles(
  files: Removal['files'],
  taken: { file_rid: number; by_hand: boolean }[],
): Removal['files'] {
  if ('incomplete' in files) return files
  const more = (list: Packed, by_hand: boolean) => [
    ...unpack(list),
    ...taken.filter((row) => row.by_hand === by_hand).map((row) => row.file_rid),
  ]
  return packAll({ by_hand: more(files.by_hand, true), by_rule: more(files.by_rule, false) })
}

function subjectOf(id: string): string {
  return `remove tag ${id}`
}

/**
 * Returns the deletion of a tag that is under way, for a user who could have asked for it; undefined for anybody else,
 * for whom the tag is gone.
 */
export function removalUnderWay(db: Db, user: User, id: string): Begun<null> | undefined {
  const change = findChange(db, subjectOf(id))
  if (!change) return undefined
  const { deleted }: Removal = JSON.parse(change.state)
  return couldEdit(user, deleted) ? { subject: change.subject, isJoined: true } : undefined
}

/**
 * Deletes a tag and its rules at once, and begins to take it off its files; either as a part of an operation that has
 * an entry in this write, or as an operation of its own. Throws conflict while the tag is being merged.
 */
export function removeTag(
  tx: Tx,
  user: User,
  tag: TagRecord,
  { isPart = false } = {},
): Begun<null> {
  const { rid, id, name, file_count, creator_id } = tag
  requireNoMerge(tx, [rid])
  endRestoration(tx, rid)
  endApplicationsOf(tx, rid)
  if (isPart) reserveOperation(tx, user)
  const deleted = {
    name,
    file_count,
    creator_id,
    fields: tagFields(tx, tag),
    rules: rulesAbout(tx, rid),
    permissions: listPermissions(tx, 'tag', rid),
    internal: { rid },
  }
  hideTag(tx, rid)
  const state = { id, deleted, files: packAll({ by_hand: [], by_rule: [] }) }
  return beginChange(tx, tagRemoval, { subject: subjectOf(id), actor: user, state })
}
