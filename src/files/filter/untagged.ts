import type { Db } from '../../db/client.ts'
import { stateOf } from '../../db/state.ts'
import { createPause } from '../../pause.ts'
import type { User } from '../../user.ts'
import { addFile, type FileSet } from '../file-set.ts'
import {
  carriersStretch,
  FEW_TAGS,
  fewTaggedStretch,
  hiddenTags,
  highestRid,
  tagCountsOf,
} from './untagged-queries.ts'

/** How often all is read when something is written meanwhile. */
const PATIENCE = 3

/**
 * Returns the set of the files that have no tag that the viewer may view, none at all or only hidden ones, trashed files
 * included. It is read in turns with other requests: a file whose tags change in the meantime may or may not be in it.
 */
export async function untaggedFiles(db: Db, viewer: User): Promise<FileSet> {
  const pause = createPause()
  for (let round = 1; ; round++) {
    const state = stateOf(db)
    const files = await readUntagged(db, viewer, pause)
    if (stateOf(db) === state || round === PATIENCE) return files
  }
}

/** A file is untagged when it has as many hidden tags as tags. */
async function readUntagged(db: Db, viewer: User, pause: () => Promise<void>): Promise<FileSet> {
  const highest = highestRid(db)
  const hidden = new Uint16Array(highest + 1)
  for (const tag of hiddenTags(db, viewer)) {
    for (let after: number | null = 0; after !== null; ) {
      const { rids, end } = carriersStretch(db, tag, after)
      for (const rid of rids) if (rid <= highest) hidden[rid]!++
      after = end
      await pause()
    }
  }
  let files: FileSet = new Uint32Array((highest >>> 5) + 1)
  for (let count = 0; count <= FEW_TAGS; count++) {
    for (let after: number | null = 0; after !== null; ) {
      const { rids, end } = fewTaggedStretch(db, count, after)
      for (const rid of rids) if ((hidden[rid] ?? 0) === count) files = addFile(files, rid)
      after = end
      await pause()
    }
  }
  const many: number[] = []
  for (let rid = 1; rid <= highest; rid++) if (hidden[rid]! > FEW_TAGS) many.push(rid)
  for (let at = 0; at < many.length; at += MANY) {
    for (const { rid, tag_count } of tagCountsOf(db, many.slice(at, at + MANY))) {
      if (hidden[rid] === tag_count) files = addFile(files, rid)
    }
    await pause()
  }
  return files
}

/** So many files are looked up one by one in one go. */
const MANY = 2000
