import { pack, packAll } from '../audit/packed.ts'
import { audit } from '../audit/record.ts'
import type { Db } from '../db/client.ts'
import type { Tx } from '../db/write.ts'
import { AppError, invalid } from '../errors.ts'
import { filesByRid, findFiles } from '../files/queries.ts'
import type { User } from '../user.ts'
import { insertAt, insertEach, moveTo, removeFrom } from './positions.ts'
import { filesHeld, type PoolRecord, poolFileRids, seenFiles } from './queries.ts'

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
 * Puts files into a pool, at a position or, without one, at the end; those that are already in it
 * stay where they are.
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
  const details = {
    position,
    ...named(added.map((file) => file.id)),
    ...packAll({ files: rids }),
  }
  audit(tx, user, 'file_pool_add', { type: 'pool', id: pool.id }, details)
}

/** Takes files out of a pool; those that the user may not view or that aren't in it are skipped. */
export function removeFiles(tx: Tx, user: User, pool: PoolRecord, file_ids: string[]): void {
  const visible = findFiles(tx, user, file_ids).filter((file) => file.allowed)
  const removed = removeFrom(
    tx,
    pool.rid,
    visible.map((file) => file.rid),
  )
  if (removed.length === 0) return
  const taken = new Set(removed.map((row) => row.file_rid))
  const ids = visible.filter((file) => taken.has(file.rid)).map((file) => file.id)
  recordRemoved(tx, user, pool, removed, ids)
}

/** Puts files into a pool, each at a place of its own, because others in it are `merged` into them. */
export function joinByMerge(
  tx: Tx,
  user: User,
  pool: Pick<PoolRecord, 'rid' | 'id'>,
  places: { file: AddedFile; position: number; merged: number[] }[],
): void {
  const inOrder = places.toSorted((a, b) => a.position - b.position)
  const files = inOrder.map(({ file }) => file)
  const rids = files.map((file) => file.rid)
  insertEach(
    tx,
    pool.rid,
    inOrder.map(({ file, position }) => ({ file: file.rid, position })),
  )
  const { position } = inOrder[0]!
  const merged = inOrder.flatMap((place) => place.merged.flatMap((rid) => [place.file.rid, rid]))
  const internal = { merged: pack(merged) }
  const ids = files.map((file) => file.id)
  const details = { position, by_merge: true as const, internal, ...named(ids) }
  const object = { type: 'pool', id: pool.id } as const
  audit(tx, user, 'file_pool_add', object, { ...details, ...packAll({ files: rids }) })
}

/**
 * Arranges a manual pool: first the named files, then, in their old order, the others that the user
 * sees; together they keep the positions that they have. Throws a validation error for a pool that
 * is sorted automatically, and for a file that the user does not see in it.
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
  recordMoved(tx, user, pool, { seen, moves, named: file_ids })
}

/** Takes files out of a pool, hidden ones too, and returns how many of them were in it. */
export function takeFilesOut(
  tx: Tx,
  user: User,
  pool: Pick<PoolRecord, 'rid' | 'id'>,
  rids: number[],
): number {
  const removed = removeFrom(tx, pool.rid, rids)
  const ids = idsOf(
    tx,
    removed.map((row) => row.file_rid),
  )
  if (removed.length > 0) recordRemoved(tx, user, pool, removed, ids)
  return removed.length
}

/**
 * Puts files back into a pool at the positions that they had, given by these, and returns how many
 * were put back: not those that are in it again, or that no longer exist.
 */
export function putFilesBack(
  tx: Tx,
  user: User,
  pool: PoolRecord,
  places: { rid: number; position: number }[],
): number {
  const rids = places.map((place) => place.rid)
  const held = filesHeld(tx, pool.rid, rids)
  const existing = new Set(filesByRid(tx, rids).map((file) => file.rid))
  const missing = places.filter(({ rid }) => existing.has(rid) && !held.has(rid))
  if (missing.length === 0) return 0
  const others = poolFileRids(tx, pool.rid)
  const order: number[] = []
  let next = 0
  for (const { rid, position } of missing) {
    while (order.length < position && next < others.length) order.push(others[next++]!)
    order.push(rid)
  }
  const isNew = new Set(missing.map((place) => place.rid))
  const moves = [...order, ...others.slice(next)]
    .map((file, position) => ({ file, position }))
    .filter(({ file, position }) => isNew.has(file) || others[position] !== file)
  moveTo(tx, pool.rid, moves)
  const files = missing.map((place) => place.rid)
  const position = order.indexOf(files[0]!)
  const details = { position, ...named(idsOf(tx, files)), ...packAll({ files }) }
  audit(tx, user, 'file_pool_add', { type: 'pool', id: pool.id }, details)
  return missing.length
}

/**
 * Brings files of a pool from the order of `files` into the former one, whose indexes into it are
 * given, in the places that they have, as far as they are still in the pool. Returns false when
 * that moves none, or when they are in another order now.
 */
export function reorderBack(
  tx: Tx,
  user: User,
  pool: PoolRecord,
  { files, former }: { files: number[]; former: number[] },
): boolean {
  const places = new Map(poolFileRids(tx, pool.rid).map((rid, position) => [rid, position]))
  const present = files.filter((rid) => places.has(rid))
  const positions = present.map((rid) => places.get(rid)!)
  const isInOrder = positions.every((place, index) => index === 0 || positions[index - 1]! < place)
  if (present.length === 0 || !isInOrder) return false
  const order = former.map((index) => files[index]!).filter((rid) => places.has(rid))
  const moves = order
    .map((file, index) => ({ file, position: positions[index]! }))
    .filter(({ file, position }) => places.get(file) !== position)
  if (moves.length === 0) return false
  moveTo(tx, pool.rid, moves)
  const seen = present.map((rid, index) => ({ rid, position: positions[index]! }))
  recordMoved(tx, user, pool, { seen, moves, named: idsOf(tx, order) })
  return true
}

function recordRemoved(
  tx: Tx,
  user: User,
  pool: Pick<PoolRecord, 'id'>,
  removed: { file_rid: number; position: number }[],
  file_ids: string[],
): void {
  const files = removed.map((row) => row.file_rid)
  const positions = removed.map((row) => row.position)
  const details = { ...named(file_ids), ...packAll({ files, positions }) }
  audit(tx, user, 'file_pool_remove', { type: 'pool', id: pool.id }, details)
}

/** `seen` are the files by their old positions, `moves` those of them that get new ones. */
function recordMoved(
  tx: Tx,
  user: User,
  pool: PoolRecord,
  change: { seen: { rid: number }[]; moves: { file: number }[]; named: string[] },
): void {
  if (change.moves.length === 0) return
  const files = change.moves.map((move) => move.file)
  const indexes = new Map(files.map((rid, index) => [rid, index]))
  const former = change.seen.flatMap(({ rid }) => indexes.get(rid) ?? [])
  const details = {
    moved: files.length,
    ...named(change.named),
    ...packAll({ files, former }),
  }
  audit(tx, user, 'file_pool_reorder', { type: 'pool', id: pool.id }, details)
}

function idsOf(tx: Tx, rids: number[]): string[] {
  return filesByRid(tx, rids).map((file) => file.id)
}

function named(file_ids: string[]) {
  return { count: file_ids.length, file_ids: file_ids.slice(0, NAMED) }
}
