import { requireExists } from '../../acl/queries.ts'
import { audit } from '../../audit/record.ts'
import { AppError } from '../../base/errors.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import type { Tx } from '../../db/write.ts'
import type { Begun } from '../../long-changes/change.ts'
import { viewTags } from '../cache.ts'
import { requireFewFollowing } from '../limits.ts'
import { isMergedAway } from '../merge/under-way.ts'
import { loadTag, type TagRecord } from '../queries.ts'
import type { TagRule } from '../schema.ts'
import { applyRule, endApplication, presentRule, type RuleTags } from './apply-rule.ts'
import {
  deleteRule,
  findRules,
  findRulesAmong,
  insertRule,
  isRuleActive,
  updateRule,
} from './rule-queries.ts'

/** Returns the rules of a when-tag whose then-tags the viewer may view, by the then-tags' names. */
export function listRules(db: Db, viewer: User, whenTag: TagRecord): TagRule[] {
  const view = viewTags(db, viewer)
  return findRules(db, whenTag.rid)
    .flatMap(({ then_tag_rid, is_active }) => {
      const thenTag = view.byRid(then_tag_rid)
      return thenTag ? [{ thenTag, is_active }] : []
    })
    .sort((a, b) => a.thenTag.rank - b.thenTag.rank)
    .map(({ thenTag, is_active }) => presentRule({ whenTag, thenTag }, is_active))
}

const ALL_RULES = 5000

/**
 * Returns the first 5,000 rules both tags of which the viewer may view, by the names of the when-tags, then of the
 * then-tags.
 */
export function listAllRules(db: Db, viewer: User): TagRule[] {
  const view = viewTags(db, viewer)
  const rids = view.visible().map((tag) => tag.rid)
  return findRulesAmong(db, rids, ALL_RULES)
    .map(({ when_tag_rid, then_tag_rid, is_active }) => {
      return { whenTag: view.byRid(when_tag_rid)!, thenTag: view.byRid(then_tag_rid)!, is_active }
    })
    .sort((a, b) => a.whenTag.rank - b.whenTag.rank || a.thenTag.rank - b.thenTag.rank)
    .map(({ is_active, ...tags }) => presentRule(tags, is_active))
}

/**
 * Returns the tags of a rule that the user may edit. Throws not_found for an unknown tag, and forbidden without the
 * right to edit the when-tag or to view the then-tag.
 */
export function loadRuleTags(db: Db, user: User, when_id: string, then_id: string): RuleTags {
  requireExists(db, 'tag', then_id)
  return {
    whenTag: loadTag(db, user, when_id, 'edit'),
    thenTag: loadTag(db, user, then_id, 'view'),
  }
}

/**
 * Creates a rule for two different tags and begins to apply it, if requested. Throws conflict when the rule already
 * exists, when it is active and too many tags would follow from one, and while one of the tags is being merged into
 * another one.
 */
export function createRule(
  tx: Tx,
  user: User,
  tags: RuleTags,
  rule: { is_active: boolean; apply_to_existing: boolean },
): Begun<TagRule> {
  const rids = ridsOf(tags)
  if (isRuleActive(tx, rids) !== null) {
    throw new AppError('conflict', 'This rule already exists')
  }
  if (isMergedAway(tx, [rids.when_tag_rid, rids.then_tag_rid])) {
    throw new AppError('conflict', 'One of the tags is being merged into another one')
  }
  if (rule.is_active) requireFewFollowing(tx, rids)
  insertRule(tx, { ...rids, is_active: rule.is_active })
  return applyRule(tx, user, { ...tags, before: null, ...rule })
}

/**
 * Switches a rule on or off, and begins to apply it, if requested. Throws not_found when there is none, and conflict
 * when too many tags would follow from one.
 */
export function editRule(
  tx: Tx,
  user: User,
  tags: RuleTags,
  rule: { is_active: boolean; apply_to_existing: boolean },
): Begun<TagRule> {
  const before = requireRule(tx, tags)
  if (rule.is_active && !before) requireFewFollowing(tx, ridsOf(tags))
  updateRule(tx, { ...ridsOf(tags), is_active: rule.is_active })
  if (!rule.is_active) endApplication(tx, ridsOf(tags))
  return applyRule(tx, user, { ...tags, before, ...rule })
}

/** Deletes a rule. Throws not_found when there is none. */
export function removeRule(tx: Tx, user: User, tags: RuleTags): void {
  const is_active = requireRule(tx, tags)
  endApplication(tx, ridsOf(tags))
  deleteRule(tx, ridsOf(tags))
  const { whenTag, thenTag } = tags
  const named = { then_tag_id: thenTag.id, then_tag_name: thenTag.name }
  audit(tx, user, 'tag_rule_delete', { type: 'tag', id: whenTag.id }, { ...named, is_active })
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
