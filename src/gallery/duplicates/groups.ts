import type { Schemas } from '../../client/index.ts'
import { compareFiles, type File, type Pair } from './sides.ts'

/** Files that look alike and of which something is left to be decided. */
export interface Group {
  /** Tells it from other groups, whatever is decided. */
  key: string
  /** The best one to keep first. */
  files: File[]
  /** Those pairs of them that are still to be looked at. */
  links: Pick<Schemas['DuplicatePairDistance'], 'a' | 'b'>[]
  /** How many bits of their hashes differ; null where people brought the files together. */
  distances: Schemas['DuplicatePairDistance'][] | null
}

/** Returns files of a cluster as a group of which nothing is decided. */
export function groupOf({
  ids,
  files,
  distances,
}: Pick<Schemas['DuplicateClusterIds'], 'ids' | 'distances'> & { files: File[] }): Group {
  const best = [...files].sort((a, b) => compareFiles(b, a))
  return { key: ids[0]!, files: best, links: distances, distances }
}

/** Returns files that are to be decided by hand as a group: all of them are seen beside the first. */
export function groupByHand(files: File[]): Group {
  const [{ id: key }, ...others] = files as [File, ...File[]]
  return { key, files, links: others.map(({ id }) => ({ a: key, b: id })), distances: null }
}

/** Returns the pair of a group that is looked at next, the better one on the left; null at its end. */
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
 * Returns how many bits of the hashes of two files differ; null of two that only look like a third,
 * undefined where nobody has looked.
 */
export function distanceOf({ distances }: Group, { left, right }: Pair): number | null | undefined {
  if (!distances) return undefined
  return distances.find((link) => joins(link, left.id, right.id))?.distance ?? null
}

/** Returns a group without files that are gone. */
export function without(group: Group, gone: ReadonlySet<string>): Group {
  return {
    ...group,
    files: group.files.filter(({ id }) => !gone.has(id)),
    links: group.links.filter(({ a, b }) => !gone.has(a) && !gone.has(b)),
  }
}

/** Returns a group in which two files are known to differ. */
export function apart(group: Group, { left, right }: Pair): Group {
  return { ...group, links: group.links.filter((link) => !joins(link, left.id, right.id)) }
}

/** Returns a group with the newest that is known of one of its files; the order stays. */
export function renewed(group: Group, file: File): Group {
  const files = group.files.map((other) => (other.id === file.id ? file : other))
  return { ...group, files }
}

/**
 * Returns the pair after somebody has chosen the file of a digit: it takes the place of the right
 * one, and one that is shown already changes its side. Any two are reached so.
 */
export function withChosen({ files }: Group, { left, right }: Pair, place: number): Pair | null {
  const file = files[place]
  if (!file) return null
  if (file.id === left.id || file.id === right.id) return { left: right, right: left }
  return { left, right: file }
}

/** Returns the files of which the pictures may be looked at next, whatever is decided, nearest first. */
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
