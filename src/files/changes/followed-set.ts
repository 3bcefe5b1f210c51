import type { Db } from '../../db/client.ts'
import { keptMap } from '../../db/kept.ts'
import { addFile, type FileSet, removeFile } from '../file-set.ts'
import { type Followed, follow, type Pause, UNREAD } from './follow.ts'
import type { Changes } from './queries.ts'

/** A set of files that is kept in memory. */
export interface FollowedSet extends Followed {
  files: FileSet
}

/** Returns a function that returns the followed sets of a connection, which are kept by a text. */
export const followedSets = () => keptMap<string, FollowedSet>(({ files }) => files.byteLength)

/** How a set is read, and which of some files are in it now. */
export interface Rule {
  readAll: (pause: Pause) => Promise<FileSet>
  among: (rids: number[]) => number[]
}

/** Returns a set that was not read yet. */
export function unreadSet(of: Changes): FollowedSet {
  return { of, seq: UNREAD, reading: null, files: new Uint32Array(0) }
}

/** Brings a set up to date. */
export async function followSet(
  db: Db,
  state: FollowedSet,
  { readAll, among }: Rule,
): Promise<void> {
  await follow(db, state, {
    readAll: async (pause) => {
      state.files = await readAll(pause)
    },
    take: (rids) => {
      for (const rid of rids) removeFile(state.files, rid)
      for (const rid of among(rids)) state.files = addFile(state.files, rid)
    },
  })
}

/**
 * Returns the set of the files that come stretch by stretch, with a pause after each: `next` returns
 * those after the end of a stretch, and their own end, null when nothing is behind it.
 */
export async function readInTurns<End>(
  next: (after: End | null) => { rids: number[]; end: End | null },
  pause: Pause,
): Promise<FileSet> {
  let files: FileSet = new Uint32Array(0)
  for (let after: End | null = null; ; ) {
    const { rids, end } = next(after)
    for (const rid of rids) files = addFile(files, rid)
    if (end === null) return files
    after = end
    await pause()
  }
}
