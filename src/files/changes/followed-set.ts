import type { BoundedMap } from '../../bounded-map.ts'
import type { Db } from '../../db/client.ts'
import { keptMap } from '../../db/kept.ts'
import { addFile, type FileSet, removeFile } from '../file-set.ts'
import { type Followed, follow, type Pause, UNREAD } from './follow.ts'
import type { Changes } from './queries.ts'

/** A set of files that is kept in memory. */
export interface FollowedSet extends Followed {
  files: FileSet
}

/** The followed sets of a connection, by a text. */
type FollowedSets = BoundedMap<string, FollowedSet>

/** Returns a function that returns the followed sets of a connection. */
export const followedSets = () => keptMap<string, FollowedSet>(({ files }) => files.byteLength)

/** How a set is read, and which of some files are in it now. */
export interface Rule {
  readAll: (pause: Pause) => Promise<FileSet>
  among: (rids: number[]) => number[]
}

/** Returns the set that is kept by a key, or one that was not read yet, which is kept from now on. */
export function setByKey(kept: FollowedSets, key: string, of: Changes): FollowedSet {
  const state = kept.get(key) ?? { of, seq: UNREAD, reading: null, files: new Uint32Array(0) }
  // Who asks for it before it is read waits for the same reading.
  kept.set(key, state)
  return state
}

/** Brings a set that is kept by a key up to date. */
export async function followSet(
  db: Db,
  kept: FollowedSets,
  { key, state, readAll, among }: Rule & { key: string; state: FollowedSet },
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
  // It weighs more now.
  kept.set(key, state)
}

/** Returns the set that is kept by a key, brought up to date; who asks first waits until it is read. */
export async function followedSet(
  db: Db,
  kept: FollowedSets,
  { key, of, ...rule }: Rule & { key: string; of: Changes },
): Promise<FileSet> {
  const state = setByKey(kept, key, of)
  await followSet(db, kept, { key, state, ...rule })
  return state.files
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
