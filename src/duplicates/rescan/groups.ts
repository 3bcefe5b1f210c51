import {
  type FinerHashes,
  finerDistance,
  GONE,
  keyOf,
  NEAR,
  PLAIN,
  UNKNOWN,
} from './finer-hashes.ts'
import type { Groups, HashedFiles } from './found.ts'

// With more different finer hashes than this, near ones are one group: otherwise a crowd would have endless pairs.
const CROWD = 50
// No more groups of one first hash are compared with others.
const MOST_COMPARED = 500

/** Returns the groups of the files of first hashes, given by their places in ascending order. */
export function groupFiles(
  { starts: fileStarts, rids, hi }: HashedFiles,
  finer: FinerHashes,
  candidates: Int32Array,
): Groups {
  const of = new Int32Array(rids.length).fill(-1)
  const starts = new Int32Array(hi.length + 1)
  const compared = new Int32Array(hi.length)
  const places = new Int32Array(rids.length)
  const files = new Int32Array(rids.length)
  const sizes = new Int32Array(rids.length)
  const near: Groups['near'] = []
  let count = 0
  let leftOut = 0
  const add = (place: number, first: number, size: number) => {
    places[count] = place
    files[count] = finer.twins[first]!
    sizes[count++] = size
  }
  let last = 0
  for (const place of candidates) {
    starts.fill(count, last, place + 1)
    last = place + 1
    const [from, to] = [fileStarts[place]!, fileStarts[place + 1]!]
    const state = finer.states[finer.twins[from]!]
    if (to - from === 1 && state !== GONE) {
      compared[place] = state === PLAIN ? 0 : 1
      of[from] = count
      add(place, from, 1)
      continue
    }
    const found = groupsOf(finer, from, to)
    compared[place] = found.compared
    leftOut += found.leftOut
    for (const [a, b] of found.near) near.push([count + a, count + b])
    for (const group of found.groups) {
      for (const file of group) of[file] = count
      add(place, group[0]!, group.length)
    }
  }
  starts.fill(count, last)
  const [placesOf, filesOf, sizesOf] = [places, files, sizes].map((list) => list.slice(0, count))
  return {
    places: placesOf!,
    files: filesOf!,
    sizes: sizesOf!,
    of,
    starts,
    compared,
    near,
    leftOut,
  }
}

// Files of one hash by groups; the first `compared` of them are compared with others.
interface GroupsOfHash extends Pick<Groups, 'near' | 'leftOut'> {
  groups: number[][]
  compared: number
}

function groupsOf(finer: FinerHashes, from: number, to: number): GroupsOfHash {
  const { states, twins } = finer
  const unknown: number[] = []
  const telling = new Map<string, number[]>()
  const plain = new Map<number, number[]>()
  for (let file = from; file < to; file++) {
    const twin = twins[file]!
    const state = states[twin]
    if (state === UNKNOWN) unknown.push(file)
    else if (state === PLAIN) put(plain, twin, file)
    else if (state !== GONE) put(telling, keyOf(finer, twin), file)
  }
  const { groups, near, others } = gather(finer, [...telling.values()])
  if (unknown.length > 0) groups.push(unknown)
  return {
    groups: [...groups, ...others, ...plain.values()],
    compared: groups.length,
    near,
    leftOut: others.reduce((sum, files) => sum + files.length, 0),
  }
}

function put<Key>(groups: Map<Key, number[]>, key: Key, file: number): void {
  const group = groups.get(key)
  if (group) group.push(file)
  else groups.set(key, [file])
}

interface Crowd extends Pick<Groups, 'near'> {
  groups: number[][]
  /** Files that came when there were too many groups already. */
  others: number[][]
}

// Returns the groups of a crowd's finer hashes, each with the hashes near its first one, and which of them are near by
// a first or a latest one, so that a chain holds together; a few hashes as they are.
function gather({ words, twins }: FinerHashes, hashes: number[][]): Crowd {
  if (hashes.length <= CROWD) return { groups: hashes, near: [], others: [] }
  const groups: number[][] = []
  const leaders = new Int32Array(MOST_COMPARED)
  const latest = new Int32Array(MOST_COMPARED)
  const near = new Set<number>()
  const others: number[][] = []
  for (const files of hashes) {
    const own = twins[files[0]!]!
    const isNear = (other: number) => finerDistance(words, other, own, NEAR) <= NEAR
    let home = -1
    const neighbours: number[] = []
    for (let group = 0; group < groups.length; group++) {
      const isOf = isNear(leaders[group]!)
      if (isOf && home < 0) home = group
      else if (isOf || isNear(latest[group]!)) neighbours.push(group)
    }
    if (home < 0 && groups.length === MOST_COMPARED) {
      others.push(files)
      continue
    }
    if (home < 0) {
      home = groups.push(files) - 1
      leaders[home] = own
    } else for (const file of files) groups[home]!.push(file)
    latest[home] = own
    for (const group of neighbours) {
      near.add(Math.min(group, home) * MOST_COMPARED + Math.max(group, home))
    }
  }
  const pairs = Array.from(near, (pair): [number, number] => [
    Math.floor(pair / MOST_COMPARED),
    pair % MOST_COMPARED,
  ])
  return { groups, near: pairs, others }
}
