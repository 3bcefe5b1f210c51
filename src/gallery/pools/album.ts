import { api, ask } from '../base/api.ts'
import type { Order } from '../base/listing.ts'
import type { Pool } from '../pool-box/index.ts'
import { readOrder } from './arrange/order.ts'

/** A file of an album, as much as its cover and its span of dates need. */
interface Sample {
  id: string
  version: string
  /** Seconds of the local clock. */
  t: number
  /** As those of cells. */
  flags: number
}

/** Returns the ids of the files of a pool that the caller sees, in its own order. Throws an ApiError. */
export function orderOf(pool: string, signal?: AbortSignal): Promise<string[]> {
  return readOrder({
    ids: (own) => {
      const query = { pool, ...own }
      const call = api.GET('/api/v1/files/ids', { params: { query }, ...(signal && { signal }) })
      return ask(call)
    },
  })
}

async function sampleOf(
  pool: string,
  where: { order: Order } | { anchor: string },
  signal: AbortSignal,
): Promise<Sample | undefined> {
  const query = { pool, sort: 'content_datetime', limit: 1, pairs: '1', ...where } as const
  const { ids, v, t, f } = await ask(api.GET('/api/v1/files/cells', { params: { query }, signal }))
  return ids.length === 0 ? undefined : { id: ids[0]!, version: v[0]!, t: t[0]!, flags: f[0]! }
}

/**
 * Returns the first or the last file of an album by its date, among those that the caller sees;
 * undefined if there is none. Throws an ApiError.
 */
export function endOf(
  pool: string,
  order: Order,
  signal: AbortSignal,
): Promise<Sample | undefined> {
  return sampleOf(pool, { order }, signal)
}

/**
 * Returns the picture that was chosen as the cover of an album, or the newest one if the caller doesn't
 * see that or it isn't in the album. Throws an ApiError.
 */
export async function coverOf(
  { id, metadata }: Pick<Pool, 'id' | 'metadata'>,
  newest: Promise<Sample | undefined>,
  signal: AbortSignal,
): Promise<Sample | undefined> {
  const chosen = metadata?.[COVER]
  // Asking for the file itself would be an error where it is gone.
  const isThere = typeof chosen === 'string' && (await orderOf(id, signal)).includes(chosen)
  return isThere ? sampleOf(id, { anchor: chosen }, signal) : newest
}

/** The key of a pool's metadata that names the file chosen as the cover. */
export const COVER = 'cover'
