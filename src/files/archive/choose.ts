import pLimit from 'p-limit'
import type { Db } from '../../db/client.ts'
import { perConnection } from '../../db/per-connection.ts'
import { invalid } from '../../errors.ts'
import { createPause } from '../../pause.ts'
import type { User } from '../../user.ts'
import { combine, filesOf } from '../file-set.ts'
import { confiningSets } from '../filter/sets.ts'
import { readAsked } from '../find/list.ts'
import { findFiles } from '../queries.ts'
import type { Pools } from '../sets/listing.ts'
import { membersOf } from '../sets/members.ts'
import { sizeOfViewable } from './archive-queries.ts'
import { type ArchiveAsked, MOST_BYTES, MOST_FILES } from './schema.ts'

/** How many files are looked up before others may get a turn: about 3 ms. */
const STRETCH = 1000

/** Files of an archive by their row numbers, and the bytes of their contents. */
interface Chosen {
  rids: Uint32Array
  bytes: number
}

/** One at a time: each may read a row of every file. */
const turnOf = perConnection(() => pLimit(1))

/**
 * Returns those of the files asked for that the viewer may view and that are not in the trash, in turns
 * with other requests. Throws not_found or forbidden for the pool, and a validation error for the filter
 * and for more than an archive holds.
 */
export function chooseFiles(
  db: Db,
  viewer: User,
  asked: ArchiveAsked,
  pools: Pools,
): Promise<Chosen> {
  return turnOf(db)(() => choose(db, viewer, asked, pools))
}

async function choose(db: Db, viewer: User, asked: ArchiveAsked, pools: Pools): Promise<Chosen> {
  const candidates = asked.file_ids
    ? await named(db, viewer, asked.file_ids)
    : await listed(db, viewer, asked, pools)
  const pause = createPause()
  const rids: number[] = []
  let files = 0
  let bytes = 0
  for (let at = 0; at < candidates.length; at += STRETCH) {
    const found = sizeOfViewable(db, viewer, candidates.slice(at, at + STRETCH))
    files += found.rids.length
    bytes += found.bytes
    if (files <= MOST_FILES) rids.push(...found.rids)
    await pause()
  }
  if (files > MOST_FILES || bytes > MOST_BYTES) throw tooLarge(asked, files, bytes)
  return { rids: Uint32Array.from(rids), bytes }
}

async function named(db: Db, viewer: User, ids: string[]): Promise<number[]> {
  const pause = createPause()
  const rids: number[] = []
  for (let at = 0; at < ids.length; at += STRETCH) {
    for (const { rid } of findFiles(db, viewer, ids.slice(at, at + STRETCH))) rids.push(rid)
    await pause()
  }
  return rids
}

async function listed(db: Db, viewer: User, asked: ArchiveAsked, pools: Pools): Promise<number[]> {
  const pool = asked.pool_id === undefined ? null : pools.ridOf(viewer, asked.pool_id)
  const list = readAsked(db, viewer, { ...asked, trash: false })
  const members = await membersOf(db, { viewer, ...list, pool })
  const inRange = await confiningSets(db, { ...list, search: '', pool: null })
  return filesOf(combine('and', [members, ...inRange], members.length))
}

function tooLarge({ file_ids, pool_id }: ArchiveAsked, files: number, bytes: number) {
  const field = file_ids ? 'file_ids' : pool_id === undefined ? 'filter' : 'pool_id'
  const most = `at most ${MOST_FILES} files and ${MOST_BYTES} bytes`
  return invalid(field, `must be ${most}, and is ${files} files and ${bytes} bytes`)
}
