import { audit } from '../../audit/record.ts'
import { isFullDisk } from '../../background/kind.ts'
import { hashTurned } from '../../background/turned.ts'
import type { Config } from '../../base/config.ts'
import { acquireLock } from '../../db/lock.ts'
import { write } from '../../db/write.ts'
import { dataFolder } from '../../media/data-folder.ts'
import { createUnionFind } from '../union-find.ts'
import { findPairs } from './find-pairs.ts'
import type { Found, HashedFiles } from './found.ts'
import { hashUntried, type RescanDeps } from './hash-untried.ts'
import { countFiles, hasUntried, isFinerKnown, makeCurrent } from './queries.ts'
import { insertScan, readHashes, removeOtherScans, writeMembers, writePairs } from './scan-rows.ts'
import type { RescanEvent } from './schema.ts'

/**
 * Takes the lock for rescans: only one may run at a time, across all processes. Throws conflict while another one is
 * running.
 */
export function lockRescans({ dataDir }: Config): { release(): void } {
  return acquireLock(dataFolder(dataDir).rescanLock, 'Another rescan is running')
}

/**
 * Hashes the files that have no hash yet, finds all pairs anew and puts them in place of the old ones, which stay until
 * then. Yields the events of the stream except `start`; the rescan stops when the consumer does. `by` is the user named
 * in the audit log. Throws conflict when there are too many pairs, and insufficient_storage when the disk has room only
 * for deletions.
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
  const knowsFiner = isFinerKnown(db)
  const hashing = yield* hashUntried(deps)
  try {
    await hashTurned(deps, new AbortController().signal)
  } catch (error) {
    // What is left is hashed later, as other files are.
    if (!isFullDisk(error)) throw error
  }
  // A hash may come before the next rescan, by a look or from an upload that didn't wait for it.
  const lacksHashes = hasUntried(db, deps.decoder.version)
  const hashes = readHashes(db)
  const found = yield* findPairs(deps, hashes, knowsFiner)
  const scan = write(db, { now: clock() }, (tx) =>
    insertScan(tx, {
      threshold,
      startedAt,
      isWhole: knowsFiner && found.isWhole && !lacksHashes,
      lateHashes: hashes.lateHashes,
    }),
  )
  yield* writeScan(deps, scan, hashes, found)
  const summary = {
    files: countFiles(db),
    ...hashing,
    ...countFound(found),
    seconds: Math.round((performance.now() - started) / 10) / 100,
  }
  write(db, { now: clock() }, (tx) => {
    makeCurrent(tx, scan, hashes.asOf)
    audit(tx, by, 'duplicate_rescan', null, { ...summary, threshold })
  })
  await removeOtherScans(deps)
  yield { type: 'done', ...summary }
}

async function* writeScan(
  deps: RescanDeps,
  scan: number,
  hashes: HashedFiles,
  found: Found,
): AsyncGenerator<RescanEvent> {
  const total = found.pairs.seconds.length
  let percent = -1
  for await (const done of writePairs(deps, scan, hashes, found)) {
    const share = Math.floor((done / total) * 100)
    if (share === percent) continue
    percent = share
    yield { type: 'progress', stage: 'write', done, total }
  }
  for await (const _ of writeMembers(deps, scan, hashes, found)) {
    // Pairs have already reported the progress: there are seldom many more files than pairs.
  }
}

function countFound({ groups: { sizes }, pairs: { starts, seconds } }: Found): {
  pairs: number
  clusters: number
} {
  const joined = createUnionFind(sizes.length)
  const isJoined = new Uint8Array(sizes.length)
  let pairs = 0
  for (const [first, size] of sizes.entries()) {
    pairs += (size * (size - 1)) / 2
    if (size > 1 || starts[first + 1]! > starts[first]!) isJoined[first] = 1
    for (const second of seconds.subarray(starts[first]!, starts[first + 1]!)) {
      pairs += size * sizes[second]!
      joined.join(first, second)
    }
  }
  let clusters = 0
  // Only a group that is the first of a pair can lead.
  for (let group = 0; group < sizes.length; group++) {
    if (isJoined[group] === 1 && joined.leaderOf(group) === group) clusters++
  }
  return { pairs, clusters }
}
