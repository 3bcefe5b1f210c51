import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../db/client.ts'
import { haveChanged } from '../changes/follow.ts'
import { type FileSet, hasFile } from '../file-set.ts'
import type { Part } from '../find/page.ts'
import type { FileList } from '../find/query.ts'
import type { Entry } from '../find/statement.ts'
import { passInTurns } from './members.ts'
import { leadsOn, orderedFiles } from './ordered.ts'
import { type ByTime, entriesOf } from './ordered-queries.ts'

/** How many files are looked up before other requests get a turn: about 3 ms. */
const STRETCH = 2500

/**
 * Returns the next files of a list that are in a set, by what is kept of all files in its order; null
 * when some of them changed since a change: they may be hidden, trashed, deleted or elsewhere by now.
 */
export async function nextMembers(
  db: Db,
  list: ByTime & Pick<FileList, 'trash' | 'range'>,
  { members, since }: { members: FileSet; since: number },
  { place, direction, limit }: Part,
): Promise<Entry[] | null> {
  const way = { order: list.order, direction }
  const ordered = await orderedFiles(db, list, place && { place, ...way })
  const rids: number[] = []
  const order = leadsOn(way) ? 'asc' : 'desc'
  await passInTurns({ ordered, members, order }, ({ first, step, length }) => {
    for (let n = 0; n < length && rids.length < limit; n++) {
      const rid = ordered.rids[first + n * step]!
      if (hasFile(members, rid)) rids.push(rid)
    }
    return rids.length < limit
  })
  const entries: Entry[] = []
  for (let at = 0; at < rids.length; at += STRETCH) {
    if (at > 0) await setImmediate()
    entries.push(...entriesOf(db, list.sort, rids.slice(at, at + STRETCH)))
  }
  return haveChanged(db, rids, since) ? null : entries
}
