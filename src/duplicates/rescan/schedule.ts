import { SYSTEM } from '../../audit/record.ts'
import type { Config } from '../../base/config.ts'
import { isWithin } from '../../base/time.ts'
import type { WriteDeps } from '../../db/write.ts'
import type { Decoder } from '../../media/decoder/decoder.ts'
import type { Storage } from '../../media/storage.ts'
import {
  countLateHashes,
  hasFiles,
  hasNewContent,
  hasUntried,
  isFinerKnown,
  lastScan,
} from './queries.ts'
import { type RunDeps, runRescan } from './run.ts'
import type { RescanEvent } from './schema.ts'

// How often to check whether a rescan is due, in milliseconds.
const LOOK_INTERVAL = 15_000
// How many milliseconds must pass without a new content before the last ones are compared.
const QUIET = 15_000
// For how many milliseconds a new content waits at most until no more come.
const LONGEST = 6 * 3_600_000
// How many times as long as the last rescan took the server waits before it compares new contents.
const REST = 20

interface DueDeps extends WriteDeps {
  config: Config
  decoder: Pick<Decoder, 'version'>
  storage: Pick<Storage, 'isReceiving'>
}

/**
 * Starts a rescan soon after uploads and imports, and whenever the interval of the settings has passed since the last
 * one and something has changed. What could not be seen or hashed is tried again after twice the wait each time. `stop`
 * resolves when no rescan started here is running any more.
 */
export function scheduleRescans(
  deps: DueDeps & RunDeps,
  lookInterval = LOOK_INTERVAL,
): {
  stop(): Promise<void>
} {
  const { config, log, rescans } = deps
  const interval = config.duplicateRescanInterval
  if (interval === 0) return { stop: async () => {} }
  const ending = new AbortController()
  const begins = createDueTimes(deps)
  let running: Promise<void> | null = null

  const look = () => {
    running ??= run()
      .catch((error) => log.error('rescans are not looked after', { error: String(error) }))
      .finally(() => {
        running = null
      })
  }
  const run = async () => {
    if (rescans.last().state === 'running' || !begins()) return
    let last: RescanEvent | undefined
    const { signal } = ending
    for await (const event of runRescan(deps, { by: SYSTEM, signal })) last = event
    if (last?.type === 'done') log.info('rescanned', last)
    else if (last?.type === 'error' && last.code === 'conflict') log.warn('the rescan failed', last)
  }
  const timer = setInterval(look, Math.min(interval, lookInterval))
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      ending.abort()
      await running
    },
  }
}

/** Returns a function that returns whether a rescan is due; when it is, the rescan is taken to begin. */
export function createDueTimes(deps: DueDeps): () => boolean {
  const { config, db, clock } = deps
  let lastTry: number | null = null
  let wait = config.duplicateRescanInterval
  let knewFiner = false
  return () => {
    const why = whyOutOfDate(deps)
    const knowsFiner = isFinerKnown(db)
    if (why !== 'unfinished' || knowsFiner !== knewFiner) wait = config.duplicateRescanInterval
    knewFiner = knowsFiner
    const lasts = [lastTry, lastScan(db)?.started_at ?? null]
    const now = clock()
    const hasWaited = why !== null && !lasts.some((last) => isWithin(wait, last, now))
    if (!hasWaited && !isAfterArrivals(deps, { lastTry, now })) return false
    // A disk may be broken for good.
    if (why === 'unfinished') wait *= 2
    lastTry = now
    return true
  }
}

// Whether contents have come since the last rescan, and now no more do, or one has waited for that long enough. When the
// last try came to nothing, the next one waits for the interval of the settings.
function isAfterArrivals(
  { db, storage }: DueDeps,
  { lastTry, now }: { lastTry: number | null; now: number },
): boolean {
  const scan = lastScan(db)
  if (!scan || (lastTry ?? 0) > scan.finished_at!) return false
  const rest = REST * (scan.finished_at! - scan.started_at)
  if (isWithin(Math.max(QUIET, rest), scan.started_at, now)) return false
  if (hasNewContent(db, scan.started_at, now - LONGEST)) return true
  // A film may take much longer to come than those before and after it are apart.
  if (storage.isReceiving() || hasNewContent(db, now - QUIET, now)) return false
  return hasNewContent(db, scan.started_at, now)
}

/**
 * Returns why a rescan might find anything other than the last one did: `changed` when something has changed, or
 * `unfinished` when there was something that it could not see or hash; null when it would find the same. Reads only
 * indexes.
 */
export function whyOutOfDate({
  db,
  config,
  decoder,
  clock,
}: Pick<DueDeps, 'db' | 'config' | 'decoder' | 'clock'>): 'changed' | 'unfinished' | null {
  const scan = lastScan(db)
  if (!scan) return hasFiles(db) ? 'changed' : null
  if (scan.threshold !== config.duplicateHashThreshold) return 'changed'
  const now = clock()
  // When the clock was set back, the times of later changes can't be compared.
  if (scan.started_at > now || hasNewContent(db, scan.started_at, now)) return 'changed'
  // Such as that of a picture which took too long at its upload, or which a newer decoder can read.
  if (scan.late_hashes !== countLateHashes(db)) return 'changed'
  const isUnfinished = !scan.is_whole && isFinerKnown(db)
  return isUnfinished || hasUntried(db, decoder.version) ? 'unfinished' : null
}
