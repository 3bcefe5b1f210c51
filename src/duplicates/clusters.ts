import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { createPause } from '../base/pause.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { perConnection } from '../db/per-connection.ts'
import {
  currentScan,
  dismissedPairs,
  duplicatesVersion,
  scanMembers,
  scanPairs,
} from './queries.ts'
import { createUnionFind } from './union-find.ts'

/** Files that look alike, with the pairs that join them. */
export interface Cluster {
  /** Row numbers, ascending. */
  files: number[]
  pairs: { a: number; b: number; distance: number }[]
}

interface Found {
  version: number
  clusters: Cluster[]
  bytes: number
}

// Bytes of a cluster beside its pairs, and of each pair.
const CLUSTER_BYTES = 200
const PAIR_BYTES = 64
// In bytes, of everything that is cached.
const MOST_BYTES = 32 * 2 ** 20

const cacheOf = perConnection(
  () =>
    new LRUCache<string, Found>({
      maxSize: MOST_BYTES,
      // One that is larger is cached alone: each page would find all of it again.
      sizeCalculation: ({ bytes }) => Math.min(bytes, MOST_BYTES),
    }),
)
const turnOf = perConnection(() => pLimit(1))

type Pause = () => Promise<void>

/**
 * Returns the clusters of the last rescan as far as `viewer` may view their files, in the order of their first file.
 * They are cached until the scan, the dismissals, the rights or the trash change, and found anew in turns with other
 * requests; the result may miss changes that happen meanwhile.
 */
export async function visibleClusters(db: Db, viewer: User): Promise<Cluster[]> {
  const cache = cacheOf(db)
  // All admins see the same clusters.
  const key = viewer.is_admin ? 'admin' : String(viewer.id)
  const current = () => {
    const found = cache.get(key)
    return found?.version === duplicatesVersion(db) ? found.clusters : null
  }
  return (
    current() ??
    turnOf(db)(async () => {
      const known = current()
      if (known) return known
      const version = duplicatesVersion(db)
      const clusters = await findClusters(db, viewer)
      let bytes = CLUSTER_BYTES
      for (const { pairs } of clusters) bytes += CLUSTER_BYTES + pairs.length * PAIR_BYTES
      cache.set(key, { version, clusters, bytes })
      return clusters
    })
  )
}

async function findClusters(db: Db, viewer: User): Promise<Cluster[]> {
  const pause = createPause()
  for (;;) {
    const scan = currentScan(db)
    if (scan === undefined) return []
    const groups = await visibleGroups(db, { viewer, scan }, pause)
    const pairs = await pairsOfGroups(db, { groups, scan }, pause)
    // A rescan in another process removes the old scan once the new one is current.
    if (currentScan(db) === scan) return await joinedByPairs(pairs, pause)
  }
}

// Returns the files of each group that the viewer may view, that aren't in the trash and that still have their hash.
async function visibleGroups(
  db: Db,
  { viewer, scan }: { viewer: User; scan: number },
  pause: Pause,
): Promise<Map<number, number[]>> {
  const groups = new Map<number, number[]>()
  for (const stretch of scanMembers(db, viewer, scan)) {
    for (const { group, rid } of stretch) {
      const files = groups.get(group)
      if (files) files.push(rid)
      else groups.set(group, [rid])
    }
    await pause()
  }
  return groups
}

async function pairsOfGroups(
  db: Db,
  { groups, scan }: { groups: Map<number, number[]>; scan: number },
  pause: Pause,
): Promise<Cluster['pairs']> {
  const others = dismissedPairs(db)
  const dismissed: IsDismissed = (a, b) => others.get(a)?.has(b) ?? false
  const pairs: Cluster['pairs'] = []
  const add = (found: Pair[], distance: number) => {
    for (const [x, y] of found) pairs.push({ a: Math.min(x, y), b: Math.max(x, y), distance })
  }
  for (const files of groups.values()) {
    if (files.length === 1) continue
    add(pairsWithin(files, dismissed), 0)
    await pause()
  }
  for (const stretch of scanPairs(db, scan)) {
    for (const { a, b, distance } of stretch) {
      const [left, right] = [groups.get(a), groups.get(b)]
      if (left && right) add(pairsBetween(left, right, dismissed), distance)
    }
    await pause()
  }
  return pairs
}

async function joinedByPairs(pairs: Cluster['pairs'], pause: Pause): Promise<Cluster[]> {
  const clusters = components(pairs).map((files): Cluster => ({ files, pairs: [] }))
  await pause()
  const clusterOf = new Int32Array(highestOf(pairs) + 1)
  for (const [n, { files }] of clusters.entries()) for (const file of files) clusterOf[file] = n
  for (const pair of pairs) clusters[clusterOf[pair.a]!]!.pairs.push(pair)
  await pause()
  for (const cluster of clusters) {
    if (cluster.pairs.length === 1) continue
    cluster.pairs.sort((p, q) => p.a - q.a || p.b - q.b)
    await pause()
  }
  return clusters
}

/** The row numbers of two files that look alike. */
export type Pair = [number, number]

type IsDismissed = (a: number, b: number) => boolean

// Up to this many files on each side, all pairs are listed; for more, just enough to join them.
const TOLD_IN_FULL = 50

/**
 * Returns pairs of files of one group, in which every two files look alike unless they were dismissed: all such pairs
 * or, in a large group, enough to join what all of them would join.
 */
export function pairsWithin(files: number[], dismissed: IsDismissed): Pair[] {
  if (files.length > TOLD_IN_FULL) return spanningForest([files], dismissed)
  const pairs: Pair[] = []
  files.forEach((a, index) => {
    for (const b of files.slice(index + 1)) if (!dismissed(a, b)) pairs.push([a, b])
  })
  return pairs
}

/** Returns such pairs between two groups; each file of one looks like each file of the other. */
export function pairsBetween(left: number[], right: number[], dismissed: IsDismissed): Pair[] {
  if (left.length > TOLD_IN_FULL || right.length > TOLD_IN_FULL) {
    return spanningForest([left, right], dismissed)
  }
  return left.flatMap((a) => right.filter((b) => !dismissed(a, b)).map((b): Pair => [a, b]))
}

// Returns the edges of a spanning forest of the graph in which each file of one side is joined to each file of the
// other (with a single side: to each other file), except for dismissed pairs. A file is met once and passed over only
// because of a dismissal, so the work grows with the number of files and dismissals, not with the number of pairs.
function spanningForest(sides: [number[]] | [number[], number[]], dismissed: IsDismissed): Pair[] {
  const pairs: Pair[] = []
  const unmet = sides.map((side) => [...side])
  const across = (side: number) => (sides.length === 1 ? side : 1 - side)
  for (let start = 0; start < unmet.length; start++) {
    for (let file = unmet[start]!.pop(); file !== undefined; file = unmet[start]!.pop()) {
      const queue = [{ file, side: start }]
      for (const met of queue) {
        const side = across(met.side)
        const passed: number[] = []
        for (const other of unmet[side]!) {
          if (dismissed(met.file, other)) {
            passed.push(other)
            continue
          }
          pairs.push([met.file, other])
          queue.push({ file: other, side })
        }
        unmet[side] = passed
      }
    }
  }
  return pairs
}

/** Returns the connected components of the pairs, by first file, each with its files ascending. */
export function components(pairs: { a: number; b: number }[]): number[][] {
  const highest = highestOf(pairs)
  const isPaired = new Uint8Array(highest + 1)
  const joined = createUnionFind(highest + 1)
  for (const { a, b } of pairs) {
    isPaired[a] = isPaired[b] = 1
    joined.join(a, b)
  }
  const found: number[][] = []
  const placeOf = new Int32Array(highest + 1)
  for (let file = isPaired.indexOf(1); file >= 0; file = isPaired.indexOf(1, file + 1)) {
    const leader = joined.leaderOf(file)
    if (leader === file) placeOf[leader] = found.push([file]) - 1
    else found[placeOf[leader]!]!.push(file)
  }
  return found
}

function highestOf(pairs: { a: number; b: number }[]): number {
  let highest = 0
  for (const { a, b } of pairs) highest = Math.max(highest, a, b)
  return highest
}
