import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { missingRoom } from '../base/disk.ts'
import { MIGRATIONS } from '../base/paths.ts'
import { type Db, type Memory, openDatabase } from './client.ts'
import { isMigrated, lastMigration } from './migrations.ts'
import { copyTo, sizeOf } from './upkeep.ts'

/**
 * Opens a database and migrates it if it is of an older version, after replacing the file at `copy` with a copy: an
 * older program can't read a migrated database. Throws a readable error when the disk has no room for that, and
 * whatever `openDatabase` throws.
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

// Also works for a folder, whose names are then safe on the disk.
function syncNow(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

// A migration may rewrite every table, for which the log takes as much again as the copy.
function requireRoom(folder: string, size: number): void {
  const missing = missingRoom(folder, 2 * size)
  if (missing !== null) throw new Error(`its migration has no room: ${missing}`)
}
