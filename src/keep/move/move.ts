import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Config } from '../../base/config.ts'
import type { Disk } from '../../base/disk.ts'
import { isBusy } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { placeText } from '../../base/store-settings.ts'
import type { Wait } from '../../base/time.ts'
import { acquireLock } from '../../db/lock.ts'
import { type WriteDeps, write } from '../../db/write.ts'
import { keptFromRemoval, removable } from '../../files/content/removal-queries.ts'
import { findPlaces, setPlaces } from '../../files/content/store-queries.ts'
import { dataFolder } from '../../media/data-folder.ts'
import { type Digest, isSameDigest, readDigest } from '../../media/digest.ts'
import { isOfUnreadable } from '../../media/outcome.ts'
import { makeShelves } from '../../media/places/local.ts'
import { eachPlace, placeOf } from '../../media/places/open.ts'
import { type Place, withRoom } from '../../media/places/place.ts'
import { requestsToGet, requestsToPut } from '../../media/s3/client.ts'
import { createTemporary } from '../../media/temporary.ts'
import { type NamedContent, namedContents } from './queries.ts'

export interface MoveDeps extends WriteDeps {
  /** With the place from which contents are moved. */
  config: Config
  disk: Disk
  log: Log
  wait: Wait
  /** The folder for temporary files. */
  temporary: string
}

/** What there is to move, or is left. */
export interface Plan {
  contents: number
  /** Of the contents. */
  bytes: number
  /** What the store is to be asked for, with its lists. */
  requests: number
  /** Contents that no file has, and that stay where they are. */
  unknown: number
  /** Contents that are removed as soon as that is possible, and until then stay where they are. */
  waiting: number
  /** Bytes that may be written before the reserve of the disk is used; null for a store, or an unknown number. */
  room: number | null
}

/** A content that was not moved, and why. */
export interface MoveProblem {
  type: 'problem'
  blob: string
  /** Id of its file; null for a deleted one that backups of the database alone name. */
  file: string | null
  sentence: string
}

export interface MoveSummary {
  type: 'done'
  moved: number
  bytes: number
  problems: number
  unknown: number
  waiting: number
  /** Whether all contents are in the new place now, and the library has left the old one. */
  finished: boolean
}

export type MoveEvent =
  | { type: 'progress'; done: number; total: number }
  | MoveProblem
  | MoveSummary

/** Takes the lock of moves. Throws conflict when another one is under way. */
export function lockMoves({ dataDir }: Pick<Config, 'dataDir'>): { release(): void } {
  return acquireLock(dataFolder(dataDir).moveLock, 'Contents are being moved already')
}

const PORTION = 100
const AT_ONCE = 4
// How long to wait for a store that is away, in milliseconds, and how often.
const [PAUSE, MOST_PAUSES] = [15_000, 20]

/** Returns what there is to move. */
export async function planMove(deps: MoveDeps, signal: AbortSignal): Promise<Plan> {
  const { from, to } = placesOf(deps)
  const toStore = deps.config.store !== null
  const plan: Plan = { contents: 0, bytes: 0, requests: 0, unknown: 0, waiting: 0, room: null }
  let listed = 0
  for await (const { named, unknown, waiting } of portionsOf(deps, from, signal)) {
    plan.contents += named.length
    plan.unknown += unknown
    plan.waiting += waiting
    listed += named.length + unknown + waiting
    for (const { size } of named) {
      plan.bytes += size
      // The store is asked for the size of what it got, and to remove what has left it.
      plan.requests += toStore ? requestsToPut(size) + 1 : requestsToGet(size) + 1
    }
  }
  // Once to plan, once to move, and once to see that nothing is left.
  if (!toStore) plan.requests += 3 * Math.ceil(listed / 1000)
  if (!toStore) plan.room = to.room.room()
  return plan
}

/**
 * Moves all contents of the old place to the new one beside a running server, and yields what happens, at the end what
 * was done. A content leaves its old place once the new one has it safely. What is cut off goes on when this is called
 * again. Throws a readable error when it can't go on, and the signal's reason when it is aborted.
 */
export async function* moveContents(
  deps: MoveDeps,
  signal: AbortSignal,
): AsyncGenerator<MoveEvent, void> {
  const { dataDir, store } = deps.config
  const places = placesOf(deps)
  const { contents: total } = await planMove(deps, signal)
  if (!store) await makeShelves(dataDir)
  const done = { moved: 0, bytes: 0, problems: 0, unknown: 0, waiting: 0 }
  yield* pass(deps, places, { done, total, signal })
  let finished = false
  if (done.problems === 0) {
    const message = `An import is running, which may store contents in ${places.from.name}: run this again after it`
    const lock = acquireLock(dataFolder(dataDir).importLock, message)
    try {
      yield* pass(deps, places, { done, total, signal })
      finished = done.problems + done.waiting === 0
      if (finished) await leave(deps, places.from)
    } finally {
      lock.release()
    }
  }
  yield { type: 'done', ...done, finished }
}

interface Places {
  from: Place
  to: Place
}

function placesOf({ config, disk, log, temporary }: MoveDeps): Places {
  // What is moved need not be cached.
  const options = { disk, log, temporary, cacheSize: -1 }
  const [to, from] = eachPlace(config).map((one) => placeOf(one, options))
  return { to: to!, from: from! }
}

type Listed = Pick<NamedContent, 'blob' | 'size'>

/** One that only kept generations name has no row, which says what its bytes were. */
type MovedContent = NamedContent | (Listed & { id: null; sha256: null })

// Returns those of the contents that files have, or that are kept from removal.
function contentsToMove({ db }: Pick<MoveDeps, 'db'>, listed: Listed[]): MovedContent[] {
  const blobs = listed.map(({ blob }) => blob)
  const kept = new Set(keptFromRemoval(db, blobs))
  const ofNone = listed.filter(({ blob }) => kept.has(blob))
  return [
    ...namedContents(db, blobs),
    ...ofNone.map(({ blob, size }) => ({ blob, size, id: null, sha256: null })),
  ]
}

// Yields the contents at a place in portions: those that are to be moved, and how many others there are.
async function* portionsOf(deps: MoveDeps, from: Place, signal: AbortSignal) {
  let listed: Listed[] = []
  const sorted = () => {
    const named = contentsToMove(deps, listed)
    const blobs = listed.map(({ blob }) => blob)
    const waiting = removable(deps.db, blobs).length
    return { named, waiting, unknown: listed.length - named.length - waiting }
  }
  for await (const one of listWhenThere(deps, from, signal)) {
    signal.throwIfAborted()
    listed.push(one)
    if (listed.length < PORTION) continue
    yield sorted()
    listed = []
  }
  if (listed.length > 0) yield sorted()
}

async function* pass(
  deps: MoveDeps,
  places: Places,
  {
    done,
    total,
    signal,
  }: { done: Omit<MoveSummary, 'type' | 'finished'>; total: number; signal: AbortSignal },
): AsyncGenerator<MoveEvent, void> {
  Object.assign(done, { unknown: 0, waiting: 0 })
  for await (const { named, unknown, waiting } of portionsOf(deps, places.from, signal)) {
    requirePlaces(deps)
    done.unknown += unknown
    done.waiting += waiting
    const problems: MoveProblem[] = []
    await eachAtOnce(named, signal, async (content, signal) => {
      const sentence = await moveWhenThere(deps, places, content, signal)
      if (sentence === null) {
        done.moved++
        done.bytes += content.size
      } else if (sentence !== GONE) {
        problems.push({ type: 'problem', blob: content.blob, file: content.id, sentence })
      }
    })
    done.problems += problems.length
    yield* problems
    yield { type: 'progress', done: Math.min(done.moved + done.problems, total), total }
    await setImmediate()
  }
}

// Throws the first error, once what was under way has ended.
async function eachAtOnce<T>(
  items: T[],
  signal: AbortSignal,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController()
  const any = AbortSignal.any([signal, failed.signal])
  await pLimit(AT_ONCE).map(items, async (item) => {
    if (any.aborted) return
    await work(item, any).catch((error) => failed.abort(error))
  })
  any.throwIfAborted()
}

// A server that was started with other settings meanwhile may store contents in the place that is being emptied.
function requirePlaces({ db, config }: MoveDeps): void {
  const { place, old_place } = findPlaces(db)
  const old = config.oldPlace && placeText(config.oldPlace.store)
  if (place === placeText(config.store) && old_place === old) return
  throw new Error('A server was started with another CONTENTS meanwhile')
}

/** Stands for a content that is not to be moved any more. */
const GONE = Symbol('gone')

// Waits for a store that is away. Returns as `moveOne` does.
async function moveWhenThere(
  deps: MoveDeps,
  places: Places,
  content: MovedContent,
  signal: AbortSignal,
): Promise<string | typeof GONE | null> {
  const waitAfter = patience(deps, signal)
  for (;;) {
    try {
      return await moveOne(deps, places, content, signal)
    } catch (error) {
      await waitAfter(error)
    }
  }
}

// Waits for a store that is away, and goes on in its list where that was cut off.
async function* listWhenThere(
  deps: MoveDeps,
  from: Place,
  signal: AbortSignal,
): AsyncGenerator<Listed, void> {
  let last = ''
  let waitAfter = patience(deps, signal)
  for (;;) {
    try {
      for await (const one of from.list()) {
        if (one.blob <= last) continue
        last = one.blob
        waitAfter = patience(deps, signal)
        yield one
      }
      return
    } catch (error) {
      await waitAfter(error)
    }
  }
}

// Returns what waits a while after the error of a store that is away, not without end, and throws any other.
function patience({ log, wait }: MoveDeps, signal: AbortSignal): (error: unknown) => Promise<void> {
  let pauses = 0
  return async (error) => {
    if (!isBusy(error) || pauses === MOST_PAUSES) throw error
    if (pauses++ === 0) log.warn('waiting for the store', { error: String(error.cause) })
    await wait(PAUSE, signal)
  }
}

// Returns null for a content that was moved, and otherwise why it was not.
async function moveOne(
  deps: MoveDeps,
  places: Places,
  content: MovedContent,
  signal: AbortSignal,
): Promise<string | typeof GONE | null> {
  const { blob } = content
  const { from, to } = places
  const isNamed = () => contentsToMove(deps, [content]).length > 0
  try {
    const how = { ...deps, content, signal }
    const found = await (deps.config.store ? putAway(places, how) : fetchHome(places, how))
    if (!isIntact(found, content)) {
      return isNamed() ? 'It is damaged: it is not what was stored' : GONE
    }
    const stored = await to.sizeOf(blob)
    if (stored !== content.size) {
      return isNamed() ? `The new place has ${stored ?? 'none'} of its ${content.size} bytes` : GONE
    }
  } catch (error) {
    if (signal.aborted || !isOfUnreadable(error)) throw error
    if (!isNamed()) return GONE
    const { code } = error as NodeJS.ErrnoException
    return code === 'EIO'
      ? `It can't be read: ${(error as Error).message}`
      : `It can't be read: ${code}`
  }
  // A server that removes a content does so after its row is gone, here as well as there: if the row is still there,
  // the server will find the new copy.
  if (!isNamed()) {
    await to.remove(blob)
    return GONE
  }
  await from.remove(blob)
  return null
}

function isIntact(digest: Digest, { size, sha256 }: MovedContent): boolean {
  return isSameDigest(digest, { size, sha256: sha256 ?? digest.sha256 })
}

interface How extends MoveDeps {
  content: MovedContent
  signal: AbortSignal
}

// Stores a file in the store, unless it is damaged; returns its digest.
function putAway({ from, to }: Places, { content, signal }: How): Promise<Digest> {
  const { blob } = content
  return from.withLocalFile(blob, async (path) => {
    const digest = await readDigest(path, { signal })
    const { size, sha256 } = digest
    const finish = async () => ({ size, sha256: Buffer.from(sha256, 'hex') })
    if (isIntact(digest, content)) await to.store(path, blob, { finish })
    return digest
  })
}

// Stores an object in the data folder, unless it is damaged; returns its digest.
async function fetchHome(
  { from, to }: Places,
  { content, signal, temporary, log }: How,
): Promise<Digest> {
  const claim = await withRoom(from, () => to.room.claim(content.size))
  const path = join(temporary, content.blob)
  const file = await createTemporary(path, { claim, log })
  try {
    for await (const piece of await from.stream(content.blob, { isFresh: true })) {
      signal.throwIfAborted()
      await file.write(piece)
    }
    const { size, sha256 } = await file.finish()
    const digest = { size, sha256: Buffer.from(sha256).toString('hex') }
    if (isIntact(digest, content)) await to.store(path, content.blob, file)
    return digest
  } finally {
    await file.discard()
  }
}

// The record goes first: a mark that is left does no harm.
async function leave(deps: MoveDeps, from: Place): Promise<void> {
  write(deps.db, { now: deps.clock() }, (tx) => {
    requirePlaces({ ...deps, db: tx })
    setPlaces(tx, { place: placeText(deps.config.store), old_place: null })
  })
  await from.removeMark()
}
