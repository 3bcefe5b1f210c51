import { accessCondition } from '../../acl/access.ts'
import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/column-names.ts'
import { acl } from '../../db/schema/acl.ts'
import { fileDetails, fileLooks, files } from '../../db/schema/files.ts'
import type { User } from '../../user.ts'
import { RATIO } from './ordered-queries.ts'

const f = columnNames(files, 'f')
const d = columnNames(fileDetails, 'd')
const l = columnNames(fileLooks, 'l')
const a = columnNames(acl, 'a')

type FileColumn = 'rid' | 'content_datetime' | 'content_offset' | 'mime_type' | 'creator_id'
type DetailColumn = 'blob' | 'derivative_state' | 'decoder_version'
type LookColumn = 'duration' | 'thumbhash'

export interface CellRow
  extends Pick<typeof files.$inferSelect, FileColumn>,
    Pick<typeof fileDetails.$inferSelect, DetailColumn>,
    Pick<typeof fileLooks.$inferSelect, LookColumn> {
  id: Uint8Array
  needs_review: number
  /** The aspect ratio × 100; 0 when it is unknown. */
  ratio: number
  /** Whether the viewer may edit it, and whether others may view it, as far as the viewer may know. */
  editable: number
  shared: number
}

/** Returns what cells show of files, by their row numbers; the hash only `withHash`. */
export function cellRows(
  db: Db,
  viewer: User,
  rids: number[],
  { withHash }: { withHash: boolean },
): Map<number, CellRow> {
  const editable = accessCondition(viewer, 'file', 'edit', 'f')
  // Who else has a right is for creators and admins to know.
  const maySee = viewer.is_admin ? '1' : `${f.creator_id} = ?`
  const rows = db.all<CellRow>(
    `SELECT ${f.rid}, ${f.id}, ${f.content_datetime}, ${f.content_offset}, ${f.mime_type}, ${f.creator_id},
     ${f.needs_review}, ${d.blob}, ${d.derivative_state}, ${d.decoder_version}, ${RATIO} AS ratio,
     ${l.duration}, ${withHash ? l.thumbhash : 'NULL AS thumbhash'}, ${editable.sql} AS editable,
     (${f.is_public} = 1 OR (${maySee} AND EXISTS (SELECT 1 FROM acl a WHERE ${a.object_type} = 'file'
       AND ${a.object_rid} = ${f.rid} AND ${a.user_id} <> ? AND ${a.can_view} = 1))) AS shared
     FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value
     CROSS JOIN file_details d ON ${d.file_rid} = ${f.rid}
     LEFT JOIN file_looks l ON ${l.file_rid} = ${f.rid}`,
    ...editable.params,
    ...(viewer.is_admin ? [] : [viewer.id]),
    viewer.id,
    JSON.stringify(rids),
  )
  return new Map(rows.map((row) => [row.rid, row]))
}
