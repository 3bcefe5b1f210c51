import type { Db } from '../db/client.ts'
import { presentPage } from '../files/present.ts'
import { filesByRid } from '../files/queries.ts'
import type { User } from '../user.ts'
import type { Cluster } from './clusters.ts'
import { stillVisible } from './queries.ts'
import type { DuplicatePairDistance } from './schema.ts'

/** Number of files written at a time. */
const PORTION = 200

/** Minimum length of any piece but the last, in characters; an ordinary page is a single piece. */
const PIECE = 256 * 1024

interface Page {
  clusters: Cluster[]
  offset: number
  limit: number
}

/**
 * Yields the JSON of a page of the clusters piece by piece, so that a cluster of thousands of files
 * is never a single string.
 */
export function* writeClusterPage(db: Db, viewer: User, page: Page): Generator<string> {
  let piece = ''
  for (const text of writePage(db, viewer, page)) {
    piece += text
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  yield piece
}

function* writePage(db: Db, viewer: User, page: Page): Generator<string> {
  const { clusters, offset, limit } = page
  yield '{"items":['
  for (const [index, cluster] of clusters.slice(offset, offset + limit).entries()) {
    if (index > 0) yield ','
    yield* writeCluster(db, viewer, cluster)
  }
  yield `],"total":${clusters.length},"offset":${offset},"limit":${limit}}`
}

function* writeCluster(db: Db, viewer: User, cluster: Cluster): Generator<string> {
  yield '{"files":['
  const shown: number[] = []
  for (let start = 0; start < cluster.files.length; start += PORTION) {
    // A client may read so slowly that rights and the trash change in the meantime.
    const portion = stillVisible(db, viewer, cluster.files.slice(start, start + PORTION))
    const { files } = presentPage(db, viewer, portion)
    if (files.length === 0) continue
    yield `${shown.length > 0 ? ',' : ''}${files.join(',')}`
    shown.push(...portion)
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
