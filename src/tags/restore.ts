import { findObject, heirOf, restorePermissions } from '../acl/queries.ts'
import type { Details, RuleOfTag } from '../audit/details.ts'
import { type Packed, pack, unpack } from '../audit/packed.ts'
import type { Tx } from '../db/write.ts'
import { beginChange, endChanges, type LongChange } from '../long-changes/change.ts'
import { metadataText } from '../update.ts'
import type { User } from '../user.ts'
import { putBack } from './apply.ts'
import { roomOnFiles } from './apply-queries.ts'
import { recordCreated } from './edit.ts'
import { requireRoomForTag } from './limits.ts'
import { loadTag, reinsertTag, requireFreeTagName } from './queries.ts'
import { restoreRules } from './rules/rule-queries.ts'

/** How far a tag that was made again has been put back on its files. */
interface Restoration {
  rid: number
  /** The files that are left, by their row numbers. */
  by_hand: Packed
  by_rule: Packed
}

/** Putting a tag that was made again back on those of its former files that still exist. */
export const tagRestoration: LongChange<Restoration, null> = {
  kind: 'restore_tag',
  portion(tx, _, { rid, ...files }, rows) {
    const [by_hand, by_rule] = [unpack(files.by_hand), unpack(files.by_rule)]
    const byHandNow = by_hand.splice(0, rows)
    const byRuleNow = by_rule.splice(0, rows - byHandNow.length)
    putBack(tx, rid, byHandNow, true)
    putBack(tx, rid, byRuleNow, false)
    if (by_hand.length + by_rule.length === 0) return { result: null }
    return { rest: { rid, by_hand: pack(by_hand), by_rule: pack(by_rule) } }
  },
}

/** Ends the restoration of a tag that is deleted again. */
export function endRestoration(tx: Tx, rid: number): void {
  endChanges<Restoration>(tx, tagRestoration.kind, (state) => state.rid === rid)
}

/**
 * Makes a deleted tag again, with its rights, and with what still exists of its category and its rules,
 * and begins to put it back on its files; returns how many rules it got, and how many files have no
 * room for it. Throws conflict when its name is taken or its creator has made as many tags as they may.
 */
export function restoreTag(
  tx: Tx,
  user: User,
  id: string,
  deleted: Details['tag_delete'] & { by_hand: Packed; by_rule: Packed },
): { rules: number; full: number } {
  const { internal, permissions, by_hand, by_rule } = deleted
  const { category_id, ...fields } = deleted.fields
  requireFreeTagName(tx, fields.name, null)
  const creator_id = heirOf(tx, deleted.creator_id, user)
  requireRoomForTag(tx, creator_id)
  const category = category_id === null ? undefined : findObject(tx, 'category', category_id)
  const { rid } = internal
  reinsertTag(tx, {
    ...fields,
    metadata: metadataText(fields.metadata),
    id,
    rid,
    creator_id,
    category_rid: category?.rid ?? null,
    files_version: internal.files_version + 1,
  })
  restorePermissions(tx, { type: 'tag', rid }, permissions)
  // Those of the tag itself first: as long as no tag leads to it, there is little to be looked at.
  const isOwn = (rule: RuleOfTag) => Number(rule.when_tag_id === id)
  const inOrder = deleted.rules.toSorted((a, b) => isOwn(b) - isOwn(a))
  const rules = restoreRules(tx, inOrder)
  const { existing, full } = roomOnFiles(tx, [...unpack(by_hand), ...unpack(by_rule)])
  const counts = { file_count: existing - full, rule_count: rules }
  recordCreated(tx, user, loadTag(tx, user, id, 'edit'), counts)
  const state = { rid, by_hand, by_rule }
  beginChange(tx, tagRestoration, { subject: `restore tag ${id}`, actor: user, state })
  return { rules, full }
}
