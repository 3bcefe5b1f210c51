import { seenNow } from '../../auth/seen-now.ts'
import { invalid } from '../../base/errors.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { question } from '../../reader/question.ts'
import { filesOf } from '../file-set.ts'
import { readAsked } from '../find/list.ts'
import { type Members, membersOf } from '../find/members.ts'
import type { Pools } from '../overview/listing.ts'
import { findFiles } from '../queries.ts'
import { sizeOfViewable } from './archive-queries.ts'
import { type ArchiveAsked, MOST_BYTES, MOST_FILES } from './schema.ts'

interface Chosen {
  rids: Uint32Array
  bytes: number
}

/**
 * Returns those of the requested files that the viewer may view and that are not in the trash. Throws not_found or
 * forbidden for the pool, and a validation error for the filter and for more than an archive holds.
 */
export async function chooseFiles(
  db: Db,
  viewer: User,
  asked: ArchiveAsked,
  pools: Pools,
): Promise<Chosen> {
  const { file_ids: ids, pool_id } = asked
  const whole: Members = {
    ...{ viewer, pool: null, sort: 'content_datetime' },
    ...readAsked(db, viewer, { ...asked, trash: false }),
  }
  const list = pool_id === undefined ? whole : pools.narrow(viewer, pool_id, whole)
  const { files, bytes, rids } = await archiveOf(db, { viewer, ids: ids ?? null, list })
  if (files > MOST_FILES || bytes > MOST_BYTES) throw tooLarge(asked, files, bytes)
  return { rids: Uint32Array.from(rids), bytes }
}

/**
 * Returns how many files an archive of named files or of a list would have, their size in bytes, and as many of them as
 * an archive may hold.
 */
export const archiveOf = question(
  'overview',
  'archive',
  (db: Db, asked: { viewer: User; ids: string[] | null; list: Members }) => {
    const { viewer, ids, list } = seenNow(db, asked)
    const candidates = ids
      ? findFiles(db, viewer, ids).map(({ rid }) => rid)
      : filesOf(membersOf(db, { ...list, viewer }))
    const { rids, bytes } = sizeOfViewable(db, viewer, candidates)
    return { files: rids.length, bytes, rids: rids.slice(0, MOST_FILES) }
  },
)

function tooLarge({ file_ids, pool_id }: ArchiveAsked, files: number, bytes: number) {
  const field = file_ids ? 'file_ids' : pool_id === undefined ? 'filter' : 'pool_id'
  const most = `at most ${MOST_FILES} files and ${MOST_BYTES} bytes`
  return invalid(field, `must be ${most}, and is ${files} files and ${bytes} bytes`)
}
