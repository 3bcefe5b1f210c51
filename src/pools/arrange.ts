import { pack, packAll } from '../audit/packed.ts'
import { audit } from '../audit/record.ts'
import { AppError } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import type { Tx } from '../db/write.ts'
import { filesByRid, findFiles } from '../files/queries.ts'
import type { Begun } from '../long-changes/change.ts'
import { insertAt, place, removeFrom } from './positions.ts'
import { filesHeld, findEditablePool, loadPool, type PoolRecord } from './queries.ts'
import { lengthOf, positionsOfKeys, type Ranked } from './ranks.ts'
import { shareAdded, shareMerged, shareRestored } from './sharing/through.ts'
import { requireByHand } from './smart.ts'

/** The most ids that an audit entry lists; its count covers all of them. */
const NAMED = 100

interface AddedFile {
  rid: number
  id: string
}

/**
 * Returns files that the user may view. Throws not_found if one doesn't exist, or else forbidden if one may not be
 * viewed.
 */
export function loadAddedFiles(db: Db, user: User, file_ids: string[]): AddedFile[] {
  const found = findFiles(db, user, file_ids)
  if (found.length < file_ids.length) throw new AppError('not_found', 'There is no such file')
  if (found.some((file) => !file.allowed)) {
    throw new AppError('forbidden', 'You may not view one of the files')
  }
  return found
}

/**
 * Puts files into a pool, at a position or, without one, at the end, and begins to share them if the pool does; files
 * that are already in it stay where they are. Throws conflict for a pool that fills itself.
 */
export function addFiles(
  tx: Tx,
  user: User,
  pool: PoolRecord,
  request: { files: AddedFile[]; position: number | undefined },
): Begun<null> {
  requireByHand(pool)
  const asked = request.files.map((file) => file.rid)
  const held = filesHeld(tx, pool.rid, asked)
  const added = request.files.filter((file) => !held.has(file.rid))
  if (added.length === 0) return { result: null }
  const rids = added.map((file) => file.rid)
  const position = insertAt(tx, pool.rid, rids, request.position ?? Number.MAX_SAFE_INTEGER)
  const details = {
    position,
    ...named(added.map((file) => file.id)),
    ...packAll({ files: rids }),
  }
  audit(tx, user, 'file_pool_add', { type: 'pool', id: pool.id }, details)
  return shareAdded(tx, user, pool, rids)
}

/** Returns the row number of a pool to which the user may add files by hand. Throws as `loadPool`, and conflict. */
export function poolFor(tx: Tx, user: User, pool_id: string): number {
  const pool = loadPool(tx, user, pool_id, 'edit')
  requireByHand(pool)
  return pool.rid
}

/**
 * Puts a new file at the end of a pool, if one is given. Does nothing when the pool is gone, when the user may not edit
 * it any more or when it fills itself: the upload counts for more.
 */
export function joinPool(tx: Tx, user: User, pool_rid: number | null, file: AddedFile): void {
  const pool = pool_rid === null ? null : findEditablePool(tx, user, pool_rid)
  if (pool?.filter === null) addFiles(tx, user, pool, { files: [file], position: undefined })
}

/**
 * Takes files out of a pool; skips files that the user may not view or that aren't in it. Throws conflict for a pool
 * that fills itself.
 */
export function removeFiles(tx: Tx, user: User, pool: PoolRecord, file_ids: string[]): void {
  requireByHand(pool)
  const visible = findFiles(tx, user, file_ids).filter((file) => file.allowed)
  const removed = removeFrom(
    tx,
    pool.rid,
    visible.map((file) => file.rid),
  )
  if (removed.length === 0) return
  const taken = new Set(removed.map((row) => row.file))
  const ids = visible.filter((file) => taken.has(file.rid)).map((file) => file.id)
  recordRemoved(tx, user, pool, removed, ids)
}

/**
 * Puts files into a pool because others in it are `merged` into them, each after the file whose key in the order there
 * is `after`.
 */
export function joinByMerge(
  tx: Tx,
  user: User,
  pool: Pick<PoolRecord, 'rid' | 'id'>,
  places: { file: AddedFile; after: number; merged: number[] }[],
): void {
  const inOrder = places.toSorted((a, b) => a.after - b.after)
  const files = inOrder.map(({ file }) => file)
  const rids = files.map((file) => file.rid)
  const keys = inOrder.map(({ after }) => after)
  const positions = positionsOfKeys(tx, pool.rid, keys)
  const joined = inOrder.map(({ file, after }, index) => ({
    file: file.rid,
    position: positions.get(after)! + 1 + index,
  }))
  place(tx, pool.rid, joined)
  const { position } = joined[0]!
  const merged = inOrder.flatMap((place) => place.merged.flatMap((rid) => [place.file.rid, rid]))
  const internal = { merged: pack(merged) }
  const ids = files.map((file) => file.id)
  const details = { position, by_merge: true as const, internal, ...named(ids) }
  const object = { type: 'pool', id: pool.id } as const
  audit(tx, user, 'file_pool_add', object, { ...details, ...packAll({ files: rids }) })
  shareMerged(tx, user, pool.rid, rids)
}

/** Takes files out of a pool, hidden ones included, and returns how many of them were in it. */
export function takeFilesOut(
  tx: Tx,
  user: User,
  pool: Pick<PoolRecord, 'rid' | 'id'>,
  rids: number[],
): number {
  const removed = removeFrom(tx, pool.rid, rids)
  const ids = idsOf(
    tx,
    removed.map((row) => row.file),
  )
  if (removed.length > 0) recordRemoved(tx, user, pool, removed, ids)
  return removed.length
}

/**
 * Puts files back into a pool at their former positions, in whose order they are given, and returns how many were put
 * back: not those that are in it again or no longer exist. Throws conflict for a pool that fills itself.
 */
export function putFilesBack(
  tx: Tx,
  user: User,
  pool: PoolRecord,
  places: { rid: number; position: number }[],
): number {
  requireByHand(pool)
  const rids = places.map((place) => place.rid)
  const held = filesHeld(tx, pool.rid, rids)
  const existing = new Set(filesByRid(tx, rids).map((file) => file.rid))
  const missing = places.filter(({ rid }) => existing.has(rid) && !held.has(rid))
  if (missing.length === 0) return 0
  const others = lengthOf(tx, pool.rid)
  const back = missing.map(({ rid, position }, index) => ({
    file: rid,
    position: Math.min(position, others + index),
  }))
  place(tx, pool.rid, back)
  const files = missing.map(({ rid }) => rid)
  const { position } = back[0]!
  const details = { position, ...named(idsOf(tx, files)), ...packAll({ files }) }
  audit(tx, user, 'file_pool_add', { type: 'pool', id: pool.id }, details)
  if (pool.shares_files) shareRestored(tx, user, pool.rid, files)
  return missing.length
}

function recordRemoved(
  tx: Tx,
  user: User,
  pool: Pick<PoolRecord, 'id'>,
  removed: Ranked[],
  file_ids: string[],
): void {
  const files = removed.map((row) => row.file)
  const positions = removed.map((row) => row.position)
  const details = { ...named(file_ids), ...packAll({ files, positions }) }
  audit(tx, user, 'file_pool_remove', { type: 'pool', id: pool.id }, details)
}

/** Returns the ids of the files that exist, in the order given. */
export function idsOf(tx: Tx, rids: number[]): string[] {
  return filesByRid(tx, rids).map((file) => file.id)
}

/** Returns the count of files and their first ids for an audit entry. */
export function named(file_ids: string[]) {
  return { count: file_ids.length, file_ids: file_ids.slice(0, NAMED) }
}
