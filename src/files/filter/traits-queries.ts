import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/column-names.ts'
import { files } from '../../db/schema/files.ts'
import type { Trait } from '../find/tree.ts'

const f = columnNames(files, 'f')

/**
 * Returns the next `length` files after a row number that have a trait, those in the trash too, and the
 * last one; null when there are no more.
 */
export function traitStretch(
  db: Db,
  { column, value }: Trait,
  { after, length }: { after: number; length: number },
): { rids: number[]; end: number | null } {
  const row = db.get<{ rids: string }>(
    `SELECT json_group_array(rid) AS rids FROM
     (SELECT ${f.rid} FROM files f INDEXED BY ${TRAIT_INDEXES[column]}
      WHERE ${f[column]} = ? AND ${f.rid} > ? ORDER BY ${f.rid} LIMIT ?)`,
    value,
    after,
    length,
  )!
  const rids: number[] = JSON.parse(row.rids)
  return { rids, end: rids.length < length ? null : rids.at(-1)! }
}

const TRAIT_INDEXES = { mime_type: 'files_mime_type', needs_review: 'files_needs_review' }

/** Returns those of the files that have a trait. */
export function traitAmong(db: Db, { column, value }: Trait, rids: number[]): number[] {
  const row = db.get<{ rids: string }>(
    `SELECT json_group_array(${f.rid}) AS rids FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value
     WHERE ${f[column]} = ?`,
    JSON.stringify(rids),
    value,
  )!
  return JSON.parse(row.rids)
}
