import type { Db } from '../../db/client.ts'
import { brokenReferences } from '../../db/upkeep.ts'
import { type Copied, lookAt } from '../../media/copy.ts'
import type { Place } from '../../media/places/place.ts'
import { unlessAbsent } from '../../media/unless-absent.ts'
import { forEachContent } from './each-content.ts'
import type { ManifestLine } from './manifest.ts'
import { contentsOf, countContents, findLibraryId } from './queries.ts'

export interface RestoreRequest {
  /** Whether to go on when the store lacks contents of a source that has none. */
  isLacking: boolean
  signal: AbortSignal
  onProgress: (done: number, total: number) => void
}

export interface Restored {
  contents: number
  bytes: number
  /** Blobs of the contents of which the source has no intact copy. */
  missing: string[]
  damaged: string[]
  /** Descriptions of the library's dangling references. */
  faults: string[]
}

/** Returns how many contents a database names, of which none is restored. */
export function nothingRestored(db: Db): Restored {
  const { count, bytes } = countContents(db)
  return { contents: count, bytes, missing: [], damaged: [], faults: brokenReferences(db) }
}

/** What a store has before a restore. */
interface Stored {
  place: Place
  /** Bytes, by the blobs of the contents. */
  sizes: Map<string, number>
}

/**
 * Returns what a store has of contents, by its list. Throws a readable error when they are another library's, busy
 * while the store is away, and the signal's reason.
 */
export async function listStored(db: Db, place: Place, signal: AbortSignal): Promise<Stored> {
  const mark = await place.findMark()
  if (mark !== null && mark !== findLibraryId(db)) {
    throw new Error(`${place.name} has the contents of another library`)
  }
  const sizes = new Map<string, number>()
  for await (const { blob, size } of place.list()) {
    signal.throwIfAborted()
    sizes.set(blob, size)
  }
  return { place, sizes }
}

// How many contents an error names.
const NAMED = 5

/** Throws a readable error unless a store has all contents that a database names, by their sizes. */
export function requireWhole(db: Db, { place, sizes }: Stored): void {
  let count = 0
  const named: string[] = []
  for (const { blob, size } of contentsOf(db)) {
    if (sizes.get(blob) === size) continue
    count++
    if (named.length < NAMED)
      named.push(`${blob} ${sizes.has(blob) ? 'has another size' : 'is missing'}`)
  }
  if (count === 0) return
  const more = count > named.length ? ', …' : ''
  throw new Error(
    `${place.name} has not all that the database names: of ${countContents(db).count} contents, ${count} are missing ` +
      `or have another size (${named.join(', ')}${more}). Nothing is restored; --allow-missing restores without them`,
  )
}

/**
 * Stores the contents that a database names and a store lacks, from a source that may have none. Throws as `Place.store`
 * does, the file system's errors, and the signal's reason.
 */
export async function bringObjects(
  db: Db,
  { place, sizes }: Stored,
  { contentPath }: { contentPath: ((blob: string) => string) | null },
  { signal, onProgress }: RestoreRequest,
): Promise<Restored> {
  const restored = nothingRestored(db)
  const bring = async (line: ManifestLine): Promise<Copied> => {
    const { blob, size, sha256 } = line
    const path = contentPath?.(blob)
    if (path === undefined) return sizes.has(blob) ? 'damaged' : 'missing'
    const what = (await unlessAbsent(lookAt(path, line, signal))) ?? 'missing'
    const finish = async () => ({ size, sha256: Buffer.from(sha256, 'hex') })
    if (what === 'copied') await place.store(path, blob, { finish })
    return what
  }
  await forEachContent(db, { total: restored.contents, signal, onProgress }, async (line) => {
    if (sizes.get(line.blob) === line.size) return
    const what = await bring(line)
    if (what !== 'copied') restored[what === 'missing' ? what : 'damaged'].push(line.blob)
  })
  return restored
}
