import { findObject, objectsAllowed } from '../acl/queries.ts'
import type { Details } from '../audit/details.ts'
import { unpack } from '../audit/packed.ts'
import type { User } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import { filesByRid } from '../files/queries.ts'
import { putFilesBack, takeFilesOut } from '../pools/arrange.ts'
import { filesHeld, loadPool } from '../pools/queries.ts'
import { reorderBack } from '../pools/reorder.ts'
import { asFarAsItStood, NOTHING, type Outcome, oneByOne, refused, UNDONE } from './tally.ts'

export const undoFilesAdded = oneByOne<'file_pool_add'>((tx, user, { object, details }) => {
  if (details.by_merge) return undoJoined(tx, user, object.id, details)
  const pool = loadPool(tx, user, object.id, 'edit')
  if ('incomplete' in details) return refused('incomplete')
  const files = unpack(details.files)
  return asFarAsItStood(takeFilesOut(tx, user, pool, files), files.length)
})

export const undoFilesRemoved = oneByOne<'file_pool_remove'>((tx, user, { object, details }) => {
  const pool = loadPool(tx, user, object.id, 'edit')
  if ('incomplete' in details) return refused('incomplete')
  const positions = unpack(details.positions)
  const places = unpack(details.files).map((rid, index) => ({ rid, position: positions[index]! }))
  return asFarAsItStood(putFilesBack(tx, user, pool, places), places.length)
})

export const undoReordered = oneByOne<'file_pool_reorder'>((tx, user, { object, details }) => {
  const pool = loadPool(tx, user, object.id, 'edit')
  if ('incomplete' in details) return refused('incomplete')
  return reorderBack(tx, user, pool, details) ? UNDONE : refused('changed')
})

// Removes files that came with a merge, except those that replace a file that is no longer in the pool. This takes the
// right to the files and none to the pool. Reveals nothing of a pool that the user can't see.
function undoJoined(tx: Tx, user: User, id: string, details: Details['file_pool_add']): Outcome {
  const pool = findObject(tx, 'pool', id)
  if (!pool) return NOTHING
  const isSeen = objectsAllowed(tx, user, 'pool', 'view', [id]).length > 0
  if ('incomplete' in details) return isSeen ? refused('incomplete') : NOTHING
  const stand = standIns(tx, pool.rid, details)
  const files = filesByRid(
    tx,
    unpack(details.files).filter((rid) => !stand.has(rid)),
  )
  const ids = files.map((file) => file.id)
  const mine = new Set(objectsAllowed(tx, user, 'file', 'edit', ids))
  const rids = files.filter((file) => mine.has(file.id)).map((file) => file.rid)
  const taken = takeFilesOut(tx, user, { rid: pool.rid, id }, rids)
  return isSeen ? asFarAsItStood(taken, details.count) : NOTHING
}

function standIns(tx: Tx, pool: number, { internal }: Details['file_pool_add']): Set<number> {
  const listed = internal ? unpack(internal.merged) : []
  const held = filesHeld(tx, pool, listed)
  return new Set(listed.filter((_, index) => index % 2 === 0 && !held.has(listed[index + 1]!)))
}
