import { accessCondition } from '../../acl/access.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/columns.ts'
import { acl } from '../../db/schema/acl.ts'
import { favourites, fileDetails, fileLooks, filePositions, files } from '../../db/schema/files.ts'
import { RATIO, TIMELINE_TIME } from './timeline-queries.ts'

const f = columnNames(files, 'f')
const d = columnNames(fileDetails, 'd')
const l = columnNames(fileLooks, 'l')
const a = columnNames(acl, 'a')
const q = columnNames(filePositions, 'q')
const h = columnNames(favourites, 'h')

type DetailColumn = 'blob' | 'derivative_state' | 'decoder_version' | 'rotation'

export interface CellRow
  extends Pick<typeof files.$inferSelect, 'rid'>,
    Pick<typeof fileDetails.$inferSelect, DetailColumn>,
    Pick<typeof fileLooks.$inferSelect, 'duration'> {
  /** The time at which it stands in the timeline, by its local clock, in milliseconds since 1970. */
  time: number
  isFilm: number
  /** The aspect ratio × 100; 0 when it is unknown. */
  ratio: number
  /** In hex digits; null when there is none, or when it wasn't requested. */
  thumbhash: string | null
  /** The town nearest to where it was taken; null when there is none, or when it wasn't requested. */
  town: string | null
  /** The sum of the FLAGS that hold, and of KNOWN. */
  flags: number
}

/** The bits of a cell's flags; about other users' rights they reveal only what the viewer may know. */
export const FLAGS = { review: 1, shared: 2, editable: 4, placeholder: 8, own: 16, favourite: 32 }

/** Two more bits of the flags, for what is known of the time. */
export const KNOWN = { day: 64, month: 128, year: 192 }

/** Returns what cells show of files, by row number; includes hash and town only if asked for. */
export function cellRows(
  db: Db,
  viewer: User,
  rids: number[],
  { withHash, withTown = false }: { withHash: boolean; withTown?: boolean },
): Map<number, CellRow> {
  const editable = accessCondition(viewer, 'file', 'edit', 'f')
  // Only creators and admins may know which other users have a right.
  const maySee = viewer.is_admin ? '1' : `${f.creator_id} = ?`
  const shared = `${f.is_public} = 1 OR (${maySee} AND EXISTS (SELECT 1 FROM acl a
     WHERE ${a.object_type} = 'file' AND ${a.object_rid} = ${f.rid} AND ${a.user_id} <> ? AND ${a.can_view} = 1))`
  // One JSON text is slightly slower than rows on Bun, but much quicker on Node.
  const { rows } = db.get<{ rows: string }>(
    `SELECT json_group_array(json_array(${f.rid}, ${TIMELINE_TIME},
       ${f.mime_type} >= 'video/' AND ${f.mime_type} < 'video0',
       ${d.blob}, ${d.derivative_state}, ${d.decoder_version}, ${d.rotation},
       ${RATIO}, ${l.duration}, ${withHash ? `nullif(hex(${l.thumbhash}), '')` : 'NULL'},
       ${withTown ? q.town : 'NULL'},
       ${f.needs_review} * ${FLAGS.review} + (${shared}) * ${FLAGS.shared}
         + (${editable.sql}) * ${FLAGS.editable}
         + (${d.derivative_state} <> 'made') * ${FLAGS.placeholder}
         + (${f.creator_id} = ?) * ${FLAGS.own}
         + EXISTS (SELECT 1 FROM favourites h WHERE ${h.user_id} = ? AND ${h.file_rid} = ${f.rid}) * ${FLAGS.favourite}
         + CASE ${f.date_precision} WHEN 'day' THEN ${KNOWN.day} WHEN 'month' THEN ${KNOWN.month}
             WHEN 'year' THEN ${KNOWN.year} ELSE 0 END
       )) AS rows
     FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value
     CROSS JOIN file_details d ON ${d.file_rid} = ${f.rid}
     LEFT JOIN file_looks l ON ${l.file_rid} = ${f.rid}
     ${withTown ? `LEFT JOIN file_positions q ON ${q.file_rid} = ${f.rid}` : ''}`,
    ...(viewer.is_admin ? [] : [viewer.id]),
    viewer.id,
    ...editable.params,
    viewer.id,
    viewer.id,
    JSON.stringify(rids),
  )!
  return new Map((JSON.parse(rows) as Columns[]).map((columns) => [columns[0], rowOf(columns)]))
}

type Columns = [
  rid: CellRow['rid'],
  time: CellRow['time'],
  isFilm: CellRow['isFilm'],
  blob: CellRow['blob'],
  derivative_state: CellRow['derivative_state'],
  decoder_version: CellRow['decoder_version'],
  rotation: CellRow['rotation'],
  ratio: CellRow['ratio'],
  duration: CellRow['duration'],
  thumbhash: CellRow['thumbhash'],
  town: CellRow['town'],
  flags: CellRow['flags'],
]

function rowOf(columns: Columns): CellRow {
  const [rid, time, isFilm, blob, derivative_state, decoder_version, rotation, ...looks] = columns
  const [ratio, duration, thumbhash, town, flags] = looks
  const pictures = { blob, derivative_state, decoder_version, rotation }
  return { rid, time, isFilm, ...pictures, ratio, duration, thumbhash, town, flags }
}

/**
 * Returns make and model of the cameras that took files as one text, by row number. Files that name none are missing,
 * and those of which nobody knows when they were taken.
 */
export function camerasOf(db: Db, rids: number[]): Map<number, string> {
  const rows = db.all<{ rid: number; camera: string }>(
    `SELECT ${f.rid} AS rid, json_array(${d.exif} ->> '$.Make', ${d.exif} ->> '$.Model') AS camera
     FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value
     CROSS JOIN file_details d ON ${d.file_rid} = ${f.rid}
     WHERE ${d.exif} ->> '$.Model' IS NOT NULL AND ${f.date_source} NOT IN ('upload', 'mtime')
       AND ${f.date_precision} IS NULL`,
    JSON.stringify(rids),
  )
  return new Map(rows.map(({ rid, camera }) => [rid, camera]))
}
