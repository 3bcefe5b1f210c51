import { lstat } from 'node:fs/promises'
import type { Config } from '../../base/config.ts'
import type { Log } from '../../base/log.ts'
import { startCommand } from '../../base/own-command.ts'
import { settingsOfStore } from '../../base/store-settings.ts'
import { beforeAbort, isoTime, isWithin } from '../../base/time.ts'
import { isLocked } from '../../db/lock.ts'
import { type WriteDeps, write } from '../../db/write.ts'
import { dataFolder } from '../../media/data-folder.ts'
import { unlessAbsent } from '../../media/unless-absent.ts'
import { lastMade } from './generations.ts'
import { findBackupRecord, recordFailure } from './record-queries.ts'

// How often to check whether a backup is due, and how long to wait after a failure, in milliseconds.
const LOOK_INTERVAL = 60_000
const RETRY_AFTER = 3_600_000

interface ScheduleDeps extends WriteDeps {
  config: Pick<
    Config,
    'dataDir' | 'store' | 'oldPlace' | 'backupDir' | 'backupInterval' | 'logFormat' | 'logLevel'
  >
  log: Log
}

/**
 * Runs the command `backup` in its own process whenever the backup folder in the settings has had no new generation for
 * the interval in the settings; for contents in a store, of the database alone. `stop` resolves when no backup started
 * here is running any more.
 */
export function scheduleBackups(deps: ScheduleDeps): { stop(): Promise<void> } {
  const { config, clock, log } = deps
  const { backupDir, backupInterval } = config
  if (backupDir === null) return { stop: async () => {} }
  const ending = new AbortController()
  let running: Promise<void> | null = null
  let lastTry: number | null = null
  const look = async () => {
    const now = clock()
    if (isWithin(Math.min(backupInterval, RETRY_AFTER), lastTry, now)) return
    // A network disk may not answer.
    const due = isDue(backupDir, { now, interval: backupInterval, hasContents: !isStored(config) })
    if (!(await beforeAbort(due, ending.signal))) return
    if (isLocked(dataFolder(config.dataDir).backupLock)) return
    lastTry = now
    await run(deps, backupDir, ending.signal)
  }
  const begin = () => {
    running ??= look()
      .catch((error) => {
        if (ending.signal.aborted) return
        log.error('backups are not looked after', { error: String(error) })
      })
      .finally(() => {
        running = null
      })
  }
  const timer = setInterval(begin, Math.min(backupInterval, LOOK_INTERVAL))
  timer.unref()
  begin()
  return {
    async stop() {
      clearInterval(timer)
      ending.abort()
      await running
    },
  }
}

/**
 * Returns whether the newest generation of a folder of backups is at least as old as the interval, or there is none.
 * With `hasContents`, those of the database alone don't count.
 */
export async function isDue(
  dir: string,
  { now, interval, hasContents }: { now: number; interval: number; hasContents: boolean },
): Promise<boolean> {
  const made = (await lastMade(dir, hasContents).catch(() => null))?.getTime() ?? null
  // A generation from the future was made while the clock was wrong.
  return !isWithin(interval, made, now)
}

function isStored({ store, oldPlace }: ScheduleDeps['config']): boolean {
  return store !== null || oldPlace !== null
}

async function run(deps: ScheduleDeps, dir: string, signal: AbortSignal): Promise<void> {
  const { dataDir, store, oldPlace, logFormat, logLevel } = deps.config
  const { settings, key } = settingsOfStore(store, oldPlace?.store)
  // What others keep need not be fetched each day.
  const kind = isStored(deps.config) ? ['--database-only'] : []
  try {
    // If the disk isn't mounted, the command by itself would create the folder.
    const found = await beforeAbort(unlessAbsent(lstat(dir)), signal)
    if (found === null) throw new Error(`There is no folder ${dir}: is its disk mounted?`)
    const command = await startCommand(['backup', dir, '--json', ...kind], {
      settings: { LOG_LEVEL: logLevel, ...settings },
      key,
      dataDir,
      signal,
      logFormat,
    })
    try {
      let result: unknown
      for await (const line of command.lines) result = JSON.parse(line)
      const how = await command.ended
      if (signal.aborted) return
      if (result === undefined) throw new Error(command.errors().trim() || `it ended with ${how}`)
      deps.log[how === 0 ? 'info' : 'warn']('backed up', result as Record<string, unknown>)
    } finally {
      await command.end()
    }
  } catch (error) {
    if (!signal.aborted) tellFailure(deps, error)
  }
}

function tellFailure({ db, clock, log }: ScheduleDeps, error: unknown): void {
  const reason = (error as Error).message
  try {
    const { made_at } = findBackupRecord(db)
    const last_backup = made_at === null ? null : isoTime(made_at)
    log.error('the backup failed', { reason, last_backup })
    // A backup that was killed could not record its failure.
    write(db, { now: clock() }, recordFailure)
  } catch (failure) {
    log.error('that a backup failed is not noted', { reason, error: String(failure) })
  }
}
