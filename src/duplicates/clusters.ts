import { createBoundedMap } from '../bounded-map.ts'
import type { Db } from '../db/client.ts'
import { perConnection } from '../db/per-connection.ts'
import { read } from '../db/write.ts'
import type { User } from '../user.ts'
import {
  currentScan,
  dismissedPairs,
  duplicatesVersion,
  scanPairs,
  visibleMembers,
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
}

/** Number of viewers whose clusters are kept. */
const VIEWERS = 16

const cacheOf = perConnection(() => createBoundedMap<string, Found>(VIEWERS))

/**
 * Returns the clusters of the last rescan as far as `viewer` may view their files, in the order of
 * their first file. They are cached until the scan, the dismissals, the rights or the trash change.
 */
export function visibleClusters(db: Db, viewer: User): Cluster[] {
  const cache = cacheOf(db)
  // All admins see the same clusters.
  const key = viewer.is_admin ? 'admin' : String(viewer.id)
  // Reads one state: a rescan in another process removes the old scan once the new one is current.
  return read(db, () => {
    const version = duplicatesVersion(db)
    const found = cache.get(key)
    if (found?.version === version) return found.clusters
    const clusters = findClusters(db, viewer)
    cache.set(key, { version, clusters })
    return clusters
  })
}

function findClusters(db: Db, viewer: User): Cluster[] {
  const scan = currentScan(db)
  if (scan === undefined) return []
  const groups = visibleGroups(db, viewer, scan)
  const others = dismissedPairs(db)
  const dismissed: IsDismissed = (a, b) => others.get(a)?.has(b) ?? false
  const distances = new Map<Pair, number>()
  for (const files of groups.values()) {
    for (const pair of pairsWithin(files, dismissed)) distances.set(pair, 0)
  }
  for (const { a, b, distance } of scanPairs(db, scan)) {
    const [left, right] = [groups.get(a), groups.get(b)]
    if (!left || !right) continue
    for (const pair of pairsBetween(left, right, dismissed)) distances.set(pair, distance)
  }
  return withPairs(components(distances.keys()), distances)
}

/**
 * Returns the files of each group that the viewer may view, that aren't in the trash and that still
 * have their hash.
 */
function visibleGroups(db: Db, viewer: User, scan: number): Map<number, number[]> {
  const groups = new Map<number, number[]>()
  for (const { group, rid } of visibleMembers(db, viewer, scan)) {
    const files = groups.get(group)
    if (files) files.push(rid)
    else groups.set(group, [rid])
  }
  return groups
}

function withPairs(clusters: number[][], distances: Map<Pair, number>): Cluster[] {
  const result = clusters.map((files): Cluster => ({ files, pairs: [] }))
  const clusterOf = new Map<number, Cluster>()
  for (const cluster of result) for (const file of cluster.files) clusterOf.set(file, cluster)
  for (const [[x, y], distance] of distances) {
    clusterOf.get(x)!.pairs.push({ a: Math.min(x, y), b: Math.max(x, y), distance })
  }
  for (const cluster of result) cluster.pairs.sort((p, q) => p.a - q.a || p.b - q.b)
  return result
}

/** The row numbers of two files that look alike. */
export type Pair = [number, number]

/** Returns whether two files were dismissed as a pair. */
type IsDismissed = (a: number, b: number) => boolean

/** Up to this many files on each side, all pairs are given; of more, just enough to join them. */
const TOLD_IN_FULL = 50

/**
 * Returns pairs of files of one group, in which every two files look alike unless they were
 * dismissed: all such pairs or, in a large group, enough to join what all of them would join.
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

/**
 * Returns the edges of a spanning forest of the graph in which each file of one side is joined to
 * each file of the other (with a single side: to each other file), except for dismissed pairs. A
 * file is met once and passed over only because of a dismissal, so the work grows with the number
 * of files and dismissals, not with the number of pairs.
 */
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
export function components(pairs: Iterable<Pair>): number[][] {
  const all = [...pairs]
  const files = [...new Set(all.flat())].sort((a, b) => a - b)
  const placeOf = new Map(files.map((file, place) => [file, place]))
  const joined = createUnionFind(files.length)
  for (const [a, b] of all) joined.join(placeOf.get(a)!, placeOf.get(b)!)
  const members = new Map<number, number[]>()
  for (const [place, file] of files.entries()) {
    const leader = joined.leaderOf(place)
    const found = members.get(leader)
    if (found) found.push(file)
    else members.set(leader, [file])
  }
  return [...members.values()]
}
