import type { Db, SqlValue } from '../../db/client.ts'
import { columnNames } from '../../db/column-names.ts'
import { files } from '../../db/schema/files.ts'

const f = columnNames(files, 'f')

/** The full-text index holds names as runs of so many code points. */
const RUN = 3
/** How many files are looked through before other requests get a turn: about 5 ms. */
const STRETCH = { byIndex: 50_000, oneByOne: 20_000 }

/**
 * Returns the files after a row number whose names contain a folded text, those in the trash too, out of the
 * next ones of all files, and the last of these; null when there are no more.
 */
export function namedStretch(
  db: Db,
  search: string,
  after: number,
): { rids: number[]; end: number | null } {
  // No name contains a NUL, and the full-text index would take one for the end of the query.
  if (search.includes('\0')) return { rids: [], end: null }
  const isIndexed = [...search].length >= RUN
  const end = after + (isIndexed ? STRETCH.byIndex : STRETCH.oneByOne)
  const rids = isIndexed
    ? readRids(
        db,
        // On Node numbers are bound as floating-point ones, by which this index doesn't seek.
        `SELECT rowid AS rid FROM files_fts WHERE files_fts MATCH ?
         AND rowid > CAST(? AS INTEGER) AND rowid <= CAST(? AS INTEGER)`,
        `"${search.replaceAll('"', '""')}"`,
        after,
        end,
      )
    : readRids(
        db,
        `SELECT ${f.rid} FROM files f WHERE ${f.rid} > ? AND ${f.rid} <= ? AND instr(${f.name_key}, ?) > 0`,
        after,
        end,
        search,
      )
  const last = db.get<{ rid: number | null }>(`SELECT max(${f.rid}) AS rid FROM files f`)!.rid ?? 0
  return { rids, end: end < last ? end : null }
}

/** Returns those of the files whose names contain a folded text. */
export function namedAmong(db: Db, search: string, rids: number[]): number[] {
  return readRids(
    db,
    `SELECT ${f.rid} FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value
     WHERE instr(${f.name_key}, ?) > 0`,
    JSON.stringify(rids),
    search,
  )
}

function readRids(db: Db, sql: string, ...params: SqlValue[]): number[] {
  const row = db.get<{ rids: string }>(
    `SELECT json_group_array(rid) AS rids FROM (${sql})`,
    ...params,
  )!
  return JSON.parse(row.rids)
}
