import { randomBytes } from 'node:crypto'
import { accessSync, constants, mkdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { createPasswords, type Passwords } from './auth/password.ts'
import { createSeal, type Seal } from './auth/seal.ts'
import { readSecret } from './auth/secret.ts'
import { createTokens, type Tokens } from './auth/tokens.ts'
import type { Config } from './base/config.ts'
import { createDisk, type Disk, isOutOfSpace } from './base/disk.ts'
import { createLog, type Log } from './base/log.ts'
import { createRuns, type Runs } from './base/runs.ts'
import type { Clock, Wait } from './base/time.ts'
import type { Db } from './db/client.ts'
import { acquireLock, isLocked } from './db/lock.ts'
import { keepSpare } from './db/spare.ts'
import { emptyLog, optimize } from './db/upkeep.ts'
import type { RescanEvent } from './duplicates/rescan/schema.ts'
import { removeHashChanges } from './duplicates/similar/queries.ts'
import { recordPlaces, withPlaces } from './files/content/places.ts'
import { requireStore } from './files/content/store-marker.ts'
import { setTrashKeep } from './files/trash-keep.ts'
import { type Activity, createActivity } from './http/clients/activity.ts'
import { createTurns, type Turns, UPLOADS } from './http/clients/turns.ts'
import { openCommandDatabase, openCurrent } from './library-database.ts'
import {
  createLongChanges,
  type LongChangeOptions,
  type LongChanges,
} from './long-changes/runner.ts'
import { dataFolder } from './media/data-folder.ts'
import { type Decoder, startDecoder } from './media/decoder/decoder.ts'
import { type Ffmpeg, findFfmpeg } from './media/ffmpeg.ts'
import { requireRestored } from './media/restoring.ts'
import { openStorage, type Storage } from './media/storage.ts'
import { operationUndo } from './operations/undo.ts'
import { poolRemoval } from './pools/remove.ts'
import { poolRestoration } from './pools/restore.ts'
import { poolSharing } from './pools/sharing/through.ts'
import { setReader } from './reader/question.ts'
import { createReaders } from './reader/reader.ts'
import { createShareKeys, type ShareKeys } from './shares/keys.ts'
import { tagMerge } from './tags/merge/merge.ts'
import { tagRemoval } from './tags/remove.ts'
import { tagRestoration } from './tags/restore.ts'
import { ruleApplication } from './tags/rules/apply-rule.ts'
import { createUploads, type Uploads } from './uploads/uploads.ts'
import { userRemoval } from './users/remove.ts'
import { createWebTokens, type WebTokens } from './web/session.ts'

/** The parts of the application. */
export interface Deps {
  config: Config
  db: Db
  disk: Disk
  storage: Storage
  decoder: Decoder
  passwords: Passwords
  /** Those of links, in a queue of their own. */
  linkPasswords: Passwords
  shareKeys: ShareKeys
  tokens: Tokens
  webTokens: WebTokens
  /** Seals the places up to which clients have read what changes. */
  seal: Seal
  longChanges: LongChanges
  /** The runs that this process starts. */
  rescans: Runs<RescanEvent>
  uploadTurns: Turns
  /** The uploads that come in parts. */
  uploads: Uploads
  activity: Activity
  log: Log
  clock: Clock
  wait: Wait
  /** Aborted, with a reason in words, when the server is asked to stop, which ends work that reports its progress. */
  stopping: AbortController
}

/** The kinds of changes without a size limit. */
export const LONG_CHANGES = [
  ruleApplication,
  tagRemoval,
  tagRestoration,
  tagMerge,
  poolRemoval,
  poolRestoration,
  poolSharing,
  userRemoval,
  operationUndo,
]

interface OpenLibrary {
  deps: Deps
  /** Ends the decoder, closes the database and, for a server, releases its lock. */
  close(): Promise<void>
}

/**
 * Opens the library of the settings for a server, and creates or migrates it as needed. Also returns whether a working
 * ffmpeg was found. Throws a readable error when another server has the library, when the folder isn't writable, or
 * when the database can't be opened.
 */
export async function openForServer(
  settings: Config,
): Promise<OpenLibrary & { hasFfmpeg: boolean }> {
  const { dataDir, importPath } = settings
  const { database: path, serverLock, importLock, moveLock, imports } = dataFolder(dataDir)
  makeFolder(dataDir)
  const lock = acquireLock(serverLock, `Another Tagstead is at work in ${dataDir}`)
  requireRestored(dataDir)
  if (importPath === imports) mkdirSync(imports, { recursive: true })
  const log = createLog(settings.logLevel, process.stdout, settings.logFormat)
  for (const name of settings.formerSettings) {
    log.info(`${name} is of no effect any more, and may be removed`)
  }
  const ffmpeg = ffmpegOf(settings, log)
  const db = explain(path, () => openCurrent(dataDir, log, settings))
  const { config, areKnown } = await recordPlaces(db, settings, log)
  unlessFull(log, () => {
    optimize(db)
    // They were for what an earlier server had in memory.
    removeHashChanges(db)
  })
  const check = areKnown ? null : () => requireStore(db, config, log)
  const deps = await assemble(config, { db, log, ffmpeg, check, secret: readSecret(config) })
  const isStoring = isLocked(importLock) || isLocked(moveLock)
  if ((config.store ?? config.oldPlace?.store) && !isStoring) await sweepStore(deps)
  const readers = createReaders({ db, path, cacheSize: config.cacheSize / 2, log })
  setReader(db, readers)
  unlessFull(log, () => keepSpare(db, path, deps.disk.hasRoom))
  return {
    deps,
    hasFfmpeg: (await ffmpeg) !== null,
    async close() {
      await deps.longChanges.stop()
      await deps.decoder.close()
      await deps.storage.close()
      // The log can't be emptied while other connections are open.
      await readers.close()
      unlessFull(log, () => emptyLog(db))
      db.close()
      lock.release()
    },
  }
}

// Only an import and a move store contents beside a server. The store may be away, and the next start tries again.
async function sweepStore({ storage, log }: Deps): Promise<void> {
  try {
    const swept = await storage.sweep()
    if (swept.uploads > 0) log.info('parts of uploads that were cut off are removed', { ...swept })
  } catch (error) {
    log.warn('parts of uploads that were cut off are not removed', { error: String(error) })
  }
}

// Skips optional work on a full disk, where people still want to see their files.
function unlessFull(log: Log, work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!isOutOfSpace(error)) throw error
    log.warn('the disk is full: the database is not tidied up', { error: String(error) })
  }
}

/**
 * Opens the library of the settings for a command, whether or not a server is running. `temporaryName` is a folder that
 * only this command uses. Throws a readable error when there is no library, or when this version can't open it.
 */
export async function openForCommand(
  settings: Config,
  temporaryName: string,
): Promise<OpenLibrary> {
  // The output of a command for people is on the other stream.
  const log = createLog(settings.logLevel, process.stderr, settings.logFormat)
  const ffmpeg = ffmpegOf(settings, log)
  const db = openCommandDatabase(settings, log)
  const config = withPlaces(db, settings)
  const ask = () => requireStore(db, config, log)
  const check = (await ask()) ? null : ask
  // A command signs no tokens, so it needs no lasting secret.
  const deps = await assemble(config, {
    db,
    log,
    ffmpeg,
    check,
    temporaryName,
    secret: randomBytes(32),
  })
  return {
    deps,
    async close() {
      await deps.decoder.close()
      db.close()
    },
  }
}

interface Assembly {
  db: Db
  log: Log
  /** The bytes that sign tokens, at least 32. */
  secret: Uint8Array
  ffmpeg?: Promise<Ffmpeg | null>
  /** Finds out whose the contents are before they are used; null when that is known. */
  check?: (() => Promise<boolean>) | null
  temporaryName?: string
  clock?: Clock
  wait?: Wait
  passwords?: Passwords
  /** Options of the decoder that replace those from the settings. */
  decoder?: Partial<Parameters<typeof startDecoder>[0]>
  longChanges?: Pick<LongChangeOptions, 'rows' | 'onPortion'>
}

/** Returns the parts of a library. The caller must hold the lock that goes with its temporary folder. */
export async function assemble(config: Config, assembly: Assembly): Promise<Deps> {
  const { db, log, secret, temporaryName = 'tmp', clock = Date.now, check = null } = assembly
  const { dataDir, decoderTime, decoderWalls, timeZone } = config
  setTrashKeep(db, config.trashKeep)
  const folder = dataFolder(dataDir)
  const temporaryFolder = folder.temporary(temporaryName)
  const disk = createDisk(dataDir, config.diskReserve)
  const storage = await openStorage(dataDir, {
    temporaryName,
    disk,
    log,
    thumbnailCache: config.thumbnailCache,
    contentsCache: config.contentsCache,
    store: config.store,
    ...{ oldPlace: config.oldPlace, clock, check },
  })
  const wait: Wait = assembly.wait ?? ((ms, signal) => setTimeout(ms, undefined, { signal }))
  return {
    config,
    db,
    disk,
    storage,
    decoder: startDecoder({
      log,
      clock,
      timeZone,
      ffmpeg: await (assembly.ffmpeg ?? ffmpegOf(config, log)),
      temporaryFolder,
      walls: {
        strongest: decoderWalls,
        rooms: folder.rooms(temporaryFolder),
        secrets: [folder.database, folder.secretKey],
      },
      ...(decoderTime !== null && { timeLimit: decoderTime }),
      ...assembly.decoder,
    }),
    passwords: assembly.passwords ?? createPasswords(),
    linkPasswords: assembly.passwords ?? createPasswords(),
    shareKeys: createShareKeys(secret),
    tokens: createTokens({ secret, config, clock }),
    webTokens: createWebTokens(secret),
    seal: createSeal(secret, 'tagstead place in changes'),
    longChanges: createLongChanges({
      db,
      disk,
      log,
      clock,
      kinds: LONG_CHANGES,
      ...assembly.longChanges,
    }),
    rescans: createRuns(clock),
    uploadTurns: createTurns(UPLOADS),
    uploads: createUploads({ db, disk, storage, config, clock }),
    activity: createActivity(wait),
    log,
    clock,
    wait,
    stopping: new AbortController(),
  }
}

// Returns null, and logs it, when no ffmpeg works. Starting it takes as long as opening the rest of a library.
async function ffmpegOf({ ffmpegPath: path }: Config, log: Log): Promise<Ffmpeg | null> {
  const ffmpeg = path === null ? null : await findFfmpeg(path)
  if (!ffmpeg) log.info('no ffmpeg: videos get a placeholder instead of a picture', { path })
  return ffmpeg
}

function explain<T>(path: string, open: () => T): T {
  try {
    return open()
  } catch (error) {
    const { message, cause } = error as Error
    const reason = cause instanceof Error ? `${message}: ${cause.message}` : message
    throw new Error(`${path} can't be opened: ${reason}`)
  }
}

// Throws a readable error when the server can't read and write there.
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new Error(`DATA_DIR can't be ${path}: ${REASONS[code] ?? message}`)
  }
}

const REASONS: Record<string, string> = {
  EEXIST: 'a file is there, and no folder',
  ENOTDIR: 'a part of it is a file, and no folder',
  EACCES: 'this account may not read and write there',
  EPERM: 'this account may not write there',
  EROFS: 'that disk can only be read',
  ENAMETOOLONG: 'it is too long',
}
