import { setImmediate } from 'node:timers/promises'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { presentPage } from '../files/present.ts'
import { filesByRid } from '../files/queries.ts'
import { PAGE_BYTES } from '../http/json.ts'
import type { Cluster } from './clusters.ts'
import { stillVisible } from './queries.ts'
import { type DuplicateClusterIds, type DuplicateIdPage, TOLD_FILES } from './schema.ts'

const PORTION = 200
const PORTION_BYTES = 1024 * 1024
const PORTION_PAIRS = 500

// Minimum length of any piece but the last, in characters; an ordinary page is a single piece.
const PIECE = 64 * 1024

interface Page {
  clusters: Cluster[]
  offset: number
  limit: number
}

/**
 * Yields the JSON of a page of the clusters piece by piece, so that a cluster of thousands of files, or its millions of
 * pairs, are never a single string: for a client that reads slowly, the server only holds one piece. Other requests run
 * between the portions that it is made of.
 */
export async function* writeClusterPage(
  db: Db,
  viewer: User,
  page: Page,
): AsyncGenerator<string, void> {
  let piece = ''
  for await (const text of writePage(db, viewer, page)) {
    piece += text
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  yield piece
}

async function* writePage(db: Db, viewer: User, page: Page): AsyncGenerator<string> {
  const { clusters, offset, limit } = page
  const [first, ...others] = clusters.slice(offset, offset + limit)
  let room = PAGE_BYTES
  yield '{"items":['
  if (first) {
    for await (const text of writeCluster(db, viewer, first)) {
      room -= Buffer.byteLength(text)
      yield text
    }
  }
  for (const cluster of others) {
    // Whether the cluster still fits is only certain once it is written, and that is too much to hold until then.
    if (!(await fits(db, viewer, cluster, room))) break
    yield ','
    for await (const text of writeCluster(db, viewer, cluster)) {
      room -= Buffer.byteLength(text)
      yield text
    }
  }
  yield `],"total":${clusters.length},"offset":${offset},"limit":${limit}}`
}

/** Returns a page of the clusters with the ids of their files. */
export function idPage(db: Db, viewer: User, page: Page): DuplicateIdPage {
  const { clusters, offset, limit } = page
  const items = clusters
    .slice(offset, offset + limit)
    .map((cluster) => idsOfCluster(db, viewer, cluster))
  return { items, total: clusters.length, offset, limit }
}

function idsOfCluster(db: Db, viewer: User, { files, pairs }: Cluster): DuplicateClusterIds {
  const rids = new Set<number>()
  for (const { a, b } of pairs) {
    if (rids.size > TOLD_FILES - 2) break
    rids.add(a).add(b)
  }
  const shown = stillVisible(db, viewer, [...rids])
  const ids = new Map(filesByRid(db, shown).map(({ rid, id }) => [rid, id]))
  const last = Math.max(...shown)
  const distances: DuplicateClusterIds['distances'] = []
  for (const { a, b, distance } of pairs) {
    // There may be millions, in the order of their first files.
    if (a > last) break
    const [x, y] = [ids.get(a), ids.get(b)]
    if (x && y) distances.push({ a: x, b: y, distance })
  }
  return { ids: [...ids.values()], distances, file_count: files.length }
}

async function fits(db: Db, viewer: User, cluster: Cluster, room: number): Promise<boolean> {
  let bytes = 0
  for await (const piece of writeCluster(db, viewer, cluster)) {
    bytes += Buffer.byteLength(piece)
    if (bytes > room) return false
  }
  return true
}

async function* writeCluster(db: Db, viewer: User, cluster: Cluster): AsyncGenerator<string> {
  yield '{"files":['
  const shown: number[] = []
  for (let start = 0; start < cluster.files.length; ) {
    const portion = cluster.files.slice(start, start + PORTION)
    // Rights and the trash may have changed since the last turn.
    const visible = stillVisible(db, viewer, portion)
    const { files, taken } = presentPage(db, viewer, visible, { room: PORTION_BYTES })
    if (files.length > 0) yield `${shown.length > 0 ? ',' : ''}${files.join(',')}`
    shown.push(...visible.slice(0, taken))
    start = taken < visible.length ? cluster.files.indexOf(visible[taken]!) : start + portion.length
    await setImmediate()
  }
  yield '],"distances":['
  yield* writePairs(db, cluster.pairs, shown)
  yield ']}'
}

// A pair with a file that was not shown would reveal what the viewer may no longer view.
async function* writePairs(
  db: Db,
  pairs: Cluster['pairs'],
  shown: number[],
): AsyncGenerator<string> {
  const ids = new Map(filesByRid(db, shown).map((file) => [file.rid, file.id]))
  let comma = ''
  for (let start = 0; start < pairs.length; start += PORTION_PAIRS) {
    const portion = pairs.slice(start, start + PORTION_PAIRS)
    // Objects would leave several times as much garbage.
    let text = ''
    for (const { a, b, distance } of portion) {
      const [x, y] = [ids.get(a), ids.get(b)]
      if (!x || !y) continue
      text += `${comma}{"a":"${x}","b":"${y}","distance":${distance}}`
      comma = ','
    }
    yield text
    await setImmediate()
  }
}
