import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { missingRoom } from '../base/disk.ts'
import { MIGRATIONS } from '../base/place.ts'
import { type Db, type Memory, openDatabase } from './client.ts'
import { isMigrated, lastMigration } from './migrations.ts'
import { copyTo, sizeOf } from './upkeep.ts'

/**
 * Opens a database and migrates it if it is of an older version, which is copied to `copy` before, in place of what is
 * there: an older program can't read it afterwards. Throws a readable error when the disk has no room for that, and
 * as `openDatabase` does.
 */
export function openMigrated(path: string, { copy, memory }: { copy: string; memory: Memory }): Db {
  if (existsSync(path)) copyOlder(path, { copy, memory })
  return openDatabase(path, { migrations: MIGRATIONS, memory })
}

function copyOlder(path: string, { copy, memory }: { copy: string; memory: Memory }): void {
  const db = openDatabase(path, { memory })
  try {
    const isOlder = lastMigration(db.get) !== null && !isMigrated(db.get, MIGRATIONS)
    if (!isOlder) return
    const part = `${copy}.part`
    rmSync(part, { force: true })
    requireRoom(dirname(path), sizeOf(db))
    copyTo(db, part)
    syncNow(part)
    renameSync(part, copy)
    syncNow(dirname(copy))
  } finally {
    db.close()
  }
}

/** Returns once a file, or the names in a folder, are safe on the disk. */
function syncNow(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** A migration may write every table anew, for which the log takes as much again as the copy. */
function requireRoom(folder: string, size: number): void {
  const missing = missingRoom(folder, 2 * size)
  if (missing !== null) throw new Error(`its migration has no room: ${missing}`)
}
