import { accessCondition } from '../acl/access.ts'
import type { ObjectType } from '../base/enums.ts'
import { MINUTE } from '../base/time.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { columnNames } from '../db/columns.ts'
import { fileDetails, files } from '../db/schema/files.ts'
import { pools } from '../db/schema/pools.ts'
import { categories, tags } from '../db/schema/tags.ts'
import { createNames } from '../files/archive/names.ts'

// All of this runs on a copy of the database that one export has for itself, and to which it adds its tables:
// `export_objects`, what it may name; `export_files`, its files with their paths; `export_earlier`, the paths that
// earlier runs may have written.

const c = columnNames(categories, 'c')
const d = columnNames(fileDetails, 'd')
const f = columnNames(files, 'f')
const p = columnNames(pools, 'p')
const t = columnNames(tags, 't')

/** How many rows are read at once. */
export const STRETCH = 500

export const OBJECTS = {
  category: { table: 'categories c', alias: 'c', names: c, isThere: '1' },
  tag: { table: 'tags t', alias: 't', names: t, isThere: `${t.is_deleted} = 0` },
  // A pool that fills itself has no files, and to those who may not edit it nothing tells which it would have.
  pool: { table: 'pools p', alias: 'p', names: p, isThere: `${p.is_deleted} = 0` },
} as const

/** Adds the tables of an export to the copy, with the tags, categories and pools that `seer` sees. */
export function prepareSnapshot(db: Db, seer: User): void {
  // Nobody needs the copy after a power cut.
  db.run('PRAGMA synchronous = 0')
  db.run('BEGIN')
  db.run(`CREATE TABLE export_objects (type TEXT NOT NULL, rid INTEGER NOT NULL, number INTEGER,
    PRIMARY KEY (type, rid)) WITHOUT ROWID`)
  db.run('CREATE TABLE export_files (rid INTEGER PRIMARY KEY, month TEXT NOT NULL, path TEXT)')
  db.run('CREATE TABLE export_earlier (path TEXT PRIMARY KEY, sha256 TEXT) WITHOUT ROWID')
  for (const [type, { table, alias, names, isThere }] of Object.entries(OBJECTS)) {
    const sees = accessCondition(seer, type as ObjectType, 'view', alias)
    const edits = accessCondition(seer, type as ObjectType, 'edit', alias)
    const isPool = type === 'pool'
    db.run(
      `INSERT INTO export_objects SELECT '${type}', ${names.rid}, row_number() OVER (ORDER BY ${names.rid}) - 1
       FROM ${table} WHERE ${isThere} AND ${sees.sql}
         ${isPool ? `AND (${p.filter} IS NULL OR ${edits.sql})` : ''}`,
      ...sees.params,
      ...(isPool ? edits.params : []),
    )
  }
  db.run('COMMIT')
}

type Planned = Pick<
  typeof files.$inferSelect,
  'rid' | 'original_name' | 'mime_extension' | 'content_datetime' | 'content_offset'
>

/** What Windows and its file systems refuse in a name, beside what no archive has; and what hides a file elsewhere. */
const UNWANTED = /^\.|[<>"|?*]/g

const monthOf = (clock: number) => new Date(clock).toISOString().slice(0, 7)
const clockOf = (file: Planned) => file.content_datetime + (file.content_offset ?? 0) * MINUTE

/**
 * Gives each file its path in the export, by the month in which it was taken and the order of creation. Files in the
 * trash are left out.
 */
export function planFiles(db: Db, rids: Iterable<number>): void {
  const planned = `${f.rid}, ${f.original_name}, ${f.mime_extension}, ${f.content_datetime}, ${f.content_offset}`
  db.run('BEGIN')
  for (const list of inStretches(rids)) {
    const found = db.all<Planned>(
      `SELECT ${planned} FROM json_each(?) j CROSS JOIN files f
       WHERE ${f.rid} = j.value AND ${f.is_deleted} = 0`,
      JSON.stringify(list),
    )
    for (const file of found) {
      db.run(
        'INSERT INTO export_files (rid, month) VALUES (?, ?)',
        file.rid,
        monthOf(clockOf(file)),
      )
    }
  }
  db.run('CREATE INDEX export_files_month ON export_files (month, rid)')
  let [month, rid] = ['', 0]
  let nameOf = createNames([])
  for (;;) {
    const found = db.all<Planned & { month: string }>(
      `SELECT ${planned}, e.month FROM export_files e CROSS JOIN files f
       WHERE ${f.rid} = e.rid AND (e.month, e.rid) > (?, ?) ORDER BY e.month, e.rid LIMIT ${STRETCH}`,
      month,
      rid,
    )
    for (const file of found) {
      if (file.month !== month) nameOf = createNames([])
      ;({ month, rid } = file)
      const clock = clockOf(file)
      // A name that is the same in each export of the file: its id is new in each library.
      const id = new Date(clock).toISOString().slice(11, 19).replaceAll(':', '')
      const original_name = file.original_name?.replace(UNWANTED, '_') ?? null
      const name = nameOf({ ...file, original_name, id, clock })
      const path = `${month.slice(0, 4)}/${month}/${name}`
      db.run('UPDATE export_files SET path = ? WHERE rid = ?', path, rid)
    }
    if (found.length < STRETCH) break
  }
  db.run('CREATE UNIQUE INDEX export_files_path ON export_files (path)')
  db.run('COMMIT')
}

function* inStretches(rids: Iterable<number>): Generator<number[]> {
  let list: number[] = []
  for (const rid of rids) {
    list.push(rid)
    if (list.length < STRETCH) continue
    yield list
    list = []
  }
  yield list
}

/** Remembers paths of an earlier run with the digests of their contents: null where two runs differ. */
export function addEarlier(db: Db, lines: { path: string; sha256: string }[]): void {
  db.run('BEGIN')
  for (const { path, sha256 } of lines) {
    db.run(
      `INSERT INTO export_earlier VALUES (?, ?) ON CONFLICT (path) DO UPDATE
       SET sha256 = CASE WHEN sha256 = excluded.sha256 THEN sha256 END`,
      path,
      sha256,
    )
  }
  db.run('COMMIT')
}

/** Returns paths that no earlier run can have written, in order. */
export function newPaths(db: Db, after: string): string[] {
  return db
    .all<{ path: string }>(
      `SELECT path FROM export_files n WHERE path > ?
         AND NOT EXISTS (SELECT 1 FROM export_earlier e WHERE e.path = n.path)
       ORDER BY path LIMIT ${STRETCH}`,
      after,
    )
    .map(({ path }) => path)
}

/** Leaves a file out of the export. */
export function leaveOut(db: Db, path: string): void {
  db.run('DELETE FROM export_files WHERE path = ?', path)
}

/** Returns paths of earlier runs that no file has now, in order. */
export function obsoletePaths(db: Db, after: string): string[] {
  return db
    .all<{ path: string }>(
      `SELECT path FROM export_earlier e WHERE path > ?
         AND NOT EXISTS (SELECT 1 FROM export_files n WHERE n.path = e.path)
       ORDER BY path LIMIT ${STRETCH}`,
      after,
    )
    .map(({ path }) => path)
}

/** A file that is to be written. */
export interface Exported {
  rid: number
  path: string
  blob: string
  size: number
  sha256: string
  content_datetime: number
  /** The digest of what an earlier run wrote there; null where that is nothing, or not known. */
  earlier: string | null
}

/** Returns files with their paths, in the order of paths. */
export function filesToWrite(db: Db, after: string): Exported[] {
  return db.all<Exported>(
    `SELECT e.rid, e.path, ${d.blob}, ${d.size}, lower(hex(${d.sha256})) AS sha256, ${f.content_datetime}, b.sha256 AS earlier
     FROM export_files e CROSS JOIN files f CROSS JOIN file_details d
     LEFT JOIN export_earlier b ON b.path = e.path
     WHERE ${f.rid} = e.rid AND ${d.file_rid} = e.rid AND e.path > ?
     ORDER BY e.path LIMIT ${STRETCH}`,
    after,
  )
}

/** Returns how many files there are, and the bytes of their contents. */
export function countFiles(db: Db): { files: number; bytes: number } {
  return db.get<{ files: number; bytes: number }>(
    `SELECT count(*) AS files, total(${d.size}) AS bytes FROM export_files e
     JOIN file_details d ON ${d.file_rid} = e.rid`,
  )!
}
