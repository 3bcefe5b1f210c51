import type { Schemas } from '../../client/index.ts'
import { compareFiles, type File, type Pair } from './sides.ts'

/** Files that look alike and about which something is still undecided. */
export interface Group {
  /** Identifies the group, whatever is decided. */
  key: string
  /** Sorted, the best one to keep first. */
  files: File[]
  /** The pairs that are still to be looked at. */
  links: Pick<Schemas['DuplicatePairDistance'], 'a' | 'b'>[]
  /** How many bits of the hashes differ; null if a user brought the files together. */
  distances: Schemas['DuplicatePairDistance'][] | null
}

/** Returns the files of a cluster as a group with nothing decided yet. */
export function groupOf({
  ids,
  files,
  distances,
}: Pick<Schemas['DuplicateClusterIds'], 'ids' | 'distances'> & { files: File[] }): Group {
  const best = [...files].sort((a, b) => compareFiles(b, a))
  return { key: ids[0]!, files: best, links: distances, distances }
}

/** Returns files to be decided by hand as a group: each is compared with the first. */
export function groupByHand(files: File[]): Group {
  const [{ id: key }, ...others] = files as [File, ...File[]]
  return { key, files, links: others.map(({ id }) => ({ a: key, b: id })), distances: null }
}

/** Returns the next pair of a group, the better file on the left; null at its end. */
export function nextPair({ files, links }: Group): Pair | null {
  for (const left of files) {
    for (const right of files) {
      if (left !== right && links.some((link) => joins(link, left.id, right.id))) {
        return { left, right }
      }
    }
  }
  return null
}

/**
 * Returns how many bits of the hashes of two files differ; null if they only look like a third one,
 * undefined if they were not compared.
 */
export function distanceOf({ distances }: Group, { left, right }: Pair): number | null | undefined {
  if (!distances) return undefined
  return distances.find((link) => joins(link, left.id, right.id))?.distance ?? null
}

/** Returns a group without the files that are gone. */
export function without(group: Group, gone: ReadonlySet<string>): Group {
  return {
    ...group,
    files: group.files.filter(({ id }) => !gone.has(id)),
    links: group.links.filter(({ a, b }) => !gone.has(a) && !gone.has(b)),
  }
}

/** Returns a group in which two files are marked as different. */
export function apart(group: Group, { left, right }: Pair): Group {
  return { ...group, links: group.links.filter((link) => !joins(link, left.id, right.id)) }
}

/** Returns a group with one of its files updated, in the same order. */
export function renewed(group: Group, file: File): Group {
  const files = group.files.map((other) => (other.id === file.id ? file : other))
  return { ...group, files }
}

/**
 * Returns the pair after the user has chosen a file by its digit: it replaces the right one; a file
 * that is shown already changes sides. This way any two files can be reached.
 */
export function withChosen({ files }: Group, { left, right }: Pair, place: number): Pair | null {
  const file = files[place]
  if (!file) return null
  if (file.id === left.id || file.id === right.id) return { left: right, right: left }
  return { left, right: file }
}

/** Returns the files whose pictures may be looked at next, whatever is decided, nearest first. */
export function upcoming([group, ...others]: Group[], { left, right }: Pair): File[] {
  if (!group) return []
  const ends = [new Set([right.id]), new Set([left.id]), new Set([left.id, right.id])]
  const own = [
    ...ends.map((gone) => nextPair(without(group, gone))),
    nextPair(apart(group, { left, right })),
  ]
  const other = others[0] ? nextPair(others[0]) : null
  const files = [...own, other].flatMap((pair) => (pair ? [pair.left, pair.right] : []))
  return [...new Set(files)].filter((file) => file !== left && file !== right)
}

function joins({ a, b }: { a: string; b: string }, one: string, other: string): boolean {
  return (a === one && b === other) || (a === other && b === one)
}
