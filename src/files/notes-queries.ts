import { and, desc, eq, gte, inArray, isNotNull, isNull, lt } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { asLimit, prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { fileDetails, fileNotes } from '../db/schema/files.ts'
import { listed } from '../db/sql.ts'
import { fold } from '../db/text.ts'
import type { Tx } from '../db/write.ts'

const { file_rid, folded } = fileNotes

const forgotten = prepared({ files: 'text' }, (db, given) =>
  db.delete(fileNotes).where(inArray(file_rid, listed(given.files))),
)
const recorded = prepared({ file_rid, folded }, (db, given) =>
  db.insert(fileNotes).values(given).onConflictDoUpdate({ target: file_rid, set: given }),
)

/** Records notes of files for search; null for none. */
export function recordNotes(tx: Tx, rids: number[], notes: string | null): void {
  if (notes === null) {
    forgotten.run(tx, { files: JSON.stringify(rids) })
    return
  }
  const folded = fold(notes)
  for (const file_rid of rids) recorded.run(tx, { file_rid, folded })
}

const unfolded = prepared(
  { place: fileDetails.file_rid, least: fileDetails.file_rid, limit: 'number' },
  (db, given) =>
    reading({ rid: fileDetails.file_rid }, (fields) =>
      db
        .select(fields)
        .from(fileDetails)
        .leftJoin(fileNotes, eq(file_rid, fileDetails.file_rid))
        .where(
          and(
            lt(fileDetails.file_rid, given.place),
            gte(fileDetails.file_rid, given.least),
            isNotNull(fileDetails.notes),
            isNull(file_rid),
          ),
        )
        .orderBy(desc(fileDetails.file_rid))
        .limit(asLimit(given.limit)),
    ),
)

/** Returns up to `limit` of the files from `least` on, below `place`, whose notes aren't recorded, the newest first. */
export function listUnrecorded(
  db: Db,
  stretch: { place: number; least: number; limit: number },
): { rid: number }[] {
  return unfolded.all(db, stretch)
}

const notesOf = prepared({ file_rid: fileDetails.file_rid }, (db, given) =>
  reading({ notes: fileDetails.notes }, (fields) =>
    db.select(fields).from(fileDetails).where(eq(fileDetails.file_rid, given.file_rid)),
  ),
)

/** Records the notes of a file that may have some, or be gone. */
export function recordOldNotes(tx: Tx, rid: number): void {
  recordNotes(tx, [rid], notesOf.get(tx, { file_rid: rid })?.notes ?? null)
}
