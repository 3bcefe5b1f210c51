import { and, eq } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { tagRules } from '../db/schema/tags.ts'
import type { Tx } from '../db/write.ts'

type Rule = typeof tagRules.$inferSelect
type RuleRids = Pick<Rule, 'when_tag_rid' | 'then_tag_rid'>

const rulesOf = prepared({ when_tag_rid: tagRules.when_tag_rid }, (db, given) =>
  db
    .select({ then_tag_rid: tagRules.then_tag_rid, is_active: tagRules.is_active })
    .from(tagRules)
    .where(eq(tagRules.when_tag_rid, given.when_tag_rid)),
)

/** Returns the rules of a when-tag. */
export function findRules(db: Db, when_tag_rid: number): Omit<Rule, 'when_tag_rid'>[] {
  return rulesOf.all(db, { when_tag_rid })
}

function isRule({ when_tag_rid, then_tag_rid }: RuleRids) {
  return and(eq(tagRules.when_tag_rid, when_tag_rid), eq(tagRules.then_tag_rid, then_tag_rid))
}

/** Returns whether the rule is active, or null if there is none. */
export function isRuleActive(db: Db, rule: RuleRids): boolean | null {
  const { is_active } = tagRules
  return db.select({ is_active }).from(tagRules).where(isRule(rule)).get()?.is_active ?? null
}

/** Writes a new rule. */
export function insertRule(tx: Tx, rule: Rule): void {
  tx.insert(tagRules).values(rule).run()
}

/** Switches a rule on or off. */
export function updateRule(tx: Tx, rule: Rule): void {
  tx.update(tagRules).set({ is_active: rule.is_active }).where(isRule(rule)).run()
}

/** Deletes a rule. */
export function deleteRule(tx: Tx, rule: RuleRids): void {
  tx.delete(tagRules).where(isRule(rule)).run()
}
