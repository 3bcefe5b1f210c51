import { requirePackage } from '../base/paths.ts'
import { liveObjects } from './live-objects.ts'
import { plannedOnce } from './planned-once.ts'

export type SqlValue = string | number | bigint | null | Uint8Array

/** A prepared statement; parameters are bound in the order of its question marks. */
export interface Statement {
  all(...params: SqlValue[]): unknown[]
  get(...params: SqlValue[]): unknown
  run(...params: SqlValue[]): { changes: number; lastInsertRowid: number | bigint }
}

/** A connection of either driver; their differences stay inside this file. */
export interface Driver {
  prepare(sql: string): Statement
  exec(sql: string): void
  close(): void
}

// Creates the database unless it exists or is opened read-only.
type Open = (path: string, readonly?: boolean) => Driver

/** Opens a database with the driver of this runtime. Throws when it can't be opened. */
export const open: Open =
  'Bun' in globalThis
    ? await bunOpener()
    : await nodeOpener().catch((error) => () => {
        throw error
      })

async function bunOpener(): Promise<Open> {
  const { Database } = await import('bun:sqlite')
  return (path, readonly = false) => {
    const access = readonly ? { readonly } : { create: true, readwrite: true }
    const connection = new Database(path, { ...access, strict: true })
    const live = liveObjects<{ finalize(): void }>()
    const prepare = (sql: string) => live.add(connection.prepare(plannedOnce(sql)))
    return {
      prepare: (sql) => {
        const statement = prepare(sql)
        return {
          all: (...params) => statement.all(...params),
          // Bun returns null where better-sqlite3 returns undefined.
          get: (...params) => statement.get(...params) ?? undefined,
          run: (...params) => statement.run(...params),
        }
      },
      exec: (sql) => connection.run(sql),
      close() {
        // Otherwise, SQLite would keep the connection open until Bun collects its statements, and then remove the
        // write-ahead log of whatever database is at its path by then.
        for (const statement of live.all()) statement.finalize()
        // A statement that Bun is about to collect is not in `live`, and a transaction that it began must not outlive
        // this.
        if (connection.inTransaction) connection.run('ROLLBACK')
        connection.close()
      },
    }
  }
}

async function nodeOpener(): Promise<Open> {
  const Database = requireBetterSqlite()
  return (path, readonly = false) => {
    const connection = new Database(path, { readonly })
    return {
      prepare: (sql) => withQuickRows(connection.prepare<SqlValue[]>(plannedOnce(sql))),
      exec: (sql) => void connection.exec(sql),
      close: () => void connection.close(),
    }
  }
}

// Builds the rows here, because better-sqlite3 returns arrays faster than objects.
function withQuickRows(statement: import('better-sqlite3').Statement<SqlValue[]>): Statement {
  if (!statement.reader) return statement
  const names = statement.columns().map(({ name }) => name)
  const rowOf = (values: unknown) => {
    const row: Record<string, unknown> = {}
    for (let n = 0; n < names.length; n++) row[names[n]!] = (values as unknown[])[n]
    return row
  }
  statement.raw()
  return {
    all: (...params) => statement.all(...params).map(rowOf),
    get(...params) {
      const values = statement.get(...params)
      return values === undefined ? undefined : rowOf(values)
    },
    run: (...params) => statement.run(...params),
  }
}

// `on-node/` installs better-sqlite3 under another name, so that drizzle-orm doesn't pull it in.
function requireBetterSqlite(): typeof import('better-sqlite3') {
  try {
    const Database = requirePackage('sqlite-on-node') as typeof import('better-sqlite3')
    // The package may be installed without its compiled part.
    new Database(':memory:').close()
    return Database
  } catch (cause) {
    throw new Error(
      'On Node, the database needs better-sqlite3, which is not installed, or not compiled: run ' +
        'npm ci --include=dev, which fetches its binary, or takes a C++ compiler, make and Python 3 ' +
        'to compile it; or run on Bun (npm start).',
      { cause },
    )
  }
}
