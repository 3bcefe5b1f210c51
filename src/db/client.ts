import { drizzle, type SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { LRUCache } from 'lru-cache'
import { isOutOfSpace } from '../base/disk.ts'
import { type Driver, open, type SqlValue, type Statement } from './driver.ts'
import { applyMigrations, isMigrated } from './migrations.ts'
import type { Query, Reading } from './reading.ts'

type Builder = Pick<SqliteRemoteDatabase, 'select' | 'insert' | 'update' | 'delete'>

// Drizzle only builds SQL. Its own drivers cache no statement, and that for Node imports `better-sqlite3` by its name.
const builder: Builder = drizzle(() =>
  Promise.reject(
    new Error('A query of Drizzle is run by `rows`, `first` or `execute` of a connection'),
  ),
)

/**
 * One connection to the library's database, the same on Bun and on Node. Queries are built from the schema; SQL text is
 * for the files whose subject is SQL.
 */
export interface Db extends Builder {
  /** Prepares a statement that lives as long as the connection. */
  prepare(sql: string): Statement
  /** Returns all rows of a query. */
  rows<Row>(query: Reading<Row>): Row[]
  /** Returns the first row of a query, or undefined when there is none. */
  first<Row>(query: Reading<Row>): Row | undefined
  /** Runs an insert, update or delete and returns how many rows it changed. */
  execute(query: Query): number
  /** Returns all rows. The prepared statement is cached by its text. */
  all<Row>(sql: string, ...params: SqlValue[]): Row[]
  /** Returns the first row, or undefined when there is none. */
  get<Row>(sql: string, ...params: SqlValue[]): Row | undefined
  /** Runs a statement and returns how many rows it changed. */
  run(sql: string, ...params: SqlValue[]): number
  close(): void
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
  return {
    select: builder.select.bind(builder),
    insert: builder.insert.bind(builder),
    update: builder.update.bind(builder),
    delete: builder.delete.bind(builder),
    prepare: driver.prepare,
    rows({ query, read }) {
      const { sql, params } = textOf(query)
      return statement(sql)
        .all(...params)
        .map(read)
    },
    first({ query, read }) {
      const { sql, params } = textOf(query)
      const row = statement(sql).get(...params)
      return row === undefined ? undefined : read(row)
    },
    execute(query) {
      const { sql, params } = textOf(query)
      return statement(sql).run(...params).changes
    },
    all: <Row>(sql: string, ...params: SqlValue[]) => statement(sql).all(...params) as Row[],
    get: <Row>(sql: string, ...params: SqlValue[]) =>
      statement(sql).get(...params) as Row | undefined,
    run: (sql, ...params) => statement(sql).run(...params).changes,
    close: () => driver.close(),
  }
}

const KEPT_STATEMENTS = 1000

const textOf = (query: Query) => query.toSQL() as { sql: string; params: SqlValue[] }

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
  applyMigrations(driver, folder)
  driver.exec('PRAGMA foreign_keys = 1')
  const broken = driver.prepare('PRAGMA foreign_key_check').all()
  if (broken.length > 0) {
    throw new Error(`The migrated database has ${broken.length} broken foreign keys`)
  }
}
