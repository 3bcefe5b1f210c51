import { accessCondition } from '../../acl/access.ts'
import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/column-names.ts'
import { files, fileTags } from '../../db/schema/files.ts'
import { tags } from '../../db/schema/tags.ts'
import type { User } from '../../user.ts'

const f = columnNames(files, 'f')
const h = columnNames(fileTags, 'h')
const v = columnNames(fileTags, 'v')
const t = columnNames(tags, 't')

/** How many row numbers are passed before other requests may get a turn: about 5 ms. */
const STRETCH = 2500

/** The tags on files that a viewer may not view, and those that are being deleted. */
interface HiddenTags {
  /** Their row numbers as JSON, and how many they are. */
  list: string
  tags: number
  /** How many files carry them, each as often as it carries one. */
  files: number
  /** The highest row number of a file. */
  last: number
}

/** Returns the tags on files that are hidden from a viewer. */
export function hiddenTags(db: Db, viewer: User): HiddenTags {
  const visible = visibleTag(viewer)
  return db.get<HiddenTags>(
    `SELECT json_group_array(${t.rid}) AS list, count(*) AS tags, coalesce(sum(${t.file_count}), 0) AS files,
       (SELECT coalesce(max(${f.rid}), 0) FROM files f) AS last
     FROM tags t WHERE ${t.file_count} > 0 AND NOT ${visible.sql}`,
    ...visible.params,
  )!
}

/**
 * Returns the files after a row number that carry no tag that the viewer may view, those in the trash too,
 * out of the next ones of all files, and the last of these; null when there are no more. Those that carry
 * only hidden tags are looked for among the files of these, or among all tagged files, whichever is less to read.
 */
export function untaggedStretch(
  db: Db,
  viewer: User,
  { hidden, after }: { hidden: HiddenTags; after: number },
): { rids: number[]; end: number | null } {
  const end = after + STRETCH
  const bare = `SELECT ${f.rid} FROM files f INDEXED BY files_untagged
    WHERE ${f.tag_count} = 0 AND ${f.rid} > ? AND ${f.rid} <= ?`
  const visible = visibleTag(viewer)
  const ofHidden = `SELECT DISTINCT ${h.file_rid} AS rid FROM json_each(?) j CROSS JOIN file_tags h
    ON ${h.tag_rid} = j.value AND ${h.file_rid} > ? AND ${h.file_rid} <= ?`
  const ofAll = `SELECT ${f.rid} FROM files f WHERE ${f.tag_count} > 0 AND ${f.rid} > ? AND ${f.rid} <= ?`
  // Each hidden tag is looked up in each stretch.
  const isAmongHidden = hidden.files + hidden.tags * (hidden.last / STRETCH) < hidden.last
  const concealed = `SELECT c.rid FROM (${isAmongHidden ? ofHidden : ofAll}) c WHERE NOT EXISTS (
    SELECT 1 FROM file_tags v CROSS JOIN tags t ON ${t.rid} = ${v.tag_rid}
    WHERE ${v.file_rid} = c.rid AND ${visible.sql})`
  const areHidden = hidden.tags > 0
  const row = db.get<{ rids: string; last: number | null }>(
    `SELECT json_group_array(rid) AS rids, (SELECT max(${f.rid}) FROM files f) AS last
     FROM (${bare}${areHidden ? ` UNION ALL ${concealed}` : ''})`,
    after,
    end,
    ...(areHidden ? [...(isAmongHidden ? [hidden.list] : []), after, end, ...visible.params] : []),
  )!
  return { rids: JSON.parse(row.rids), end: end < (row.last ?? 0) ? end : null }
}

/** Returns the condition that a viewer sees the tag in the row `t`. */
function visibleTag(viewer: User) {
  const { sql, params } = accessCondition(viewer, 'tag', 'view', 't')
  return { sql: `(${t.is_deleted} = 0 AND ${sql})`, params }
}
