import { and, eq, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { findObject } from '../../acl/queries.ts'
import type { RuleOfTag } from '../../audit/details.ts'
import type { Db } from '../../db/client.ts'
import { asLimit, prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { tagRules, tags } from '../../db/schema/tags.ts'
import type { Tx } from '../../db/write.ts'
import { tooManyFollowing } from '../limits.ts'
import { tagsToPut } from '../merge/under-way.ts'

type Rule = typeof tagRules.$inferSelect
type RuleRids = Pick<Rule, 'when_tag_rid' | 'then_tag_rid'>

const rulesOf = prepared({ when_tag_rid: tagRules.when_tag_rid }, (db, given) =>
  reading({ then_tag_rid: tagRules.then_tag_rid, is_active: tagRules.is_active }, (fields) =>
    db.select(fields).from(tagRules).where(eq(tagRules.when_tag_rid, given.when_tag_rid)),
  ),
)

/** Returns the rules of a when-tag. */
export function findRules(db: Db, when_tag_rid: number): Omit<Rule, 'when_tag_rid'>[] {
  return rulesOf.all(db, { when_tag_rid })
}

const rulesAmong = prepared({ tags: 'text', limit: 'number' }, (db, given) =>
  reading(
    {
      when_tag_rid: tagRules.when_tag_rid,
      then_tag_rid: tagRules.then_tag_rid,
      is_active: tagRules.is_active,
    },
    (fields) =>
      db
        .select(fields)
        .from(sql`json_each(${given.tags}) AS j`)
        .crossJoin(tagRules)
        .where(
          and(
            eq(tagRules.when_tag_rid, sql`j.value`),
            // The plus sign keeps SQLite from seeking every then-tag for every when-tag.
            sql`+${tagRules.then_tag_rid} IN (SELECT value FROM json_each(${given.tags}))`,
          ),
        )
        .limit(asLimit(given.limit)),
  ),
)

/** Returns at most `limit` rules between two of the tags, those of the first when-tags in the list. */
export function findRulesAmong(db: Db, tags: number[], limit: number): Rule[] {
  return rulesAmong.all(db, { tags: JSON.stringify(tags), limit })
}

function isRule({ when_tag_rid, then_tag_rid }: RuleRids) {
  return and(eq(tagRules.when_tag_rid, when_tag_rid), eq(tagRules.then_tag_rid, then_tag_rid))
}

/** Returns whether the rule is active, or null if there is none. */
export function isRuleActive(db: Db, rule: RuleRids): boolean | null {
  const { is_active } = tagRules
  return (
    db.first(
      reading({ is_active }, (fields) => db.select(fields).from(tagRules).where(isRule(rule))),
    )?.is_active ?? null
  )
}

/** Writes a new rule. */
export function insertRule(tx: Tx, rule: Rule): void {
  tx.execute(tx.insert(tagRules).values(rule))
}

/** Returns the rules that have a tag on either side. */
export function rulesAbout(db: Db, rid: number): RuleOfTag[] {
  const [when, then] = [alias(tags, 'when_tag'), alias(tags, 'then_tag')]
  return db.rows(
    reading(
      { when_tag_id: when.id, then_tag_id: then.id, is_active: tagRules.is_active },
      (fields) =>
        db
          .select(fields)
          .from(tagRules)
          .innerJoin(when, eq(when.rid, tagRules.when_tag_rid))
          .innerJoin(then, eq(then.rid, tagRules.then_tag_rid))
          .where(or(eq(tagRules.when_tag_rid, rid), eq(tagRules.then_tag_rid, rid))),
    ),
  )
}

/**
 * Writes those of the rules whose tags exist and after which not too many tags follow from one; returns their number.
 * For a tag that is being merged, the rule goes to the target, as the merge does: it is active when one of both is, and
 * dropped where it is between the two.
 */
export function restoreRules(tx: Tx, rules: RuleOfTag[]): number {
  let restored = 0
  for (const { when_tag_id, then_tag_id, is_active } of rules) {
    const found = [when_tag_id, then_tag_id].flatMap((id) => findObject(tx, 'tag', id)?.rid ?? [])
    if (found.length < 2) continue
    const [when_tag_rid, then_tag_rid] = tagsToPut(tx, found)
    if (then_tag_rid !== undefined) {
      const rule = { when_tag_rid: when_tag_rid!, then_tag_rid }
      const isActive = isRuleActive(tx, rule)
      if (is_active && !isActive && tooManyFollowing(tx, rule) !== null) continue
      if (isActive === null) insertRule(tx, { ...rule, is_active })
      else if (is_active) updateRule(tx, { ...rule, is_active })
    }
    restored++
  }
  return restored
}

/** Switches a rule on or off. */
export function updateRule(tx: Tx, rule: Rule): void {
  tx.execute(tx.update(tagRules).set({ is_active: rule.is_active }).where(isRule(rule)))
}

/** Deletes a rule. */
export function deleteRule(tx: Tx, rule: RuleRids): void {
  tx.execute(tx.delete(tagRules).where(isRule(rule)))
}
