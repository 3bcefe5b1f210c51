import { and, asc, count, desc, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteSelect, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { SortOrder } from '../base/enums.ts'
import type { Db } from './client.ts'
import { type Fields, reading } from './reading.ts'
import { fold } from './text.ts'

export const NAMED_SORTS = ['name', 'created'] as const

export interface NamedListRequest {
  sort: (typeof NAMED_SORTS)[number]
  order: SortOrder
  search?: string | undefined
  offset: number
  limit: number
}

/**
 * Returns a page of the named objects in `table` that `visible` admits and whose name contains the search, and the
 * total. Ties are sorted by id, in the same direction.
 */
export function namedList<F extends Fields, Select extends SQLiteSelect<string, 'async'>>(
  db: Db,
  list: {
    table: SQLiteTable & { rid: SQLiteColumn; id: SQLiteColumn; name_key: SQLiteColumn }
    fields: F
    /** Selects the fields of all objects with their joins: a query that is `$dynamic()`. */
    select: (fields: F) => Select
    visible: SQL
    query: NamedListRequest
  },
): { rows: Awaited<Select>; total: number } {
  const { table, fields, select, visible, query } = list
  const where = and(visible, sql`instr(${table.name_key}, ${fold(query.search ?? '')}) > 0`)
  const inOrder = query.order === 'asc' ? asc : desc
  const keys = query.sort === 'name' ? [table.name_key, table.id] : [table.rid]
  const page = reading(fields, (fields) =>
    select(fields)
      .where(where)
      .orderBy(...keys.map(inOrder))
      .limit(query.limit)
      .offset(query.offset),
  )
  const counted = db.first(
    reading({ total: count() }, (fields) => db.select(fields).from(table).where(where)),
  )
  return { rows: db.rows(page) as Awaited<Select>, total: counted?.total ?? 0 }
}
