import { accessCondition } from '../../acl/access.ts'
import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/column-names.ts'
import { acl } from '../../db/schema/acl.ts'
import { fileDetails, fileLooks, files } from '../../db/schema/files.ts'
import type { User } from '../../user.ts'
import { LOCAL_TIME, RATIO } from './ordered-queries.ts'

const f = columnNames(files, 'f')
const d = columnNames(fileDetails, 'd')
const l = columnNames(fileLooks, 'l')
const a = columnNames(acl, 'a')

type DetailColumn = 'blob' | 'derivative_state' | 'decoder_version'
type LookColumn = 'duration' | 'thumbhash'

export interface CellRow
  extends Pick<typeof files.$inferSelect, 'rid'>,
    Pick<typeof fileDetails.$inferSelect, DetailColumn>,
    Pick<typeof fileLooks.$inferSelect, LookColumn> {
  /** `content_datetime` by its local clock, in seconds since 1970. */
  seconds: number
  isFilm: number
  /** The aspect ratio × 100; 0 when it is unknown. */
  ratio: number
  /** The sum of those of FLAGS that hold. */
  flags: number
}

/** What a bit of a cell's flags says; of others' rights it tells only as far as the viewer may know. */
const FLAGS = { review: 1, shared: 2, editable: 4, placeholder: 8, own: 16 }

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
  const shared = `${f.is_public} = 1 OR (${maySee} AND EXISTS (SELECT 1 FROM acl a
     WHERE ${a.object_type} = 'file' AND ${a.object_rid} = ${f.rid} AND ${a.user_id} <> ? AND ${a.can_view} = 1))`
  const rows = db.all<CellRow>(
    `SELECT ${f.rid}, floor((${LOCAL_TIME}) / 1000.0) AS seconds,
     ${f.mime_type} >= 'video/' AND ${f.mime_type} < 'video0' AS isFilm, ${RATIO} AS ratio,
     ${d.blob}, ${d.derivative_state}, ${d.decoder_version},
     ${l.duration}, ${withHash ? l.thumbhash : 'NULL AS thumbhash'},
     ${f.needs_review} * ${FLAGS.review} + (${shared}) * ${FLAGS.shared}
       + (${editable.sql}) * ${FLAGS.editable}
       + (${d.derivative_state} <> 'made') * ${FLAGS.placeholder}
       + (${f.creator_id} = ?) * ${FLAGS.own} AS flags
     FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value
     CROSS JOIN file_details d ON ${d.file_rid} = ${f.rid}
     LEFT JOIN file_looks l ON ${l.file_rid} = ${f.rid}`,
    ...(viewer.is_admin ? [] : [viewer.id]),
    viewer.id,
    ...editable.params,
    viewer.id,
    JSON.stringify(rids),
  )
  return new Map(rows.map((row) => [row.rid, row]))
}
