import { Column, is, noopDecoder, Param, Placeholder, SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Db, Query, SqlValue } from './client.ts'
import { perConnection } from './per-connection.ts'

/** The parameters of a prepared query: each is bound like its column, or as it comes. */
export type Parameters = Record<string, SQLiteColumn | 'text' | 'number'>

type ValueOf<Parameter> = Parameter extends SQLiteColumn
  ? Parameter['_']['data'] | (Parameter['_']['notNull'] extends true ? never : null)
  : Parameter extends 'text'
    ? string
    : number

export type Values<P extends Parameters> = { [Name in keyof P]: ValueOf<P[Name]> }
/** Placeholders for the values of a query's parameters. */
export type Given<P extends Parameters> = { [Name in keyof P]: SQL<ValueOf<P[Name]>> }

type RowOf<Q extends Query> = Q['_']['result'] extends (infer Row)[] ? Row : never

interface Prepared<Values, Row> {
  all(db: Db, values: Values): Row[]
  get(db: Db, values: Values): Row | undefined
  run(db: Db, values: Values): number
}

/** The prepared query that `prepared` returns for these types. */
export type PreparedOf<P extends Parameters, Q extends Query> = Prepared<Values<P>, RowOf<Q>>

/**
 * Returns a query that Drizzle builds once, at its first use, and that afterwards costs about as much as its SQL text
 * would: only the columns that drivers return in another form are converted. `parameters` names what `build` gets, with
 * the columns that the values are bound as.
 */
export function prepared<P extends Parameters, Q extends Query>(
  parameters: P,
  build: (db: Db, given: Given<P>) => Q,
): PreparedOf<P, Q> {
  const given = Object.fromEntries(
    Object.entries(parameters).map(([name, type]) => [name, givenAs(type, name)]),
  ) as Given<P>
  let compiled: Compiled | undefined
  const compiledFor = perConnection((db) => {
    compiled ??= compile(build(db, given))
    return { ...compiled, statement: db.prepare(compiled.text) }
  })
  return {
    all(db, values) {
      const { statement, bind, read } = compiledFor(db)
      const rows = statement.all(...bind(values)) as Raw[]
      for (const row of rows) read(row)
      return rows as RowOf<Q>[]
    },
    get(db, values) {
      const { statement, bind, read } = compiledFor(db)
      const row = statement.get(...bind(values)) as Raw | undefined
      if (row) read(row)
      return row as RowOf<Q> | undefined
    },
    run(db, values) {
      const { statement, bind } = compiledFor(db)
      return statement.run(...bind(values)).changes
    },
  }
}

// A placeholder needs the encoder of its column: a UUID bound as text would equal no blob.
function givenAs(type: Parameters[string], name: string): SQL {
  const placeholder = sql.placeholder(name)
  return typeof type === 'string' ? sql`${placeholder}` : sql`${sql.param(placeholder, type)}`
}

type Raw = Record<string, unknown>

interface Compiled {
  text: string
  bind: (values: Raw) => SqlValue[]
  read: (row: Raw) => void
}

function compile(query: Query): Compiled {
  const { sql: text, params } = withConstants(query.toSQL())
  const binders = params.map(binderOf)
  const decoders = decodersOf(selectedFields(query))
  return {
    text,
    bind: (values) => binders.map((bind) => bind(values)),
    read(row) {
      for (const [name, decode] of decoders) {
        if (row[name] !== null) row[name] = decode(row[name])
      }
    },
  }
}

// Puts the constants of a query into its text, as they would be written by hand. Drizzle binds them, and SQLite doesn't
// see bound values when it plans: a partial index is used only for what the text says.
function withConstants({ sql: text, params }: ReturnType<Query['toSQL']>) {
  const [first = '', ...rest] = text.split('?')
  if (rest.length !== params.length) throw new Error(`A query has a question mark: ${text}`)
  const isConstant = (param: unknown) => typeof param === 'number' || typeof param === 'string'
  const literal = (param: unknown) =>
    typeof param === 'number' ? param : `'${String(param).replaceAll("'", "''")}'`
  const pieces = rest.map((piece, index) => {
    const param = params[index]
    return `${isConstant(param) ? literal(param) : '?'}${piece}`
  })
  return { sql: first + pieces.join(''), params: params.filter((param) => !isConstant(param)) }
}

function binderOf(param: unknown): (values: Raw) => SqlValue {
  if (is(param, Placeholder)) {
    const { name } = param
    return (values) => values[name] as SqlValue
  }
  if (!is(param, Param)) return () => param as SqlValue
  const { name } = param.value as Placeholder
  const { encoder } = param
  return (values) => {
    const value = values[name]
    return value === null ? null : (encoder.mapToDriverValue(value) as SqlValue)
  }
}

function selectedFields(query: Query): Raw {
  const { _: of, config } = query as unknown as {
    _?: { selectedFields?: Raw }
    config?: { returning?: { path: string[]; field: unknown }[] }
  }
  if (of?.selectedFields) return of.selectedFields
  const returned = config?.returning ?? []
  return Object.fromEntries(returned.map(({ path, field }) => [path[0], field]))
}

type Decode = (value: unknown) => unknown

// Decoders that return a value as it came.
const PLAIN = new Set([Column.prototype.mapFromDriverValue, noopDecoder.mapFromDriverValue])

// A row names a value by its column or its alias, so the field must have the same name.
function decodersOf(fields: Raw): [name: string, decode: Decode][] {
  return Object.entries(fields).flatMap(([name, field]): [string, Decode][] => {
    const isColumn = is(field, Column)
    const told = isColumn ? field.name : is(field, SQL.Aliased) ? field.fieldAlias : undefined
    if (told !== name) throw new Error(`A query selects ${told ?? 'an expression'} as ${name}`)
    const decoder = isColumn ? field : decoderOf(field as SQL.Aliased)
    const isPlain = PLAIN.has(decoder.mapFromDriverValue)
    return isPlain ? [] : [[name, (value) => decoder.mapFromDriverValue(value)]]
  })
}

// Drizzle doesn't expose what `mapWith` has set.
function decoderOf({ sql }: SQL.Aliased): { mapFromDriverValue: Decode } {
  return (sql as unknown as { decoder: { mapFromDriverValue: Decode } }).decoder
}
