import { bytesOf } from '../../audit/text-queries.ts'
import type { Config } from '../../base/config.ts'
import { overQuota } from '../../base/errors.ts'
import type { Db } from '../../db/client.ts'
import { perConnection } from '../../db/per-connection.ts'
import type { QuotaShare } from '../../http/multipart.ts'

type Quota = Pick<Config, 'userQuota'>

/**
 * Returns how many bytes a creator's content may have if it replaces one of `replaced` bytes: at least that many,
 * whatever the quota is. Infinite without a quota. `underWay` bytes are still to come beside those that are stored.
 */
export function quotaLeft(
  db: Db,
  { userQuota }: Quota,
  creator_id: number,
  { replaced = 0, underWay = 0 } = {},
): number {
  if (userQuota === 0) return Number.POSITIVE_INFINITY
  return replaced + Math.max(0, userQuota - bytesOf(db, creator_id) - underWay)
}

// By creator: the bytes that all shares have taken.
const underWayOf = perConnection(() => new Map<number, number>())

/**
 * Returns a function that makes an upload's share in the quota of a creator; the content may replace one of `replaced`
 * bytes. A share leaves out what the creator's other shares have taken.
 */
export function createQuotaShares(db: Db, quota: Quota) {
  return (creator_id: number, replaced = 0): QuotaShare => {
    const underWay = underWayOf(db)
    let own = 0
    const others = () => (underWay.get(creator_id) ?? 0) - own
    const count = (bytes: number) => {
      const sum = others() + bytes
      own = bytes
      if (sum > 0) underWay.set(creator_id, sum)
      else underWay.delete(creator_id)
    }
    return {
      left: () => quotaLeft(db, quota, creator_id, { replaced, underWay: others() }),
      take: (bytes) => count(Math.max(0, bytes - replaced)),
      end: () => count(0),
    }
  }
}

/** Throws insufficient_storage for a content that is larger than `quotaLeft` allows. */
export function requireQuota(
  db: Db,
  quota: Quota,
  content: { size: number; creator_id: number; replaced?: number },
): void {
  const { size, creator_id, replaced } = content
  if (size > quotaLeft(db, quota, creator_id, { replaced })) throw overQuota()
}
