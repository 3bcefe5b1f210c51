import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './base/config.ts'
import type { Log } from './base/log.ts'
import { MIGRATIONS } from './base/paths.ts'
import { DAY } from './base/time.ts'
import { VERSION } from './base/version.ts'
import { type Db, type Memory, openDatabase } from './db/client.ts'
import { acquireLock } from './db/lock.ts'
import { isMigrated } from './db/migrations.ts'
import { openMigrated } from './db/upgrade.ts'
import { BEFORE, dataFolder } from './media/data-folder.ts'
import { requireRestored } from './media/restoring.ts'

/**
 * Opens the database of the settings for a command. A running server may be of another version, so the database is
 * migrated only when none is running. Throws what `openForCommand` throws.
 */
export function openCommandDatabase(config: Config, log: Log): Db {
  const { dataDir } = config
  const { database: path, serverLock } = dataFolder(dataDir)
  if (!existsSync(path)) throw new Error(`There is no library in ${dataDir}`)
  requireRestored(dataDir)
  const db = openDatabase(path, { memory: config })
  let isCurrent = false
  try {
    isCurrent = isMigrated(db.get, MIGRATIONS)
  } finally {
    if (!isCurrent) db.close()
  }
  if (isCurrent) return db
  const message = 'The library is of an older version, whose server is running: stop it first'
  const lock = acquireLock(serverLock, message)
  try {
    return openCurrent(dataDir, log, config)
  } finally {
    lock.release()
  }
}

/**
 * Opens the database of a data folder, and creates or migrates it as needed. The caller must hold the lock of the
 * server. Throws what `openDatabase` throws.
 */
export function openCurrent(dataDir: string, log: Log, memory: Memory): Db {
  // A migration may need the room that they take.
  removeOldCopies(dataDir, log)
  const { database, databaseBefore } = dataFolder(dataDir)
  return openMigrated(database, { copy: databaseBefore(VERSION), memory })
}

// How long a database from before a migration is retained, in milliseconds.
const KEPT = 30 * DAY

function removeOldCopies(dataDir: string, log: Log): void {
  try {
    for (const name of readdirSync(dataDir)) {
      const path = join(dataDir, name)
      if (name.startsWith(BEFORE) && Date.now() - statSync(path).mtimeMs > KEPT) rmSync(path)
    }
  } catch (error) {
    log.warn('a database from before a migration stays', { error: String(error) })
  }
}

/** Removes old copies of the database each day, for a server that runs for long; `stop` ends that. */
export function scheduleCopies({ config, log }: { config: Config; log: Log }): {
  stop(): Promise<void>
} {
  const timer = setInterval(() => removeOldCopies(config.dataDir, log), DAY)
  timer.unref()
  return { stop: async () => clearInterval(timer) }
}
