import { Column, is, SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'

export type Fields = Record<string, SQLiteColumn | SQL | SQL.Aliased>
type Raw = Record<string, unknown>
type Decode = (value: unknown) => unknown

/** A query of Drizzle: a select, or an insert, update or delete. */
export interface Query {
  toSQL(): { sql: string; params: unknown[] }
}

/** A query that returns rows. */
export interface Reading<Row> {
  query: Query
  /** Converts a row in place from what a driver returns, and returns it. */
  read(row: unknown): Row
}

/**
 * Returns a query that selects or returns `fields`; `build` gets them under the names that they have in a row. Only the
 * columns that drivers return in another form are converted. Throws for an alias that isn't the name of its field.
 */
export function reading<F extends Fields, Row>(
  fields: F,
  build: (fields: F) => Query & PromiseLike<Row[]>,
): Reading<Row> {
  const entries = Object.entries(fields)
  const named = entries.map(([name, field]) => [name, namedField(name, field)])
  const decoders = entries.flatMap(([name, field]) => {
    const decode = decoderOf(field)
    return decode ? [{ name, decode }] : []
  })
  return {
    query: build(Object.fromEntries(named)),
    read(given) {
      const row = given as Raw
      for (const { name, decode } of decoders) {
        if (row[name] !== null) row[name] = decode(row[name])
      }
      return row as Row
    },
  }
}

// Drizzle doesn't expose what its own `mapWith` has set.
const expressions = new WeakMap<SQL, Decode>()

/** Returns the expression, whose values `reading` converts with `decode` unless they are null. */
export function decoded<T>(expression: SQL, decode: (value: unknown) => T): SQL<T> {
  expressions.set(expression, decode)
  return expression as SQL<T>
}

function namedField(name: string, field: Fields[string]) {
  const known = is(field, Column) ? field.name : is(field, SQL.Aliased) ? field.fieldAlias : null
  if (known === name) return field
  if (is(field, SQL.Aliased)) throw new Error(`A query selects ${known} as ${name}`)
  return sql`${field}`.as(name)
}

function decoderOf(field: Fields[string]): Decode | undefined {
  if (!is(field, Column)) return expressions.get(is(field, SQL.Aliased) ? field.sql : field)
  const isPlain = field.mapFromDriverValue === Column.prototype.mapFromDriverValue
  return isPlain ? undefined : (value) => field.mapFromDriverValue(value)
}
