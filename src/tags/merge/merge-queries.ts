import { and, eq, ne, or, sql } from 'drizzle-orm'
import { tagRules } from '../../db/schema/tags.ts'
import type { Tx } from '../../db/write.ts'
import { deleteRulesAbout } from '../queries.ts'
import type { Merging } from './under-way.ts'

/**
 * Gives the rules of a tag to another one, except those between the two; a rule that both have is active if one of them
 * was.
 */
export function moveRules(tx: Tx, { old, into }: Merging): void {
  const { when_tag_rid, then_tag_rid, is_active } = tagRules
  const moved = (side: typeof when_tag_rid | typeof then_tag_rid) =>
    sql<number>`iif(${side} = ${old}, ${into}, ${side})`
  tx.execute(
    tx
      .insert(tagRules)
      .select(
        tx
          .select({
            when_tag_rid: moved(when_tag_rid).as('when_tag_rid'),
            then_tag_rid: moved(then_tag_rid).as('then_tag_rid'),
            is_active,
          })
          .from(tagRules)
          .where(
            and(
              or(eq(when_tag_rid, old), eq(then_tag_rid, old)),
              ne(when_tag_rid, into),
              ne(then_tag_rid, into),
            ),
          ),
      )
      .onConflictDoUpdate({
        target: [when_tag_rid, then_tag_rid],
        set: { is_active: true },
        setWhere: sql`excluded.is_active > ${is_active}`,
      }),
  )
  deleteRulesAbout(tx, old)
}
