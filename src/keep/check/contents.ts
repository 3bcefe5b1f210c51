import { statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { isBusy } from '../../base/errors.ts'
import type { Db } from '../../db/client.ts'
import { openContents } from '../../media/contents.ts'
import { dataFolder } from '../../media/data-folder.ts'
import { placeOf } from '../../media/places/open.ts'
import type { Place } from '../../media/places/place.ts'
import { bytesOfContents, contentsAfter, isCurrent, type KnownContent } from './content-queries.ts'
import {
  type CheckEvent,
  type Finding,
  type Found,
  finding,
  reasonOf,
  unchecked,
} from './finding.ts'
import { healContent } from './heal.ts'
import type { CheckDeps, CheckOptions } from './request.ts'
import { isInPart } from './request.ts'

const STRETCH = 500

/**
 * Checks the content of each file; those in a store by its list. Throws the signal's reason when it is aborted.
 */
export async function* checkContents(
  deps: CheckDeps,
  options: CheckOptions,
  listed: Listed | null,
): AsyncGenerator<CheckEvent> {
  let [done, read] = [0, 0]
  const how = { ...options, listed, place: placeOf(deps.config) }
  try {
    const total = bytesOfContents(deps.db)
    for (const contents of stretchesOf(deps.db)) {
      for (const content of contents) {
        options.signal.throwIfAborted()
        const found = await checkContent(deps, content, how)
        if (found) yield found
        done += content.size
        if (!isRead(content, options)) continue
        read++
        yield { type: 'progress', read, done, total }
      }
      yield { type: 'progress', read, done, total }
      // Measuring never waits for I/O, and a signal must get through.
      await setImmediate()
    }
  } catch (error) {
    options.signal.throwIfAborted()
    // A store that went away says nothing of its contents, and would let each of them wait.
    const [subject, what] = isBusy(error)
      ? ['files', 'What is in the store']
      : ['tagstead.sqlite', 'What is known of contents']
    yield finding(unchecked(subject, what, error))
  }
}

/** The sizes of the objects in a store, by the blobs of their contents. */
export type Listed = Map<string, number>

/** Returns what is in the store, or null for contents that are files. Costs a request for each thousand objects. */
export async function listStore(
  { config }: CheckDeps,
  signal: AbortSignal,
): Promise<Listed | null> {
  if (!config.store && !config.oldPlace) return null
  const listed: Listed = new Map()
  for await (const { blob, size } of placeOf(config).list()) {
    signal.throwIfAborted()
    listed.set(blob, size)
  }
  return listed
}

interface How extends CheckOptions {
  listed: Listed | null
  place: Place
}

function* stretchesOf(db: Db): Generator<KnownContent[]> {
  let contents = contentsAfter(db, 0, STRETCH)
  while (contents.length > 0) {
    yield contents
    contents = contentsAfter(db, contents.at(-1)!.rid, STRETCH)
  }
}

function isRead({ blob }: KnownContent, { read }: CheckOptions): boolean {
  return read === 'all' || (read !== 'none' && isInPart(blob, read))
}

async function checkContent(
  deps: CheckDeps,
  content: KnownContent,
  how: How,
): Promise<Finding | null> {
  if ((await judge(deps, content, how)) === null) return null
  const found = await judge(deps, content, how)
  // The content may have been replaced or deleted, and then removed, since its row was read.
  if (found === null || !isCurrent(deps.db, content)) return null
  if (!how.repair || !how.findCopy || how.listed) return finding(found)
  const copy = await how.findCopy(content)
  if (copy === null) return finding(found)
  const reason = await healContent(deps, content, { copy, signal: how.signal })
  if (reason === null) return finding(found, true)
  return finding({ ...found, sentence: `${found.sentence}; it is not replaced: ${reason}` })
}

async function judge(
  { config }: CheckDeps,
  content: KnownContent,
  how: How,
): Promise<Found | null> {
  const { listed, place } = how
  const { id, blob, size } = content
  const tell = (kind: Found['kind'], what: string): Found => ({
    kind,
    subject: blob,
    sentence: `The content of the file ${id} ${what}`,
  })
  try {
    let stored: number | undefined
    if (listed) {
      // It may have been stored since the list was read.
      stored = listed.get(blob) ?? (await place.sizeOf(blob)) ?? undefined
    } else {
      const path = dataFolder(config.dataDir).content(blob)
      const status = statSync(path, { throwIfNoEntry: false })
      if (status?.isFile() === false) return tell('content_unreadable', 'is not a regular file')
      stored = status?.size
    }
    if (stored === undefined) return tell('content_missing', 'is missing')
    if (stored !== size) return tell('content_size', `has ${stored} bytes instead of ${size}`)
    if (!isRead(content, how)) return null
    const { sha256 } = await openContents(config.dataDir, place).digest(blob, how)
    if (Buffer.from(content.sha256).toString('hex') === sha256) return null
    return tell('content_damaged', 'is not what was stored: its sha256 differs')
  } catch (error) {
    if (how.signal.aborted || isBusy(error)) throw error
    return tell('content_unreadable', `can't be read: ${reasonOf(error)}`)
  }
}
