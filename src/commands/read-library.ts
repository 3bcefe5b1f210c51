import { mkdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type Db, openDatabase } from '../db/client.ts'
import { acquireLock } from '../db/lock.ts'
import { isMigrated } from '../db/migrations.ts'
import { copyTo, forbidChanges, sizeOf } from '../db/upkeep.ts'
import { createDisk } from '../disk.ts'
import { createLog } from '../log.ts'
import { dataFolder } from '../media/data-folder.ts'
import { type Decoder, startDecoder } from '../media/decoder/decoder.ts'
import type { Storage } from '../media/storage.ts'
import { MIGRATIONS } from '../place.ts'
import { requireLibrary } from './with-library.ts'

/** What is there to read. */
export interface Readable {
  /** Refuses to be written to. */
  db: Db
  decoder: Decoder
  storage: Pick<Storage, 'pathForDecoder'>
}

/**
 * Runs `run` with the library of the settings, whether or not a server is running, and returns its
 * result. Nothing is changed there: the database of an older version is copied, and its copy migrated.
 * Throws a readable error when there is no library, or when this version can't open it.
 */
export async function readLibrary<Result>(
  config: Config,
  run: (library: Readable) => Promise<Result>,
): Promise<Result> {
  requireLibrary(config)
  const { dataDir, decoderWalls, timeZone } = config
  const { database, secretKey, content, datesCopy, rooms } = dataFolder(dataDir)
  const { db, close } = openToRead(config)
  const decoder = startDecoder({
    log: createLog('silent'),
    timeZone,
    walls: { strongest: decoderWalls, rooms: rooms(datesCopy), secrets: [database, secretKey] },
  })
  try {
    return await run({ db, decoder, storage: { pathForDecoder: content } })
  } finally {
    await decoder.close()
    close()
    removeIfEmpty(datesCopy)
  }
}

/** Its decoder's folder was in there; other readers of the library may have theirs. */
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // It is not there, or in use.
  }
}

function openToRead(config: Config): { db: Db; close(): void } {
  const db = openDatabase(dataFolder(config.dataDir).database, { memory: config })
  let isCurrent = false
  try {
    isCurrent = isMigrated(db.get, MIGRATIONS)
    if (!isCurrent) return openCopy(config, db)
  } finally {
    if (!isCurrent) db.close()
  }
  forbidChanges(db)
  return { db, close: db.close }
}

/** The copy is beside the library, which is on a disk of people's choice. */
function openCopy(config: Config, original: Db): { db: Db; close(): void } {
  const { dataDir, diskReserve } = config
  const { datesCopy: folder, datesLock } = dataFolder(dataDir)
  const lock = acquireLock(datesLock, 'The library is being copied to be read already')
  const remove = () => {
    rmSync(folder, { recursive: true, force: true })
    lock.release()
  }
  try {
    // What a killed process has left.
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    createDisk(dataDir, diskReserve).claim(sizeOf(original)).release()
    const path = join(folder, 'copy.sqlite')
    copyTo(original, path)
    const db = openDatabase(path, { migrations: MIGRATIONS, memory: config })
    const close = () => {
      db.close()
      remove()
    }
    return { db, close }
  } catch (error) {
    remove()
    throw error
  }
}
