import { existsSync } from 'node:fs'
import type { Config } from '../../base/config.ts'
import { MIGRATIONS } from '../../base/paths.ts'
import { type Db, openDatabase } from '../../db/client.ts'
import { isMigrated } from '../../db/migrations.ts'
import { forbidChanges } from '../../db/upkeep.ts'
import { dataFolder } from '../../media/data-folder.ts'
import { requireRestored } from '../../media/restoring.ts'
import { type Found, isDamage } from './finding.ts'
import { readyFullText } from './full-text-queries.ts'

/**
 * Opens the database of a library to check it, whether a server is running or not; read-only unless it is to be
 * repaired. Returns what is wrong when it is too damaged to open. Throws a readable error when there is no library, or
 * when it is of another version.
 */
export function openToCheck(config: Config, { repair }: { repair: boolean }): Db | Found {
  const { dataDir } = config
  const { database: path } = dataFolder(dataDir)
  if (!existsSync(path)) throw new Error(`There is no library in ${dataDir}`)
  requireRestored(dataDir)
  let db: Db | null = null
  try {
    db = openDatabase(path, { memory: config })
    if (!isMigrated(db.get, MIGRATIONS)) {
      throw new Error(
        'The library is of an older version: start its server once, which migrates it',
      )
    }
    if (!repair) {
      readyFullText(db)
      forbidChanges(db)
    }
    return db
  } catch (error) {
    db?.close()
    const { message } = error as Error
    if (!isDamage(error)) throw error
    return {
      kind: 'database_damaged',
      subject: 'tagstead.sqlite',
      sentence: `It can't be opened: ${message}`,
    }
  }
}
