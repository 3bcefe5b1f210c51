import { findObject } from '../../acl/queries.ts'
import type { RuleOfTag } from '../../audit/details.ts'
import type { Db } from '../../db/client.ts'
import type { Tx } from '../../db/write.ts'
import { endApplication } from '../rules/apply-rule.ts'
import { deleteRule, rulesAbout, updateRule } from '../rules/rule-queries.ts'

/** The rules that a merge changes, as they were before. */
export interface MergedRules {
  /** The rules of the merged tag. */
  rules: RuleOfTag[]
  /** The target's own rules that the merged tag brings as well. */
  former_rules: RuleOfTag[]
}

interface Named {
  rid: number
  id: string
}

/** Returns the rules that a merge of a tag into another one will change. */
export function rulesToMerge(db: Db, old: Named, into: Named): MergedRules {
  const rules = rulesAbout(db, old.rid)
  const coming = new Set(rules.map((rule) => keyOf(afterMerge(rule, old.id, into.id))))
  const former_rules = rulesAbout(db, into.rid).filter((rule) => coming.has(keyOf(rule)))
  return { rules, former_rules }
}

/**
 * Takes back from a tag the rules that it got by a merge and that are still as the merge left them; returns whether all
 * were.
 */
export function takeRulesBack(
  tx: Tx,
  { old, into, rules, former_rules }: MergedRules & { old: string; into: Named },
): boolean {
  const present = byKey(rulesAbout(tx, into.rid))
  const former = byKey(former_rules)
  let areAll = true
  for (const rule of rules) {
    const merged = afterMerge(rule, old, into.id)
    const before = former.get(keyOf(merged)) ?? null
    const after = rule.is_active || before === true
    if (merged.when_tag_id === merged.then_tag_id || before === after) continue
    if (present.get(keyOf(merged)) !== after) {
      areAll = false
      continue
    }
    const when_tag_rid = findObject(tx, 'tag', merged.when_tag_id)!.rid
    const then_tag_rid = findObject(tx, 'tag', merged.then_tag_id)!.rid
    const rids = { when_tag_rid, then_tag_rid }
    endApplication(tx, rids)
    if (before === null) deleteRule(tx, rids)
    else updateRule(tx, { ...rids, is_active: before })
  }
  return areAll
}

// A rule between the two becomes one from a tag to itself.
function afterMerge(rule: RuleOfTag, old: string, into: string): RuleOfTag {
  const merged = (id: string) => (id === old ? into : id)
  const { when_tag_id, then_tag_id } = rule
  return { ...rule, when_tag_id: merged(when_tag_id), then_tag_id: merged(then_tag_id) }
}

function keyOf({ when_tag_id, then_tag_id }: RuleOfTag): string {
  return `${when_tag_id} ${then_tag_id}`
}

function byKey(rules: RuleOfTag[]): Map<string, boolean> {
  return new Map(rules.map((rule) => [keyOf(rule), rule.is_active]))
}
