import { and, asc, count, eq, getTableColumns, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { asLimit, prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { davEntries } from '../db/schema/dav.ts'
import type { Tx } from '../db/write.ts'
import { asFolder, type DavPath } from './paths.ts'

const { user_id, ...ENTRY } = getTableColumns(davEntries)
const { rid, folder, name, is_folder, file_rid, upload_id, size, sha256, modified_at, created_at } =
  ENTRY

/** An entry of the drop box of one user. */
export type Entry = Pick<typeof davEntries.$inferSelect, keyof typeof ENTRY>
/** What an entry says of what was sent. */
export type Sent = Pick<Entry, 'file_rid' | 'upload_id' | 'size' | 'sha256' | 'modified_at'>

const found = prepared({ user_id, folder, name }, (db, given) =>
  reading(ENTRY, (fields) =>
    db
      .select(fields)
      .from(davEntries)
      .where(and(eq(user_id, given.user_id), eq(folder, given.folder), eq(name, given.name))),
  ),
)

/** Returns the entry at a path, if there is one. */
export function findEntry(db: Db, user: number, path: DavPath): Entry | undefined {
  return found.get(db, { user_id: user, ...path })
}

const listed = prepared({ user_id, folder, name, limit: 'number' }, (db, given) =>
  reading(ENTRY, (fields) =>
    db
      .select(fields)
      .from(davEntries)
      .where(and(eq(user_id, given.user_id), eq(folder, given.folder), gt(name, given.name)))
      .orderBy(asc(name))
      .limit(asLimit(given.limit)),
  ),
)

/** Returns the first entries of a folder after a name, in their order, at most `limit`. */
export function listEntries(
  db: Db,
  user: number,
  page: { folder: string; after: string; limit: number },
): Entry[] {
  return listed.all(db, { ...page, user_id: user, name: page.after })
}

const bare = prepared({ user_id }, (db, given) =>
  reading({ n: count().as('n') }, (fields) =>
    db
      .select(fields)
      .from(davEntries)
      .where(and(eq(user_id, given.user_id), isNull(sha256))),
  ),
)

/** Returns how many entries without content a user has: folders, and files without bytes. */
export function countBare(db: Db, user: number): number {
  return bare.get(db, { user_id: user })!.n
}

const inserted = prepared(
  { user_id, folder, name, is_folder, file_rid, upload_id, size, sha256, modified_at, created_at },
  (db, given) => db.insert(davEntries).values(given),
)

export function insertEntry(
  tx: Tx,
  user: number,
  entry: DavPath & Sent & Pick<Entry, 'is_folder'>,
): void {
  inserted.run(tx, { ...entry, user_id: user, created_at: tx.now })
}

const updated = prepared(
  { rid, file_rid, upload_id, size, sha256, modified_at, created_at },
  (db, given) =>
    db
      .update(davEntries)
      .set({
        file_rid: given.file_rid,
        upload_id: given.upload_id,
        size: given.size,
        sha256: given.sha256,
        modified_at: given.modified_at,
        created_at: given.created_at,
      })
      .where(eq(rid, given.rid)),
)

/** Makes an entry say what was sent, and when. */
export function updateEntry(tx: Tx, entry: number, sent: Sent & Pick<Entry, 'created_at'>): void {
  updated.run(tx, { rid: entry, ...sent })
}

// All that is below a folder is between its name with a slash and with the character after the slash.
const below = (top: string) =>
  or(eq(folder, top), and(gt(folder, `${top}/`), sql`${folder} < ${`${top}0`}`))

/** Returns the ids of the parts at an entry, and of a folder those below it. */
export function listParts(db: Db, user: number, entry: Entry): string[] {
  const here = entry.is_folder ? below(asFolder(entry)) : eq(rid, entry.rid)
  const rows = db.rows(
    reading({ upload_id }, (fields) =>
      db
        .select(fields)
        .from(davEntries)
        .where(and(eq(user_id, user), isNotNull(upload_id), here)),
    ),
  )
  return rows.map((row) => row.upload_id!)
}

/** Returns how many bytes of UTF-8 the longest path of a folder has that is a folder or below it. */
export function longestBelow(db: Db, user: number, top: string): number {
  const longest = reading(
    { bytes: sql<number>`coalesce(max(length(CAST(${folder} AS BLOB))), 0)`.as('bytes') },
    (fields) =>
      db
        .select(fields)
        .from(davEntries)
        .where(and(eq(user_id, user), below(top))),
  )
  return db.first(longest)!.bytes
}

/** Removes an entry, and of a folder all that is below it. */
export function deleteEntries(tx: Tx, user: number, entry: Entry): void {
  tx.execute(tx.delete(davEntries).where(eq(rid, entry.rid)))
  if (!entry.is_folder) return
  tx.execute(tx.delete(davEntries).where(and(eq(user_id, user), below(asFolder(entry)))))
}

/** Gives an entry another path, and of a folder all that is below it. */
export function moveEntries(tx: Tx, user: number, entry: Entry, to: DavPath): void {
  tx.execute(tx.update(davEntries).set(to).where(eq(rid, entry.rid)))
  if (!entry.is_folder) return
  const from = asFolder(entry)
  tx.execute(
    tx
      .update(davEntries)
      .set({ folder: sql`${asFolder(to)} || substr(${folder}, length(${from}) + 1)` })
      .where(and(eq(user_id, user), below(from))),
  )
}
