import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import type { Db } from '../../db/client.ts'
import { dataFolder } from '../../media/data-folder.ts'
import { writeSafely } from '../../media/durable.ts'
import { unlessAbsentNow } from '../../media/unless-absent.ts'
import { libraryId, sampleBlobs } from './store-queries.ts'

/** How many contents are looked for where no marker is. */
const SAMPLE = 20

/**
 * Makes sure that the folder with the contents is the one of this library, which may be on a disk of its own: it is
 * marked at the first start that finds a content there, or needs none. Throws a readable error when it has the mark of
 * another library, and when it has neither a mark nor any of 20 contents: its disk may not be mounted, and the server
 * would put new contents beside it.
 */
export function requireStore(db: Db, dataDir: string): void {
  const { contents } = dataFolder(dataDir)
  const found = markOf(dataDir)
  const wayOut =
    'If it is to be as it is from now on, "tagstead check --adopt" says so; what is missing is lost then'
  if (found === libraryId(db)) return
  if (found !== null) throw new Error(`${contents} has the contents of another library. ${wayOut}`)
  const blobs = sampleBlobs(db, SAMPLE)
  const { content } = dataFolder(dataDir)
  if (blobs.length > 0 && !blobs.some((blob) => existsSync(content(blob)))) {
    throw new Error(`${contents} has none of the contents: is its disk mounted? ${wayOut}`)
  }
  adoptStore(db, dataDir)
}

/** Marks the folder with the contents as the one of this library, whatever is there. */
export function adoptStore(db: Db, dataDir: string): void {
  const { contents, storeMarker } = dataFolder(dataDir)
  mkdirSync(contents, { recursive: true })
  writeSafely(storeMarker, `${libraryId(db)}\n`)
}

/** Returns the id of the library that the folder with the contents is marked with, or null. */
function markOf(dataDir: string): string | null {
  return unlessAbsentNow(() => readFileSync(dataFolder(dataDir).storeMarker, 'utf8').trim())
}
