import { and, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { AuditAction, Details } from '../../audit/details.ts'
import { type Actor, auditEach } from '../../audit/record.ts'
import type { Db } from '../../db/client.ts'
import { prepared } from '../../db/prepared.ts'
import { files, fileTags } from '../../db/schema/files.ts'
import type { Tx } from '../../db/write.ts'

/** Moves files to the trash, with an audit entry for each that isn't there yet. */
export function trashFiles(tx: Tx, actor: Actor, rids: number[]): void {
  changeFiles(tx, actor, rids, TRASHED)
}

/** Takes files out of the trash, with an audit entry for each that is there. */
export function restoreFiles(tx: Tx, actor: Actor, rids: number[]): void {
  changeFiles(tx, actor, rids, RESTORED)
}

/** Marks files as reviewed or needing review, with an audit entry for each that changes. */
export function markFiles(tx: Tx, actor: Actor, rids: number[], needs_review: boolean): void {
  changeFiles(tx, actor, rids, needs_review ? UNREVIEWED : REVIEWED)
}

const NAME = sql`json_object('original_name', ${files.original_name})`
const TRASHED = changing('file_delete', { is_deleted: true }, NAME)
const RESTORED = changing('file_restore', { is_deleted: false }, NAME)
const REVIEWED = changing('file_review', { needs_review: false }, reviewDetails(false))
const UNREVIEWED = changing('file_review', { needs_review: true }, reviewDetails(true))

function reviewDetails(needs_review: boolean): SQL {
  const details: Details['file_review'] = {
    needs_review: { from: !needs_review, to: needs_review },
  }
  return sql`${JSON.stringify(details)}`
}

/** The statements that give one column of the files of a JSON list a value. */
function changing(
  action: AuditAction,
  value: { is_deleted: boolean } | { needs_review: boolean },
  details: SQL,
) {
  const differs =
    'is_deleted' in value
      ? eq(files.is_deleted, !value.is_deleted)
      : eq(files.needs_review, !value.needs_review)
  return {
    recorded: auditEach(
      action,
      'file',
      { files: 'text' },
      (given) =>
        sql`SELECT ${files.id} AS id, ${details} AS details
          FROM json_each(${given.files}) AS j CROSS JOIN ${files} ON ${files.rid} = j.value
          WHERE ${differs}`,
    ),
    changed: prepared({ files: 'text' }, (db, given) =>
      db
        .update(files)
        .set(value)
        .where(
          and(inArray(files.rid, sql`(SELECT value FROM json_each(${given.files}))`), differs),
        ),
    ),
  }
}

function changeFiles(
  tx: Tx,
  actor: Actor,
  rids: number[],
  { recorded, changed }: ReturnType<typeof changing>,
): void {
  const list = { files: JSON.stringify(rids) }
  recorded(tx, actor, list)
  changed.run(tx, list)
}

/** Returns the tags of the files, by row numbers, with how many of the files each is on. */
export function countTags(db: Db, rids: number[]): { tag_rid: number; files: number }[] {
  return db
    .select({ tag_rid: fileTags.tag_rid, files: count() })
    .from(sql`json_each(${JSON.stringify(rids)}) AS j`)
    .crossJoin(fileTags)
    .where(eq(fileTags.file_rid, sql`j.value`))
    .groupBy(fileTags.tag_rid)
    .all()
}
