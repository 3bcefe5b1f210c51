import { readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { acquireLock, isLocked } from '../db/lock.ts'
import { type Tx, write } from '../db/write.ts'
import { dataFolder, isBlob, isShelf, shelfOf } from '../media/data-folder.ts'
import { syncFolder } from '../media/durable.ts'
import { unknownOf } from './content-queries.ts'
import { type Finding, finding, reasonOf, unchecked } from './finding.ts'
import { moveAside, readSeen, type Seen, writeSeen } from './lost-and-found.ts'
import type { CheckDeps, CheckOptions } from './request.ts'

/** An upload under way has no row yet, nor has one of an import; none takes longer from its last byte, in milliseconds. */
const UPLOAD = 60 * 60_000
/** How far apart two checks must have found a content unknown that is moved beside a server, in milliseconds. */
const APART = 24 * 60 * 60_000
/** So many contents are asked for, and so many are moved by one write. */
const [ASKED, MOVED] = [1000, 100]

/**
 * Tells the contents that no file has. Each check that finds one notes when it did first. With `repair`, they are
 * moved into `lost+found/`, but not while `isWhole` is false: a damaged database may only seem not to know them.
 */
export async function checkUnknown(
  deps: CheckDeps,
  { repair, signal }: Pick<CheckOptions, 'repair' | 'signal'>,
  isWhole: boolean,
): Promise<Finding[]> {
  const { dataDir } = deps.config
  let blobs: string[]
  try {
    blobs = await unknownContents(deps, signal)
  } catch (error) {
    signal.throwIfAborted()
    return [finding(unchecked('files', 'What is in "files"', error))]
  }
  const seen = noted(deps, blobs)
  const outcomes = repair && isWhole ? await moveUnknown(deps, blobs, seen) : new Map()
  if (repair && outcomes.size > 0) {
    const left = [...seen].filter(([blob]) => outcomes.get(blob) !== null)
    tryToNote(dataDir, new Map(left))
  }
  return blobs.map((blob) => {
    const outcome = outcomes.get(blob)
    const sentence = 'No file has this content'
    if (outcome === null) {
      return finding(
        {
          kind: 'content_unknown',
          subject: blob,
          sentence: `${sentence}; it is in "lost+found" now`,
        },
        true,
      )
    }
    const reason = outcome ?? (repair ? 'the database is not whole' : undefined)
    const told = reason === undefined ? sentence : `${sentence}; it is not moved: ${reason}`
    return finding({ kind: 'content_unknown', subject: blob, sentence: told })
  })
}

async function unknownContents(
  { db, config, clock }: CheckDeps,
  signal: AbortSignal,
): Promise<string[]> {
  const { contents, content, serverLock, importLock } = dataFolder(config.dataDir)
  const isUploading = isLocked(serverLock) || isLocked(importLock)
  const youngest = isUploading ? clock() - UPLOAD : Number.POSITIVE_INFINITY
  const isOld = (status: Stats) => status.ctimeMs <= youngest
  const found: string[] = []
  for (const shelf of readdirSync(contents).filter(isShelf).sort()) {
    // Nothing here waits, and a signal must come through.
    await setImmediate()
    signal.throwIfAborted()
    const stored = readdirSync(join(contents, shelf)).filter(
      (name) => isBlob(name) && shelfOf(name) === shelf,
    )
    const unknown: string[] = []
    for (let from = 0; from < stored.length; from += ASKED) {
      unknown.push(...unknownOf(db, stored.slice(from, from + ASKED)))
    }
    // Between the two looks, one may have been removed and then forgotten.
    const there = unknown.filter((blob) => {
      const status = statSync(content(blob), { throwIfNoEntry: false })
      return status?.isFile() && isOld(status)
    })
    found.push(...unknownOf(db, there))
  }
  return found
}

/** Returns when the contents were first found unknown, and notes it. */
function noted({ config: { dataDir }, clock }: CheckDeps, blobs: string[]): Seen {
  const before = readSeen(dataDir)
  if (before.size === 0 && blobs.length === 0) return before
  const seen: Seen = new Map(blobs.map((blob) => [blob, before.get(blob) ?? clock()]))
  tryToNote(dataDir, seen)
  return seen
}

function tryToNote(dataDir: string, seen: Seen): void {
  try {
    writeSeen(dataDir, seen)
  } catch {
    // Then a repair beside a server waits longer; who reads a folder that they may not write to repairs nothing.
  }
}

/** Returns for each content why it was not moved; null for those that were. */
async function moveUnknown(
  deps: CheckDeps,
  blobs: string[],
  seen: Seen,
): Promise<Map<string, string | null>> {
  const { contents, lostAndFound } = dataFolder(deps.config.dataDir)
  const outcomes = new Map<string, string | null>()
  if (blobs.length === 0) return outcomes
  const locks = lockUploads(deps.config.dataDir)
  try {
    const movable = locks
      ? blobs
      : blobs.filter((blob) => deps.clock() - (seen.get(blob) ?? deps.clock()) >= APART)
    const tooEarly = 'beside a server, only once it was found by two checks that are a day apart'
    for (const blob of blobs) outcomes.set(blob, tooEarly)
    for (let from = 0; from < movable.length; from += MOVED) {
      const portion = movable.slice(from, from + MOVED)
      write(deps.db, { now: deps.clock() }, (tx) => movePortion(tx, deps, portion, outcomes))
    }
    const shelves = new Set(movable.map(shelfOf))
    if (movable.length > 0) await syncFolder(lostAndFound)
    for (const shelf of shelves) await syncFolder(join(contents, shelf))
  } finally {
    for (const lock of locks ?? []) lock.release()
  }
  return outcomes
}

/** Nothing is committed meanwhile, so that what has no row now gets none before it is moved. */
function movePortion(
  tx: Tx,
  { config: { dataDir } }: CheckDeps,
  blobs: string[],
  outcomes: Map<string, string | null>,
): void {
  const unknown = new Set(unknownOf(tx, blobs))
  for (const blob of blobs) {
    if (!unknown.has(blob)) outcomes.set(blob, 'a file has it now')
    else outcomes.set(blob, moved(dataDir, blob))
  }
}

function moved(dataDir: string, blob: string): string | null {
  try {
    moveAside(dataDir, dataFolder(dataDir).content(blob), blob)
    return null
  } catch (error) {
    return reasonOf(error)
  }
}

/** Takes the locks of all that stores contents, so that nothing does; null when something is at work. */
function lockUploads(dataDir: string): { release(): void }[] | null {
  const { serverLock, importLock } = dataFolder(dataDir)
  const locks: { release(): void }[] = []
  try {
    for (const path of [serverLock, importLock]) locks.push(acquireLock(path, 'It is in use'))
    return locks
  } catch {
    for (const lock of locks) lock.release()
    return null
  }
}
