import { existsSync, readdirSync, rmSync, type Stats, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../db/client.ts'
import { acquireLock, isLocked } from '../../db/lock.ts'
import { write } from '../../db/write.ts'
import { dataFolder, isBlob, isShelf, shelfOf } from '../../media/data-folder.ts'
import { partOf, syncFolder } from '../../media/durable.ts'
import { unknownOf } from './content-queries.ts'
import type { Listed } from './contents.ts'
import { type Finding, type Found, finding, reasonOf, unchecked } from './finding.ts'
import { keepAside, moveAside, readSeen, type Seen, writeSeen } from './lost-and-found.ts'
import type { CheckDeps, CheckOptions } from './request.ts'

// Milliseconds. A content that is being uploaded or imported has no row yet, and gets it within this time after its
// last byte.
const UPLOAD = 60 * 60_000
// Milliseconds. Beside a running server, a content is moved only if two checks this far apart have found it unknown.
const APART = 24 * 60 * 60_000
const [ASKED, MOVED] = [1000, 100]

/**
 * Reports the contents that no file has, and the remains of any on the way to another disk. Each check records when it
 * first found one. With `repair`, they are moved into `lost+found/`, but not while `isWhole` is false: a damaged
 * database may only seem not to have them. Those that are `listed` in a store are only reported.
 */
export async function checkUnknown(
  deps: CheckDeps,
  { repair, signal }: Pick<CheckOptions, 'repair' | 'signal'>,
  isWhole: boolean,
  listed: Listed | null = null,
): Promise<Finding[]> {
  const { dataDir } = deps.config
  let [blobs, inStore]: string[][] = [[], []]
  try {
    blobs = await unknownContents(deps, signal)
    const outside = listed ? unknownAmong(deps.db, [...listed.keys()]) : []
    // While contents are moved, the list has those in the data folder as well.
    inStore = outside.filter((blob) => !existsSync(dataFolder(dataDir).content(blob)))
  } catch (error) {
    signal.throwIfAborted()
    return [finding(unchecked('files', 'What is in "files"', error))]
  }
  const seen = noted(deps, [...blobs, ...inStore])
  const youngest = deps.clock() - (isUploading(deps) ? UPLOAD : 0)
  const old = inStore.filter((blob) => seen.get(blob)! <= youngest)
  const outcomes = repair && isWhole ? await moveUnknown(deps, blobs, seen) : new Map()
  if (repair && outcomes.size > 0) {
    const left = [...seen].filter(([blob]) => outcomes.get(blob) !== null)
    tryToNote(dataDir, new Map(left))
  }
  const told = old.map((blob) => finding(unknown(dataDir, blob, ' in the store')))
  const moved = blobs.map((blob) => {
    const outcome = outcomes.get(blob)
    const found = unknown(dataDir, blob)
    if (outcome === null) {
      return finding({ ...found, sentence: `${found.sentence}; it is in "lost+found" now` }, true)
    }
    const reason = outcome ?? (repair ? 'the database is not whole' : undefined)
    if (reason === undefined) return finding(found)
    return finding({ ...found, sentence: `${found.sentence}; it is not moved: ${reason}` })
  })
  return [...moved, ...told]
}

function unknown(dataDir: string, name: string, where = ''): Found {
  if (isBlob(name)) {
    return { kind: 'content_unknown', subject: name, sentence: `No file has this content${where}` }
  }
  const subject = relative(dataDir, pathOf(dataDir, name))
  return { kind: 'leftover', subject, sentence: 'A part of a content, whose process is gone' }
}

// The name must pass `isStored`.
function pathOf(dataDir: string, name: string): string {
  const path = dataFolder(dataDir).content(name.slice(0, 32))
  return isBlob(name) ? path : partOf(path)
}

// Accepts the name of a content, and the one that it has until it is whole, such as on its way to another disk.
function isStored(name: string, shelf: string): boolean {
  const blob = name.slice(0, 32)
  return isBlob(blob) && shelfOf(blob) === shelf && (name === blob || name === partOf(blob))
}

function isUploading({ config }: CheckDeps): boolean {
  const { serverLock, importLock } = dataFolder(config.dataDir)
  return isLocked(serverLock) || isLocked(importLock)
}

async function unknownContents(deps: CheckDeps, signal: AbortSignal): Promise<string[]> {
  const { db, config, clock } = deps
  const { contents } = dataFolder(config.dataDir)
  const youngest = isUploading(deps) ? clock() - UPLOAD : Number.POSITIVE_INFINITY
  const isOld = (status: Stats) => status.ctimeMs <= youngest
  const found: string[] = []
  for (const shelf of readdirSync(contents).filter(isShelf).sort()) {
    // Nothing here waits for I/O, and a signal must get through.
    await setImmediate()
    signal.throwIfAborted()
    const stored = readdirSync(join(contents, shelf)).filter((name) => isStored(name, shelf))
    const unknown = unknownAmong(db, stored)
    // Between the two looks, one may have been removed, and then its row as well.
    const there = unknown.filter((blob) => {
      const status = statSync(pathOf(config.dataDir, blob), { throwIfNoEntry: false })
      return status?.isFile() && isOld(status)
    })
    found.push(...unknownOf(db, there))
  }
  return found
}

function unknownAmong(db: Db, blobs: string[]): string[] {
  const found: string[] = []
  for (let from = 0; from < blobs.length; from += ASKED) {
    found.push(...unknownOf(db, blobs.slice(from, from + ASKED)))
  }
  return found
}

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
    // A repair beside a server then waits longer, and a check of a read-only folder repairs nothing anyway.
  }
}

// Returns the reason for each content that was not moved, null for those that were.
async function moveUnknown(
  deps: CheckDeps,
  blobs: string[],
  seen: Seen,
): Promise<Map<string, string | null>> {
  const { lostAndFound } = dataFolder(deps.config.dataDir)
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
      await movePortion(deps, movable.slice(from, from + MOVED), outcomes)
    }
    const moved = movable.filter((blob) => outcomes.get(blob) === null)
    const shelves = new Set(moved.map((blob) => dirname(pathOf(deps.config.dataDir, blob))))
    if (moved.length > 0) await syncFolder(lostAndFound)
    for (const shelf of shelves) await syncFolder(shelf)
  } finally {
    for (const lock of locks ?? []) lock.release()
  }
  return outcomes
}

async function movePortion(
  deps: CheckDeps,
  blobs: string[],
  outcomes: Map<string, string | null>,
): Promise<void> {
  const { dataDir } = deps.config
  const { lostAndFound } = dataFolder(dataDir)
  const aside = new Map<string, string | null>()
  for (const blob of blobs) {
    try {
      aside.set(blob, await keepAside(dataDir, pathOf(dataDir, blob), blob))
    } catch (error) {
      outcomes.set(blob, reasonOf(error))
    }
  }
  try {
    if (aside.size > 0) await syncFolder(lostAndFound)
    // Nothing commits meanwhile, so that a content without a row now gets none before it is moved.
    write(deps.db, { now: deps.clock() }, (tx) => {
      const unknown = new Set(unknownOf(tx, [...aside.keys()]))
      for (const [blob, place] of aside) {
        outcomes.set(blob, unknown.has(blob) ? taken(dataDir, blob, place) : 'a file has it now')
      }
    })
  } catch (error) {
    // Contents that were already moved are in lost+found alone.
    for (const blob of aside.keys()) {
      if (outcomes.get(blob) !== null) outcomes.set(blob, reasonOf(error))
    }
  }
  for (const [blob, place] of aside) {
    if (outcomes.get(blob) !== null && place !== null) rmSync(place, { force: true })
  }
}

// Removes a content that has been stored at `place`, or moves it; returns why this failed, or null.
function taken(dataDir: string, blob: string, place: string | null): string | null {
  const path = pathOf(dataDir, blob)
  try {
    if (place === null) moveAside(dataDir, path, blob)
    else rmSync(path)
    return null
  } catch (error) {
    return reasonOf(error)
  }
}

// Takes the locks of everything that stores contents; returns null when something is at work.
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
