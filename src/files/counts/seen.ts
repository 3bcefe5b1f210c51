import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../db/client.ts'
import type { User } from '../../user.ts'
import { combine, type FileSet } from '../filter/bitset.ts'
import { filesNamed, highestFile, matchingFiles } from '../filter/sets.ts'
import type { Tree } from '../filter/tree.ts'
import { seenStretch } from './counts-queries.ts'

/** Which files are counted: those that match, in the trash or not. */
export interface Counted {
  tree: Tree | null
  /** The folded text to search for; empty for no search. */
  search: string
  trash: boolean
}

/** How many row numbers are passed before other requests get a turn: about 5 ms. */
const STRETCH = 10_000

/** Returns the set of those of the files that the viewer sees, in turns with other requests. */
export async function seenFiles(
  db: Db,
  viewer: User,
  { tree, search, trash }: Counted,
): Promise<FileSet> {
  const words = (highestFile(db) >>> 5) + 1
  const seen = new Uint32Array(words)
  // No name contains a NUL, and the full-text index would take one for the end of the query.
  if (search.includes('\0')) return seen
  for (let after = 0; after < words * 32; after += STRETCH) {
    const rids = seenStretch(db, viewer, { after, trash, length: STRETCH })
    for (const rid of rids) seen[rid >>> 5]! |= 1 << (rid & 31)
    await setImmediate()
  }
  const sets: FileSet[] = [seen]
  if (tree) sets.push(await matchingFiles(db, tree, viewer))
  if (search !== '') sets.push(filesNamed(db, search))
  return combine('and', sets, words)
}
