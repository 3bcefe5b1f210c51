import { rescan } from '../../../src/duplicates/rescan/rescan.ts'
import type { Library } from '../harness.ts'
import { slowDistance } from './hashes.ts'

/** A file as the rules of duplicates see it. */
export interface WorldFile {
  /** What the answer calls it: an id, or a row number. */
  id: string | number
  /** As the last rescan read it. */
  hash: bigint
  isVisible: boolean
}

export interface PlainCluster {
  files: WorldFile['id'][]
  /** All pairs of the cluster that are alike and not dismissed. */
  pairs: [a: WorldFile['id'], b: WorldFile['id'], distance: number][]
}

/**
 * Returns the clusters by the rules alone, by comparing every file with every other. Files are in
 * the order given, clusters in the order of their first files.
 */
export function plainClusters(
  files: WorldFile[],
  threshold: number,
  dismissed: (a: number, b: number) => boolean,
): PlainCluster[] {
  const pairs: [a: number, b: number, distance: number][] = []
  const neighbours = files.map((): number[] => [])
  for (let a = 0; a < files.length; a++) {
    for (let b = a + 1; b < files.length; b++) {
      if (!files[a]!.isVisible || !files[b]!.isVisible || dismissed(a, b)) continue
      const [left, right] = [files[a]!.hash, files[b]!.hash]
      const distance = left === right ? 0 : slowDistance(left, right)
      if (distance > threshold) continue
      pairs.push([a, b, distance])
      neighbours[a]!.push(b)
      neighbours[b]!.push(a)
    }
  }
  const clusterOf = new Map<number, number>()
  const clusters: PlainCluster[] = []
  for (let first = 0; first < files.length; first++) {
    if (clusterOf.has(first) || neighbours[first]!.length === 0) continue
    const reached = new Set([first])
    for (const file of reached) for (const next of neighbours[file]!) reached.add(next)
    for (const file of reached) clusterOf.set(file, clusters.length)
    const members = [...reached].sort((a, b) => a - b)
    clusters.push({ files: members.map((file) => files[file]!.id), pairs: [] })
  }
  for (const [a, b, distance] of pairs) {
    clusters[clusterOf.get(a)!]!.pairs.push([files[a]!.id, files[b]!.id, distance])
  }
  return clusters
}

/** Runs a rescan to its end. */
export async function rescanAll({ deps }: Library): Promise<void> {
  for await (const _ of rescan(deps, { id: 0, name: 'system' })) {
    // What it finds is looked up afterwards.
  }
}
