import { setImmediate } from 'node:timers/promises'
import type { Db } from '../db/client.ts'
import { presentPage } from '../files/present.ts'
import { filesByRid } from '../files/queries.ts'
import { PAGE_BYTES } from '../http/json.ts'
import type { User } from '../user.ts'
import type { Cluster } from './clusters.ts'
import { stillVisible } from './queries.ts'
import type { DuplicatePairDistance } from './schema.ts'

/** Number of files, and of bytes, written at a time. */
const PORTION = 200
const PORTION_BYTES = 1024 * 1024

/** Minimum length of any piece but the last, in characters; an ordinary page is a single piece. */
const PIECE = 256 * 1024

interface Page {
  clusters: Cluster[]
  offset: number
  limit: number
}

/**
 * Yields the JSON of a page of the clusters piece by piece, so that a cluster of thousands of files
 * is never a single string. Other requests run between the portions that it is made of.
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
    // Whether it still fits is known only once it is written.
    const text = await clusterThatFits(db, viewer, cluster, room)
    if (text === null) break
    room -= Buffer.byteLength(text)
    yield `,${text}`
  }
  yield `],"total":${clusters.length},"offset":${offset},"limit":${limit}}`
}

/** Returns the JSON of a cluster, or null when it is larger than `room`. */
async function clusterThatFits(
  db: Db,
  viewer: User,
  cluster: Cluster,
  room: number,
): Promise<string | null> {
  let text = ''
  let bytes = 0
  for await (const piece of writeCluster(db, viewer, cluster)) {
    bytes += Buffer.byteLength(piece)
    if (bytes > room) return null
    text += piece
  }
  return text
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
  yield '],"distances":'
  yield JSON.stringify(presentPairs(db, cluster.pairs, shown))
  yield '}'
}

/** A pair with a file that was not shown would reveal what the viewer may no longer view. */
function presentPairs(db: Db, pairs: Cluster['pairs'], shown: number[]): DuplicatePairDistance[] {
  const ids = new Map(filesByRid(db, shown).map((file) => [file.rid, file.id]))
  return pairs.flatMap(({ a, b, distance }) => {
    const [x, y] = [ids.get(a), ids.get(b)]
    return x && y ? [{ a: x, b: y, distance }] : []
  })
}
