import { type SQL, sql } from 'drizzle-orm'
import type { SqlValue } from './client.ts'

/** A piece of SQL with the values for its question marks. */
export interface Sql {
  sql: string
  params: SqlValue[]
}

/** Returns the conjunction of the conditions; without any, a condition that always holds. */
export function and(conditions: Sql[]): Sql {
  return {
    sql: conditions.map((condition) => condition.sql).join(' AND ') || '1',
    params: conditions.flatMap((condition) => condition.params),
  }
}

/** Returns a condition that is written as text, for a query of Drizzle; `values` take its parameters' place. */
export function asSql(condition: Sql, values: unknown[] = condition.params): SQL<boolean> {
  const [first = '', ...rest] = condition.sql.split('?')
  const chunks = rest.map((text, index) => sql`${values[index]}${sql.raw(text)}`)
  return sql<boolean>`${sql.raw(first)}${sql.join(chunks)}`.mapWith(Boolean)
}

/** Returns the values of a list, which is given as a JSON text. */
export function listed(list: SQL): SQL {
  return sql`(SELECT value FROM json_each(${list}))`
}

/** Returns SQL for how many bytes the text of a column has, 0 for null. A long text is not loaded. */
export function plainBytes(column: string): string {
  return `ifnull(octet_length(${column}), 0)`
}

/**
 * Returns SQL for how many bytes the text of a column has at most as a JSON string. No byte takes more
 * than two, because of all control characters only newline and tab are ever stored.
 */
export function quotedBytes(column: string): string {
  return `2 * ${plainBytes(column)}`
}
