import { and, eq, isNull, sql } from 'drizzle-orm'
import { DAY } from '../base/time.ts'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { auditLog, auditTexts, userChanges } from '../db/schema/audit.ts'
import { uploads } from '../db/schema/uploads.ts'
import { usage, users } from '../db/schema/users.ts'
import type { Tx } from '../db/write.ts'

// How long a text is stored: a day, in which its change may be undone, and the time that the undo takes.
const KEPT_FOR = 1.1 * DAY
// How many texts are removed at once: more than are added.
const REMOVED_AT_ONCE = 20

const { user_id, sha256, text, bytes, written_at } = auditTexts

const found = prepared({ user_id, sha256 }, (db, given) =>
  reading({ text }, (fields) =>
    db
      .select(fields)
      .from(auditTexts)
      .where(and(eq(user_id, given.user_id), eq(sha256, given.sha256))),
  ),
)

/** Returns the JSON of a text beside the log that a change of this user has replaced. */
export function findText(db: Db, user_id: number, sha256: Uint8Array): string | undefined {
  return found.get(db, { user_id, sha256 })?.text
}

const stored = prepared({ user_id, sha256, text, bytes, written_at }, (db, given) =>
  db
    .insert(auditTexts)
    .values(given)
    .onConflictDoUpdate({
      target: [user_id, sha256],
      set: { written_at: sql`max(${written_at}, excluded.written_at)` },
    }),
)
const old = prepared({ written_at, limit: 'number' }, (db, given) =>
  db
    .delete(auditTexts)
    .where(
      sql`rowid IN (SELECT rowid FROM ${auditTexts} WHERE ${written_at} < ${given.written_at} LIMIT ${given.limit})`,
    ),
)

export function storeText(
  tx: Tx,
  user_id: number,
  one: Pick<typeof auditTexts.$inferSelect, 'sha256' | 'text' | 'bytes'>,
): void {
  stored.run(tx, { ...one, user_id, written_at: tx.now })
}

/** Removes some of the texts that no undo needs any more, and returns how many. */
export function removeOldTexts(tx: Tx, limit = REMOVED_AT_ONCE): number {
  return old.run(tx, { written_at: tx.now - KEPT_FOR, limit })
}

const counted = prepared({ user_id, day: userChanges.day, bytes }, (db, given) =>
  db
    .insert(userChanges)
    .select(
      db
        .select({
          user_id: users.id,
          day: sql<number>`${given.day}`.as('day'),
          bytes: sql<number>`${given.bytes}`.as('bytes'),
          text_bytes: sql<number>`0`.as('text_bytes'),
        })
        .from(users)
        .where(eq(users.id, given.user_id)),
    )
    .onConflictDoUpdate({
      target: userChanges.user_id,
      set: {
        day: sql`excluded.day`,
        bytes: sql`excluded.bytes + iif(${userChanges.day} = excluded.day, ${userChanges.bytes}, 0)`,
      },
    }),
)

/** Counts bytes that a user has written into the log. */
export function countWritten(tx: Tx, user_id: number, bytes: number): void {
  counted.run(tx, { user_id, day: dayOf(tx.now), bytes })
}

const written = prepared({ id: auditLog.id }, (db, given) =>
  reading(
    {
      bytes: sql<number>`coalesce(sum(octet_length(${auditLog.details})), 0)`.as('bytes'),
    },
    (fields) => db.select(fields).from(auditLog).where(sql`${auditLog.id} > ${given.id}`),
  ),
)

/** Returns how many bytes of details the entries after one have. */
export function bytesAfter(db: Db, id: number): number {
  return written.get(db, { id })!.bytes
}

const ofUser = prepared({ user_id }, (db, given) =>
  reading(
    {
      day: userChanges.day,
      bytes: userChanges.bytes,
      text_bytes: userChanges.text_bytes,
    },
    (fields) => db.select(fields).from(userChanges).where(eq(userChanges.user_id, given.user_id)),
  ),
)

/** Returns how many bytes a user has written today, and the bytes of their texts. */
export function changesOf(db: Db, user_id: number, now: number): { bytes: number; texts: number } {
  const row = ofUser.get(db, { user_id })
  return { bytes: row?.day === dayOf(now) ? row.bytes : 0, texts: row?.text_bytes ?? 0 }
}

const ofFiles = prepared({ user_id }, (db, given) =>
  reading({ bytes: usage.bytes }, (fields) =>
    db.select(fields).from(usage).where(eq(usage.user_id, given.user_id)),
  ),
)

const ofParts = prepared({ user_id }, (db, given) =>
  reading({ bytes: sql<number>`coalesce(sum(${uploads.size}), 0)`.as('bytes') }, (fields) =>
    db
      .select(fields)
      .from(uploads)
      .where(and(eq(uploads.user_id, given.user_id), isNull(uploads.file_id))),
  ),
)

/**
 * Returns the total bytes of a creator's contents, trashed ones included, of their texts, and of what has come of
 * uploads in parts.
 */
export function bytesOf(db: Db, user_id: number): number {
  const texts = ofUser.get(db, { user_id })?.text_bytes ?? 0
  const parts = ofParts.get(db, { user_id })?.bytes ?? 0
  return (ofFiles.get(db, { user_id })?.bytes ?? 0) + texts + parts
}

function dayOf(now: number): number {
  return Math.floor(now / DAY)
}
