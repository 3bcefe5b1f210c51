import { accessCondition } from '../../acl/access.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/columns.ts'
import { files } from '../../db/schema/files.ts'
import { LOCAL_TIME } from './timeline-queries.ts'

const f = columnNames(files, 'f')

/** A stretch of local time, in milliseconds; `end` is exclusive. */
export interface LocalDay {
  first: number
  end: number
}

/** A file that was taken on one of several days. */
export interface Taken {
  /** The index of its day. */
  day: number
  rid: number
  /** The instant, in milliseconds. */
  time: number
}

/** How far a local clock may be from UTC, in milliseconds: less than a day. */
const FARTHEST = 1439 * 60_000

/**
 * Returns the files that were taken on local days and that the viewer may view, without those in the trash, in the
 * order of the days and then of time. Of those known in part, the day is none where only the month or the year is known.
 */
export function takenOn(db: Db, viewer: User, days: LocalDay[]): Taken[] {
  const rule = accessCondition(viewer, 'file', 'view', 'f')
  const day = (place: number) => `j.value ->> ${place}`
  // A stretch of the index for each day, as long as the day lasts anywhere, from which the local time then chooses.
  return db.all<Taken>(
    `SELECT j.key AS day, ${f.rid} AS rid, ${f.content_datetime} AS time
     FROM json_each(?) j CROSS JOIN files f INDEXED BY files_content_datetime
     WHERE ${f.is_deleted} = 0
       AND ${f.content_datetime} >= ${day(2)} AND ${f.content_datetime} < ${day(3)}
       AND ${LOCAL_TIME} >= ${day(0)} AND ${LOCAL_TIME} < ${day(1)}
       AND ifnull(${f.date_precision}, 'day') = 'day' AND ${rule.sql}
     ORDER BY j.key, ${f.content_datetime}, ${f.id}`,
    JSON.stringify(days.map(({ first, end }) => [first, end, first - FARTHEST, end + FARTHEST])),
    ...rule.params,
  )
}
