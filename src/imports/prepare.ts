import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { WriteAs } from '../auth/write-as.ts'
import type { Tx } from '../db/write.ts'
import { AppError, overQuota } from '../errors.ts'
import { importDate } from '../files/dates/file-date.ts'
import type { Content } from '../files/queries.ts'
import {
  type ContentDeps,
  commitContent,
  createFile,
  discardContent,
  keepContent,
} from '../files/upload.ts'
import { requireQuota } from '../files/usage/quota.ts'
import { cleanFilename } from '../http/disposition.ts'
import type { User } from '../user.ts'
import { chunksOf, type FolderEntry, isSameFile, removeSource } from './entries.ts'
import { deleteJournalRow, findJournalRow, insertJournalRow } from './queries.ts'
import type { ImportEvent } from './schema.ts'

/** How long a file must stay unchanged before it counts as written, in milliseconds. */
const REST = 1000

/** What became of an entry. */
interface EntryOutcome {
  status: Exclude<ImportEvent['status'], 'error' | undefined>
  reason?: string
}

/** An entry that has been looked at and, if it is to be imported, copied and decoded. */
export interface Prepared {
  /** Gives the file its row, or throws what prevents that, and then removes the source. */
  finish(writeAs: WriteAs): EntryOutcome | Promise<EntryOutcome>
  /** Discards what was prepared; called instead of `finish`. */
  discard(): Promise<void>
}

/**
 * Returns an entry that is ready to be imported or skipped, for the user `by`; the library doesn't know it yet. Throws
 * insufficient_storage when it is to be imported and has more than `left` bytes, as the quota of
 * its creator allows, or when the disk has no room.
 */
export async function prepareEntry(
  deps: ContentDeps,
  entry: FolderEntry,
  { by, left = Number.POSITIVE_INFINITY }: { by?: number; left?: number } = {},
): Promise<Prepared> {
  if (entry.unfit !== null) return skip(entry.unfit)
  if (entry.failure) throw entry.failure
  if (await isBeingWritten(entry)) return skip('still being written')
  const source = await entry.folder.open(entry.name)
  if (!source) return skip('no longer there')
  try {
    const opened = await source.stat()
    if (!opened.isFile() || !isSameFile(opened, entry.seen)) return skip('still being written')
    const row = findJournalRow(deps.db, entry.known)
    if (row && (await digestOf(source)).equals(row.sha256)) {
      return { finish: () => finishEarlierImport(deps, entry, opened), async discard() {} }
    }
    // Before the slow work, and again in the write.
    if (opened.size > left) throw overQuota()
    return await prepareContent(deps, entry, source, { opened, by })
  } finally {
    await source.close()
  }
}

function skip(reason: string): Prepared {
  return { finish: () => ({ status: 'skipped', reason }), async discard() {} }
}

/** Returns whether a file that changed within the last second is still changing a second later. */
async function isBeingWritten(entry: FolderEntry): Promise<boolean> {
  if (entry.seenAt - entry.modified >= REST) return false
  const wait = entry.seenAt + REST - Date.now()
  if (wait > 0) await setTimeout(wait)
  const now = await entry.folder.look(entry.name)
  return now !== null && !isSameFile(now, entry.seen)
}

/**
 * Finishes an entry that the journal names with the same bytes: it was imported before a crash, or
 * could not be removed after its import. Its file may be purged at any time, and the row with it.
 */
async function finishEarlierImport(
  deps: ContentDeps,
  entry: FolderEntry,
  opened: Stats,
): Promise<EntryOutcome> {
  if (!findJournalRow(deps.db, entry.known)) {
    return { status: 'skipped', reason: 'its file in the library was deleted meanwhile' }
  }
  const warning = await removeImported(deps, entry, opened)
  return {
    status: 'skipped',
    reason: warning ? `already imported; ${warning}` : 'already imported',
  }
}

async function prepareContent(
  deps: ContentDeps,
  entry: FolderEntry,
  source: FileHandle,
  { opened, by }: { opened: Stats; by: number | undefined },
): Promise<Prepared> {
  const temporary = await deps.storage.createTemporary(opened.size)
  let content: Content
  try {
    for await (const chunk of chunksOf(source)) await temporary.write(chunk)
    const copied = await temporary.finish()
    if (!isSameFile(await source.stat(), opened) || copied.size !== opened.size) {
      return skip('still being written')
    }
    content = await keepContent(deps, { path: temporary.path, ...copied }, by)
  } catch (error) {
    if (error instanceof AppError && error.code === 'unsupported_mime') return skip(error.message)
    throw error
  } finally {
    await temporary.discard()
  }
  return {
    finish: (writeAs) => importContent(deps, entry, opened, content, writeAs),
    discard: () => discardContent(deps, content),
  }
}

async function importContent(
  deps: ContentDeps,
  entry: FolderEntry,
  opened: Stats,
  content: Content,
  writeAs: WriteAs,
): Promise<EntryOutcome> {
  const create = (tx: Tx, user: User) => {
    requireQuota(tx, deps.config, { size: content.size, creator_id: user.id })
    const { rid } = createFile(tx, user, content, {
      original_name: cleanFilename(entry.name),
      date: importDate(
        { ofContent: content.derivatives.date, modified: entry.modified },
        { now: tx.now, timeZone: deps.config.timeZone },
      ),
    })
    insertJournalRow(tx, { path: entry.known, sha256: content.sha256, file_rid: rid })
  }
  await commitContent(deps, content, () => writeAs(create))
  const warning = await removeImported(deps, entry, opened)
  return { status: 'imported', ...(warning && { reason: warning }) }
}

/**
 * Removes a source whose file is committed. If the source stays, returns why; the journal then
 * keeps its row, so that the next import tries again.
 */
async function removeImported(
  deps: ContentDeps,
  entry: FolderEntry,
  opened: Stats,
): Promise<string | null> {
  try {
    if (!(await removeSource(entry, opened))) {
      return 'the source has changed meanwhile, so it stays'
    }
  } catch (error) {
    deps.log.warn('source not removed', { error: String(error) })
    return 'the source could not be removed'
  }
  try {
    deleteJournalRow(deps.db, entry.known)
  } catch (error) {
    // The next import removes it, because its source is gone.
    deps.log.warn('journal row not removed', { error: String(error) })
  }
  return null
}

async function digestOf(source: FileHandle): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of chunksOf(source)) hash.update(chunk)
  return hash.digest()
}
