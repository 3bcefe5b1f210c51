import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import type { Log } from '../../base/log.ts'
import type { Db } from '../../db/client.ts'
import { write } from '../../db/write.ts'
import { dataFolder } from '../../media/data-folder.ts'
import { writeSafely } from '../../media/durable.ts'
import { unlessAbsentNow } from '../../media/unless-absent.ts'
import { libraryId, sampleBlobs, setLibraryId } from './store-queries.ts'

/** How many contents are looked for if there is no marker. */
const SAMPLE = 20

interface StoreFault {
  kind: 'store_unknown' | 'store_of_other'
  sentence: string
}

const WAY_OUT =
  'If it is to be as it is from now on, "tagstead check --adopt" says so; what is missing is lost then'

/**
 * Makes sure that the folder with the contents, which may be on its own disk, belongs to this library. The first start
 * that finds a content there, or needs none, marks it. Throws a readable error when the folder has another library's
 * mark, or neither a mark nor any of 20 contents: its disk may not be mounted, and the server would store new contents
 * beside it. A database that was put back to before it had an id, and got another one, takes the id of the mark, by
 * which its backups identify it.
 */
export function requireStore(db: Db, dataDir: string, log: Pick<Log, 'warn'>): void {
  const mark = markOf(dataDir)
  if (mark === libraryId(db)) return
  const fault = storeFault(db, dataDir)
  if (fault) throw new Error(`${dataFolder(dataDir).contents}: ${fault.sentence}`)
  if (mark !== null) {
    write(db, { now: Date.now() }, (tx) => setLibraryId(tx, mark))
    return
  }
  try {
    adoptStore(db, dataDir)
  } catch (error) {
    // The library stays viewable on a disk that can't be written to. The next start marks it.
    log.warn('the folder of the contents gets no mark', { error: String(error) })
  }
}

/** Returns what is wrong with the folder of the contents, or null. */
export function storeFault(db: Db, dataDir: string): StoreFault | null {
  const found = markOf(dataDir)
  if (found === libraryId(db)) return null
  const blobs = sampleBlobs(db, SAMPLE)
  const { content } = dataFolder(dataDir)
  const there = blobs.filter((blob) => existsSync(content(blob))).length
  if (found !== null) {
    // Blobs are random: no other library has the same ones.
    if (isLibraryId(found) && there > 0 && there >= blobs.length / 2) return null
    const sentence = `It has the contents of another library. ${WAY_OUT}`
    return { kind: 'store_of_other', sentence }
  }
  if (blobs.length === 0 || there > 0) return null
  const sentence = `It has none of the contents: is its disk mounted? ${WAY_OUT}`
  return { kind: 'store_unknown', sentence }
}

/** Returns whether a text has the form of a library's id, as in a marker. */
export function isLibraryId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text)
}

/** Marks the folder with the contents as that of this library, whatever it holds. */
export function adoptStore(db: Db, dataDir: string): void {
  const { contents, storeMarker } = dataFolder(dataDir)
  mkdirSync(contents, { recursive: true })
  writeSafely(storeMarker, `${libraryId(db)}\n`)
}

function markOf(dataDir: string): string | null {
  return unlessAbsentNow(() => readFileSync(dataFolder(dataDir).storeMarker, 'utf8').trim())
}
