import { mkdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { type Db, openDatabase } from '../db/client.ts'
import { acquireLock } from '../db/lock.ts'
import { isMigrated, lastMigration, MIGRATIONS } from '../db/migrations.ts'
import { copyTo, sizeOf } from '../db/upkeep.ts'
import { type Tx, write } from '../db/write.ts'
import { AppError } from '../errors.ts'
import { dataFolder } from '../media/data-folder.ts'
import { readDigest } from '../media/digest.ts'
import { syncFile, writeSynced } from '../media/durable.ts'
import { isoTime } from '../time.ts'
import { VERSION } from '../version.ts'
import { type CopiedContents, copyContents } from './contents.ts'
import {
  type Kept,
  listGenerations,
  outdated,
  removeGenerations,
  removeUnfinished,
  removeUnnamed,
} from './generations.ts'
import { backupFolder, generationName } from './layout.ts'
import { ManifestError, type ManifestHead, type ManifestLine, writeManifest } from './manifest.ts'
import { isSameDisk, openPlace, requireRoom, requireSameLibrary } from './place.ts'
import { faultsOfCopy, LITTLE_MEMORY, readCopy } from './prove-database.ts'
import { contentsOf, findLibraryId } from './queries.ts'
import { recordBackup, recordFailure } from './record-queries.ts'
import { syncNames } from './sync-names.ts'

interface BackupRequest {
  config: Pick<Config, 'dataDir'>
  /** An absolute path: a folder that is there, or is to be made in one that is. */
  dir: string
  kept: Kept
  isLinking: boolean
  /** Whether the key goes along that tokens are signed with. */
  withSecret: boolean
  /** Whether contents that the backup has already are read, too, and copied anew where they are damaged. */
  isFull: boolean
  /** Ends the backup between two contents, for its reason. */
  signal: AbortSignal
  /** Of the generation, in milliseconds since 1970-01-01 UTC. */
  now: number
}

/** What a backup came to. */
export interface BackupResult extends CopiedContents {
  generation: string
  /** The generations that were removed, and with them how many contents. */
  removed: string[]
  removed_contents: number
  /** Why contents that no generation needs were not removed, if so. */
  unremoved: string | null
  /** Whether contents are hard links of the library's. */
  linked: boolean
  /** Whether the backup is on the disk of the library, and guards against deletion only. */
  same_disk: boolean
}

/** What a backup is at, in this order. */
type BackupStage = 'database' | 'contents' | 'old'
type OnProgress = (stage: BackupStage, done: number, total: number) => void

/** How often, and after how many milliseconds, the lock is asked for again: who looks at it has it for a moment. */
const TRIES = 20
const PAUSE = 50

/** Takes the lock under which contents stay in the library. Throws conflict while another backup has it. */
export async function lockBackups({
  dataDir,
}: Pick<Config, 'dataDir'>): Promise<{ release(): void }> {
  for (let tries = 1; ; tries++) {
    try {
      return acquireLock(dataFolder(dataDir).backupLock, 'Another backup is running')
    } catch (error) {
      if (!(error instanceof AppError) || tries === TRIES) throw error
      await setTimeout(PAUSE)
    }
  }
}

/**
 * Copies the library, as it is at one moment, into a new generation of a folder of backups, and returns what came of
 * it; what isn't finished is none, and removed by the next backup. The lock of backups must be held. Throws a readable
 * error for a folder that won't do, for one with the backups of another library, when there is no room, and when the
 * copy is not as it should be.
 */
export async function backUp(
  request: BackupRequest,
  onProgress: OnProgress = () => {},
): Promise<BackupResult> {
  try {
    return await makeGeneration(request, onProgress)
  } catch (error) {
    if (!request.signal.aborted)
      recordIn(dataFolder(request.config.dataDir).database, recordFailure)
    throw error
  }
}

async function makeGeneration(
  request: BackupRequest,
  onProgress: OnProgress,
): Promise<BackupResult> {
  const { config, dir, isLinking, now } = request
  const { database, secretKey, content } = dataFolder(config.dataDir)
  const name = generationName(now)
  const own = backupFolder(dir).generation(name)
  const db = openDatabase(database, { memory: LITTLE_MEMORY })
  let head: ManifestHead
  try {
    const library = libraryIdOf(db)
    await openPlace(dir, config.dataDir)
    await requireSameLibrary(dir, library)
    await removeUnfinished(dir)
    requireRoom(dir, sizeOf(db))
    onProgress('database', 0, 1)
    await mkdir(own.folder, { recursive: true })
    await mkdir(backupFolder(dir).contents, { recursive: true })
    copyTo(db, own.database)
    head = await headOf(own.database, { library, isLinking, now })
  } finally {
    db.close()
  }
  if (request.withSecret) head.secret = await copySecret(secretKey, own.secretKey)
  onProgress('database', 1, 1)

  const copied = await readCopy(own.database, async (copy) => {
    const contents = { ...request, contentPath: content }
    const result = await copyContents(copy, contents, (done, total) =>
      onProgress('contents', done, total),
    )
    await writeManifest(own.manifest, head, linesOf(copy, new Set(result.missing)))
    return result
  })
  await syncNames(backupFolder(dir).generations)
  await syncNames(dir)
  onProgress('old', 0, 1)
  const old = await removeOld(request)
  onProgress('old', 1, 1)
  const same_disk = isSameDisk(config.dataDir, dir)
  const problem = copied.missing.length > 0 ? 'incomplete' : same_disk ? 'same_disk' : null
  recordIn(database, (tx) => recordBackup(tx, now, problem))
  return { generation: name, ...copied, ...old, linked: isLinking, same_disk }
}

/** Notes in the library what became of a backup, unless an older server is at work there, which doesn't ask. */
function recordIn(database: string, work: (tx: Tx) => void): void {
  const db = openDatabase(database, { memory: LITTLE_MEMORY })
  try {
    if (isMigrated(db.get, MIGRATIONS)) write(db, { now: Date.now() }, work)
  } finally {
    db.close()
  }
}

function libraryIdOf(db: Db): string {
  const library = findLibraryId(db)
  if (library !== null) return library
  throw new Error('The library is of an older version: start the server of this version once')
}

/** Returns the head for a copied database, once that is proved and safe on the disk. */
async function headOf(
  path: string,
  { library, isLinking, now }: { library: string; isLinking: boolean; now: number },
): Promise<ManifestHead> {
  await syncFile(path)
  const [fault] = await faultsOfCopy(path)
  if (fault !== undefined) throw new Error(`The copy of the database is damaged: ${fault}`)
  return {
    format: 1,
    library,
    version: VERSION,
    migration: await readCopy(path, (copy) => lastMigration(copy.get) ?? 0),
    made_at: isoTime(now),
    linked: isLinking,
    database: await readDigest(path),
  }
}

/** Returns the SHA-256 of the key. Throws a readable error when the library has none in its folder. */
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

async function removeOld({
  dir,
  kept,
}: BackupRequest): Promise<Pick<BackupResult, 'removed' | 'removed_contents' | 'unremoved'>> {
  const removed = outdated(await listGenerations(dir), kept)
  if (removed.length === 0) return { removed, removed_contents: 0, unremoved: null }
  await removeGenerations(dir, removed)
  try {
    return { removed, removed_contents: await removeUnnamed(dir), unremoved: null }
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error
    return { removed, removed_contents: 0, unremoved: error.message }
  }
}
