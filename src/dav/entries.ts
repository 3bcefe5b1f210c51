import { requireCreator } from '../acl/access.ts'
import { AppError, invalid } from '../base/errors.ts'
import { DAY } from '../base/time.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import type { Tx } from '../db/write.ts'
import { namesEtag } from '../http/ranges.ts'
import {
  countBare,
  deleteEntries,
  type Entry,
  findEntry,
  insertEntry,
  listParts,
  longestBelow,
  moveEntries,
  type Sent,
  updateEntry,
} from './entries-queries.ts'
import { asFolder, type DavPath, isBelow, isRoot, LONGEST_PATH, parentOf } from './paths.ts'
import { etagOf } from './propfind.ts'

// How far ahead of the server's clock a time may be, in milliseconds.
const AHEAD = 2 * DAY
// Of folders and files without bytes, which no quota limits.
const MOST_BARE = 100_000

/** What a request asks to be so before it writes: the headers If-Match and If-None-Match. */
interface Conditions {
  match: string | undefined
  noneMatch: string | undefined
}

/** Returns a time that a client gives a file, in milliseconds, or null where it can't be true. */
export function plausibleTime(time: number, now: number): number | null {
  return time > 0 && time < now + AHEAD ? Math.floor(time) : null
}

/** Returns the entry at a path. Throws not_found when there is none. */
export function loadEntry(db: Db, user: User, path: DavPath): Entry {
  const entry = findEntry(db, user.id, path)
  if (!entry) throw new AppError('not_found', 'There is nothing of this name')
  return entry
}

/**
 * Returns the file's entry at a path, or undefined when a write would make one. Throws forbidden for a user who may not
 * create, conflict without the folder above it, method_not_allowed for a folder, and precondition_failed.
 */
export function requireWritable(
  db: Db,
  user: User,
  path: DavPath,
  { match, noneMatch }: Conditions,
): Entry | undefined {
  requireCreator(user)
  requireParent(db, user, path)
  const entry = findEntry(db, user.id, path)
  if (isRoot(path) || entry?.is_folder) throw isFolder()
  const isUnmet =
    (match !== undefined && !(entry && namesEtag(match, etagOf(entry)))) ||
    (noneMatch !== undefined && entry && namesEtag(noneMatch, etagOf(entry)))
  if (isUnmet) throw unmet()
  return entry
}

/**
 * Makes the entry at a path say what was sent, and returns what was there before. Throws what `requireWritable` throws.
 */
export function saveEntry(
  tx: Tx,
  user: User,
  { path, sent, conditions }: { path: DavPath; sent: Sent; conditions: Conditions },
): Moved {
  const entry = requireWritable(tx, user, path, conditions)
  if (entry) updateEntry(tx, entry.rid, { ...sent, created_at: tx.now })
  else {
    if (sent.sha256 === null) requireFewBare(tx, user)
    insertEntry(tx, user.id, { ...path, ...sent, is_folder: false })
  }
  return { isNew: !entry, parts: entry?.upload_id ? [entry.upload_id] : [] }
}

/**
 * Makes a folder. Throws forbidden for a user who may not create, conflict without the folder above it, and
 * method_not_allowed where there is something.
 */
export function makeFolder(tx: Tx, user: User, path: DavPath): void {
  requireCreator(user)
  if (isRoot(path) || findEntry(tx, user.id, path)) throw isThere()
  requireParent(tx, user, path)
  requireFewBare(tx, user)
  const nothing = { file_rid: null, upload_id: null, size: 0, sha256: null, modified_at: null }
  insertEntry(tx, user.id, { ...path, ...nothing, is_folder: true })
}

/**
 * Removes the entry at a path, with all that is in a folder; files of the library stay. Returns the ids of the parts
 * that nobody needs any more. Throws not_found, and forbidden for the drop box itself and for a user who may not create.
 */
export function removeEntry(tx: Tx, user: User, path: DavPath): string[] {
  requireCreator(user)
  if (isRoot(path)) throw new AppError('forbidden', 'The drop box itself stays')
  return removeWithParts(tx, user, loadEntry(tx, user, path))
}

function removeWithParts(tx: Tx, user: User, entry: Entry): string[] {
  const parts = listParts(tx, user.id, entry)
  deleteEntries(tx, user.id, entry)
  return parts
}

/** What became of the place to which something was sent or moved. */
export interface Moved {
  /** Whether nothing was there. */
  isNew: boolean
  /** The ids of the parts that were there. */
  parts: string[]
}

/**
 * Moves an entry, with all that is in a folder, and returns what was there before. Throws not_found without the entry,
 * forbidden into itself and for a user who may not create, and conflict without the folder above the new place. Throws a
 * validation error for a path that becomes too long, and precondition_failed for what must not be overwritten.
 */
export function moveEntry(
  tx: Tx,
  user: User,
  { from, to, overwrites }: { from: DavPath; to: DavPath; overwrites: boolean },
): Moved {
  requireCreator(user)
  const entry = isRoot(from) ? undefined : loadEntry(tx, user, from)
  if (!entry || isRoot(to) || asFolder(from) === asFolder(to) || isBelow(to, from)) {
    throw new AppError('forbidden', 'Nothing can be moved to itself, nor the drop box')
  }
  requireParent(tx, user, to)
  if (entry.is_folder) requireAddresses(tx, user, from, to)
  const before = findEntry(tx, user.id, to)
  if (before) {
    if (!overwrites) throw unmet()
    if (isBelow(from, to)) throw new AppError('forbidden', 'Nothing can replace what it is in')
  }
  const parts = before ? removeWithParts(tx, user, before) : []
  moveEntries(tx, user.id, entry, to)
  return { isNew: !before, parts }
}

// What nobody can name any more would stay for ever, and grow with each move.
function requireAddresses(db: Db, user: User, from: DavPath, to: DavPath): void {
  const [old, moved] = [from, to].map((path) => Buffer.byteLength(asFolder(path)))
  if (longestBelow(db, user.id, asFolder(from)) - old! + moved! <= LONGEST_PATH) return
  throw invalid('Destination', 'makes a path too long')
}

function requireParent(db: Db, user: User, path: DavPath): void {
  const parent = parentOf(path)
  if (isRoot(path) || isRoot(parent) || findEntry(db, user.id, parent)?.is_folder) return
  throw new AppError('conflict', 'There is no such folder')
}

function requireFewBare(db: Db, user: User): void {
  if (countBare(db, user.id) < MOST_BARE) return
  throw new AppError(
    'insufficient_storage',
    `The drop box has ${MOST_BARE} folders and empty files already`,
  )
}

function isFolder(): AppError {
  return new AppError('method_not_allowed', 'A folder has no content', { headers: FOLDER })
}

function isThere(): AppError {
  return new AppError('method_not_allowed', 'Something has this name', { headers: FOLDER })
}

// What may be done with a folder.
const FOLDER = { Allow: 'OPTIONS, PROPFIND, PROPPATCH, MOVE, DELETE, LOCK, UNLOCK' }

function unmet(): AppError {
  return new AppError('precondition_failed', 'What the request asks to be so is not')
}
