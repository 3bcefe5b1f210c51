import { setImmediate } from 'node:timers/promises'
import { accessCondition } from '../../acl/access.ts'
import type { Db } from '../../db/client.ts'
import type { Sql } from '../../db/sql.ts'
import { presentFiles } from '../../files/present.ts'
import { type JsonText, jsonArray } from '../../http/json.ts'
import type { User } from '../../user.ts'
import type { SimilarFiles } from '../schema.ts'
import { type SimilarHash, similarHashes } from './hash-tree.ts'

interface SimilarRequest {
  phash: string
  distance: number
  limit: number
  except: number | null
}

/** Number of hashes looked up at a time; other work runs in between. */
const SLICE = 500

/**
 * Returns the files that look like a hash and that `viewer` may view: nearest first, and oldest
 * first among those with the same hash. Files in the trash and `except` are left out.
 */
export async function findSimilar(
  db: Db,
  viewer: User,
  request: SimilarRequest,
): Promise<JsonText<SimilarFiles>> {
  const visible = accessCondition(viewer, 'file', 'view', 'f')
  const wanted = {
    sql: `f.is_deleted = 0 AND f.rid IS NOT ? AND ${visible.sql}`,
    params: [request.except, ...visible.params],
  }
  const hashes = await seenHashes(db, wanted, request)
  const found = filesOf(db, wanted, hashes, request.limit)
  const files = presentFiles(
    db,
    viewer,
    found.map((file) => file.rid),
  )
  const items = files.map((file, index) => `{"file":${file},"distance":${found[index]!.distance}}`)
  return `{"items":${jsonArray(items)}}`
}

/** Returns the nearest hashes that wanted files have, no more than there are files to find. */
async function seenHashes(
  db: Db,
  wanted: Sql,
  { phash, distance, limit }: SimilarRequest,
): Promise<SimilarHash[]> {
  const seen: SimilarHash[] = []
  for (const near of slices(await similarHashes(db, phash, distance))) {
    const rows = db.all<{ place: number }>(
      `SELECT j.key AS place FROM json_each(?) j WHERE EXISTS (
         SELECT 1 FROM files f INDEXED BY files_phash
         WHERE f.phash = CAST(j.value AS INTEGER) AND ${wanted.sql}
       ) ORDER BY j.key LIMIT ?`,
      JSON.stringify(near.map((hash) => hash.phash)),
      ...wanted.params,
      limit - seen.length,
    )
    seen.push(...rows.map(({ place }) => near[place]!))
    if (seen.length === limit) break
    await setImmediate()
  }
  return seen
}

function* slices<T>(items: Iterable<T>): Generator<T[]> {
  let slice: T[] = []
  for (const item of items) {
    slice.push(item)
    if (slice.length < SLICE) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}

/** A file seen before a pause may be gone, so the files themselves are read in one go. */
function filesOf(
  db: Db,
  wanted: Sql,
  hashes: SimilarHash[],
  limit: number,
): { rid: number; distance: number }[] {
  const found: { rid: number; distance: number }[] = []
  for (const { phash, distance } of hashes) {
    const rows = db.all<{ rid: number }>(
      `SELECT f.rid FROM files f INDEXED BY files_phash
       WHERE f.phash = CAST(? AS INTEGER) AND ${wanted.sql} ORDER BY f.rid LIMIT ?`,
      phash,
      ...wanted.params,
      limit - found.length,
    )
    found.push(...rows.map(({ rid }) => ({ rid, distance })))
    if (found.length === limit) break
  }
  return found
}
