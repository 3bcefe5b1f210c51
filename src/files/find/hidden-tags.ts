import { accessCondition } from '../../acl/access.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/columns.ts'
import { tags } from '../../db/schema/tags.ts'
import { numbersOf } from '../../db/sql.ts'

const t = columnNames(tags, 't')

/** An index lists the files by their number of tags, up to this number. */
export const FEW_TAGS = 3

/** Returns the row numbers of tags on files that a viewer may not view or that are being deleted. */
export function hiddenTags(db: Db, viewer: User): number[] {
  const visible = accessCondition(viewer, 'tag', 'view', 't')
  return numbersOf(db, {
    sql: `SELECT ${t.rid} FROM tags t
          WHERE ${t.file_count} > 0 AND NOT (${t.is_deleted} = 0 AND ${visible.sql})`,
    params: visible.params,
  })
}
