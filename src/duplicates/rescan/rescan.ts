import { setImmediate } from 'node:timers/promises'
import { audit } from '../../audit/record.ts'
import type { Config } from '../../config.ts'
import { acquireLock } from '../../db/lock.ts'
import { write } from '../../db/write.ts'
import { dataFolder } from '../../media/data-folder.ts'
import { createUnionFind } from '../union-find.ts'
import { allPairs } from './all-pairs.ts'
import { hashUntried, type RescanDeps } from './hash-untried.ts'
import { countFiles, makeCurrent } from './queries.ts'
import {
  type HashedFiles,
  insertScan,
  type PairsByFirst,
  readHashes,
  removeOtherScans,
  writeMembers,
  writePairs,
} from './scan-rows.ts'
import type { RescanEvent } from './schema.ts'

/**
 * Takes the lock for rescans: only one may run at a time, across all processes. Throws conflict
 * while another one is running.
 */
export function lockRescans({ dataDir }: Config): { release(): void } {
  return acquireLock(dataFolder(dataDir).rescanLock, 'Another rescan is running')
}

/**
 * Hashes the files that have no hash yet, finds all pairs anew and puts them in place of the old
 * ones, which stay until then. Yields the events of the stream except `start`; the rescan stops
 * when they are no longer asked for. `by` is the user named in the audit log. Throws conflict when
 * there are too many pairs, and insufficient_storage when the disk has room only for deletions.
 */
export async function* rescan(
  deps: RescanDeps,
  by: { id: number; name: string },
): AsyncGenerator<RescanEvent> {
  const { db, clock } = deps
  const threshold = deps.config.duplicateHashThreshold
  const started = performance.now()
  const startedAt = clock()
  deps.disk.requireRoomToWrite()
  await removeOtherScans(deps)
  const hashing = yield* hashUntried(deps)
  const hashes = readHashes(db)
  const pairs = yield* findPairs(hashes, threshold)
  const scan = write(db, { now: clock() }, (tx) => insertScan(tx, threshold, startedAt))
  yield* writeScan(deps, scan, hashes, pairs)
  const summary = {
    files: countFiles(db),
    ...hashing,
    ...countFound(hashes, pairs),
    seconds: Math.round((performance.now() - started) / 10) / 100,
  }
  write(db, { now: clock() }, (tx) => {
    makeCurrent(tx, scan)
    audit(tx, by, 'duplicate_rescan', null, { ...summary, threshold })
  })
  await removeOtherScans(deps)
  yield { type: 'done', ...summary }
}

async function* findPairs(
  hashes: HashedFiles,
  threshold: number,
): AsyncGenerator<RescanEvent, PairsByFirst> {
  const chunks: Int32Array[] = []
  let percent = -1
  for (const { pairs, progress } of allPairs(hashes, threshold)) {
    if (pairs.length > 0) chunks.push(pairs)
    const done = Math.floor(progress * 100)
    if (done === percent) continue
    percent = done
    yield { type: 'progress', stage: 'search', done, total: 100 }
    await setImmediate()
  }
  return sortPairs(hashes.hi.length, chunks)
}

/** Sorts the pairs by the key of the table: that way they are written several times as fast. */
function sortPairs(hashes: number, chunks: Int32Array[]): PairsByFirst {
  const starts = new Int32Array(hashes + 1)
  for (const pairs of chunks) {
    for (let index = 0; index < pairs.length; index += 2) starts[pairs[index]! + 1]!++
  }
  for (let place = 0; place < hashes; place++) starts[place + 1]! += starts[place]!
  const seconds = new Int32Array(starts[hashes]!)
  const next = starts.slice()
  for (const pairs of chunks) {
    for (let index = 0; index < pairs.length; index += 2) {
      seconds[next[pairs[index]!]!++] = pairs[index + 1]!
    }
  }
  for (let place = 0; place < hashes; place++) {
    const [from, to] = [starts[place]!, starts[place + 1]!]
    if (to - from > 1) seconds.subarray(from, to).sort()
  }
  return { starts, seconds }
}

async function* writeScan(
  deps: RescanDeps,
  scan: number,
  hashes: HashedFiles,
  pairs: PairsByFirst,
): AsyncGenerator<RescanEvent> {
  const total = pairs.seconds.length
  let percent = -1
  for await (const done of writePairs(deps, scan, hashes, pairs)) {
    const share = Math.floor((done / total) * 100)
    if (share === percent) continue
    percent = share
    yield { type: 'progress', stage: 'write', done, total }
  }
  for await (const _ of writeMembers(deps, scan, hashes, placesAlike(hashes, pairs))) {
    // The pairs already showed the progress: there are seldom many more files than pairs.
  }
}

/** Returns the indexes of the hashes that several files have or that are near another one. */
function placesAlike({ hi, starts }: HashedFiles, pairs: PairsByFirst): Int32Array {
  const isAlike = new Uint8Array(hi.length)
  for (const second of pairs.seconds) isAlike[second] = 1
  return Int32Array.from(hi.keys()).filter(
    (place) =>
      isAlike[place] === 1 ||
      pairs.starts[place + 1]! > pairs.starts[place]! ||
      starts[place + 1]! - starts[place]! > 1,
  )
}

/** Returns how many pairs of files there are, and how many clusters they form. */
function countFound(
  { hi, starts }: HashedFiles,
  found: PairsByFirst,
): { pairs: number; clusters: number } {
  const filesOf = (place: number) => starts[place + 1]! - starts[place]!
  const joined = createUnionFind(hi.length)
  const isJoined = new Uint8Array(hi.length)
  let pairs = 0
  for (let first = 0; first < hi.length; first++) {
    const files = filesOf(first)
    pairs += (files * (files - 1)) / 2
    if (files > 1 || found.starts[first + 1]! > found.starts[first]!) isJoined[first] = 1
    for (let index = found.starts[first]!; index < found.starts[first + 1]!; index++) {
      const second = found.seconds[index]!
      pairs += files * filesOf(second)
      joined.join(first, second)
    }
  }
  let clusters = 0
  // Only a hash that is the first of a pair can lead.
  for (let place = 0; place < hi.length; place++) {
    if (isJoined[place] === 1 && joined.leaderOf(place) === place) clusters++
  }
  return { pairs, clusters }
}
