import pLimit from 'p-limit'
import type { Db } from '../../db/client.ts'
import { perConnection } from '../../db/per-connection.ts'
import { readInTurns } from '../../files/changes/followed-set.ts'
import { addFile, combine, countCommon, countFiles, type FileSet } from '../../files/file-set.ts'
import { createdFiles, editableFiles } from '../../files/sets/claimed.ts'
import { visibleFiles } from '../../files/sets/visible.ts'
import { createPause } from '../../pause.ts'
import type { User } from '../../user.ts'
import { getUnblocked } from '../../users/queries.ts'
import { loadPool } from '../queries.ts'
import { pooledStretch, ridsNamed } from './reach-queries.ts'
import type { Reach, ReachAsked } from './schema.ts'

/** How many files of a pool are read at once: about 2 ms. */
const STRETCH = 10_000
/** How many ids are looked up at once: about 3 ms. */
const IDS_AT_ONCE = 1000

/** One at a time: the sets of many users are read anew where nobody has asked for them yet. */
const turnOf = perConnection(() => pLimit(1))

/** Files that were asked for, all of them in the trash or none. */
interface Asked {
  trash: boolean
  files: FileSet
}

/**
 * Returns how many of the files the caller sees, how many of these are others', and how many of the rest
 * each of the users sees and may edit. The first call for a user reads what is theirs in turns with
 * other requests. Throws not_found or forbidden for the pool, and not_found for an unknown or a blocked
 * user.
 */
export function readReach(db: Db, caller: User, asked: ReachAsked): Promise<Reach> {
  return turnOf(db)(() => read(db, caller, asked))
}

async function read(
  db: Db,
  caller: User,
  { file_ids, pool_id, user_ids }: ReachAsked,
): Promise<Reach> {
  const pool = pool_id === undefined ? null : loadPool(db, caller, pool_id, 'view')
  const people = getUnblocked(db, user_ids)
  const pause = createPause()
  const asked = pool
    ? await filesOfPool(db, pool.rid, pause)
    : await filesNamed(db, file_ids!, pause)
  const reach = { files: 0, not_yours: 0, users: people.map(({ id }) => untold(id)) }
  for (const { trash, files } of asked) {
    const seen = common(files, await visibleFiles(db, caller, trash))
    // Of others' files only admins may read the rights.
    const known = caller.is_admin ? seen : common(seen, await createdFiles(db, caller))
    const own = countFiles(known)
    reach.files += countFiles(seen)
    reach.not_yours += countFiles(seen) - own
    // How long it takes to read what others see would tell how much that is.
    if (own === 0) continue
    for (const [index, user] of people.entries()) {
      const told = reach.users[index]!
      const visible = await visibleFiles(db, user, trash)
      told.seen += countCommon(known, visible)
      told.can_edit += countCommon(known, user.is_admin ? visible : await editableFiles(db, user))
      await pause()
    }
  }
  return reach
}

function untold(user_id: number): Reach['users'][number] {
  return { user_id, seen: 0, can_edit: 0 }
}

function common(files: FileSet, others: FileSet): FileSet {
  return combine('and', [files, others], files.length)
}

async function filesOfPool(db: Db, rid: number, pause: () => Promise<void>): Promise<Asked[]> {
  const next = (after: number | null) =>
    pooledStretch(db, rid, { after: after ?? 0, length: STRETCH })
  return [{ trash: false, files: await readInTurns(next, pause) }]
}

async function filesNamed(db: Db, ids: string[], pause: () => Promise<void>): Promise<Asked[]> {
  const asked = [false, true].map((trash) => ({ trash, files: new Uint32Array(0) as FileSet }))
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    for (const { is_deleted, rids } of ridsNamed(db, ids.slice(at, at + IDS_AT_ONCE))) {
      const part = asked[Number(is_deleted)]!
      for (const rid of rids) part.files = addFile(part.files, rid)
    }
    await pause()
  }
  // What is kept of the trash isn't read for nothing.
  return asked.filter(({ files }) => files.length > 0)
}
