import { mkdir, readFile } from 'node:fs/promises'
import type { Config } from '../../base/config.ts'
import { MIGRATIONS } from '../../base/paths.ts'
import { isoTime } from '../../base/time.ts'
import { VERSION } from '../../base/version.ts'
import { type Db, openDatabase } from '../../db/client.ts'
import { acquireLock } from '../../db/lock.ts'
import { isMigrated, lastMigration } from '../../db/migrations.ts'
import { brokenReferences, copyTo, sizeOf } from '../../db/upkeep.ts'
import { type Tx, write } from '../../db/write.ts'
import { placesFor } from '../../files/content/places.ts'
import { storeFault } from '../../files/content/store-marker.ts'
import { backupFolder, generationName, generationTime } from '../../media/backup-folder.ts'
import { dataFolder } from '../../media/data-folder.ts'
import { readDigest } from '../../media/digest.ts'
import { syncFile, writeSynced } from '../../media/durable.ts'
import { placeOf } from '../../media/places/open.ts'
import { syncNames } from '../../media/sync-names.ts'
import { type CopiedContents, copyContents, nothingCopied, requireRoomForAll } from './contents.ts'
import { requireSpace } from './disk-space.ts'
import { isSameDisk, lockFolder, openFolder, requireSameLibrary } from './folder.ts'
import {
  listGenerations,
  listMade,
  outdated,
  type Retained,
  removeGenerations,
  removeUnfinished,
  removeUnnamed,
  timesOfDatabases,
  whyBroken,
} from './generations.ts'
import { type ManifestHead, type ManifestLine, writeManifest } from './manifest.ts'
import { faultsOfCopy, LITTLE_MEMORY, readCopy } from './prove-database.ts'
import { contentsOf, findLibraryId } from './queries.ts'
import {
  foldersOfKept,
  keepGeneration,
  recordBackup,
  recordFailure,
  setKeptGenerations,
  timesOfKept,
} from './record-queries.ts'

interface BackupRequest {
  config: Pick<Config, 'dataDir' | 'store'>
  /** An absolute path: an existing folder, or one to be created in an existing one. */
  dir: string
  retained: Retained
  /** Whether to leave the contents out. */
  isDatabaseOnly: boolean
  isLinking: boolean
  withSecret: boolean
  /** Whether to also read the contents that the backup already has, and copy damaged ones again. */
  isFull: boolean
  signal: AbortSignal
  /** The time of the generation, in milliseconds since 1970-01-01 UTC. */
  now: number
}

export interface BackupResult extends Omit<CopiedContents, 'hasShared'> {
  generation: string
  /** The removed generations, and how many contents were removed with them. */
  removed: string[]
  removed_contents: number
  /** Why nothing outdated was removed, or null. */
  unremoved: string | null
  /** Whether contents were left out. */
  database_only: boolean
  /** Descriptions of the library's dangling references. */
  faults: string[]
  /** Why the library has no record of this backup, or null. */
  unrecorded: string | null
  /** Whether contents are hard links of the library's. */
  linked: boolean
  /** Whether the backup is on the library's disk, and so guards against deletion only. */
  same_disk: boolean
}

const OLDER = 'The library is of an older version: start the server of this version once'
const MOVING = 'Contents are being moved: back them up after that, or --database-only now'

// In this order.
type BackupStage = 'database' | 'contents' | 'old'
type OnProgress = (stage: BackupStage, done: number, total: number) => void

/** Takes the lock under which contents stay in the library. Throws conflict while another backup holds it. */
export function lockBackups({ dataDir }: Pick<Config, 'dataDir'>): { release(): void } {
  return acquireLock(dataFolder(dataDir).backupLock, 'Another backup is running')
}

/**
 * Copies the library, as it is at one moment, into a new generation of a folder of backups, and returns the result. An
 * unfinished generation doesn't count, and the next backup removes it. The caller must hold the lock of backups. Throws
 * a readable error for an unusable folder, for one with the backups of another library, when there is no room, and when
 * the copy is not as it should be.
 */
export async function backUp(
  request: BackupRequest,
  onProgress: OnProgress = () => {},
): Promise<BackupResult> {
  const { dataDir } = request.config
  try {
    return await makeGeneration(request, onProgress)
  } catch (error) {
    if (!request.signal.aborted) tryToRecord(dataDir, recordFailure)
    throw error
  }
}

/**
 * Has no content wait any more for the generations of the database alone in a folder, which are gone. The caller must
 * hold the lock of backups. Throws a readable error when none are known there.
 */
export function forgetFolder({ dataDir }: Pick<Config, 'dataDir'>, dir: string): void {
  const db = openDatabase(dataFolder(dataDir).database, { memory: LITTLE_MEMORY })
  try {
    if (!isMigrated(db.get, MIGRATIONS)) throw new Error(OLDER)
    const folders = foldersOfKept(db)
    if (!folders.includes(dir)) {
      const known = folders.length > 0 ? folders.join(', ') : 'no folder'
      throw new Error(`Contents wait for the generations in ${known}, and for none in ${dir}`)
    }
    write(db, { now: Date.now() }, (tx) => setKeptGenerations(tx, dir, []))
  } finally {
    db.close()
  }
}

async function makeGeneration(
  request: BackupRequest,
  onProgress: OnProgress,
): Promise<BackupResult> {
  const { config, dir, isLinking, isDatabaseOnly, now } = request
  const { database, contents } = dataFolder(config.dataDir)
  const db = openDatabase(database, { memory: LITTLE_MEMORY })
  let lock: { release(): void } | null = null
  try {
    // Throws for a database of a newer version.
    const isCurrent = isMigrated(db.get, MIGRATIONS)
    const isMoving = isCurrent && placesFor(db, config).old_place !== null
    if (isMoving && !isDatabaseOnly) throw new Error(MOVING)
    const library = libraryIdOf(db)
    const isHolding = isDatabaseOnly && (config.store !== null || isMoving)
    if (isHolding && !isCurrent) throw new Error(OLDER)
    if (isLinking && config.store) throw new Error('Contents in a store can not be linked')
    const fault = isDatabaseOnly ? null : await storeFault(db, config)
    if (fault) throw new Error(`${placeOf(config).name}: ${fault.sentence}`)
    await openFolder(dir, config.dataDir)
    await requireSameLibrary(dir, library)
    lock = lockFolder(dir)
    const unfinished = await removeUnfinished(dir)
    if (isDatabaseOnly) requireSpace(dir, sizeOf(db))
    else await requireRoomForAll(db, request, sizeOf(db))
    onProgress('database', 0, 1)
    const { name, head, faults } = await copyDatabase(db, library, { ...request, isHolding })
    onProgress('database', 1, 1)
    const own = backupFolder(dir).generation(name)
    const { hasShared, ...copied } = await readCopy(own.database, async (copy) => {
      if (isDatabaseOnly) {
        await writeManifest(own.manifest, head, [])
        return nothingCopied(copy)
      }
      const result = await copyContents(copy, request, (done, total) =>
        onProgress('contents', done, total),
      )
      await writeManifest(own.manifest, head, linesOf(copy, new Set(result.missing)))
      return result
    })
    await syncNames(backupFolder(dir).generations)
    await syncNames(dir)
    // Contents may be on a disk of their own, and only there can they be linked.
    const same_disk =
      isLinking || hasShared || [config.dataDir, contents].some((path) => isSameDisk(path, dir))
    const isWhole = copied.missing.length === 0 && faults.length === 0
    const problem = isWhole ? (same_disk ? 'same_disk' : null) : 'incomplete'
    // What leaves out the contents, and has nobody keep them, must not seem to be the library's last backup.
    const isBackup = !isDatabaseOnly || isHolding
    const unrecorded = isBackup
      ? tryToRecord(config.dataDir, (tx) => recordBackup(tx, now, problem))
      : null
    onProgress('old', 0, 1)
    const old = await removeOld(request, unfinished > 0)
    const times = await timesOfDatabases(dir)
    const unkept = tryToRecord(config.dataDir, (tx) => {
      // In a data folder, contents wait for none but those that were made before they came there.
      const before = config.store || isMoving ? times : timesOfKept(tx, dir)
      const kept = times.filter((time) => before.includes(time))
      setKeptGenerations(tx, dir, kept)
    })
    onProgress('old', 1, 1)
    const how = { database_only: isDatabaseOnly, linked: isLinking, same_disk }
    return { generation: name, ...copied, ...old, faults, ...how, unrecorded: unrecorded ?? unkept }
  } finally {
    lock?.release()
    db.close()
  }
}

// Records the backup in the library, unless an older server that doesn't support this is running. Returns why this
// failed, or null: it must not fail a good copy, nor hide why a copy failed.
function tryToRecord(dataDir: string, work: (tx: Tx) => void): string | null {
  try {
    const db = openDatabase(dataFolder(dataDir).database, { memory: LITTLE_MEMORY })
    try {
      if (isMigrated(db.get, MIGRATIONS)) write(db, { now: Date.now() }, work)
      return null
    } finally {
      db.close()
    }
  } catch (error) {
    return (error as Error).message
  }
}

function libraryIdOf(db: Db): string {
  const library = findLibraryId(db)
  if (library !== null) return library
  throw new Error(OLDER)
}

// Also verifies the copy. With `isHolding`, what is removed after this moment waits for the generation.
async function copyDatabase(
  db: Db,
  library: string,
  request: BackupRequest & { isHolding: boolean },
): Promise<{ name: string; head: ManifestHead; faults: string[] }> {
  const { config, dir, isLinking, isDatabaseOnly, withSecret, now } = request
  const newest = (await listGenerations(dir)).at(-1)
  // A clock may have been set back.
  const after = newest === undefined ? 0 : Date.parse(generationTime(newest)!) + 1
  let at = Math.max(now, after)
  // A write of its own, so that the copy has what was removed before, and nothing that is removed after.
  if (request.isHolding) at = write(db, { now }, (tx) => keepGeneration(tx, dir, at))
  const name = generationName(at)
  const own = backupFolder(dir).generation(name)
  await mkdir(own.folder, { recursive: true })
  await mkdir(backupFolder(dir).contents, { recursive: true })
  copyTo(db, own.database)
  await syncFile(own.database)
  const [fault] = await faultsOfCopy(own.database)
  if (fault !== undefined) throw new Error(`The copy of the database is damaged: ${fault}`)
  const { migration, faults } = await readCopy(own.database, (copy) => ({
    migration: lastMigration(copy.get) ?? 0,
    faults: brokenReferences(copy),
  }))
  const head: ManifestHead = {
    format: isDatabaseOnly ? 2 : 1,
    library,
    version: VERSION,
    migration,
    made_at: isoTime(now),
    linked: isLinking,
    database: await readDigest(own.database),
  }
  if (withSecret) {
    head.secret = await copySecret(dataFolder(config.dataDir).secretKey, own.secretKey)
  }
  return { name, head, faults }
}

// Throws a readable error when the library has no key in its folder.
async function copySecret(from: string, to: string): Promise<string> {
  const bytes = await readFile(from).catch((error) => {
    throw new Error('The library has no secret.key that could be copied', { cause: error })
  })
  await writeSynced(to, bytes)
  return (await readDigest(to)).sha256
}

async function* linesOf(db: Db, missing: Set<string>): AsyncGenerator<ManifestLine> {
  for (const { blob, size, sha256 } of contentsOf(db)) {
    yield { blob, size, sha256, ...(missing.has(blob) && { missing: true }) }
  }
}

// Removes nothing when a generation that is to be retained is damaged.
async function removeOld(
  { dir, retained }: BackupRequest,
  isUntidy: boolean,
): Promise<Pick<BackupResult, 'removed' | 'removed_contents' | 'unremoved'>> {
  const made = await listMade(dir)
  const removed = outdated(made, retained)
  if (removed.length === 0 && !isUntidy) return { removed, removed_contents: 0, unremoved: null }
  for (const { name } of made) {
    if (removed.includes(name)) continue
    const broken = await whyBroken(backupFolder(dir).generation(name).manifest)
    if (broken === null) continue
    return { removed: [], removed_contents: 0, unremoved: `generations/${name}: ${broken}` }
  }
  try {
    await removeGenerations(dir, removed)
    return { removed, removed_contents: await removeUnnamed(dir), unremoved: null }
  } catch (error) {
    // The new backup is good all the same.
    return { removed, removed_contents: 0, unremoved: (error as Error).message }
  }
}
