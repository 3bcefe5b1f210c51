import { setImmediate } from 'node:timers/promises'
import type { Log } from '../../base/log.ts'
import { type WriteDeps, write } from '../../db/write.ts'
import { type FolderEntry, removeSource } from '../entries.ts'
import { deleteJournalRows } from '../queries.ts'
import { REASONS } from '../reasons.ts'
import { deleteLines } from './queries.ts'

// Rows of the journal that are removed in one write.
const PORTION = 500

interface Sources {
  /** The `library.json`, and its name in the journal. */
  own: FolderEntry
  path: string
  /** The names of all its files in the journal. */
  known: string[]
  /** Those that were in the folder. */
  entries: FolderEntry[]
}

/**
 * Removes a `library.json` whose files are all in the library, and what is recorded of these sources; returns why it
 * stays instead, null when it is gone.
 */
export async function removeLibrary(
  { db, clock, log }: WriteDeps & { log: Log },
  { own, path, known, entries }: Sources,
): Promise<string | null> {
  try {
    for (const { folder, raw } of entries) if (await folder.look(raw)) return REASONS.sourceLeft
    if (!(await removeSource(own, own.seen))) return REASONS.changed
  } catch (error) {
    log.warn('library.json not removed', { error: String(error) })
    return REASONS.notRemoved
  }
  for (let at = 0; at < known.length; at += PORTION) {
    const some = known.slice(at, at + PORTION)
    write(db, { now: clock() }, (tx) => deleteJournalRows(tx, some))
    await setImmediate()
  }
  write(db, { now: clock() }, (tx) => deleteLines(tx, path))
  return null
}
