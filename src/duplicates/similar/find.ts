import { setImmediate } from 'node:timers/promises'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { presentPage } from '../../files/present.ts'
import { type JsonText, jsonArray } from '../../http/json.ts'
import type { SimilarFiles } from '../schema.ts'
import { type SimilarHash, similarHashes } from './hash-tree.ts'
import { listFilesWith, listPlacesSeen } from './queries.ts'

interface SimilarRequest {
  phash: string
  distance: number
  limit: number
  except: number | null
}

// Number of hashes looked up at a time; other work runs in between.
const SLICE = 500

/**
 * Returns the files that look like a hash and that `viewer` may view: nearest first, and oldest first among those with
 * the same hash. Files in the trash and `except` are left out, and so are the last ones when the answer would be too
 * large.
 */
export async function findSimilar(
  db: Db,
  viewer: User,
  request: SimilarRequest,
): Promise<JsonText<SimilarFiles>> {
  const hashes = await seenHashes(db, viewer, request)
  const found = filesOf(db, viewer, request, hashes)
  const { files } = presentPage(
    db,
    viewer,
    found.map((file) => file.rid),
  )
  const items = files.map((file, index) => `{"file":${file},"distance":${found[index]!.distance}}`)
  return `{"items":${jsonArray(items)}}`
}

async function seenHashes(
  db: Db,
  viewer: User,
  { phash, distance, limit, except }: SimilarRequest,
): Promise<SimilarHash[]> {
  const seen: SimilarHash[] = []
  for (const near of slices(await similarHashes(db, phash, distance))) {
    const hashes = near.map((hash) => hash.phash)
    const wanted = { viewer, except, limit: limit - seen.length }
    const places = listPlacesSeen(db, wanted, hashes)
    seen.push(...places.map((place) => near[place]!))
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

// A file seen before a pause may be gone, so the files themselves are read in one go.
function filesOf(
  db: Db,
  viewer: User,
  { except, limit }: SimilarRequest,
  hashes: SimilarHash[],
): { rid: number; distance: number }[] {
  const found: { rid: number; distance: number }[] = []
  for (const { phash, distance } of hashes) {
    const rids = listFilesWith(db, { viewer, except, limit: limit - found.length }, phash)
    found.push(...rids.map((rid) => ({ rid, distance })))
    if (found.length === limit) break
  }
  return found
}
