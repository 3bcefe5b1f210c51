import { and, asc, eq, sql } from 'drizzle-orm'
import { preparedWithAccess } from '../../acl/access.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { asLimit, prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { fileDetails, files, fileTags } from '../../db/schema/files.ts'
import { poolFiles, pools } from '../../db/schema/pools.ts'
import type { FileDateColumns } from '../../files/dates/file-date.ts'

/** A file of a proposal. */
export interface ProposedFile
  extends Pick<typeof files.$inferSelect, 'rid' | 'id' | 'creator_id'>,
    FileDateColumns,
    Pick<typeof fileDetails.$inferSelect, 'notes'> {}

const mergeable = preparedWithAccess('file', { rids: 'text' }, (db, given, allowed) =>
  reading(
    {
      rid: files.rid,
      id: files.id,
      creator_id: files.creator_id,
      content_datetime: files.content_datetime,
      content_offset: files.content_offset,
      date_source: files.date_source,
      date_precision: files.date_precision,
      notes: fileDetails.notes,
    },
    (fields) =>
      db
        .select(fields)
        .from(sql`json_each(${given.rids}) AS j`)
        .crossJoin(files)
        .crossJoin(fileDetails)
        .where(
          and(
            eq(files.rid, sql`j.value`),
            eq(fileDetails.file_rid, files.rid),
            eq(files.is_deleted, false),
            allowed.sql,
          ),
        )
        .orderBy(sql`j.key`),
  ),
)

/** Returns the files that the user may edit and that are not in the trash, in the given order. */
export function mergeableAmong(db: Db, user: User, rids: number[]): ProposedFile[] {
  return mergeable(user, 'edit').all(db, { rids: JSON.stringify(rids), user: user.id })
}

const carried = prepared({ rids: 'text' }, (db, given) =>
  reading({ file_rid: fileTags.file_rid, tag_rid: fileTags.tag_rid }, (fields) =>
    db
      .select(fields)
      .from(sql`json_each(${given.rids}) AS j`)
      .crossJoin(fileTags)
      .where(eq(fileTags.file_rid, sql`j.value`)),
  ),
)

/** Returns the tags of files by their row numbers, hidden ones included. */
export function tagsOn(db: Db, rids: number[]): { file_rid: number; tag_rid: number }[] {
  return carried.all(db, { rids: JSON.stringify(rids) })
}

const poolsOf = preparedWithAccess(
  'pool',
  { rids: 'text', limit: 'number', keep: files.rid },
  (db, given, allowed) => {
    const kept = sql`(SELECT ${poolFiles.pool_rid} FROM ${poolFiles} WHERE ${poolFiles.file_rid} = ${given.keep})`
    const joined = sql`(SELECT ${poolFiles.pool_rid} FROM json_each(${given.rids}) AS j CROSS JOIN ${poolFiles}
      WHERE ${poolFiles.file_rid} = j.value)`
    return reading({ id: pools.id, name: pools.name }, (fields) =>
      db
        .select(fields)
        .from(pools)
        .where(
          and(
            sql`${pools.rid} IN ${joined} AND ${pools.rid} NOT IN ${kept}`,
            eq(pools.is_deleted, false),
            allowed.sql,
          ),
        )
        .orderBy(asc(pools.name_key), asc(pools.id))
        .limit(asLimit(given.limit)),
    )
  },
)

/** Returns the pools that one of the files is in and `keep` is not, as the viewer sees them, by name. */
export function poolsGained(
  db: Db,
  viewer: User,
  { keep, discard, limit }: { keep: number; discard: number[]; limit: number },
): { id: string; name: string }[] {
  const values = { rids: JSON.stringify(discard), keep, limit, user: viewer.id }
  return poolsOf(viewer, 'view').all(db, values)
}
