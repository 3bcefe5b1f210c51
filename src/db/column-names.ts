import { getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'

/** The columns of a table, spelled as a text of SQL names them. */
type ColumnNames<Table extends SQLiteTable> = Record<keyof Table['_']['columns'], string>

/**
 * Returns how a text of SQL names the columns of a table, there known as `alias`; without one, by the
 * name of the column alone. A text that names its columns so doesn't compile when one is renamed.
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
