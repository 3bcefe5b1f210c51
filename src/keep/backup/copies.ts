import { lstat } from 'node:fs/promises'
import type { Db } from '../../db/client.ts'
import { backupFolder } from '../../media/backup-folder.ts'
import { unlessAbsent } from '../../media/unless-absent.ts'
import { requireSameLibrary } from './folder.ts'
import { chooseGeneration } from './generations.ts'
import { findLibraryId } from './queries.ts'

/**
 * Returns a function that returns the path where a folder of backups may have a content, or null when it has none.
 * Throws a readable error unless the folder has backups, and those are of this library.
 */
export async function copiesIn(
  dir: string,
  db: Db,
): Promise<(content: { blob: string }) => Promise<string | null>> {
  await chooseGeneration(dir)
  await requireSameLibrary(dir, findLibraryId(db) ?? '')
  return async ({ blob }) => {
    const path = backupFolder(dir).content(blob)
    return (await unlessAbsent(lstat(path))) === null ? null : path
  }
}
