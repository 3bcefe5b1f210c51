import { type GetColumnData, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Db } from './client.ts'
import type { SqlValue } from './driver.ts'
import { perConnection } from './per-connection.ts'
import type { Query, Reading } from './reading.ts'

/** The parameters of a prepared query: each is bound like its column, or as it comes. */
export type Parameters = Record<string, SQLiteColumn | 'text' | 'number'>

type ValueOf<Parameter> = Parameter extends SQLiteColumn
  ? GetColumnData<Parameter>
  : Parameter extends 'text'
    ? string
    : number

export type Values<P extends Parameters> = { [Name in keyof P]: ValueOf<P[Name]> }
/** Placeholders for the values of a query's parameters. */
export type Given<P extends Parameters> = { [Name in keyof P]: SQL<ValueOf<P[Name]>> }

/** Returns a placeholder for a `limit`, which Drizzle's types take for a number, though it binds what it gets. */
export function asLimit(given: SQL<number>): number {
  return given as unknown as number
}

/** A prepared query with its parameters `P`; one that writes and returns nothing has no rows. */
export interface Prepared<P extends Parameters, Row> {
  all(db: Db, values: Values<P>): Row[]
  get(db: Db, values: Values<P>): Row | undefined
  run(db: Db, values: Values<P>): number
}

/**
 * Returns a query that Drizzle builds once, at its first use, and that afterwards costs about as much as its SQL text
 * would. `parameters` names what `build` gets, with the columns that the values are bound as.
 */
export function prepared<P extends Parameters, Row = never>(
  parameters: P,
  build: (db: Db, given: Given<P>) => Query | Reading<Row>,
): Prepared<P, Row> {
  const given = Object.fromEntries(
    Object.entries(parameters).map(([name, type]) => [name, givenAs(type, name)]),
  ) as Given<P>
  let compiled: Compiled<Row> | undefined
  const compiledFor = perConnection((db) => {
    compiled ??= compile(build(db, given))
    return { ...compiled, statement: db.prepare(compiled.text) }
  })
  return {
    all(db, values) {
      const { statement, bind, read } = compiledFor(db)
      const rows = statement.all(...bind(values))
      for (const row of rows) read(row)
      return rows as Row[]
    },
    get(db, values) {
      const { statement, bind, read } = compiledFor(db)
      const row = statement.get(...bind(values))
      return row === undefined ? undefined : read(row)
    },
    run(db, values) {
      const { statement, bind } = compiledFor(db)
      return statement.run(...bind(values)).changes
    },
  }
}

type Raw = Record<string, unknown>

// Stands for a value that is bound at each call, among the parameters that Drizzle returns.
class Parameter {
  readonly bind: (values: Raw) => unknown
  constructor(bind: Parameter['bind']) {
    this.bind = bind
  }
}

// A UUID must be encoded by its column: bound as text, it would equal no blob.
function givenAs(type: Parameters[string], name: string): SQL {
  const encoded = (values: Raw) => {
    const value = values[name]
    return value === null ? null : (type as SQLiteColumn).mapToDriverValue(value)
  }
  const bind = typeof type === 'string' ? (values: Raw) => values[name] : encoded
  return sql`${sql.param(new Parameter(bind))}`
}

interface Compiled<Row> {
  text: string
  bind: (values: Raw) => SqlValue[]
  read: (row: unknown) => Row
}

function compile<Row>(built: Query | Reading<Row>): Compiled<Row> {
  const { query, read } =
    'query' in built ? built : { query: built, read: (row: unknown) => row as Row }
  const { sql: text, params } = withConstants(query.toSQL())
  const binders = params.map((param) => (param instanceof Parameter ? param.bind : () => param))
  return { text, bind: (values) => binders.map((bind) => bind(values) as SqlValue), read }
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
