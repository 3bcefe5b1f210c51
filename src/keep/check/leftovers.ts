import { lstatSync, readdirSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { Db } from '../../db/client.ts'
import { isLocked } from '../../db/lock.ts'
import { dataFolder, isUpload } from '../../media/data-folder.ts'
import { findUpload } from '../../uploads/queries.ts'
import { type Found, unchecked } from './finding.ts'

// Milliseconds. A younger file may be in use.
const YOUNG = 60 * 60_000

/**
 * Returns the temporary files that are older than an hour, and whose process is gone, and what is in the folder of
 * uploads in parts and belongs to none.
 */
export function leftovers(db: Db, dataDir: string, now: number): Found[] {
  const folder = dataFolder(dataDir)
  const temporary: Record<string, string> = {
    tmp: folder.serverLock,
    'tmp-import': folder.importLock,
    'tmp-rescan': folder.rescanLock,
    'tmp-export': folder.backupLock,
    'tmp-move': folder.moveLock,
  }
  const left: Found[] = []
  for (const [name, lock] of Object.entries(temporary)) {
    const path = folder.temporary(name)
    try {
      if (isLocked(lock)) continue
      // The folder for the decoder's rooms stays, and is empty.
      const paths = [...entriesOf(path, folder.rooms(path)), ...entriesOf(folder.rooms(path))]
      left.push(...paths.flatMap((one) => judge(dataDir, one, now)))
    } catch (error) {
      left.push(unchecked(name, `"${name}"`, error))
    }
  }
  try {
    const paths = entriesOf(folder.uploads).filter((path) => !isUnfinished(db, basename(path)))
    left.push(...paths.flatMap((path) => judge(dataDir, path, now)))
  } catch (error) {
    left.push(unchecked('uploads', '"uploads"', error))
  }
  return [...left, ...judge(dataDir, `${folder.secretKey}.new`, now)]
}

function isUnfinished(db: Db, name: string): boolean {
  return isUpload(name) && findUpload(db, name)?.file_id === null
}

function entriesOf(path: string, except?: string): string[] {
  try {
    const paths = readdirSync(path).map((name) => join(path, name))
    return paths.filter((one) => one !== except).sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function judge(dataDir: string, path: string, now: number): Found[] {
  const status = lstatSync(path, { throwIfNoEntry: false })
  if (!status || now - status.ctimeMs < YOUNG) return []
  const subject = relative(dataDir, path)
  const sentence = 'A temporary file whose process is gone; the next one removes it'
  return [{ kind: 'leftover', subject, sentence }]
}
