import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../db/client.ts'
import { perConnection } from '../../db/per-connection.ts'
import { type Followed, follow, UNREAD } from '../sets/changes.ts'
import { traitAmong, traitStretch } from '../sets/queries.ts'
import { addFile, type FileSet, removeFile } from './bitset.ts'
import type { Trait } from './tree.ts'

interface Carriers extends Followed {
  files: FileSet
}

/** How many files are read before other requests get a turn: about 5 ms. */
const STRETCH = 20_000

const carriersOf = perConnection(() => new Map<string, Carriers>())

/**
 * Returns the set of the files of a type, or of those that need a review, trashed and hidden ones
 * included. It is kept, 125 kB of a million files, and follows every change; the first call reads it in
 * turns with other requests.
 */
export async function filesWithTrait(db: Db, trait: Trait): Promise<FileSet> {
  const kept = carriersOf(db)
  const key = `${trait.column} ${trait.value}`
  const state = kept.get(key) ?? { seq: UNREAD, reading: null, files: new Uint32Array(0) }
  kept.set(key, state)
  await follow(db, state, {
    readAll: async () => {
      state.files = await readTrait(db, trait)
    },
    take: (rids) => {
      for (const rid of rids) removeFile(state.files, rid)
      for (const rid of traitAmong(db, trait, rids)) state.files = addFile(state.files, rid)
    },
  })
  return state.files
}

async function readTrait(db: Db, trait: Trait): Promise<FileSet> {
  let files: FileSet = new Uint32Array(0)
  for (let after = 0; ; ) {
    const rids = traitStretch(db, trait, { after, length: STRETCH })
    for (const rid of rids) files = addFile(files, rid)
    if (rids.length < STRETCH) return files
    after = rids.at(-1)!
    await setImmediate()
  }
}
