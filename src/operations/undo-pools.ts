import { unpack } from '../audit/packed.ts'
import { putFilesBack, reorderBack, takeFilesOut } from '../pools/arrange.ts'
import { loadPool } from '../pools/queries.ts'
import { asFarAsItStood, oneByOne, refused, UNDONE } from './tally.ts'

export const undoFilesAdded = oneByOne<'file_pool_add'>((tx, user, { object, details }) => {
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
  const [files, former] = [unpack(details.files), unpack(details.former)]
  return reorderBack(tx, user, pool, { files, former }) ? UNDONE : refused('changed')
})
