import type { Db } from '../../db/client.ts'
import { createPause } from '../../pause.ts'
import type { User } from '../../user.ts'
import { readInTurns } from '../changes/followed-set.ts'
import type { FileSet } from '../file-set.ts'
import { hiddenTags, untaggedStretch } from './untagged-queries.ts'

/**
 * Returns the set of the files that have no tag that the viewer may view, none at all or only hidden ones,
 * trashed files included. It is read in turns with other requests: each file counts as it was at one moment
 * of the reading, as far as the same tags were hidden at its beginning.
 */
export function untaggedFiles(db: Db, viewer: User): Promise<FileSet> {
  const hidden = hiddenTags(db, viewer)
  return readInTurns<number>(
    (after) => untaggedStretch(db, viewer, { hidden, after: after ?? 0 }),
    createPause(),
  )
}
