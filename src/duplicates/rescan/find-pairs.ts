import { setImmediate } from 'node:timers/promises'
import { allPairs } from './all-pairs.ts'
import { compareThumbnails } from './compare-thumbnails.ts'
import { PLAIN, readFinerHashes, UNKNOWN } from './finer-hashes.ts'
import type { Found, HashedFiles, PairsByFirst } from './found.ts'
import { createGroupPairs } from './group-pairs.ts'
import { groupFiles } from './groups.ts'
import type { RescanDeps } from './hash-untried.ts'
import type { RescanEvent } from './schema.ts'

const BOUNDS = { pairs: 20_000_000, comparisons: 1_000_000_000, looks: 50_000 }
// The percentage of the search at which all hashes are compared.
const COMPARED = 80

/**
 * Finds which files look alike: those of near first hashes whose finer hashes are also near, or whose thumbnails show
 * the same. Until all files have a finer hash, as `knowsFiner` says, the first hash alone decides for those without
 * one. Blocks its process for seconds at a time. Throws conflict when too many first hashes are near, and errors that
 * would affect any file, such as a full disk.
 */
export async function* findPairs(
  deps: RescanDeps,
  hashes: HashedFiles,
  knowsFiner: boolean,
): AsyncGenerator<RescanEvent, Found> {
  const threshold = deps.config.duplicateHashThreshold
  const near = yield* findNear(hashes, threshold)
  const places = placesAlike(hashes, near)
  const listed = filesOf(hashes, places)
  const without = knowsFiner ? PLAIN : UNKNOWN
  const finer = readFinerHashes(deps.db, { rids: hashes.rids, listed, without })
  const groups = groupFiles(hashes, finer, places)
  const compared = createGroupPairs(hashes, finer, groups, { ...BOUNDS, threshold })
  for (const place of places) compared.within(place)
  for (let pairs = near.pop(); pairs !== undefined; pairs = near.pop()) {
    for (let at = 0; at < pairs.length; at += 2) compared.between(pairs[at]!, pairs[at + 1]!)
  }
  compared.equalContents(listed)
  const undecided = compared.undecided.toLookAt()
  const leftOut = { files: groups.leftOut, hashes: compared.leftOut(), looks: undecided.leftOut }
  if (Object.values(leftOut).some((count) => count > 0)) {
    deps.log.warn('not all pictures that are much alike were compared', leftOut)
  }
  let isWhole = true
  let percent = COMPARED
  for await (const looked of compareThumbnails(deps, hashes, groups, undecided.pairs)) {
    if (looked.alike) compared.add(...looked.alike)
    if (looked.isUnseen) isWhole = false
    const done =
      COMPARED + Math.floor(((100 - COMPARED) * looked.count * 2) / undecided.pairs.length)
    if (done === percent || done === 100) continue
    percent = done
    yield { type: 'progress', stage: 'search', done, total: 100 }
  }
  yield { type: 'progress', stage: 'search', done: 100, total: 100 }
  return { listed, groups, pairs: sortPairs(groups.places.length, compared.pairs()), isWhole }
}

async function* findNear(
  hashes: HashedFiles,
  threshold: number,
): AsyncGenerator<RescanEvent, Int32Array[]> {
  const chunks: Int32Array[] = []
  let percent = -1
  for (const { pairs, progress } of allPairs(hashes, threshold)) {
    if (pairs.length > 0) chunks.push(pairs)
    const done = Math.floor(progress * COMPARED)
    if (done === percent) continue
    percent = done
    yield { type: 'progress', stage: 'search', done, total: 100 }
    // The progress is sent now, not when all is compared.
    await setImmediate()
  }
  return chunks
}

// First hashes that only one file has and that are near no other one are left out.
function placesAlike({ hi, starts }: HashedFiles, near: Int32Array[]): Int32Array {
  const isAlike = new Uint8Array(hi.length)
  for (const pairs of near) for (const place of pairs) isAlike[place] = 1
  for (let place = 0; place < hi.length; place++) {
    if (starts[place + 1]! - starts[place]! > 1) isAlike[place] = 1
  }
  return placesOf(isAlike)
}

function filesOf({ starts, rids }: HashedFiles, places: Int32Array): Int32Array {
  const isOf = new Uint8Array(rids.length)
  for (const place of places) isOf.fill(1, starts[place]!, starts[place + 1]!)
  return placesOf(isOf).sort((a, b) => rids[a]! - rids[b]!)
}

function placesOf(marks: Uint8Array): Int32Array {
  const places = new Int32Array(marks.length)
  let count = 0
  for (let place = 0; place < marks.length; place++) if (marks[place] === 1) places[count++] = place
  return places.slice(0, count)
}

// Sorts the pairs by the key of the table, each once: in this order, writing them is several times as fast.
function sortPairs(groups: number, chunks: Int32Array[]): PairsByFirst {
  const starts = new Int32Array(groups + 1)
  for (const pairs of chunks) {
    for (let index = 0; index < pairs.length; index += 2) starts[pairs[index]! + 1]!++
  }
  for (let group = 0; group < groups; group++) starts[group + 1]! += starts[group]!
  const seconds = new Int32Array(starts[groups]!)
  const next = starts.slice()
  for (const pairs of chunks) {
    for (let index = 0; index < pairs.length; index += 2) {
      seconds[next[pairs[index]!]!++] = pairs[index + 1]!
    }
  }
  let count = 0
  for (let group = 0; group < groups; group++) {
    const [from, to] = [starts[group]!, starts[group + 1]!]
    if (to - from > 1) seconds.subarray(from, to).sort()
    starts[group] = count
    for (let place = from; place < to; place++) {
      if (place === from || seconds[place] !== seconds[place - 1])
        seconds[count++] = seconds[place]!
    }
  }
  starts[groups] = count
  return { starts, seconds: seconds.slice(0, count) }
}
