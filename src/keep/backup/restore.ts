import { existsSync, lstatSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { getTableName } from 'drizzle-orm'
import type { Config } from '../../base/config.ts'
import { type Db, openDatabase } from '../../db/client.ts'
import { acquireLock } from '../../db/lock.ts'
import { lastMigration, requireKnown } from '../../db/migrations.ts'
import { keptGenerations, library } from '../../db/schema/library.ts'
import { faultsOf, hasColumn, hasTable } from '../../db/upkeep.ts'
import { write } from '../../db/write.ts'
import { setPlaces } from '../../files/content/store-queries.ts'
import { backupFolder } from '../../media/backup-folder.ts'
import { createCopier } from '../../media/copy.ts'
import { dataFolder, pathInShelf } from '../../media/data-folder.ts'
import { type Digest, isSameDigest, readDigest } from '../../media/digest.ts'
import { syncFile, syncFolder, writeSynced } from '../../media/durable.ts'
import { placeOf } from '../../media/places/open.ts'
import { unlessAbsent } from '../../media/unless-absent.ts'
import { deleteUploads } from '../../uploads/queries.ts'
import { bytesOf, contentsToCome, diskOf, requireSpace } from './disk-space.ts'
import { forEachContent } from './each-content.ts'
import { chooseGeneration, timesOfDatabases, whyBroken } from './generations.ts'
import { isDatabaseOnly, readHead } from './manifest.ts'
import {
  bringObjects,
  listStored,
  nothingRestored,
  type Restored,
  type RestoreRequest,
  requireWhole,
} from './objects.ts'
import { LITTLE_MEMORY } from './prove-database.ts'
import { deleteSessions, findLibraryId, requirePlain } from './queries.ts'
import { setKeptGenerations } from './record-queries.ts'

/** What a library is restored from. */
export interface RestoreSource {
  database: string
  /** Digest of the database, where it is available. */
  digest: Digest | null
  /** Null when it has no contents: they are in the store that the settings name. */
  contentPath: ((blob: string) => string) | null
  /** The key that signed tokens, if it is to be taken over. */
  secretKey: string | null
  /** The generations of the database alone that are kept beside it, by the times in their names. */
  kept: { folder: string; times: number[] } | null
}

const NO_CONTENTS =
  'The contents are not in this backup: CONTENTS must name the store that has them, or --database and --contents ' +
  'the file "database" of a generation and a copy of the folder "files"'

// What an empty folder may hold: what ext4 puts into the root of a disk, the lock, and an empty folder for the
// contents, such as a disk of their own.
const LEFT_OUT = ['lost+found', 'lock']

/**
 * Returns what a generation, by default the newest, is restored from. Throws a readable error when there is no such
 * generation, its manifest is damaged, or it has no key although one is requested.
 */
export async function generationSource(
  dir: string,
  { at, withSecret }: { at?: string | undefined; withSecret: boolean },
): Promise<RestoreSource & { generation: string }> {
  const generation = await chooseGeneration(dir, at)
  const paths = backupFolder(dir).generation(generation)
  const broken = await whyBroken(paths.manifest)
  if (broken !== null) throw new Error(`${generation} can't be restored: ${broken}`)
  const head = await readHead(paths.manifest)
  requireKnown(head.migration)
  if (withSecret) {
    const sha256 = await readDigest(paths.secretKey).then(
      (read) => read.sha256,
      () => null,
    )
    if (sha256 !== (head.secret ?? '')) throw new Error(`${generation} has no secret.key`)
  }
  return {
    generation,
    database: paths.database,
    digest: head.database,
    contentPath: isDatabaseOnly(head) ? null : backupFolder(dir).content,
    secretKey: withSecret ? paths.secretKey : null,
    kept: { folder: dir, times: await timesOfDatabases(dir) },
  }
}

/** Returns what is restored from a database and a copy of the folder with the contents, or null for those in a store. */
export function copiedSource(database: string, contents: string | null): RestoreSource {
  return {
    database,
    digest: null,
    contentPath: contents === null ? null : (blob) => pathInShelf(contents, blob),
    secretKey: null,
    kept: null,
  }
}

/**
 * Restores a library into a data folder that is empty, or holds what an interrupted restore has left there, and its
 * contents into the place of the settings; every byte in the data folder is read back. Contents that the source lacks
 * are reported, and the rest is restored. All users have to sign in again, unless the key is taken over. Throws a
 * readable error for another folder, for a database that is damaged or newer, and, unless told otherwise, when a store
 * lacks contents of a source that has none.
 */
export async function restore(
  { dataDir, store }: Pick<Config, 'dataDir' | 'store'>,
  source: RestoreSource,
  request: RestoreRequest,
): Promise<Restored> {
  const { signal } = request
  if (!store && source.contentPath === null) throw new Error(NO_CONTENTS)
  const folder = dataFolder(dataDir)
  await mkdir(dataDir, { recursive: true })
  await requireEmpty(dataDir)
  const lock = acquireLock(folder.serverLock, `Another Tagstead is at work in ${dataDir}`)
  const part = `${folder.database}.part`
  let isBegun = existsSync(folder.restoring)
  try {
    await writeSynced(folder.restoring, new Uint8Array())
    await syncFolder(dataDir)
    await bringDatabase(source, part, signal)
    const db = openDatabase(part, { journal: 'delete', memory: LITTLE_MEMORY })
    let restored: Restored
    try {
      requireSound(db, source)
      const stored = store && (await listStored(db, placeOf({ dataDir, store }), signal))
      if (stored && !source.contentPath && !request.isLacking) requireWhole(db, stored)
      await mkdir(folder.contents, { recursive: true })
      const isWhole = ({ size }: Digest, path: string) => lstatSync(path).size === size
      // The contents may be on a disk of their own.
      if (!stored) {
        requireSpace(folder.contents, bytesOf(contentsToCome(db, folder.contents, isWhole)))
      }
      isBegun = true
      restored = stored
        ? await bringObjects(db, stored, source, request)
        : await bringContents(db, dataDir, source, request)
      if (hasTable(db, 'uploads')) write(db, { now: Date.now() }, deleteUploads)
      keepBeside(db, source, store !== null)
      forgetPlaces(db)
      if (source.secretKey === null) write(db, { now: Date.now() }, deleteSessions)
    } finally {
      db.close()
    }
    if (source.secretKey !== null) {
      await writeSynced(folder.secretKey, await readFile(source.secretKey))
    }
    await syncFile(part)
    await rename(part, folder.database)
    await syncFolder(dataDir)
    await rm(folder.restoring)
    await syncFolder(dataDir)
    return restored
  } catch (error) {
    // Before any content is restored, cleaning up leaves the folder as empty as it was.
    if (!isBegun) for (const path of [part, folder.restoring]) await rm(path, { force: true })
    throw error
  } finally {
    lock.release()
  }
}

async function requireEmpty(dataDir: string): Promise<void> {
  const { restoring, contents } = dataFolder(dataDir)
  const names = (await readdir(dataDir)).filter((name) => !LEFT_OUT.includes(name))
  if (names.some((name) => join(dataDir, name) === restoring)) return
  const isEmpty = names.every((name) => join(dataDir, name) === contents)
  const stored = isEmpty ? ((await unlessAbsent(readdir(contents))) ?? []) : []
  if (isEmpty && stored.every((name) => LEFT_OUT.includes(name))) return
  throw new Error(`${dataDir} is not empty: a library is restored into an empty data folder only`)
}

async function bringDatabase(
  { database, digest }: RestoreSource,
  part: string,
  signal: AbortSignal,
): Promise<void> {
  for (const log of ['-wal', '-journal']) {
    const size = (await unlessAbsent(lstat(`${database}${log}`)))?.size ?? 0
    if (size === 0) continue
    throw new Error(
      `${database}${log} is not empty: have SQLite put it into the database before, by ` +
        `sqlite3 ${database} 'PRAGMA wal_checkpoint(TRUNCATE)'`,
    )
  }
  // The remains of an interrupted restore would be replayed into another database.
  for (const left of ['', '-journal', '-wal', '-shm']) await rm(`${part}${left}`, { force: true })
  const expected = await readDigest(database, { signal })
  if (digest !== null && !isSameDigest(expected, digest)) {
    throw new Error(`${database} is damaged: its bytes are not those that were written`)
  }
  requireSpace(dirname(part), expected.size)
  const copier = createCopier({ disk: diskOf(dirname(part)) })
  const what = await copier.copy(database, part, expected, signal)
  if (what !== 'copied') throw new Error(`${database} is ${what}`)
}

// A database that isn't from a backup has unchecked indexes, and its paths and types are trusted from here on.
function requireSound(db: Db, { digest }: RestoreSource): void {
  requireKnown(lastMigration(db.get))
  if (findLibraryId(db) === null) {
    throw new Error('The database is of no library, or of an older version')
  }
  const [fault] = faultsOf(db, digest === null ? 'full' : 'quick')
  if (fault !== undefined) throw new Error(`The database is damaged: ${fault}`)
  requirePlain(db)
}

// The restored database knows only of the generations that were made before it.
function keepBeside(db: Db, { kept }: RestoreSource, isStore: boolean): void {
  if (!kept || !hasTable(db, getTableName(keptGenerations))) return
  const times = isStore ? kept.times : []
  write(db, { now: Date.now() }, (tx) => setKeptGenerations(tx, kept.folder, times))
}

// Contents may have been elsewhere: the first server records where they are now.
function forgetPlaces(db: Db): void {
  if (!hasColumn(db, getTableName(library), 'place')) return
  write(db, { now: Date.now() }, (tx) => setPlaces(tx, { place: null, old_place: null }))
}

async function bringContents(
  db: Db,
  dataDir: string,
  { contentPath }: RestoreSource,
  { signal, onProgress }: RestoreRequest,
): Promise<Restored> {
  const folder = dataFolder(dataDir)
  const restored = nothingRestored(db)
  const copier = createCopier({ disk: diskOf(folder.contents) })
  const shelves = new Set<string>()
  await forEachContent(db, { total: restored.contents, signal, onProgress }, async (line) => {
    const path = folder.content(line.blob)
    if (!shelves.has(dirname(path))) await mkdir(dirname(path), { recursive: true })
    shelves.add(dirname(path))
    const there = await unlessAbsent(readDigest(path, { signal }))
    const isThere = there !== null && isSameDigest(there, line)
    const what = isThere ? 'copied' : await copier.copy(contentPath!(line.blob), path, line, signal)
    if (what !== 'copied') restored[what === 'missing' ? what : 'damaged'].push(line.blob)
  })
  for (const shelf of shelves) await syncFolder(shelf)
  await syncFolder(folder.contents)
  return restored
}
