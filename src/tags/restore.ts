import { requireRoomToMake } from '../acl/limit-queries.ts'
import { findObject, heirOf, restorePermissions } from '../acl/queries.ts'
import type { Details, RuleOfTag } from '../audit/details.ts'
import { type Packed, pack, unpack } from '../audit/packed.ts'
import { metadataText } from '../base/update.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import type { Tx } from '../db/write.ts'
import { beginChange, endChanges, type LongChange } from '../long-changes/change.ts'
import { findChange } from '../long-changes/queries.ts'
import { putBack } from './apply.ts'
import { roomOnFiles } from './apply-queries.ts'
import { recordCreated } from './edit.ts'
import { loadTag, reinsertTag, requireFreeTagName } from './queries.ts'
import { restoreRules } from './rules/rule-queries.ts'

interface Restoration {
  rid: number
  by_hand: Packed
  by_rule: Packed
}

/** Puts a restored tag back on those of its former files that still exist. */
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

function subjectOf(id: string): string {
  return `restore tag ${id}`
}

/** Returns whether a restored tag is still being put back on its files. */
export function isBeingRestored(db: Db, id: string): boolean {
  return findChange(db, subjectOf(id)) !== undefined
}

/** Ends the restoration of a tag that is deleted again. */
export function endRestoration(tx: Tx, rid: number): void {
  endChanges<Restoration>(tx, tagRestoration.kind, (state) => state.rid === rid)
}

type Former = Omit<Details['tag_delete'], 'file_count' | 'incomplete'> & {
  by_hand: Packed
  by_rule: Packed
  /** The tag into which it was merged, if any; its files come back by their own entries. */
  merged_into?: string
}

/**
 * Returns the user who becomes the creator of a restored tag. Throws conflict when its name is taken or that user has
 * reached the limit of tags.
 */
export function requireRestorable(
  db: Db,
  user: User,
  { fields, creator_id }: Pick<Former, 'fields' | 'creator_id'>,
): number {
  requireFreeTagName(db, fields.name, null)
  const heir = heirOf(db, creator_id, user)
  requireRoomToMake(db, 'tag', heir)
  return heir
}

/**
 * Recreates a deleted tag with its rights, and with its category and rules as far as they still exist, and begins to
 * put it back on its files; returns how many rules it got, and how many files have no room for it. Throws what
 * `requireRestorable` throws.
 */
export function restoreTag(
  tx: Tx,
  user: User,
  id: string,
  deleted: Former,
): { rules: number; full: number } {
  const { internal, permissions, by_hand, by_rule, merged_into } = deleted
  const { category_id, ...fields } = deleted.fields
  const creator_id = requireRestorable(tx, user, deleted)
  const category = category_id === null ? undefined : findObject(tx, 'category', category_id)
  const { rid } = internal
  reinsertTag(tx, {
    ...fields,
    metadata: metadataText(fields.metadata),
    id,
    rid,
    creator_id,
    category_rid: category?.rid ?? null,
  })
  restorePermissions(tx, { type: 'tag', rid }, permissions)
  // The tag's own rules come first: as long as no tag leads to it, there is little to check.
  const isOwn = (rule: RuleOfTag) => Number(rule.when_tag_id === id)
  const inOrder = deleted.rules.toSorted((a, b) => isOwn(b) - isOwn(a))
  const rules = restoreRules(tx, inOrder)
  const { existing, full } = roomOnFiles(tx, [...unpack(by_hand), ...unpack(by_rule)])
  const had = {
    file_count: existing - full,
    rule_count: rules,
    ...(merged_into && { merged_into }),
  }
  recordCreated(tx, user, loadTag(tx, user, id, 'edit'), had)
  const state = { rid, by_hand, by_rule }
  beginChange(tx, tagRestoration, { subject: subjectOf(id), actor: user, state })
  return { rules, full }
}
