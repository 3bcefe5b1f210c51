import { getTableColumns } from 'drizzle-orm'
import { customType, integer, type SQLiteTable } from 'drizzle-orm/sqlite-core'

/** A UUID: lower-case text in code, BLOB(16) in the database. */
export const uuid = customType<{ data: string; driverData: Uint8Array }>({
  dataType: () => 'blob',
  toDriver: uuidToBlob,
  fromDriver: blobToUuid,
})

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => 'blob',
})

/**
 * A signed 64-bit integer as decimal text. Both drivers would round it, so it must be read through `CAST(… AS TEXT)`.
 */
export const int64 = customType<{ data: string; driverData: string }>({
  dataType: () => 'integer',
  fromDriver() {
    throw new Error('An int64 is read as text')
  },
})

/** A boolean stored as 0 or 1. */
export const flag = () => integer({ mode: 'boolean' })

/** A point in time: milliseconds since 1970-01-01 UTC. */
export const instant = () => integer()

/** Returns the 16 bytes of a UUID in its canonical text form. */
export function uuidToBlob(id: string): Uint8Array {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

/** Returns the lower-case text of a UUID of 16 bytes. */
export function blobToUuid(blob: Uint8Array): string {
  // A copy, because hex of a view of a short array is slow on Bun.
  return uuidAt(Buffer.from(blob).toString('hex'), 0)
}

/** Returns the lower-case text of a UUID that SQL's `hex` returned. */
export function hexToUuid(hex: string): string {
  return uuidAt(hex.toLowerCase(), 0)
}

/** SQL that aggregates the UUIDs of a column into one text, for `uuidsIn`. */
export function uuidGroup(column: string): string {
  return `lower(ifnull(group_concat(hex(${column}), ''), ''))`
}

/** Returns the UUIDs in the text of `uuidGroup`: one text is faster to read than a blob for each of many rows. */
export function uuidsIn(text: string): string[] {
  const ids: string[] = []
  for (let at = 0; at < text.length; at += 32) ids.push(uuidAt(text, at))
  return ids
}

function uuidAt(hex: string, at: number): string {
  const part = (from: number, to: number) => hex.slice(at + from, at + to)
  return `${part(0, 8)}-${part(8, 12)}-${part(12, 16)}-${part(16, 20)}-${part(20, 32)}`
}

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
