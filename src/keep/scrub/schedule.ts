import { setImmediate } from 'node:timers/promises'
import type { Config } from '../../base/config.ts'
import { DAY, isWithin } from '../../base/time.ts'
import { write } from '../../db/write.ts'
import { listContents, type StoredContent } from '../../files/content/content-queries.ts'
import type { Activity } from '../../http/clients/activity.ts'
import { placeOf } from '../../media/places/open.ts'
import { beginRound, countDamages, endRound, findScrub, listDamaged } from './queries.ts'
import { type ReadDeps, readContents } from './read-contents.ts'
import { type Reader, startReader } from './reader.ts'
import { storeReader } from './store-reader.ts'

// How often to check whether there is something to do, and how long to pause after an error, in milliseconds.
const INTERVAL = 60_000
const REST = 3_600_000
// The progress of a round is stored after this many contents or bytes.
const STRETCH = 100
const STRETCH_BYTES = 500_000_000

interface ScrubDeps extends ReadDeps {
  config: ReadDeps['config'] & Pick<Config, 'scrubInterval' | 'isScrubReading'>
  activity: Activity
}

/**
 * Reads all contents once in the interval of the settings, while the server is idle and in a process of its own, and
 * compares them with what was stored. Of those in a store it compares the sizes, or reads them in this process; there,
 * it waits for calm only between stretches. Damaged contents are read again each day and at the start. A round
 * continues where an earlier server has left it. `stop` ends the process, and resolves when that is done.
 */
export function scheduleScrub(deps: ScrubDeps): { stop(): Promise<void> } {
  const { clock, config, db, log } = deps
  const { dataDir, scrubInterval } = config
  // All that is moved is read anyway.
  if (scrubInterval === 0 || config.oldPlace) return { stop: async () => {} }
  const ending = new AbortController()
  const { signal } = ending
  let running: Promise<void> | null = null
  let failed_at: number | null = null
  let reread_at: number | null = null

  const isRoundDue = () => isDue(deps)
  const isRereadDue = () => {
    const pause = Math.min(scrubInterval, DAY)
    return !isWithin(pause, reread_at, clock()) && countDamages(db) > 0
  }
  const withReader = async (isRound: boolean, go: typeof goRound) => {
    // What is damaged are few, and only what is read is known to be well again.
    const isReading = config.isScrubReading || !isRound
    const reader = config.store
      ? storeReader(placeOf(config), { isRound, isReading, dataDir, signal })
      : await startReader(dataDir, deps.activity, signal)
    try {
      await go(deps, reader, signal)
    } finally {
      reader.end()
    }
  }
  const work = async () => {
    await deps.activity.calm(signal)
    if (isRereadDue()) await withReader(false, rereadDamaged)
    reread_at = clock()
    if (isRoundDue()) await withReader(true, goRound)
    failed_at = null
  }
  const workIfDue = async () => {
    if (isWithin(Math.min(scrubInterval, REST), failed_at, clock())) return
    if (isRoundDue() || isRereadDue()) await work()
  }
  const workOnce = () => {
    running ??= workIfDue()
      .catch((error) => {
        if (signal.aborted) return
        failed_at = clock()
        log.error('the scrub met an error and goes on later', { reason: (error as Error).message })
      })
      .finally(() => {
        running = null
      })
  }
  const timer = setInterval(workOnce, Math.min(scrubInterval, INTERVAL))
  timer.unref()
  workOnce()
  return {
    async stop() {
      clearInterval(timer)
      ending.abort()
      await running
    },
  }
}

/** Returns whether a round is under way, or is to begin now. */
export function isDue({ db, clock, config }: Pick<ScrubDeps, 'db' | 'clock' | 'config'>): boolean {
  const scrub = findScrub(db)
  if (!scrub) return listContents(db, { after: '', limit: 1 }).length > 0
  return scrub.place !== null || !isWithin(config.scrubInterval, scrub.begun_at, clock())
}

async function goRound(deps: ScrubDeps, reader: Reader, signal: AbortSignal): Promise<void> {
  const { activity, clock, db, log } = deps
  let place = findScrub(db)?.place ?? null
  if (place === null) {
    write(db, { now: clock() }, beginRound)
    place = ''
  }
  for (;;) {
    // A store's list would be gone through in one go.
    await activity.calm(signal)
    await setImmediate()
    const contents = firstBytes(listContents(db, { after: place, limit: STRETCH }))
    if (contents.length === 0) break
    place = contents.at(-1)!.blob
    await readContents(deps, reader, { contents, place, signal })
  }
  write(db, { now: clock() }, endRound)
  log.info('all contents were looked at again', { damaged: countDamages(db) })
}

async function rereadDamaged(deps: ScrubDeps, reader: Reader, signal: AbortSignal): Promise<void> {
  for (let after = ''; ; ) {
    const contents = firstBytes(listDamaged(deps.db, { after, limit: STRETCH }))
    if (contents.length === 0) return
    after = contents.at(-1)!.blob
    await readContents(deps, reader, { contents, reads: 1, signal })
  }
}

// Returns at least one content.
function firstBytes(contents: StoredContent[]): StoredContent[] {
  let sum = 0
  const end = contents.findIndex(({ size }) => {
    sum += size
    return sum > STRETCH_BYTES
  })
  return end < 0 ? contents : contents.slice(0, Math.max(1, end))
}
