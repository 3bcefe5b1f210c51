import type { SortOrder } from '../enums.ts'
import type { Db } from './client.ts'
import type { Sql } from './sql.ts'
import { fold } from './text.ts'

/** What named objects can be sorted by. */
export const NAMED_SORTS = ['name', 'created'] as const

/** What a request for a page of named objects says. */
export interface NamedListRequest {
  sort: (typeof NAMED_SORTS)[number]
  order: SortOrder
  search?: string | undefined
  offset: number
  limit: number
}

/**
 * Returns a page of the named objects, in the row `alias`, that `visible` admits and whose name
 * contains the search, and how many of those there are in all. Ties are sorted by id, in the same
 * direction.
 */
export function namedList<Row>(
  db: Db,
  list: {
    columns: string
    from: string
    alias: string
    visible: Sql
    query: NamedListRequest
  },
): { rows: Row[]; total: number } {
  const { columns, from, alias, visible, query } = list
  const where = `WHERE ${visible.sql} AND instr(${alias}.name_key, ?) > 0`
  const params = [...visible.params, fold(query.search ?? '')]
  const name = query.sort === 'name' ? `${alias}.name_key ${query.order}, ` : ''
  const rows = db.all<Row>(
    `SELECT ${columns} ${from} ${where} ORDER BY ${name}${alias}.id ${query.order} LIMIT ? OFFSET ?`,
    ...params,
    query.limit,
    query.offset,
  )
  const count = db.get<{ total: number }>(`SELECT count(*) AS total ${from} ${where}`, ...params)!
  return { rows, total: count.total }
}
