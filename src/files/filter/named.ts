import type { Db } from '../../db/client.ts'
import { followedSet, followedSets, readInTurns } from '../changes/followed-set.ts'
import type { FileSet } from '../file-set.ts'
import { namedAmong, namedStretch } from './named-queries.ts'

/** The sets by the texts that were searched for. */
const setsOf = followedSets()

/**
 * Returns the set of the files whose names contain a folded text, trashed and hidden ones included; it changes
 * with the library. The first call reads it in turns with other requests.
 */
export function namedFiles(db: Db, search: string): Promise<FileSet> {
  return followedSet(db, setsOf(db), {
    key: search,
    of: 'file_changes',
    readAll: (pause) => readInTurns<number>((after) => namedStretch(db, search, after ?? 0), pause),
    among: (rids) => namedAmong(db, search, rids),
  })
}
