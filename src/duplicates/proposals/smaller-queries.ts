import { and, asc, eq, gt, isNotNull, isNull, like, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { asLimit, prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { duplicateMembers } from '../../db/schema/duplicates.ts'
import { fileDetails, fileLooks, files, finerHashes } from '../../db/schema/files.ts'

const nextMembers = prepared(
  { scan: duplicateMembers.scan_id, after: duplicateMembers.file_rid, length: 'number' },
  (db, given) =>
    reading(
      {
        rid: sql<number>`${duplicateMembers.file_rid}`.as('rid'),
        group: sql<number>`${duplicateMembers.group_id}`.as('group'),
      },
      (fields) =>
        db
          .select(fields)
          .from(duplicateMembers)
          .where(
            and(
              eq(duplicateMembers.scan_id, given.scan),
              gt(duplicateMembers.file_rid, given.after),
            ),
          )
          .orderBy(asc(duplicateMembers.file_rid))
          .limit(asLimit(given.length)),
    ),
)

/** Returns the next `length` files of a scan after a row number, each with its group. */
export function membersAfter(
  db: Db,
  scan: number,
  { after, length }: { after: number; length: number },
): { rid: number; group: number }[] {
  return nextMembers.all(db, { scan, after, length })
}

const shapes = prepared({ rids: 'text', scan: duplicateMembers.scan_id }, (db, given) =>
  reading(
    {
      rid: files.rid,
      creator_id: files.creator_id,
      width: fileLooks.width,
      height: fileLooks.height,
      hash: finerHashes.hash,
    },
    (fields) =>
      db
        .select(fields)
        .from(sql`json_each(${given.rids}) AS j`)
        .crossJoin(files)
        .crossJoin(fileLooks)
        .crossJoin(finerHashes)
        .crossJoin(duplicateMembers)
        .where(
          and(
            eq(files.rid, sql`j.value`),
            eq(fileLooks.file_rid, files.rid),
            eq(finerHashes.file_rid, files.rid),
            eq(duplicateMembers.scan_id, given.scan),
            eq(duplicateMembers.file_rid, files.rid),
            // With another content, it is no member any more.
            eq(duplicateMembers.phash, files.phash),
            eq(finerHashes.is_plain, false),
            like(files.mime_type, 'image/%'),
            isNotNull(fileLooks.width),
            isNotNull(fileLooks.height),
            isNull(fileLooks.duration),
          ),
        ),
  ),
)

/** A picture that has a size and a finer hash that distinguishes it from others. */
export interface Shape {
  rid: number
  creator_id: number
  width: number
  height: number
  hash: Uint8Array
}

/** Returns the files that are pictures which can be compared. */
export function shapesOf(db: Db, scan: number, rids: number[]): Shape[] {
  return shapes.all(db, { scan, rids: JSON.stringify(rids) }) as Shape[]
}

const blobs = prepared({ rids: 'text' }, (db, given) =>
  reading(
    { rid: files.rid, mime_type: files.mime_type, size: fileDetails.size, blob: fileDetails.blob },
    (fields) =>
      db
        .select(fields)
        .from(sql`json_each(${given.rids}) AS j`)
        .crossJoin(files)
        .crossJoin(fileDetails)
        .where(and(eq(files.rid, sql`j.value`), eq(fileDetails.file_rid, files.rid))),
  ),
)

/** Returns the types and sizes of files and the names of their contents. */
export function blobsOf(
  db: Db,
  rids: number[],
): { rid: number; mime_type: string; size: number; blob: string }[] {
  return blobs.all(db, { rids: JSON.stringify(rids) })
}
