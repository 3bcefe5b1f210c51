import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { isOutOfSpace } from '../base/disk.ts'
import type { Db } from './client.ts'
import { perConnection } from './per-connection.ts'

// When another program has filled the disk to its last byte, signing in and deleting still work. Every byte that they
// write already has its place on the disk: free pages of the database, and a write-ahead log that is as large as it
// becomes in use. Larger writes wait for room. Where the file system copies on write, no byte has its place, so a file
// beside the database, the ballast, is given up for the next writes.

// The size of the write-ahead log from the start on: twice what SQLite lets it become before it is emptied.
const LOG_SIZE = 8 * 2 ** 20
// Bytes of free pages that stay in the database, and how many there are after some were added.
const LEAST_FREE = 2 * 2 ** 20
const ADDED_FREE = 3 * 2 ** 20
const PIECE = 2 ** 20

// File systems that copy on write, by the magic number of statfs(2): Btrfs, ZFS, bcachefs.
const COPYING = [0x9123683e, 0x2fc12fc1, 0xca451a4e]
const BALLAST_SIZE = 16 * 2 ** 20

interface Spare {
  /** Returns whether the disk has room for more; null for a connection that doesn't maintain free pages. */
  hasRoom: (() => boolean) | null
  ballast: string | null
}

const spareOf = perConnection((): Spare => ({ hasRoom: null, ballast: null }))

/**
 * Gives the database of a server its log and its free pages, and makes every write maintain them, as long as the disk
 * has room. Throws the errors of a full disk.
 */
export function keepSpare(db: Db, path: string, hasRoom: () => boolean): void {
  const spare = spareOf(db)
  spare.hasRoom = hasRoom
  const ballast = `${path}-ballast`
  const copies = COPYING.includes(statfsSync(path).type)
  if (copies) spare.ballast = ballast
  // The library may have been moved here from another file system.
  else rmSync(ballast, { force: true })
  if (!hasRoom()) return
  addFreePages(db)
  lengthen(`${path}-wal`, LOG_SIZE)
  if (copies) lengthen(ballast, BALLAST_SIZE)
}

/** Makes room for the next writes, once a write has found the disk full; the next start makes a new ballast. */
export function giveUpBallast(db: Db): void {
  const spare = spareOf(db)
  const { ballast } = spare
  spare.ballast = null
  if (!ballast) return
  try {
    // A full disk may have no room to unlink a file, so it is truncated first.
    truncateSync(ballast)
    rmSync(ballast)
  } catch {
    // The write has already failed with its own error.
  }
}

/** Adds free pages when a write has left too few. Throws nothing, because the write is done. */
export function keepFreePages(db: Db): void {
  const { hasRoom } = spareOf(db)
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
  // Without this, free pages would be used first.
  db.run('INSERT OR REPLACE INTO spare (id, bytes) VALUES (1, zeroblob(?))', ADDED_FREE)
  db.run('DELETE FROM spare')
  // Only pages in the database file itself are permanent.
  db.get('PRAGMA wal_checkpoint(PASSIVE)')
}

// Writes at the end of a file until it has this many bytes. SQLite writes its log from the beginning again and again,
// and leaves the rest as it is. The bytes are random because of file systems that compress.
function lengthen(path: string, length: number): void {
  const file = openSync(path, 'a', 0o600)
  try {
    for (let { size } = fstatSync(file); size < length; size += PIECE) {
      writeSync(file, randomBytes(Math.min(PIECE, length - size)))
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
