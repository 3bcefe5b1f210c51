import { requireExists } from '../acl/queries.ts'
import { audit } from '../audit/record.ts'
import type { Db } from '../db/client.ts'
import type { Tx } from '../db/write.ts'
import { AppError } from '../errors.ts'
import type { User } from '../user.ts'
import { addTagsToFiles, expandTags } from './apply.ts'
import { viewTags } from './cache.ts'
import { loadTag, type TagRecord } from './queries.ts'
import { deleteRule, findRules, insertRule, isRuleActive, updateRule } from './rule-queries.ts'
import type { TagRule } from './schema.ts'

/** The two tags of a rule. */
interface RuleTags {
  whenTag: TagRecord
  thenTag: TagRecord
}

/** Returns the rules of a when-tag whose then-tags the viewer may view, by the then-tags' names. */
export function listRules(db: Db, viewer: User, whenTag: TagRecord): TagRule[] {
  const view = viewTags(db, viewer)
  return findRules(db, whenTag.rid)
    .flatMap(({ then_tag_rid, is_active }) => {
      const thenTag = view.byRid(then_tag_rid)
      return thenTag ? [{ thenTag, is_active }] : []
    })
    .sort((a, b) => a.thenTag.rank - b.thenTag.rank)
    .map((rule) => presentRule({ whenTag, thenTag: rule.thenTag }, rule.is_active))
}

function presentRule(
  tags: { whenTag: { id: string }; thenTag: { id: string; name: string } },
  is_active: boolean,
): TagRule {
  return {
    when_tag_id: tags.whenTag.id,
    then_tag_id: tags.thenTag.id,
    then_tag_name: tags.thenTag.name,
    is_active,
  }
}

/**
 * Returns the tags of a rule that the user may edit. Throws not_found for an unknown tag, and
 * forbidden without the right to edit the when-tag or to view the then-tag.
 */
export function loadRuleTags(db: Db, user: User, when_id: string, then_id: string): RuleTags {
  requireExists(db, 'tag', then_id)
  return {
    whenTag: loadTag(db, user, when_id, 'edit'),
    thenTag: loadTag(db, user, then_id, 'view'),
  }
}

/** Creates a rule for two different tags. Throws conflict when it already exists. */
export function createRule(
  tx: Tx,
  user: User,
  tags: RuleTags,
  rule: { is_active: boolean; apply_to_existing: boolean },
): TagRule {
  const rids = ridsOf(tags)
  if (isRuleActive(tx, rids) !== null) {
    throw new AppError('conflict', 'This rule already exists')
  }
  insertRule(tx, { ...rids, is_active: rule.is_active })
  const applies = rule.is_active && rule.apply_to_existing
  const files_changed = applies ? applyRule(tx, user, tags) : 0
  const details = { ...named(tags), is_active: rule.is_active, files_changed }
  audit(tx, user, 'tag_rule_create', objectOf(tags), details)
  return presentRule(tags, rule.is_active)
}

/** Switches a rule on or off. Throws not_found when there is none. */
export function editRule(
  tx: Tx,
  user: User,
  tags: RuleTags,
  rule: { is_active: boolean; apply_to_existing: boolean },
): TagRule {
  const before = requireRule(tx, tags)
  updateRule(tx, { ...ridsOf(tags), is_active: rule.is_active })
  const applies = rule.is_active && rule.apply_to_existing
  const files_changed = applies ? applyRule(tx, user, tags) : 0
  if (before !== rule.is_active || files_changed > 0) {
    const is_active = { from: before, to: rule.is_active }
    const details = { ...named(tags), is_active, files_changed }
    audit(tx, user, 'tag_rule_edit', objectOf(tags), details)
  }
  return presentRule(tags, rule.is_active)
}

/** Deletes a rule. Throws not_found when there is none. */
export function removeRule(tx: Tx, user: User, tags: RuleTags): void {
  const is_active = requireRule(tx, tags)
  deleteRule(tx, ridsOf(tags))
  audit(tx, user, 'tag_rule_delete', objectOf(tags), { ...named(tags), is_active })
}

/** Returns the row numbers of the tags of a rule. */
export function ridsOf({ whenTag, thenTag }: RuleTags) {
  return { when_tag_rid: whenTag.rid, then_tag_rid: thenTag.rid }
}

function requireRule(db: Db, tags: RuleTags): boolean {
  const active = isRuleActive(db, ridsOf(tags))
  if (active === null) throw new AppError('not_found', 'There is no such rule')
  return active
}

/**
 * Adds the then-tag, and the tags that follow from it, to every file with the when-tag; returns how
 * many files lacked one of them.
 */
function applyRule(tx: Tx, user: User, { whenTag, thenTag }: RuleTags): number {
  const all = expandTags(tx, [thenTag.rid])
  return addTagsToFiles(tx, user, { tag: whenTag.rid }, { all, named: [] })
}

function objectOf({ whenTag }: RuleTags) {
  return { type: 'tag', id: whenTag.id } as const
}

function named({ thenTag }: RuleTags) {
  return { then_tag_id: thenTag.id, then_tag_name: thenTag.name }
}
