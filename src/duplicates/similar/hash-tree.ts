import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../db/client.ts'
import { perConnection } from '../../db/per-connection.ts'
import { joinHash, splitHash } from '../hamming.ts'
import { type BkTree, createBkTree, type NearHashes } from './bk-tree.ts'

import { type Halves, listChanges, listHashes, listNewFiles, newest, SLICE } from './queries.ts'

/** A hash that is near another one. */
export interface SimilarHash {
  /** A signed 64-bit integer in decimal. */
  phash: string
  distance: number
}

interface HashTree {
  tree: BkTree
  /** The newest file, and the newest change of a hash, that the tree includes. */
  rid: number
  seq: number
  reading: Promise<void> | null
}

// How many hashes are found or sorted before other requests get a turn.
const MANY = 100_000

const treeOf = perConnection((): { current: HashTree | null } => ({ current: null }))

/**
 * Returns those hashes of the library's files, trashed ones included, that are within the distance of a given hash,
 * nearest first. The first call reads all hashes; later calls read only what has changed since, including changes by
 * other processes.
 */
export async function similarHashes(
  db: Db,
  phash: string,
  distance: number,
): Promise<Iterable<SimilarHash>> {
  const { tree } = await currentTree(db)
  const { hi, lo } = splitHash(phash)
  const near = tree.within(hi, lo, distance)
  // Finding very many takes as long as sorting them.
  if (near.hi.length > MANY) await setImmediate()
  return nearestFirst(near)
}

// Sorts one distance at a time, so that the nearest of very many don't wait for the others.
function* nearestFirst({ hi, lo, distance }: NearHashes): Generator<SimilarHash> {
  const { places, ends } = byDistance(distance)
  for (const [away, end] of ends.entries()) {
    const phashes = new BigInt64Array(end - (ends[away - 1] ?? 0))
    for (let n = 0, at = end - phashes.length; at < end; n++, at++) {
      phashes[n] = joinHash(hi[places[at]!]!, lo[places[at]!]!)
    }
    // In place, by numbers: a comparison function would be far slower.
    for (const phash of phashes.sort()) yield { phash: String(phash), distance: away }
  }
}

function byDistance(distance: Uint8Array): { places: Int32Array; ends: Uint32Array } {
  const ends = new Uint32Array(65)
  for (let place = 0; place < distance.length; place++) ends[distance[place]!]!++
  for (let away = 1; away < ends.length; away++) ends[away]! += ends[away - 1]!
  const places = new Int32Array(distance.length)
  const free = ends.slice()
  for (let place = distance.length - 1; place >= 0; place--) {
    places[--free[distance[place]!]!] = place
  }
  return { places, ends }
}

async function currentTree(db: Db): Promise<HashTree> {
  const held = treeOf(db)
  const known = held.current
  // Anything newer than these is read again, even if `readAll` has already seen it.
  const state = known ?? { tree: createBkTree(), ...newest(db), reading: null }
  held.current = state
  state.reading ??= (known ? readChanges(db, state) : readAll(db, state)).finally(() => {
    state.reading = null
  })
  try {
    await state.reading
  } catch (error) {
    held.current = null
    throw error
  }
  return state
}

async function readAll(db: Db, state: HashTree): Promise<void> {
  for (let last: Halves | null = null; ; ) {
    const rows = listHashes(db, last)
    for (const { hi, lo } of rows) state.tree.add(hi, lo | 0)
    if (rows.length < SLICE) break
    last = rows.at(-1)!
    // Other work runs between two slices.
    await setImmediate()
  }
  await readChanges(db, state)
}

// A file may come, change and go between two readings, so a change only names a hash to look at again; what counts is
// whether any file has it now.
async function readChanges(db: Db, state: HashTree): Promise<void> {
  for (;;) {
    const changes = listChanges(db, state.seq)
    for (const { hi, lo, isLive } of changes) {
      if (isLive) state.tree.add(hi, lo | 0)
      else state.tree.remove(hi, lo | 0)
    }
    state.seq = changes.at(-1)?.seq ?? state.seq
    const added = listNewFiles(db, state.rid)
    for (const { hi, lo } of added) if (hi !== null && lo !== null) state.tree.add(hi, lo | 0)
    state.rid = added.at(-1)?.rid ?? state.rid
    if (changes.length < SLICE && added.length < SLICE) return
    await setImmediate()
  }
}
