import { accessCondition } from '../acl/access.ts'
import type { User } from '../context.ts'
import type { Db } from '../db/client.ts'
import { presentFiles } from '../files/present.ts'
import { type JsonText, jsonArray } from '../http/json.ts'
import { similarHashes } from './hash-tree.ts'
import type { SimilarFiles } from './schema.ts'

/**
 * Returns the files that look like a hash, nearest first and then by age, as far as `viewer` may
 * view them; none in the trash, and not `except`.
 */
export async function findSimilar(
  db: Db,
  viewer: User,
  request: { phash: string; distance: number; limit: number; except: number | null },
): Promise<JsonText<SimilarFiles>> {
  const { phash, distance, limit, except } = request
  const visible = accessCondition(viewer, 'file', 'view', 'f')
  const found: { rid: number; distance: number }[] = []
  for (const near of await similarHashes(db, phash, distance)) {
    const rows = db.all<{ rid: number }>(
      `SELECT f.rid FROM files f WHERE f.phash = CAST(? AS INTEGER) AND f.rid IS NOT ?
       AND f.is_deleted = 0 AND ${visible.sql} ORDER BY f.rid LIMIT ?`,
      near.phash,
      except,
      ...visible.params,
      limit - found.length,
    )
    found.push(...rows.map(({ rid }) => ({ rid, distance: near.distance })))
    if (found.length === limit) break
  }
  const files = presentFiles(
    db,
    viewer,
    found.map((file) => file.rid),
  )
  const items = files.map((file, index) => `{"file":${file},"distance":${found[index]!.distance}}`)
  return `{"items":${jsonArray(items)}}`
}
