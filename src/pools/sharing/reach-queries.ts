import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { prepared } from '../../db/prepared.ts'
import { files } from '../../db/schema/files.ts'
import { poolFiles } from '../../db/schema/pools.ts'

const { pool_rid, file_rid } = poolFiles

const pooled = prepared({ pool_rid, after: file_rid, length: 'number' }, (db, given) => {
  const stretch = db
    .select({ rid: sql<number>`${file_rid}`.as('rid') })
    .from(poolFiles)
    .where(and(eq(pool_rid, given.pool_rid), gt(file_rid, given.after)))
    .orderBy(asc(file_rid))
    .limit(given.length as unknown as number)
    .as('stretch')
  return db.select({ rids: sql<string>`json_group_array(${stretch.rid})`.as('rids') }).from(stretch)
})

/**
 * Returns the next `length` files of a pool after a row number, those in the trash too, and the last one;
 * null when there are no more.
 */
export function pooledStretch(
  db: Db,
  pool_rid: number,
  { after, length }: { after: number; length: number },
): { rids: number[]; end: number | null } {
  // One JSON text is quicker than many rows.
  const rids: number[] = JSON.parse(pooled.get(db, { pool_rid, after, length })!.rids)
  return { rids, end: rids.length < length ? null : rids.at(-1)! }
}

const named = prepared({ list: 'text' }, (db, given) =>
  db
    .select({
      is_deleted: files.is_deleted,
      rids: sql<string>`json_group_array(${files.rid})`.as('rids'),
    })
    .from(sql`json_each(${given.list}) AS j`)
    .crossJoin(files)
    .where(eq(files.id, sql`unhex(j.value)`))
    .groupBy(files.is_deleted),
)

/** Returns the row numbers of those of the files that exist, in the trash and not. */
export function ridsNamed(db: Db, ids: string[]): { is_deleted: boolean; rids: number[] }[] {
  const list = JSON.stringify(ids.map((id) => id.replaceAll('-', '')))
  return named.all(db, { list }).map((row) => ({ ...row, rids: JSON.parse(row.rids) }))
}
