import { type SQL, sql } from 'drizzle-orm'
import type { Db } from './client.ts'
import type { SqlValue } from './driver.ts'
import { decoded } from './reading.ts'

/** A piece of SQL with the values for its question marks. */
export interface Sql {
  sql: string
  params: SqlValue[]
}

/** Returns the conjunction of the conditions; without any, a condition that is always true. */
export function and(conditions: Sql[]): Sql {
  return {
    sql: conditions.map((condition) => condition.sql).join(' AND ') || '1',
    params: conditions.flatMap((condition) => condition.params),
  }
}

/** Returns the numbers in the only column of what a statement selects. */
export function numbersOf(db: Db, { sql, params }: Sql): number[] {
  // Reading one text is much quicker than many rows.
  const text = `WITH selected(number) AS (${sql}) SELECT json_group_array(number) AS list FROM selected`
  return JSON.parse(db.get<{ list: string }>(text, ...params)!.list)
}

/** Returns a condition in SQL text as part of a query of Drizzle; `values` replace its parameters. */
export function asSql(condition: Sql, values: unknown[] = condition.params): SQL<boolean> {
  const [first = '', ...rest] = condition.sql.split('?')
  const chunks = rest.map((text, index) => sql`${values[index]}${sql.raw(text)}`)
  return decoded(sql`${sql.raw(first)}${sql.join(chunks)}`, Boolean)
}

/** Returns the values of a list that is given as JSON text. */
export function listed(list: SQL): SQL {
  return sql`(SELECT value FROM json_each(${list}))`
}

/** Returns SQL for the number of bytes of a text column, 0 for null. A long text is not loaded. */
export function plainBytes(column: string): string {
  return `ifnull(octet_length(${column}), 0)`
}

/**
 * Returns SQL for the most bytes that a text column can take as a JSON string. No byte takes more than two, because
 * newline and tab are the only control characters that are ever stored.
 */
export function quotedBytes(column: string): string {
  return `2 * ${plainBytes(column)}`
}
