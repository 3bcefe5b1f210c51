import { and, eq, ne, or, sql } from 'drizzle-orm'
import { filterOfTokens, tokensOfFilter } from '../../base/filter-tokens.ts'
import { prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { pools } from '../../db/schema/pools.ts'
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

const { rid, filter } = pools
const naming = prepared({ token: 'text' }, (db, given) =>
  reading({ rid, filter: sql<string>`${filter}`.as('filter') }, (fields) =>
    db.select(fields).from(pools).where(sql`instr(${filter}, ${given.token}) > 0`).orderBy(rid),
  ),
)
const rewritten = prepared({ rid, filter }, (db, given) =>
  db.update(pools).set({ filter: given.filter }).where(eq(rid, given.rid)),
)

/**
 * Lets the filters of pools name another tag instead of one, both by their ids. Returns which of their tokens these
 * were: the row number of a pool, and the index of the token, for each.
 */
export function renameInFilters(tx: Tx, { old, into }: { old: string; into: string }): number[] {
  const token = `t=${old}`
  return naming.all(tx, { token }).flatMap((pool) => {
    const tokens = tokensOfFilter(pool.filter)
    const places = [...tokens.keys()].filter((place) => tokens[place] === token)
    for (const place of places) tokens[place] = `t=${into}`
    if (places.length > 0) rewritten.run(tx, { rid: pool.rid, filter: filterOfTokens(tokens) })
    return places.flatMap((place) => [pool.rid, place])
  })
}

/**
 * Lets tokens name the old tag again, where they still name the other one; `places` is what `renameInFilters` returned.
 * Returns whether all did.
 */
export function renameBackInFilters(
  tx: Tx,
  { old, into }: { old: string; into: string },
  places: number[],
): boolean {
  const pools = new Map(naming.all(tx, { token: `t=${into}` }).map((pool) => [pool.rid, pool]))
  let areAll = true
  for (let n = 0; n < places.length; n += 2) {
    const [rid, place] = [places[n]!, places[n + 1]!]
    const pool = pools.get(rid)
    const tokens = tokensOfFilter(pool?.filter ?? '')
    if (!pool || tokens[place] !== `t=${into}`) {
      areAll = false
      continue
    }
    tokens[place] = `t=${old}`
    pool.filter = filterOfTokens(tokens)
    rewritten.run(tx, { rid, filter: pool.filter })
  }
  return areAll
}
