import type { Config } from '../config.ts'
import { type WriteDeps, write } from '../db/write.ts'
import type { Log } from '../log.ts'
import { startCommand } from '../media/own-command.ts'
import { isoTime } from '../time.ts'
import { findBackupRecord, recordFailure } from './record-queries.ts'

/** How often to check whether a backup is due, in milliseconds, and how long after one that failed it is tried again. */
const LOOK_INTERVAL = 60_000
const RETRY_AFTER = 3_600_000

interface ScheduleDeps extends WriteDeps {
  config: Pick<Config, 'dataDir' | 'backupDir' | 'backupInterval' | 'logLevel'>
  log: Log
}

/**
 * Starts the command `backup`, in a process of its own, whenever the interval of the settings has passed since the
 * last backup, whoever made that. `stop` resolves when none that was started here is running any more.
 */
export function scheduleBackups(deps: ScheduleDeps): { stop(): Promise<void> } {
  const { backupDir, backupInterval } = deps.config
  if (backupDir === null) return { stop: async () => {} }
  const ending = new AbortController()
  let running: Promise<void> | null = null
  const look = () => {
    if (running || !isDue(deps)) return
    running = run(deps, backupDir, ending.signal).finally(() => {
      running = null
    })
  }
  const timer = setInterval(look, Math.min(backupInterval, LOOK_INTERVAL))
  timer.unref()
  look()
  return {
    async stop() {
      clearInterval(timer)
      ending.abort()
      await running
    },
  }
}

/** Returns whether a backup is to be made now. */
export function isDue({
  db,
  clock,
  config,
}: Pick<ScheduleDeps, 'db' | 'clock' | 'config'>): boolean {
  const { made_at, failed_at } = findBackupRecord(db)
  const { backupInterval } = config
  const wait = (time: number | null, ms: number) => time !== null && clock() < time + ms
  return !wait(made_at, backupInterval) && !wait(failed_at, Math.min(backupInterval, RETRY_AFTER))
}

async function run(deps: ScheduleDeps, dir: string, signal: AbortSignal): Promise<void> {
  const { config, db, clock, log } = deps
  const { dataDir, logLevel } = config
  const settings = { LOG_LEVEL: logLevel }
  try {
    const command = await startCommand(['backup', dir, '--json'], { settings, dataDir, signal })
    try {
      let result: unknown
      for await (const line of command.lines) result = JSON.parse(line)
      const how = await command.ended
      if (signal.aborted) return
      if (result === undefined) throw new Error(command.errors().trim() || `it ended with ${how}`)
      log[how === 0 ? 'info' : 'warn']('backed up', result as Record<string, unknown>)
    } finally {
      await command.end()
    }
  } catch (error) {
    const { made_at } = findBackupRecord(db)
    const last = made_at === null ? null : isoTime(made_at)
    log.error('the backup failed', { reason: (error as Error).message, last_backup: last })
    try {
      // One that was killed could not do it.
      write(db, { now: clock() }, recordFailure)
    } catch (failure) {
      log.error('that a backup failed is not noted', { error: String(failure) })
    }
  }
}
