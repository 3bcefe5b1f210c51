import { MIGRATIONS } from '../../base/paths.ts'
import { type Db, openDatabase } from '../../db/client.ts'
import { write } from '../../db/write.ts'
import {
  brokenForeignKeys,
  integrityErrors,
  makeSchemaObject,
  reindex,
  schemaObjects,
} from './database-queries.ts'
import type { Found } from './finding.ts'
import type { Inspection } from './inspection.ts'

const DATABASE = 'tagstead.sqlite'
// The server can do without these. A table is not recreated, because its rows are gone.
const MENDABLE = new Set(['index', 'trigger'])

/** Checks that tables, indexes and triggers are those of a new library. */
export const schema: Inspection = {
  what: 'The schema',
  find: (db) =>
    missingObjects(db).map(({ type, name }) => ({
      kind: 'schema_missing',
      subject: name,
      sentence: `The ${type} "${name}" is missing`,
    })),
  mend({ db, clock }) {
    for (const object of missingObjects(db).filter(({ type }) => MENDABLE.has(type))) {
      write(db, { now: clock() }, (tx) => makeSchemaObject(tx, object))
    }
  },
}

function missingObjects(db: Db): ReturnType<typeof schemaObjects> {
  const present = new Set(schemaObjects(db).map(({ name }) => name))
  const fresh = openDatabase(':memory:', { migrations: MIGRATIONS })
  try {
    return schemaObjects(fresh).filter(({ name }) => !present.has(name))
  } finally {
    fresh.close()
  }
}

/** Checks the database file, and each index against its table. */
export const integrity: Inspection = {
  what: 'The database',
  find(db) {
    const errors = integrityErrors(db).filter((error) => !/fts5/i.test(error))
    const indexes = damagedIndexes(errors)
    const others = errors.filter((error) => indexOf(error) === null)
    return [
      ...others.map(
        (error): Found => ({
          kind: 'database_damaged',
          subject: DATABASE,
          sentence: `SQLite's integrity check: ${error}`,
        }),
      ),
      ...indexes.map(
        (name): Found => ({
          kind: 'index_damaged',
          subject: name,
          sentence: `The index "${name}" differs from its table`,
        }),
      ),
    ]
  },
  mend({ db, clock }) {
    for (const name of damagedIndexes(integrityErrors(db))) {
      write(db, { now: clock() }, (tx) => reindex(tx, name))
    }
  },
}

function damagedIndexes(errors: string[]): string[] {
  return [...new Set(errors.flatMap((error) => indexOf(error) ?? []))]
}

// Returns null when the error is about the file or a table.
function indexOf(error: string): string | null {
  return /\bindex (\S+)$/.exec(error)?.[1] ?? null
}

/** Checks references between tables. */
export const foreignKeys: Inspection = {
  what: 'The foreign keys',
  find: (db) =>
    brokenForeignKeys(db)
      // The row of this table refers to nothing on purpose, and another look checks it.
      .filter(({ child }) => child !== 'set_counting')
      .map(({ child, parent, rows }) => ({
        kind: 'foreign_key',
        subject: child,
        sentence: `${rows} rows of "${child}" name a row of "${parent}" that isn't there`,
      })),
}
