import { randomUUID } from 'node:crypto'
import { requireCreator } from '../acl/access.ts'
import { audit } from '../audit/record.ts'
import { AppError, invalid } from '../base/errors.ts'
import { isoTime } from '../base/time.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import type { Tx } from '../db/write.ts'
import { findFiles } from '../files/queries.ts'
import { countHeld, loadPool, type PoolRecord } from '../pools/queries.ts'
import { digestOf, newToken } from './keys.ts'
import { sourceOfPool } from './link.ts'
import {
  countShares,
  deleteShare,
  findShareByRid,
  insertShare,
  insertShareFiles,
  type ShareRecord,
} from './queries.ts'
import { MOST_SHARED, type ShareAsked, type ShareCreate, type ShareReach } from './schema.ts'
import { countEach } from './shown.ts'
import { countShown, shareable, someShown } from './shown-queries.ts'

/** The most links that a user who is no admin has at once. */
const MOST_SHARES = 1000

/**
 * Creates a link, and returns it with how many files it shows and the characters of its address, which are stored
 * nowhere. Throws not_found or forbidden for the pool, forbidden for uploads by a user who may not upload, and conflict
 * for a pool that fills itself, beyond the most files, and beyond the most links; a validation error for an end in the
 * past.
 */
export function createShare(
  tx: Tx,
  user: User,
  asked: ShareCreate,
  password_hash: string | null,
): { share: ShareRecord; files: number; token: string } {
  if (asked.may_upload) requireCreator(user)
  if (!user.is_admin && countShares(tx, user.id) >= MOST_SHARES) {
    throw new AppError('conflict', `You may have ${MOST_SHARES} links; end one of them first`)
  }
  const { title, follows, downloads, shows_names, may_upload, expires_at } = asked
  if (expires_at !== null && expires_at <= tx.now)
    throw invalid('expires_at', 'must be in the future')
  const pool = asked.pool_id === undefined ? null : loadPlainPool(tx, user, asked.pool_id)
  const token = newToken()
  const id = randomUUID()
  const rid = insertShare(tx, {
    id,
    token_hash: digestOf(token)!,
    creator_id: user.id,
    title,
    pool_rid: pool?.rid ?? null,
    follows,
    downloads,
    shows_names,
    may_upload,
    password_hash,
    created_at: tx.now,
    expires_at,
  })
  const ofPool = pool && sourceOfPool(user, pool)
  let files: number
  if (ofPool && follows) files = countShown(tx, ofPool)
  else {
    const rids = ofPool
      ? someShown(tx, ofPool, MOST_SHARED + 1)
      : shareable(tx, user, asked.file_ids!)
    if (rids.length > MOST_SHARED) throw tooMany()
    insertShareFiles(tx, rid, rids)
    files = rids.length
  }
  audit(tx, user, 'share_create', null, {
    ...{ share_id: id, title, pool_id: pool?.id ?? null, files },
    ...{ follows, downloads, shows_names, may_upload, has_password: password_hash !== null },
    expires_at: expires_at === null ? null : isoTime(expires_at),
  })
  return { share: findShareByRid(tx, rid)!, files, token }
}

/** Ends a link. Throws not_found for one that the user may not end. */
export function endShare(tx: Tx, user: User, id: string): void {
  const ended = deleteShare(tx, user, id)
  if (!ended) throw new AppError('not_found', 'There is no such link')
  audit(tx, user, 'share_end', null, { share_id: id, ...ended })
}

/**
 * Returns how many files a link of the user would show and leave out. Throws not_found and forbidden for the pool, and
 * conflict for one that fills itself.
 */
export async function readShareReach(
  db: Db,
  user: User,
  { pool_id, file_ids }: ShareAsked,
): Promise<ShareReach> {
  if (pool_id === undefined) {
    const seen = findFiles(db, user, file_ids!).filter((file) => file.allowed)
    const files = shareable(db, user, file_ids!).length
    return { files, left_out: seen.length - files }
  }
  const pool = loadPlainPool(db, user, pool_id)
  const [files = 0] = await countEach(db, user, [sourceOfPool(user, pool)])
  const seen = (await countHeld(db, user, [pool.rid])).get(pool.rid) ?? 0
  return { files, left_out: Math.max(0, seen - files) }
}

// A tag that a rule puts on a file would show it to everybody who has the link.
function loadPlainPool(db: Db, user: User, id: string): PoolRecord {
  const pool = loadPool(db, user, id, 'view')
  if (pool.filter === null) return pool
  throw new AppError('conflict', 'A pool that fills itself can not be shown by a link')
}

function tooMany(): AppError {
  return new AppError(
    'conflict',
    `A link names at most ${MOST_SHARED} files; one that follows its pool may show more`,
  )
}
