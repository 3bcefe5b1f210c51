import { setImmediate } from 'node:timers/promises'
import { createBoundedMap } from '../../bounded-map.ts'
import type { Db } from '../../db/client.ts'
import { perConnection } from '../../db/per-connection.ts'
import type { User } from '../../user.ts'
import { addFile, type FileSet, removeFile } from '../filter/bitset.ts'
import { type Followed, follow, UNREAD } from './changes.ts'
import { visibleAmong, visibleStretch } from './queries.ts'

interface Visible extends Followed {
  files: FileSet
}

/** How many viewers' files are kept; of a million files each takes 125 kB. */
const VIEWERS = 100
/** How many files are passed before other requests get a turn: about 5 ms. */
const STRETCH = 10_000

const visibleOf = perConnection(() => createBoundedMap<string, Visible>(VIEWERS))

/**
 * Returns the set of the files, in the trash or not, that the viewer may view, which is kept and follows
 * every change. The first call for a viewer reads them in turns with other requests.
 */
export async function visibleFiles(db: Db, viewer: User, trash: boolean): Promise<FileSet> {
  const asked = { viewer, trash }
  const key = `${viewer.is_admin ? 'admins' : viewer.id} ${trash}`
  const kept = visibleOf(db)
  const state = kept.get(key) ?? { seq: UNREAD, reading: null, files: new Uint32Array(0) }
  kept.set(key, state)
  await follow(db, state, {
    readAll: async () => {
      state.files = await readVisible(db, asked)
    },
    take: (rids) => {
      for (const rid of rids) removeFile(state.files, rid)
      for (const rid of visibleAmong(db, asked, rids)) state.files = addFile(state.files, rid)
    },
  })
  return state.files
}

async function readVisible(db: Db, asked: { viewer: User; trash: boolean }): Promise<FileSet> {
  let files: FileSet = new Uint32Array(0)
  for (let after: Uint8Array | null = null; ; ) {
    const { rids, end } = visibleStretch(db, asked, { after, length: STRETCH })
    for (const rid of rids) files = addFile(files, rid)
    if (!end) return files
    after = end
    await setImmediate()
  }
}
