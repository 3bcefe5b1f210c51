import { closeSync, fstatSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { isOutOfSpace } from '../disk.ts'
import type { Db } from './client.ts'
import { perConnection } from './per-connection.ts'

// When another program has filled the disk to its last byte, signing in and deleting still write. They can, as long
// as every byte that they write has its place on the disk already: pages of the database that are free, and a
// write-ahead log that is as large as it becomes in use. What is larger than these waits for room.

/** How large the write-ahead log is from the start on: twice what SQLite lets it become before it is emptied. */
const LOG_SIZE = 8 * 2 ** 20
/** How many bytes of free pages stay in the database, and how many there are once they were added. */
const LEAST_FREE = 2 * 2 ** 20
const ADDED_FREE = 3 * 2 ** 20
const PIECE = 2 ** 20

/** Whether the disk has room for more, of a connection that keeps free pages. */
const keepingOf = perConnection((): { hasRoom: (() => boolean) | null } => ({ hasRoom: null }))

/**
 * Gives the database of a server its log and its free pages, and has every write keep these, as long as the disk has
 * room. Throws what a full disk makes of it.
 */
export function keepSpare(db: Db, path: string, hasRoom: () => boolean): void {
  keepingOf(db).hasRoom = hasRoom
  if (!hasRoom()) return
  addFreePages(db)
  lengthenLog(`${path}-wal`)
}

/** Adds free pages where a write has left too few. Throws nothing: the write is done. */
export function keepFreePages(db: Db): void {
  const { hasRoom } = keepingOf(db)
  if (!hasRoom || freeBytes(db) >= LEAST_FREE || !hasRoom()) return
  try {
    addFreePages(db)
  } catch (error) {
    if (!isOutOfSpace(error)) throw error
  }
}

function freeBytes(db: Db): number {
  const { free } = db.get<{ free: number }>(
    'SELECT freelist_count * page_size AS free FROM pragma_freelist_count, pragma_page_size',
  )!
  return free
}

function addFreePages(db: Db): void {
  const missing = ADDED_FREE - freeBytes(db)
  if (missing <= 0) return
  // Free pages would be taken first.
  db.run('INSERT OR REPLACE INTO spare (id, bytes) VALUES (1, zeroblob(?))', ADDED_FREE)
  db.run('DELETE FROM spare')
  // Only what the database file itself has is there for good.
  db.get('PRAGMA wal_checkpoint(PASSIVE)')
}

/** SQLite writes its log from the beginning again and again, and leaves what is behind as it is. */
function lengthenLog(path: string): void {
  const file = openSync(path, 'r+')
  try {
    const zeros = Buffer.alloc(PIECE)
    for (let { size } = fstatSync(file); size < LOG_SIZE; size += PIECE) {
      writeSync(file, zeros, 0, Math.min(PIECE, LOG_SIZE - size), size)
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
