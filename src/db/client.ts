import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import { LRUCache } from 'lru-cache'
import { isOutOfSpace } from '../base/disk.ts'
import { requirePackage } from '../base/place.ts'
import { liveObjects } from './live-objects.ts'
import { isMigrated } from './migrations.ts'
import { plannedOnce } from './planned-once.ts'

export type SqlValue = string | number | bigint | null | Uint8Array

/** A prepared statement; parameters are bound in the order of its question marks. */
export interface Statement {
  all(...params: SqlValue[]): unknown[]
  get(...params: SqlValue[]): unknown
  run(...params: SqlValue[]): { changes: number; lastInsertRowid: number | bigint }
}

// Drizzle over either driver; their differences stay inside this file.
type Drizzle = BaseSQLiteDatabase<'sync', unknown>

/** A query of Drizzle: a select, or an insert, update or delete. */
export interface Query {
  toSQL(): { sql: string; params: unknown[] }
  readonly _: { readonly result: unknown }
}

/**
 * One connection to the library's database, the same on Bun and on Node. Queries are built from the schema; SQL text is
 * for the files whose subject is SQL.
 */
export interface Db extends Pick<Drizzle, 'select' | 'insert' | 'update' | 'delete'> {
  /** Runs an insert, update or delete and returns how many rows it changed. */
  changes(query: Query): number
  /** Prepares a statement that lives as long as the connection. */
  prepare(sql: string): Statement
  /** Returns all rows. The prepared statement is cached by its text. */
  all<Row>(sql: string, ...params: SqlValue[]): Row[]
  /** Returns the first row, or undefined when there is none. */
  get<Row>(sql: string, ...params: SqlValue[]): Row | undefined
  /** Runs a statement and returns how many rows it changed. */
  run(sql: string, ...params: SqlValue[]): number
  close(): void
}

interface Driver {
  prepare(sql: string): Statement
  exec(sql: string): void
  drizzle: Drizzle
  migrate(folder: string): void
  close(): void
}

// Creates the database unless it exists or is opened read-only.
type Open = (path: string, readonly?: boolean) => Driver

const open: Open =
  'Bun' in globalThis
    ? await bunOpener()
    : await nodeOpener().catch((error) => () => {
        throw error
      })

// `require` would load all of Drizzle a second time.

async function bunOpener(): Promise<Open> {
  const { Database } = await import('bun:sqlite')
  const { drizzle } = await import('drizzle-orm/bun-sqlite')
  const { migrate } = await import('drizzle-orm/bun-sqlite/migrator')
  return (path, readonly = false) => {
    const access = readonly ? { readonly } : { create: true, readwrite: true }
    const connection = new Database(path, { ...access, strict: true })
    const live = liveObjects<{ finalize(): void }>()
    const prepare = (sql: string) => live.add(connection.prepare(plannedOnce(sql)))
    const orm = drizzle(keepingStatements(connection, prepare))
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
      drizzle: orm as unknown as Drizzle,
      migrate: (folder) => migrate(orm, { migrationsFolder: folder }),
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
  // Drizzle's own `drizzle` imports the driver by its usual name, which it doesn't have here.
  const { BetterSQLiteSession } = await import('drizzle-orm/better-sqlite3/session')
  const { BaseSQLiteDatabase, SQLiteSyncDialect } = await import('drizzle-orm/sqlite-core')
  const { readMigrationFiles } = await import('drizzle-orm/migrator')
  return (path, readonly = false) => {
    const connection = new Database(path, { readonly })
    const prepare = (sql: string) => connection.prepare<SqlValue[]>(plannedOnce(sql))
    const dialect = new SQLiteSyncDialect()
    const kept = keepingStatements(connection, prepare)
    const session = new BetterSQLiteSession(kept, dialect, undefined)
    return {
      prepare: (sql) => withQuickRows(prepare(sql)),
      exec: (sql) => void connection.exec(sql),
      drizzle: new BaseSQLiteDatabase('sync', dialect, session, undefined) as unknown as Drizzle,
      migrate: (folder) =>
        dialect.migrate(readMigrationFiles({ migrationsFolder: folder }), session),
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

// Returns the connection as Drizzle sees it. Drizzle prepares a statement at each call, which costs more than building
// its text, especially for a table with triggers, so statements are cached by their text.
function keepingStatements<Connection extends object>(
  connection: Connection,
  prepare: (sql: string) => object,
): Connection {
  const kept = new LRUCache<string, object>({ max: KEPT_STATEMENTS })
  const keep = (sql: string) => {
    const known = kept.get(sql)
    if (known !== undefined) return known
    const statement = prepare(sql)
    kept.set(sql, statement)
    return statement
  }
  return new Proxy(connection, {
    get(target, name) {
      if (name === 'prepare') return keep
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
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

// The drivers' defaults differ, so every pragma that matters is set and read back.
const PRAGMAS: Record<string, string | number> = {
  busy_timeout: 5000,
  journal_mode: 'wal',
  // FULL: a commit that has returned survives a power cut.
  synchronous: 2,
  foreign_keys: 1,
  trusted_schema: 0,
  cell_size_check: 1,
  temp_store: 2,
  // An I/O error on a mapped page would kill the process.
  mmap_size: 0,
  journal_size_limit: 67108864,
}

/** What a connection may hold in memory. */
export interface Memory {
  /** Bytes of SQLite's page cache. */
  cacheSize: number
}

const USUAL_MEMORY: Memory = { cacheSize: 64 * 2 ** 20 }

interface Opening {
  migrations?: string
  memory?: Memory
  /** `delete` for a database that is to stay a single file. */
  journal?: 'wal' | 'delete'
}

/**
 * Opens the database, sets its pragmas and applies the migrations that it lacks from the folder `migrations`, if given.
 * Throws when the file can't be opened, a pragma doesn't hold, the database was written by a newer version, or a
 * migration leaves a broken foreign key.
 */
export function openDatabase(path: string, opening: Opening = {}): Db {
  try {
    return openWith(path, opening, {})
  } catch (error) {
    // The memory that connections share is a file. On a full disk, an exclusive connection can still read.
    if (!isOutOfSpace(error)) throw error
    return openWith(path, opening, { locking_mode: 'exclusive' })
  }
}

function openWith(
  path: string,
  { migrations, memory = USUAL_MEMORY, journal = 'wal' }: Opening,
  first: Record<string, string>,
): Db {
  return connected(path, open(path), { migrations, memory, journal }, first)
}

/**
 * Opens the database of a running server to read it. Throws when it can't be opened, as when the server has exclusive
 * access.
 */
export function openToRead(path: string, memory: Memory): Db {
  const db = connected(path, open(path, true), { memory, journal: 'wal' }, {})
  try {
    db.get('SELECT count(*) FROM sqlite_schema')
  } catch (error) {
    db.close()
    throw error
  }
  return db
}

function connected(
  path: string,
  driver: Driver,
  { migrations, memory, journal }: Opening & { memory: Memory; journal: string },
  first: Record<string, string>,
): Db {
  const pragmas = {
    ...first,
    ...PRAGMAS,
    journal_mode: journal,
    // SQLite takes a negative number as KiB.
    cache_size: -Math.floor(memory.cacheSize / 1024),
  }
  try {
    for (const [name, value] of Object.entries(pragmas)) driver.exec(`PRAGMA ${name} = ${value}`)
    if (migrations) migrateDatabase(driver, migrations)
    checkPragmas(driver, path, pragmas)
  } catch (error) {
    driver.close()
    throw error
  }
  // Bounded, because filters come in endless shapes.
  const statements = new LRUCache<string, Statement>({ max: KEPT_STATEMENTS })
  const statement = (sql: string) => {
    const known = statements.get(sql)
    if (known) return known
    const prepared = driver.prepare(sql)
    statements.set(sql, prepared)
    return prepared
  }
  const { drizzle } = driver
  return {
    select: drizzle.select.bind(drizzle),
    insert: drizzle.insert.bind(drizzle),
    update: drizzle.update.bind(drizzle),
    delete: drizzle.delete.bind(drizzle),
    changes(query) {
      const { sql, params } = query.toSQL()
      return statement(sql).run(...(params as SqlValue[])).changes
    },
    prepare: driver.prepare,
    all: <Row>(sql: string, ...params: SqlValue[]) => statement(sql).all(...params) as Row[],
    get: <Row>(sql: string, ...params: SqlValue[]) =>
      statement(sql).get(...params) as Row | undefined,
    run: (sql, ...params) => statement(sql).run(...params).changes,
    close: () => driver.close(),
  }
}

const KEPT_STATEMENTS = 1000

// With a journal on the disk, SQLite would write one for the empty file.
const LOCKING = ['PRAGMA journal_mode = memory', 'BEGIN EXCLUSIVE']

/**
 * Opens a database that serves only as a lock, and takes that lock until the connection closes. Throws SQLITE_BUSY when
 * the lock is held for `patience` milliseconds. Nothing is written, so that this works on a full disk, unless an older
 * version has given the file a write-ahead log.
 */
export function openLocked(path: string, patience: number): { close(): void } {
  const driver = open(path)
  try {
    for (const sql of [`PRAGMA busy_timeout = ${patience}`, ...LOCKING]) driver.exec(sql)
  } catch (error) {
    driver.close()
    throw error
  }
  return driver
}

function checkPragmas(driver: Driver, path: string, pragmas: typeof PRAGMAS): void {
  for (const [name, wanted] of Object.entries(pragmas)) {
    const row = driver.prepare(`PRAGMA ${name}`).get() as Record<string, unknown> | undefined
    const actual = row && Object.values(row)[0]
    // A database in memory has no write-ahead log.
    if (name === 'journal_mode' && path === ':memory:') continue
    if (row && actual !== wanted) {
      throw new Error(`SQLite did not apply PRAGMA ${name} = ${wanted} to ${path}: it is ${actual}`)
    }
  }
}

function migrateDatabase(driver: Driver, folder: string): void {
  // Throws for the library of a newer version, which this version's migrations might damage.
  if (isMigrated((sql) => driver.prepare(sql).get(), folder)) return
  // Rebuilding a table drops the old one: with foreign keys on, that would delete rows elsewhere.
  driver.exec('PRAGMA foreign_keys = 0')
  driver.migrate(folder)
  driver.exec('PRAGMA foreign_keys = 1')
  const broken = driver.prepare('PRAGMA foreign_key_check').all()
  if (broken.length > 0) {
    throw new Error(`The migrated database has ${broken.length} broken foreign keys`)
  }
}
