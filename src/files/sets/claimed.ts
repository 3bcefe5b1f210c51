import type { Db } from '../../db/client.ts'
import type { User } from '../../user.ts'
import type { Pause } from '../changes/follow.ts'
import { followedSet, followedSets, readInTurns } from '../changes/followed-set.ts'
import { combine, type FileSet } from '../file-set.ts'
import { type Claim, claimedAmong, claimedStretch } from './visible-queries.ts'

/** How many files are passed before other requests get a turn: about 3 ms. */
const STRETCH = 10_000

const setsOf = followedSets()

/**
 * Returns the set of the files, those in the trash too, that the user created, which is kept and follows
 * every change. The first call for a user reads them in turns with other requests.
 */
export function createdFiles(db: Db, user: User): Promise<FileSet> {
  return claimedFiles(db, user, ['creator'])
}

/** Returns the set of the files that a user who is no admin may edit, as `createdFiles`. */
export function editableFiles(db: Db, user: User): Promise<FileSet> {
  return claimedFiles(db, user, ['creator', 'edit'])
}

function claimedFiles(db: Db, user: User, claims: Claim[]): Promise<FileSet> {
  return followedSet(db, setsOf(db), {
    key: `${user.id} ${claims}`,
    of: 'file_changes',
    readAll: async (pause) => {
      const sets: FileSet[] = []
      for (const claim of claims) sets.push(await readClaimed(db, { claim, user }, pause))
      return combine('or', sets, Math.max(...sets.map((set) => set.length)))
    },
    among: (rids) => claims.flatMap((claim) => claimedAmong(db, { claim, user }, rids)),
  })
}

/** Reads the files to which a user has a claim, those in the trash too, in turns. */
export function readClaimed(
  db: Db,
  asked: { claim: Claim; user: Pick<User, 'id'> },
  pause: Pause,
): Promise<FileSet> {
  return readInTurns<number>(
    (after) => claimedStretch(db, asked, { after: after ?? 0, length: STRETCH }),
    pause,
  )
}
