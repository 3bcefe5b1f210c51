import { audit } from '../audit/record.ts'
import type { Db } from '../db/client.ts'
import type { Tx } from '../db/write.ts'
import { AppError, invalid } from '../errors.ts'
import { findFiles } from '../files/queries.ts'
import type { User } from '../user.ts'
import { insertAt, moveTo, removeFrom } from './positions.ts'
import { filesHeld, type PoolRecord, seenFiles } from './queries.ts'

/** How many ids an audit entry lists at most; its count covers them all. */
const NAMED = 100

/** A file to put into a pool. */
interface AddedFile {
  rid: number
  id: string
}

/**
 * Returns files that the user may view. Throws not_found if one doesn't exist, or else forbidden if
 * one may not be viewed.
 */
export function loadAddedFiles(db: Db, user: User, file_ids: string[]): AddedFile[] {
  const found = findFiles(db, user, file_ids)
  if (found.length < file_ids.length) throw new AppError('not_found', 'There is no such file')
  if (found.some((file) => !file.allowed)) {
    throw new AppError('forbidden', 'You have no right to view one of the files')
  }
  return found
}

/**
 * Puts files into a pool, at a position or, without one, at the end; those that are
 * already in it stay where they are.
 */
export function addFiles(
  tx: Tx,
  user: User,
  pool: PoolRecord,
  request: { files: AddedFile[]; position: number | undefined },
): void {
  const asked = request.files.map((file) => file.rid)
  const held = filesHeld(tx, pool.rid, asked)
  const added = request.files.filter((file) => !held.has(file.rid))
  if (added.length === 0) return
  const rids = added.map((file) => file.rid)
  const position = insertAt(tx, pool.rid, rids, request.position ?? Number.MAX_SAFE_INTEGER)
  const details = { position, ...named(added.map((file) => file.id)) }
  audit(tx, user, 'file_pool_add', { type: 'pool', id: pool.id }, details)
}

/**
 * Takes files out of a pool; those that the user may not view or that aren't in it
 * are skipped.
 */
export function removeFiles(tx: Tx, user: User, pool: PoolRecord, file_ids: string[]): void {
  const visible = findFiles(tx, user, file_ids).filter((file) => file.allowed)
  const removed = new Set(
    removeFrom(
      tx,
      pool.rid,
      visible.map((file) => file.rid),
    ),
  )
  if (removed.size === 0) return
  const ids = visible.filter((file) => removed.has(file.rid)).map((file) => file.id)
  audit(tx, user, 'file_pool_remove', { type: 'pool', id: pool.id }, named(ids))
}

/**
 * Arranges a manual pool: first the named files, then, in their old order, the
 * others that the user sees; together they keep the positions that they have. Throws a validation
 * error for a pool that is sorted automatically, and for a file that the user does not see in it.
 */
export function reorderFiles(tx: Tx, user: User, pool: PoolRecord, file_ids: string[]): void {
  if (pool.sort_key !== 'manual') {
    throw invalid('file_ids', `can't be arranged: the pool is sorted by ${pool.sort_key}`)
  }
  const seen = seenFiles(tx, user, pool.rid)
  const byId = new Map(seen.map((file) => [file.id, file]))
  const first = file_ids.map((id) => {
    const file = byId.get(id)
    if (!file) throw invalid('file_ids', `names a file that is not in the pool: ${id}`)
    byId.delete(id)
    return file
  })
  const arranged = [...first, ...byId.values()]
  const moves = arranged.flatMap((file, index) => {
    const { position } = seen[index]!
    return file.position === position ? [] : [{ file: file.rid, position }]
  })
  if (moves.length === 0) return
  moveTo(tx, pool.rid, moves)
  const details = { moved: moves.length, ...named(file_ids) }
  audit(tx, user, 'file_pool_reorder', { type: 'pool', id: pool.id }, details)
}

function named(file_ids: string[]) {
  return { count: file_ids.length, file_ids: file_ids.slice(0, NAMED) }
}
