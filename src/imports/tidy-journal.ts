import { setImmediate } from 'node:timers/promises'
import { AppError } from '../base/errors.ts'
import { type WriteDeps, write } from '../db/write.ts'
import type { FolderEntry } from './entries.ts'
import type { ImportFolder } from './folder.ts'
import { deleteJournalRows, listJournalPaths, renameJournalRows } from './queries.ts'
import { type RawName, splitPath } from './raw-name.ts'
import type { SourceFolder } from './tree.ts'

// How many rows are read, and changed in one write, at a time: sources that stay may have millions.
const PORTION = 500

/**
 * Gives the journal's rows the names that sources have today, and removes those of sources that are gone from the
 * folders of the entries; a folder without any entry may only be unmounted. Stops once `isOver` returns true.
 */
export async function tidyJournal(
  { db, clock }: WriteDeps,
  { sources }: Pick<ImportFolder, 'sources'>,
  { entries, isOver }: { entries: FolderEntry[]; isOver: () => boolean },
): Promise<void> {
  const there = new Set(entries.map(({ known }) => known))
  // A part of an archive may only be missing today.
  const tidied = entries.filter(({ folder }) => !folder.isArchive)
  const folders = new Map(tidied.map(({ known, folder }) => [splitPath(known).folder, folder]))
  for (let after = ''; !isOver(); await setImmediate()) {
    const paths = listJournalPaths(db, { after, limit: PORTION })
    if (paths.length === 0) return
    after = paths.at(-1)!
    const named = paths.map((from) => ({ from, to: sources.today(from) }))
    const gone: string[] = []
    for (const { to } of named) {
      const { folder: path, name } = splitPath(to)
      const folder = there.has(to) ? undefined : folders.get(path)
      if (folder && !isOver() && (await isGoneFrom(folder, name))) gone.push(to)
    }
    // Older versions used other names; where no source can be removed, those of all imported sources remain.
    const renames = named.filter(({ from, to }) => from !== to)
    if (renames.length + gone.length === 0) continue
    write(db, { now: clock() }, (tx) => {
      renameJournalRows(tx, renames)
      deleteJournalRows(tx, gone)
    })
  }
}

// A source may have come since the folder was read, which may itself have moved.
async function isGoneFrom(folder: SourceFolder, name: RawName): Promise<boolean> {
  try {
    return (await folder.look(name)) === null
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
