import type { Db } from '../../db/client.ts'
import { combine, countFiles, type FileSet, hasFile } from '../filter/bitset.ts'
import type { FileList } from '../filter/query.ts'
import { ALL_TIMES, isBounded } from '../filter/range.ts'
import { confiningSets, highestFile, matchingFiles } from '../filter/sets.ts'
import { orderedFiles } from './ordered.ts'
import { visibleFiles } from './visible.ts'

/** Which files a list holds, whatever their order. */
export type Members = Omit<FileList, 'sort' | 'order'> & { sort: 'created' | 'content_datetime' }

/** Returns the set of the files of a list, but for its range, that the viewer sees. */
export async function membersOf(db: Db, list: Members): Promise<FileSet> {
  const words = (highestFile(db) >>> 5) + 1
  // No name contains a NUL, and the full-text index would take one for the end of the query.
  if (list.search.includes('\0')) return new Uint32Array(words)
  const sets = list.tree ? [await matchingFiles(db, list.tree, list.viewer)] : []
  sets.push(await visibleFiles(db, list.viewer, list.trash))
  sets.push(...confiningSets(db, { ...list, range: ALL_TIMES }))
  return combine('and', sets, words)
}

/** Returns how many files of a list the viewer sees. */
export async function countMembers(db: Db, list: Members): Promise<number> {
  const members = await membersOf(db, list)
  if (!isBounded(list.range)) return countFiles(members)
  const { rids } = await orderedFiles(db, list)
  let count = 0
  for (const rid of rids) if (hasFile(members, rid)) count++
  return count
}
