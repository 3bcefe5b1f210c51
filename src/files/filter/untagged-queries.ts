import { accessCondition } from '../../acl/access.ts'
import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/column-names.ts'
import { files, fileTags } from '../../db/schema/files.ts'
import { tags } from '../../db/schema/tags.ts'
import type { User } from '../../user.ts'

const f = columnNames(files, 'f')
const ft = columnNames(fileTags)
const t = columnNames(tags, 't')

/** An index names the files of at most so many tags by how many they are. */
export const FEW_TAGS = 3
/** How many row numbers are read before other requests may get a turn: about 4 ms. */
const STRETCH = 50_000

/** Returns the tags on files that a viewer may not view, and those that are being deleted, by their row numbers. */
export function hiddenTags(db: Db, viewer: User): number[] {
  const visible = accessCondition(viewer, 'tag', 'view', 't')
  const { rids } = db.get<{ rids: string }>(
    `SELECT json_group_array(${t.rid}) AS rids FROM tags t
     WHERE ${t.file_count} > 0 AND NOT (${t.is_deleted} = 0 AND ${visible.sql})`,
    ...visible.params,
  )!
  return JSON.parse(rids)
}

/** Returns the highest row number of a file. */
export function highestRid(db: Db): number {
  return db.get<{ last: number | null }>(`SELECT max(${f.rid}) AS last FROM files f`)!.last ?? 0
}

/** Some files, ascending, and the last of them; null when there are no more. */
interface Stretch {
  rids: number[]
  end: number | null
}

/** Returns the next files after a row number that carry a tag. */
export function carriersStretch(db: Db, tag: number, after: number): Stretch {
  return stretchOf(
    db,
    `SELECT ${ft.file_rid} AS rid FROM file_tags WHERE ${ft.tag_rid} = ? AND ${ft.file_rid} > ? ORDER BY ${ft.file_rid}`,
    tag,
    after,
  )
}

/** Returns the next files after a row number that have so many tags, at most FEW_TAGS. */
export function fewTaggedStretch(db: Db, count: number, after: number): Stretch {
  return stretchOf(
    db,
    `SELECT ${f.rid} FROM files f INDEXED BY files_few_tags
     WHERE ${f.tag_count} <= ${FEW_TAGS} AND ${f.tag_count} = ? AND ${f.rid} > ? ORDER BY ${f.rid}`,
    count,
    after,
  )
}

function stretchOf(db: Db, sql: string, ...params: number[]): Stretch {
  // One JSON text is quicker than many rows.
  const row = db.get<{ rids: string }>(
    `SELECT json_group_array(rid) AS rids FROM (${sql} LIMIT ?)`,
    ...params,
    STRETCH,
  )!
  const rids: number[] = JSON.parse(row.rids)
  return { rids, end: rids.length < STRETCH ? null : rids.at(-1)! }
}

/** Returns how many tags files have, hidden ones included. */
export function tagCountsOf(db: Db, rids: number[]): { rid: number; tag_count: number }[] {
  return db.all(
    `SELECT ${f.rid}, ${f.tag_count} FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value`,
    JSON.stringify(rids),
  )
}
