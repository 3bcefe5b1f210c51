import { getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'

type ColumnNames<Table extends SQLiteTable> = Record<keyof Table['_']['columns'], string>

/**
 * Returns the columns of a table as SQL text names them, with the table's `alias` or, without one, by the name alone.
 * Code that uses this doesn't compile after a column is renamed.
 */
export function columnNames<Table extends SQLiteTable>(
  table: Table,
  alias?: string,
): ColumnNames<Table> {
  const prefix = alias === undefined ? '' : `${alias}.`
  const columns = Object.entries(getTableColumns(table))
  return Object.fromEntries(
    columns.map(([name, column]) => [name, prefix + column.name]),
  ) as ColumnNames<Table>
}
