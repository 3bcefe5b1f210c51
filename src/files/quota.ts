import type { Config } from '../config.ts'
import type { Db } from '../db/client.ts'
import { overQuota } from '../errors.ts'
import { bytesOf } from './usage-queries.ts'

type Quota = Pick<Config, 'userQuota'>

/**
 * Returns how many bytes a content of a creator may have, which takes the place of one of `replaced`
 * bytes: as many as that one, whatever the quota is. Infinite without a quota.
 */
export function quotaLeft(db: Db, { userQuota }: Quota, creator_id: number, replaced = 0): number {
  if (userQuota === 0) return Number.POSITIVE_INFINITY
  return replaced + Math.max(0, userQuota - bytesOf(db, creator_id))
}

/** Throws insufficient_storage for a content that is larger than `quotaLeft` allows. */
export function requireQuota(
  db: Db,
  quota: Quota,
  content: { size: number; creator_id: number; replaced?: number },
): void {
  const { size, creator_id, replaced } = content
  if (size > quotaLeft(db, quota, creator_id, replaced)) throw overQuota()
}
