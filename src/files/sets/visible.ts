import type { Db } from '../../db/client.ts'
import type { User } from '../../user.ts'
import { isAtHand, isCurrent, type Pause } from '../changes/follow.ts'
import { followedSet, followedSets, type Rule, readInTurns } from '../changes/followed-set.ts'
import { combine, type FileSet } from '../file-set.ts'
import { readClaimed } from './claimed.ts'
import { type Openness, openAmong, openStretch, visibleAmong } from './visible-queries.ts'

/** How many files are passed before other requests get a turn: about 3 ms. */
const STRETCH = 10_000

const setsOf = followedSets()

/**
 * Returns the set of the files, in the trash or not, that the viewer may view, which is kept and follows
 * every change. The first call for a viewer reads what is theirs in turns with other requests, the
 * first one of all also what everybody shares.
 */
export async function visibleFiles(db: Db, viewer: User, trash: boolean): Promise<FileSet> {
  if (viewer.is_admin) return openFiles(db, 'all', trash)
  return followed(db, keyOf(viewer, trash), {
    readAll: (pause) => readVisible(db, { viewer, trash }, pause),
    among: (rids) => visibleAmong(db, { viewer, trash }, rids),
  })
}

/** Returns whether that set is kept already, so that nobody waits for it. */
export function areVisibleAtHand(db: Db, viewer: User, trash: boolean): boolean {
  const state = setsOf(db).get(keyOf(viewer, trash))
  return state !== undefined && isAtHand(db, state)
}

/** Has that set follow what has changed, if it is kept already. */
export async function followVisible(db: Db, viewer: User, trash: boolean): Promise<void> {
  if (areVisibleAtHand(db, viewer, trash)) await visibleFiles(db, viewer, trash)
}

/** Returns that set as it is now, within a write, too; null when it isn't kept or has to follow a change. */
export function visibleNow(db: Db, viewer: User, trash: boolean): FileSet | null {
  const state = setsOf(db).get(keyOf(viewer, trash))
  return state && isCurrent(db, state) ? state.files : null
}

function keyOf(viewer: User, trash: boolean): string {
  return viewer.is_admin ? openKey('all', trash) : `${viewer.id} ${trash}`
}

function openKey(openness: Openness, trash: boolean): string {
  return `${openness} ${trash}`
}

/** Returns the set of all files, or of those that everybody may view, in the trash or not, as kept. */
function openFiles(db: Db, openness: Openness, trash: boolean): Promise<FileSet> {
  const asked = { openness, trash }
  return followed(db, openKey(openness, trash), {
    readAll: (pause) =>
      readInTurns<number>(
        (after) => openStretch(db, asked, { after: after ?? 0, length: STRETCH }),
        pause,
      ),
    among: (rids) => openAmong(db, asked, rids),
  })
}

/** Reads what those share who ask for the first time: the files that there are, and the public ones. */
export async function readShared(db: Db, trash: boolean): Promise<void> {
  await openFiles(db, 'all', trash)
  await openFiles(db, 'public', trash)
}

function followed(db: Db, key: string, rule: Rule): Promise<FileSet> {
  return followedSet(db, setsOf(db), { key, of: 'file_changes', ...rule })
}

/**
 * What `accessCondition` says of each file, for all of them at once: the public ones, the viewer's own,
 * and those of the access list. What changes between two of these readings is followed afterwards.
 */
async function readVisible(
  db: Db,
  { viewer, trash }: { viewer: User; trash: boolean },
  pause: Pause,
): Promise<FileSet> {
  const claimed = [
    await readClaimed(db, { claim: 'creator', user: viewer }, pause),
    await readClaimed(db, { claim: 'view', user: viewer }, pause),
    await openFiles(db, 'public', trash),
  ]
  const all = await openFiles(db, 'all', trash)
  return combine('and', [all, combine('or', claimed, all.length)], all.length)
}
