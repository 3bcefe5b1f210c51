import type { FileHandle } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { WriteAs } from '../auth/write-as.ts'
import type { Config } from '../base/config.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { User } from '../base/user.ts'
import { acquireLock } from '../db/lock.ts'
import { type Operation, write } from '../db/write.ts'
import { LIBRARY_FILE } from '../exports/library-format.ts'
import type { ContentDeps } from '../files/upload.ts'
import { quotaLeft } from '../files/usage/quota.ts'
import { dataFolder } from '../media/data-folder.ts'
import { createDescriber } from '../tags/described/apply.ts'
import { withArchives } from './archive.ts'
import type { EntryOutcome } from './commit.ts'
import { createDryRun } from './dry-run.ts'
import { type FolderEntry, pathOf, readFolder } from './entries.ts'
import { requireFewTagsOf } from './few-tags.ts'
import type { ImportFolder } from './folder.ts'
import { openLibrary, readLibrary, whyExported } from './library/library.ts'
import { type Prepared, prepareEntry } from './prepare.ts'
import { REASONS } from './reasons.ts'
import { lookForWriters, youngLast } from './rest.ts'
import { type ImportEvent, type ImportOptions, USUAL } from './schema.ts'
import { addSidecars } from './sidecars.ts'
import type { Imported } from './source.ts'
import { addExports } from './takeout/pair.ts'
import { tidyJournal } from './tidy-journal.ts'

// Files copied and decoded at once: with only one, the decoder would idle during each commit.
const AT_ONCE = 2

// Why something failed, by the code of the system's error or of SQLite's.
const BY_CODE: Record<string, string> = {
  EACCES: REASONS.denied,
  EPERM: REASONS.denied,
  EROFS: REASONS.readOnly,
  ENOSPC: REASONS.diskFull,
  EDQUOT: REASONS.diskFull,
  SQLITE_FULL: REASONS.diskFull,
}

type ImportDeps = ContentDeps & { config: Pick<Config, 'importSettle'> }

interface ImportRequest extends Partial<ImportOptions> {
  /** Stays open; its opener closes it. */
  folder: ImportFolder
  /** Returns the user who imports, with their current rights; throws if they lost the right. */
  caller: () => User
  /** Returns the user whose files these become, by default the one who imports; throws if they are blocked. */
  owner?: (() => User) | undefined
  /** Stops the import between two files. */
  signal: AbortSignal
  /** Ends the import between two files; the signal's reason is a text. */
  ended?: AbortSignal
}

/**
 * Takes the lock for imports: only one may run at a time, across all processes. Throws conflict while another one is
 * running, after `patience` milliseconds if they are given.
 */
export function lockImports({ dataDir }: Config, patience?: number): { release(): void } {
  return acquireLock(dataFolder(dataDir).importLock, 'Another import is running', patience)
}

/**
 * Imports the files of a folder, oldest first, and yields the events of the API. They end with
 * `done`, also when `ended` ends them, with `error` when something other than a single file fails, or
 * with neither when `signal` stops the import.
 */
export async function* importFiles(
  deps: ImportDeps,
  request: ImportRequest,
): AsyncGenerator<ImportEvent> {
  let source: FileHandle | null = null
  try {
    const { folder, signal, ended } = request
    const isOver = () => signal.aborted || ended?.aborted === true
    source = await openLibrary(folder)
    const recursive = request.recursive || source !== null
    const found = await readFolder(folder, { recursive, isOver, whyLeft: whyExported })
    if (source) {
      // What an exported library says of files needs the journal's rows until the end, and all of them are named.
      if (!signal.aborted) yield* importEntries(deps, request, found, source)
      return
    }
    const entries = recursive ? await withArchives(folder, found, isOver) : found
    // An empty folder may be the mount point of a disk that is currently missing.
    if (entries.length > 0 && !request.dry_run) {
      await tidyJournal(deps, folder, { entries, isOver })
    }
    if (signal.aborted) return
    if (request.keyword_tags) addSidecars(entries)
    await addExports(entries, isOver)
    if (signal.aborted) return
    yield* importEntries(deps, request, entries, null)
  } catch (error) {
    yield { type: 'error', reason: reasonOf(deps.log, error) }
  } finally {
    await source?.close()
  }
}

async function* importEntries(
  deps: ImportDeps,
  { folder, caller, owner: other, signal, ended, ...request }: ImportRequest,
  listed: FolderEntry[],
  source: FileHandle | null,
): AsyncGenerator<ImportEvent> {
  // Once reading is ended, entries may be missing, even all of them.
  const isReadingEnded = ended?.aborted === true
  const options: ImportOptions = { ...USUAL, ...request }
  const { sources } = folder
  const dryRun = options.dry_run ? createDryRun(deps, sources, options) : undefined
  const tally = { imported: 0, skipped: 0, errors: 0 }
  const { id, name } = caller()
  const operation: Operation = { number: null, by: { id, name } }
  const owner = () => {
    const by = caller()
    return other?.() ?? by
  }
  const writeAs: WriteAs = (work) =>
    write(deps.db, { now: deps.clock(), operation }, (tx) => work(tx, owner()))
  const { leave_sources, create_users } = options
  const isOver = () => signal.aborted || ended?.aborted === true
  const exported = { folder, entries: listed, writeAs, isOver, leave_sources, create_users }
  const library = source && (await readLibrary(deps, { ...exported, source }))
  if (signal.aborted) return
  const settling = youngLast(library?.entries ?? listed, deps.config.importSettle)
  const { young, restAt } = settling
  // The files of a library come in its order, and wait before the first.
  const entries = library?.entries ?? settling.entries
  const settled = library && young > 0 ? 0 : entries.length - young
  const total = entries.length + (library && !dryRun ? 1 : 0)
  yield {
    type: 'start',
    total,
    ...(dryRun && { dry_run: true }),
    ...(young > 0 && { young }),
  }
  if (!library && !dryRun) {
    await requireFewTagsOf(deps, { entries, owner: owner(), sources, options, writeAs, isOver })
    if (signal.aborted) return
  }
  const hasWriter = lookForWriters()
  const imported: Imported = new Map()
  const describer = createDescriber({ is_public: options.public_tags })
  // What a library says of a file is all.
  const asked = library ? { ...options, keyword_tags: false, folder_tags: false } : options
  const prepare = async (entry: FolderEntry) => {
    const standIn = owner()
    if (dryRun) return dryRun.prepare(entry, standIn)
    const { user, make } = (await library?.fileOf(entry, standIn)) ?? { user: standIn }
    const left = quotaLeft(deps.db, deps.config, user.id)
    const run = { user, left, hasWriter, imported, describer, make }
    return prepareEntry(deps, entry, { ...run, ...asked })
  }
  const underWay: Promise<Prepared>[] = []
  let looked = 0
  try {
    if (library && !dryRun) await library.begin()
    for (const [position, entry] of entries.entries()) {
      if (position === settled) await rest(restAt, [signal, ended])
      if (signal.aborted) return
      if (ended?.aborted) break
      const end = Math.min(position + AT_ONCE, position < settled ? settled : entries.length)
      for (const next of entries.slice(position + underWay.length, end)) {
        underWay.push(prepareSafely(() => prepare(next)))
      }
      const prepared = await underWay[0]!
      // The client may have hung up, or one of the users may have lost their rights.
      if (signal.aborted) return
      owner()
      underWay.shift()
      looked++
      const outcome = await finish(prepared, writeAs, deps.log)
      tally[outcome.status === 'error' ? 'errors' : outcome.status]++
      yield { type: 'file', index: position + 1, filename: pathOf(entry), ...outcome }
    }
  } finally {
    for (const prepared of underWay) await (await prepared).discard()
  }
  if (library && !dryRun && !isOver()) {
    const outcome = await library.finish((rid) => imported.has(rid))
    if (signal.aborted) return
    tally[outcome.status]++
    looked++
    yield { type: 'file', index: total, filename: LIBRARY_FILE, ...outcome }
  }
  const { number } = operation
  yield {
    type: 'done',
    total: looked,
    ...tally,
    ...(number !== null && { operation: number }),
    ...((isReadingEnded || looked < total) && { reason: ended?.reason }),
    ...dryRun?.summary(),
  }
}

async function finish(
  prepared: Prepared,
  writeAs: WriteAs,
  log: Log,
): Promise<EntryOutcome | { status: 'error'; reason: string }> {
  try {
    return await prepared.finish(writeAs)
  } catch (error) {
    return { status: 'error', reason: reasonOf(log, error) }
  }
}

async function rest(until: number, signals: (AbortSignal | undefined)[]): Promise<void> {
  const signal = AbortSignal.any(signals.filter((each) => each !== undefined))
  await setTimeout(Math.max(0, until - Date.now()), undefined, { signal }).catch(() => {})
}

// A failure is reported when it is the turn of its entry.
async function prepareSafely(prepare: () => Promise<Prepared>): Promise<Prepared> {
  try {
    return await prepare()
  } catch (error) {
    return {
      finish() {
        throw error
      },
      async discard() {},
    }
  }
}

// The user gets no paths or internals, which are for the log.
function reasonOf(log: Log, error: unknown): string {
  if (error instanceof AppError) return error.message
  const { code, stack } = error as NodeJS.ErrnoException
  log.warn('import failed', { error: stack })
  return (code && BY_CODE[code]) ?? (code ? `failed with ${code}` : 'an unexpected server error')
}
