import { extname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { beforeAbort } from '../base/time.ts'
import type { Db } from '../db/client.ts'
import { SPELLINGS } from '../media/endings.ts'
import { MIME_TYPES } from '../media/sniff.ts'
import { withArchives } from './archive.ts'
import { type FolderEntry, readFolder } from './entries.ts'
import type { ImportFolder } from './folder.ts'
import { whyExported } from './library/library.ts'
import { listJournaled } from './queries.ts'
import type { ImportCount } from './schema.ts'

const ENDINGS = new Set([
  '',
  ...[...MIME_TYPES.values(), ...Object.values(SPELLINGS).flat()].map((end) => `.${end}`),
])

const NOTHING: ImportCount = {
  files: 0,
  imported: 0,
  folders: 0,
  is_library: false,
  is_whole: false,
}

// Entries that are looked up in the journal at a time.
const PORTION = 500

interface Counting {
  recursive: boolean
  /** Ends the count, which then has what was found so far. */
  stop: AbortSignal
  /** Ends the wait for a disk that doesn't answer. */
  giveUp: AbortSignal
  /** The counts of disks that hang; while there are any, nothing is counted. */
  hanging: Set<Promise<unknown>>
}

/**
 * Counts the photos and videos that an import would find in a folder, by the ends of their names: reading them would
 * take as long as the import. Closes the folder, but only once its disk answers.
 */
export async function countFolder(
  db: Db,
  folder: ImportFolder,
  { recursive, stop, giveUp, hanging }: Counting,
): Promise<ImportCount> {
  // A hanging count occupies one of the few threads that read all files of the server.
  if (hanging.size > 0) {
    await folder.close()
    return NOTHING
  }
  const isOver = () => stop.aborted
  const read = readLikeImport(folder, { recursive, isOver }).finally(() => folder.close())
  try {
    const { entries, is_library } = await beforeAbort(read, giveUp)
    const is_whole = !isOver()
    return { ...(await tally(db, entries)), is_library, is_whole }
  } catch (error) {
    if (!giveUp.aborted) throw error
    hanging.add(read)
    const done = () => hanging.delete(read)
    read.then(done, done)
    return NOTHING
  }
}

async function readLikeImport(
  folder: ImportFolder,
  { recursive, isOver }: { recursive: boolean; isOver: () => boolean },
): Promise<{ entries: FolderEntry[]; is_library: boolean }> {
  const is_library = (await whyExported(folder)) !== null
  const found = await readFolder(folder, {
    recursive: recursive || is_library,
    isOver,
    whyLeft: whyExported,
  })
  const isArchived = recursive && !is_library
  return { entries: isArchived ? await withArchives(folder, found, isOver) : found, is_library }
}

async function tally(
  db: Db,
  all: FolderEntry[],
): Promise<Pick<ImportCount, 'files' | 'imported' | 'folders'>> {
  const entries = all.filter(isNamedLikePicture)
  const folders = new Set<string>()
  let imported = 0
  for (let from = 0; from < entries.length; from += PORTION) {
    const some = entries.slice(from, from + PORTION)
    const journaled = new Set(
      listJournaled(
        db,
        some.map(({ known }) => known),
      ),
    )
    for (const { known, folders: way } of some) {
      if (journaled.has(known)) imported++
      else folders.add(way.join('/'))
    }
    await setImmediate()
  }
  return { files: entries.length, imported, folders: folders.size }
}

function isNamedLikePicture({ unfit, failure, name }: FolderEntry): boolean {
  return unfit === null && failure === undefined && ENDINGS.has(extname(name).toLowerCase())
}
