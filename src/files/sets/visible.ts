import { setImmediate } from 'node:timers/promises'
import { createBoundedMap } from '../../bounded-map.ts'
import type { Db } from '../../db/client.ts'
import { perConnection } from '../../db/per-connection.ts'
import type { User } from '../../user.ts'
import { addFile, combine, type FileSet, removeFile } from '../filter/bitset.ts'
import { type Followed, follow, UNREAD } from './changes.ts'
import {
  type Claim,
  claimedStretch,
  type Openness,
  openAmong,
  openStretch,
  visibleAmong,
} from './queries.ts'

interface Visible extends Followed {
  files: FileSet
}

/** How many sets are kept; of a million files each takes 125 kB. */
const SETS = 100
/** How many files are passed before other requests get a turn: about 3 ms. */
const STRETCH = 10_000

const setsOf = perConnection(() => createBoundedMap<string, Visible>(SETS))

/**
 * Returns the set of the files, in the trash or not, that the viewer may view, which is kept and follows
 * every change. The first call for a viewer reads what is theirs in turns with other requests, the
 * first one of all also what everybody shares.
 */
export async function visibleFiles(db: Db, viewer: User, trash: boolean): Promise<FileSet> {
  if (viewer.is_admin) return openFiles(db, 'all', trash)
  return followed(db, `${viewer.id} ${trash}`, {
    readAll: () => readVisible(db, viewer, trash),
    among: (rids) => visibleAmong(db, { viewer, trash }, rids),
  })
}

/** Returns the set of all files, or of those that everybody may view, in the trash or not, as kept. */
function openFiles(db: Db, openness: Openness, trash: boolean): Promise<FileSet> {
  const asked = { openness, trash }
  return followed(db, `${openness} ${trash}`, {
    readAll: () => readOpen(db, asked),
    among: (rids) => openAmong(db, asked, rids),
  })
}

/** Reads what those share who ask for the first time: the files that there are, and the public ones. */
export async function readShared(db: Db, trash: boolean): Promise<void> {
  await openFiles(db, 'all', trash)
  await openFiles(db, 'public', trash)
}

/** How a set is read, and which of some files are in it now. */
interface Rule {
  readAll: () => Promise<FileSet>
  among: (rids: number[]) => number[]
}

async function followed(db: Db, key: string, { readAll, among }: Rule): Promise<FileSet> {
  const kept = setsOf(db)
  const state = kept.get(key) ?? {
    of: 'file_changes',
    seq: UNREAD,
    reading: null,
    files: new Uint32Array(0),
  }
  kept.set(key, state)
  await follow(db, state, {
    readAll: async () => {
      state.files = await readAll()
    },
    take: (rids) => {
      for (const rid of rids) removeFile(state.files, rid)
      for (const rid of among(rids)) state.files = addFile(state.files, rid)
    },
  })
  return state.files
}

/**
 * What `accessCondition` says of each file, for all of them at once: the public ones, the viewer's own,
 * and those of the access list. What changes between two of these readings is followed afterwards.
 */
async function readVisible(db: Db, viewer: User, trash: boolean): Promise<FileSet> {
  const claimed = [
    await readClaimed(db, 'creator', viewer),
    await readClaimed(db, 'acl', viewer),
    await openFiles(db, 'public', trash),
  ]
  const all = await openFiles(db, 'all', trash)
  return combine('and', [all, combine('or', claimed, all.length)], all.length)
}

async function readOpen(db: Db, asked: { openness: Openness; trash: boolean }): Promise<FileSet> {
  let files: FileSet = new Uint32Array(0)
  for (let after: Uint8Array | null = null; ; ) {
    const { rids, end } = openStretch(db, asked, { after, length: STRETCH })
    for (const rid of rids) files = addFile(files, rid)
    if (!end) return files
    after = end
    await setImmediate()
  }
}

async function readClaimed(db: Db, claim: Claim, user: User): Promise<FileSet> {
  let files: FileSet = new Uint32Array(0)
  for (let after = 0; ; ) {
    const rids = claimedStretch(db, { claim, user }, { after, length: STRETCH })
    for (const rid of rids) files = addFile(files, rid)
    if (rids.length < STRETCH) return files
    after = rids.at(-1)!
    await setImmediate()
  }
}
