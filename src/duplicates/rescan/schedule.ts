import type { Config } from '../../config.ts'
import type { WriteDeps } from '../../db/write.ts'
import type { Log } from '../../log.ts'
import type { Decoder } from '../../media/decoder/decoder.ts'
import { rescanInProcess } from './process.ts'
import { hasFiles, hasNewContent, hasUntried, isFinerKnown, lastScan } from './queries.ts'
import type { RescanEvent } from './schema.ts'

/** How often to check whether a rescan is due, in milliseconds. */
const LOOK_INTERVAL = 60_000

interface ScheduleDeps extends WriteDeps {
  config: Config
  decoder: Pick<Decoder, 'version'>
  log: Log
}

/**
 * Starts a rescan whenever the interval of the settings has passed since the last one and something
 * has changed. `stop` resolves when no rescan started here is running any more.
 */
export function scheduleRescans(deps: ScheduleDeps): {
  stop(): Promise<void>
} {
  const { config, db, log, clock } = deps
  const interval = config.duplicateRescanInterval
  if (interval === 0) return { stop: async () => {} }
  const ending = new AbortController()
  let lastTry = Number.NEGATIVE_INFINITY
  let running: Promise<void> | null = null

  const look = () => {
    if (running) return
    const last = Math.max(lastTry, lastScan(db)?.started_at ?? Number.NEGATIVE_INFINITY)
    if (clock() < last + interval || !isOutOfDate(deps)) return
    lastTry = clock()
    running = run().finally(() => {
      running = null
    })
  }
  const run = async () => {
    try {
      let last: RescanEvent | undefined
      const { signal } = ending
      for await (const event of rescanInProcess(config, { signal })) last = event
      if (last?.type === 'done') log.info('rescanned', last)
      else if (last?.type === 'error') log.warn('the rescan failed', last)
    } catch (error) {
      log.error('the rescan failed', { error })
    }
  }
  const timer = setInterval(look, Math.min(interval, LOOK_INTERVAL))
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      ending.abort()
      await running
    },
  }
}

/** Returns whether a rescan might find anything other than the last one did; reads only indexes. */
export function isOutOfDate({
  db,
  config,
  decoder,
}: Pick<ScheduleDeps, 'db' | 'config' | 'decoder'>): boolean {
  const scan = lastScan(db)
  if (!scan) return hasFiles(db)
  if (scan.threshold !== config.duplicateHashThreshold) return true
  if (!scan.is_whole && isFinerKnown(db)) return true
  return hasNewContent(db, scan.started_at) || hasUntried(db, decoder.version)
}
