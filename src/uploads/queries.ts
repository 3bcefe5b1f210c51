import { and, count, eq, isNull, lt, notExists, or } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { davEntries } from '../db/schema/dav.ts'
import { uploads } from '../db/schema/uploads.ts'
import type { Tx } from '../db/write.ts'

/** A row of an upload that comes in parts. */
export type UploadRow = typeof uploads.$inferSelect

const { id, user_id, name, length, size, until, fields, file_id, is_new } = uploads

const byId = prepared({ id }, (db, given) =>
  reading({ id, user_id, name, length, size, until, fields, file_id, is_new }, (columns) =>
    db.select(columns).from(uploads).where(eq(id, given.id)),
  ),
)

export function findUpload(db: Db, id: string): UploadRow | undefined {
  return byId.get(db, { id })
}

const unfinished = prepared({ user_id }, (db, given) =>
  reading({ n: count() }, (columns) =>
    db
      .select(columns)
      .from(uploads)
      .where(and(eq(user_id, given.user_id), isNull(file_id))),
  ),
)

/** Returns how many uploads of a user aren't files yet. */
export function countUnfinished(db: Db, user_id: number): number {
  return unfinished.get(db, { user_id })!.n
}

const inserted = prepared({ id, user_id, name, length, until, fields }, (db, given) =>
  db.insert(uploads).values({ ...given, size: 0 }),
)

export function insertUpload(
  tx: Tx,
  upload: Pick<UploadRow, 'id' | 'user_id' | 'name' | 'length' | 'until' | 'fields'>,
): void {
  inserted.run(tx, upload)
}

const received = prepared({ id, size, until }, (db, given) =>
  db.update(uploads).set({ size: given.size, until: given.until }).where(eq(id, given.id)),
)

/** Records how many bytes of an upload are safe on the disk, and until when it waits for more. */
export function setReceived(tx: Tx, upload: Pick<UploadRow, 'id' | 'size' | 'until'>): void {
  received.run(tx, upload)
}

const finished = prepared({ id, file_id, is_new, until }, (db, given) =>
  db
    .update(uploads)
    .set({ file_id: given.file_id, is_new: given.is_new, until: given.until, fields: '{}' })
    .where(eq(id, given.id)),
)

/** Records what an upload has become, and until when that is told; its fields are not needed any more. */
export function setFinished(
  tx: Tx,
  upload: { id: string; file_id: string; is_new: boolean; until: number },
): void {
  finished.run(tx, upload)
}

const deleted = prepared({ id }, (db, given) => db.delete(uploads).where(eq(id, given.id)))

export function deleteUpload(tx: Tx, id: string): void {
  deleted.run(tx, { id })
}

const expired = prepared({ until }, (db, given) =>
  reading({ id }, (columns) =>
    db
      .select(columns)
      .from(uploads)
      .where(
        or(
          lt(until, given.until),
          and(
            isNull(length),
            isNull(file_id),
            notExists(
              db
                .select({ id: davEntries.upload_id })
                .from(davEntries)
                .where(eq(davEntries.upload_id, id)),
            ),
          ),
        ),
      ),
  ),
)

/**
 * Returns the ids of the uploads that were to be removed before a time, and of those of unknown length, which a drop box
 * begins and can't go on with, that have no entry.
 */
export function listExpired(db: Db, time: number): string[] {
  return expired.all(db, { until: time }).map((row) => row.id)
}

/** Removes all uploads, whose bytes are somewhere else. */
export function deleteUploads(tx: Tx): void {
  tx.execute(tx.delete(uploads))
}
