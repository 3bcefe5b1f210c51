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
