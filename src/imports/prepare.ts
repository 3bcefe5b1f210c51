import type { FileHandle } from 'node:fs/promises'
import type { WriteAs } from '../auth/write-as.ts'
import { AppError, overQuota } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import { pairFile } from '../files/companions/pairing.ts'
import { importDate } from '../files/dates/file-date.ts'
import { fileInstead } from '../files/known/known.ts'
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
import type { Description } from '../media/description.ts'
import { createDescriber, type Describer } from '../tags/described/apply.ts'
import { wantedOf } from '../tags/described/wanted.ts'
import { appliedText, applyAgain, describeAgain, hasNewSidecars } from './again.ts'
import { isCut } from './cut.ts'
import {
  copyOf,
  digestOf,
  type FolderEntry,
  isArchived,
  isSameFile,
  removeSource,
  type Seen,
} from './entries.ts'
import { applyExport, exportTags, fileToJoin, joinFile, whyLeftOut } from './exported.ts'
import type { MakeFile } from './library/files.ts'
import {
  deleteJournalRow,
  findJournalContent,
  findJournalRow,
  insertJournalRow,
} from './queries.ts'
import { REASONS } from './reasons.ts'
import { type HasWriter, lookForWriters } from './rest.ts'
import { type ImportEvent, type ImportOptions, USUAL } from './schema.ts'
import { digestOfAll, type ReadBeside, readSidecars, removeSidecars } from './sidecars.ts'
import type { OpenSource, Status } from './tree.ts'

// How long a file that its format calls cut must stay unchanged before it counts as complete, in milliseconds.
const CUT_REST = 600_000

const QUOTED_OF_NAME = 40

/** What became of an entry. */
export interface EntryOutcome extends Pick<ImportEvent, 'reason' | 'mime_type'> {
  status: Exclude<ImportEvent['status'], 'error' | undefined>
}

/** An entry that has been looked at and, if it is to be imported, copied and decoded. */
export interface Prepared {
  /** Gives the file its row, or throws what prevents that, and then removes the source. */
  finish(writeAs: WriteAs): EntryOutcome | Promise<EntryOutcome>
  /** Discards what was prepared; called instead of `finish`. */
  discard(): Promise<void>
}

/** The folder of each file that a run has imported, by its row number. */
export type Imported = Map<number, FolderEntry['folder']>

interface PrepareOptions extends Partial<ImportOptions> {
  /** The user whose file it becomes. */
  user?: User
  /** How many bytes the entry may have, by the quota of its creator. */
  left?: number
  hasWriter?: HasWriter
  /** Gets what is imported. */
  imported?: Imported
  /** Finds and makes the tags of the run. */
  describer?: Describer
  /** Makes the file instead, for an import that knows what it is. */
  make?: MakeFile | undefined
}

interface Source {
  entry: FolderEntry
  opened: Status
  options: ImportOptions
  hasWriter: HasWriter
  imported: Imported
  describer: Describer
  /** Empty unless the import goes by what is described. */
  read: ReadBeside
  make: MakeFile | undefined
}

/**
 * Returns an entry that is ready to be imported or skipped; nothing of it is in the library yet. Throws
 * insufficient_storage when it is to be imported and has more than `left` bytes, or when the disk has no room, and
 * conflict for a content that must be new and isn't.
 */
export async function prepareEntry(
  deps: ContentDeps,
  entry: FolderEntry,
  {
    user,
    left = Number.POSITIVE_INFINITY,
    hasWriter = lookForWriters(),
    imported = new Map(),
    describer,
    make,
    ...asked
  }: PrepareOptions = {},
): Promise<Prepared> {
  const found = await openSource(entry, hasWriter)
  if (typeof found === 'string') return skip(found)
  const { source, opened } = found
  try {
    const options = { ...USUAL, ...asked }
    const { on_duplicate } = options
    const read = await readSidecars(entry, hasWriter)
    if (!read) return skip(REASONS.stillWritten)
    const row = findJournalRow(deps.db, entry.known)
    const sha256 = row || on_duplicate !== 'keep' ? await digestOf(source) : null
    const finder = describer ?? createDescriber({ is_public: options.public_tags })
    const of = { entry, opened, options, hasWriter, imported, describer: finder, make, read }
    if (row && sha256?.equals(row.sha256)) {
      const isNew = options.keyword_tags && hasNewSidecars(read, row.sidecars)
      const description = isNew ? await describeAgain(deps, entry, read) : null
      return {
        finish: (writeAs) => finishEarlierImport(deps, of, { sha256, isNew, description, writeAs }),
        async discard() {},
      }
    }
    // Checked before the slow work, and again in the write.
    const mayJoin = user && sha256 && fileToJoin(deps.db, user, sha256, of)
    if (user && sha256 && !mayJoin && fileInstead(deps.db, user, { sha256, on_duplicate }))
      return skip(REASONS.here)
    if (opened.size > left) throw overQuota()
    return await prepareContent(deps, source, { ...of, user })
  } finally {
    await source.close()
  }
}

/**
 * Opens the source of an entry, which its caller closes; returns why it can't be imported instead. Throws the file
 * system's errors.
 */
export async function openSource(
  entry: FolderEntry,
  hasWriter: HasWriter,
): Promise<string | { source: OpenSource; opened: Status }> {
  if (entry.unfit !== null) return entry.unfit
  if (entry.failure) throw entry.failure
  const source = await entry.folder.open(entry.raw)
  if (!source) return REASONS.gone
  let isFit = false
  try {
    const opened = await source.stat()
    isFit =
      opened.isFile() &&
      isSameFile(opened, entry.seen) &&
      // A ZIP has its directory at its end, and a checksum for each file.
      (isArchived(source) ||
        (!(await hasWriter(entry.raw, opened)) && !(await isCutLately(source, opened))))
    return isFit ? { source, opened } : REASONS.stillWritten
  } finally {
    if (!isFit) await source.close()
  }
}

/** Returns an entry that is skipped for a reason. */
export function skip(reason: string): Prepared {
  return { finish: () => skipped(reason), async discard() {} }
}

/** Returns a skipped entry for an error which says that the file has no accepted type; throws any other error. */
export function skipUnsupported(error: unknown): Prepared {
  if (error instanceof AppError && error.code === 'unsupported_mime') return skip(error.message)
  throw error
}

function skipped(reason: string): EntryOutcome {
  return { status: 'skipped', reason }
}

// A process that can't be seen, such as one across a share, may have paused.
async function isCutLately(source: FileHandle, { size, ctimeMs }: Seen): Promise<boolean> {
  return Date.now() - ctimeMs < CUT_REST && isCut(source, size)
}

// Finishes an entry that the journal names with the same bytes: it was imported before a crash, or could not be
// removed after its import. Its file may be purged at any time, and the row with it.
async function finishEarlierImport(
  deps: ContentDeps,
  source: Source,
  {
    sha256,
    isNew,
    description,
    writeAs,
    reason: why,
  }: {
    sha256: Uint8Array
    isNew: boolean
    description: Description | null
    writeAs: WriteAs
    reason?: string
  },
): Promise<EntryOutcome> {
  const hasNew =
    description !== null && writeAs((tx, user) => applyAgain(tx, user, { ...source, description }))
  const reason = why ?? (hasNew ? REASONS.importedAgain : REASONS.imported)
  const mayGo = staysAnyway(source) || (await isStored(deps, source.entry))
  if (!findJournalRow(deps.db, source.entry.known)) {
    return skipped(REASONS.deleted)
  }
  const isUnread = isNew && description === null
  const stays = isUnread ? REASONS.undescribed : REASONS.damaged
  const warning = mayGo && !isUnread ? await removeImported(deps, source, sha256) : stays
  return skipped(warning ? `${reason}; ${warning}` : reason)
}

// Years may have passed since the library got the bytes, so they are checked.
async function isStored(
  { db, storage, log }: ContentDeps,
  { known }: FolderEntry,
): Promise<boolean> {
  const content = findJournalContent(db, known)
  if (!content) return false
  try {
    const { sha256 } = await storage.digest(content.blob)
    if (sha256 === Buffer.from(content.sha256).toString('hex')) return true
    throw new Error('other bytes')
  } catch (error) {
    const { blob } = content
    log.warn('content of an earlier import damaged or not read', { blob, error: String(error) })
    return false
  }
}

async function prepareContent(
  deps: ContentDeps,
  source: OpenSource,
  { user, ...of }: Source & { user: User | undefined },
): Promise<Prepared> {
  const { opened } = of
  const temporary = await copyOf(deps.storage, source, opened.size)
  let content: Content
  try {
    const copied = await temporary.finish()
    if (!isSameFile(await source.stat(), opened) || copied.size !== opened.size) {
      return skip(REASONS.stillWritten)
    }
    const { sha256 } = copied
    if (user && fileToJoin(deps.db, user, sha256, of)) {
      return { finish: (writeAs) => joinSource(deps, of, sha256, writeAs), async discard() {} }
    }
    const sidecars = of.read.sidecars.map((one) => one.sidecar)
    content = await keepContent(deps, { temporary, ...copied }, user?.id, sidecars)
    const leftOut = whyLeftOut(of.entry, content.derivatives.description, of.options)
    const why = of.entry.exported && isUndescribed(of, content) ? REASONS.undescribed : leftOut
    if (why !== null) {
      await discardContent(deps, content)
      return skip(why)
    }
  } catch (error) {
    return skipUnsupported(error)
  } finally {
    await temporary.discard()
  }
  return {
    finish: (writeAs) => importContent(deps, of, content, writeAs),
    discard: () => discardContent(deps, content),
  }
}

// A picture of an export that has come already, from its year or another album.
async function joinSource(
  deps: ContentDeps,
  source: Source,
  sha256: Uint8Array,
  writeAs: WriteAs,
): Promise<EntryOutcome> {
  const reason = writeAs((tx, user) => {
    const file = fileToJoin(tx, user, sha256, source)
    return file && joinFile(tx, user, source.entry, { ...file, sha256 })
  })
  if (reason === null) return skipped(REASONS.deleted)
  const { entry, options, read } = source
  const isNew = options.keyword_tags && hasNewSidecars(read, null)
  const description = isNew ? await describeAgain(deps, entry, read) : null
  return finishEarlierImport(deps, source, { sha256, isNew, description, writeAs, reason })
}

async function importContent(
  deps: ContentDeps,
  source: Source,
  content: Content,
  writeAs: WriteAs,
): Promise<EntryOutcome> {
  const { entry, options, imported, describer, make, read } = source
  const described = options.keyword_tags ? content.derivatives.description : null
  const isUnread = isUndescribed(source, content)
  const { description } = content.derivatives
  const names = [
    ...(options.folder_tags ? entry.folders : []),
    ...exportTags(entry, description, options),
  ]
  const { wanted, caption, unfit } = wantedOf(described, names, options)
  let made: number | undefined
  const record = (tx: Tx, rid: number) => {
    made = rid
    insertJournalRow(tx, {
      path: entry.known,
      sha256: content.sha256,
      file_rid: rid,
      sidecars: options.keyword_tags && !isUnread ? digestOfAll(read) : null,
      applied: options.keyword_tags && !isUnread ? appliedText({ wanted, caption }) : null,
    })
  }
  const create = (tx: Tx, user: User): EntryOutcome => {
    // Another file of the same content may have come meanwhile.
    const other = fileToJoin(tx, user, content.sha256, source)
    if (other) return skipped(joinFile(tx, user, entry, { ...other, sha256: content.sha256 }))
    if (fileInstead(tx, user, { ...content, ...options })) return skipped(REASONS.here)
    if (make) {
      record(tx, make(tx, user, content))
      return { status: 'imported' }
    }
    requireQuota(tx, deps.config, { size: content.size, creator_id: user.id })
    const file = createFile(tx, user, content, {
      original_name: cleanFilename(entry.name),
      ...importDate(
        {
          ofContent: content.derivatives.dates,
          name: options.name_dates ? entry.name : null,
          modified: entry.modified,
        },
        { now: tx.now, timeZone: deps.config.timeZone },
      ),
      notes: caption,
      tags: describer.tagsFor(tx, user, wanted),
    })
    const { rid } = file
    pairFile(tx, user, rid, (other) => imported.get(other) === entry.folder)
    record(tx, rid)
    const warning = applyExport(tx, user, entry, { file, description, options })
    const reasons = [leftOutOf(unfit, described?.leftOut), warning].filter(Boolean)
    return { status: 'imported', ...(reasons.length > 0 && { reason: reasons.join('; ') }) }
  }
  const seen = await lookAgain(source, content.sha256).catch(async (error) => {
    await discardContent(deps, content)
    throw error
  })
  if (typeof seen === 'string') {
    await discardContent(deps, content)
    return skipped(REASONS.stillWritten)
  }
  const isImported = ({ status }: EntryOutcome) => status === 'imported'
  const outcome = await commitContent(deps, content, () => writeAs(create), isImported)
  if (!isImported(outcome)) return outcome
  imported.set(made!, entry.folder)
  const stays = isUnread ? REASONS.undescribed : await removeImported(deps, source, content.sha256)
  const warnings = [outcome.reason, stays].filter(Boolean)
  return { ...outcome, ...(warnings.length > 0 && { reason: warnings.join('; ') }) }
}

// The system had no room for the process that reads what describes it.
function isUndescribed({ read }: Pick<Source, 'read'>, { derivatives, later }: Content): boolean {
  if (read.sidecars.length === 0) return false
  return derivatives.state === 'pending' && !later && derivatives.description.from.length === 0
}

// Returns the source's present status if it has this SHA-256 and no process writes to it, or else a reason to leave
// it. For a source that is gone, returns the former status. The source is read again only when its status has changed.
async function lookAgain(
  { entry, opened, hasWriter }: Pick<Source, 'entry' | 'opened' | 'hasWriter'>,
  sha256: Uint8Array,
): Promise<Seen | string> {
  const now = await entry.folder.look(entry.raw)
  if (!now) return opened
  if (!isSameFile(now, opened) && !(await hasBytes(entry, now, sha256))) return REASONS.changed
  return (await hasWriter(entry.raw, now)) ? REASONS.stillWritten : now
}

async function hasBytes(entry: FolderEntry, seen: Status, sha256: Uint8Array): Promise<boolean> {
  if (!seen.isFile()) return false
  const source = await entry.folder.open(entry.raw)
  if (!source) return false
  try {
    return (await digestOf(source)).equals(sha256) && isSameFile(await source.stat(), seen)
  } finally {
    await source.close()
  }
}

/** Returns the warning that paths give no tags, as well as `more` that are not known; null when there are none. */
export function leftOutOf(paths: string[][], more = 0): string | null {
  const tooMany = more > 0 ? `${more} keywords left out, too many or too long` : null
  const unfit = paths.length > 0 ? noTagsOf(paths.map((path) => path.join('/'))) : null
  return [unfit, tooMany].filter((reason) => reason !== null).join('; ') || null
}

// Shortened when there are many or a long one.
function noTagsOf(names: string[]): string {
  const [first = ''] = names
  const quoted = JSON.stringify([...first].slice(0, QUOTED_OF_NAME).join(''))
  return names.length === 1
    ? `no tag may be named ${quoted}`
    : `no tags may be named ${quoted} and ${names.length - 1} more`
}

function staysAnyway({ entry, options }: Source): boolean {
  return options.leave_sources || entry.folder.isArchive === true
}

// Removes a source whose file is committed, unless sources are left, and its sidecars. If it should be gone and stays,
// returns why. The journal retains the row of each that stays, so that no later import takes it again.
async function removeImported(
  deps: ContentDeps,
  source: Source,
  sha256: Uint8Array,
): Promise<string | null> {
  const { entry, make, read } = source
  if (staysAnyway(source)) return null
  try {
    const seen = await lookAgain(source, sha256)
    if (typeof seen === 'string') return seen
    // They go first: what a crash leaves of the two is known by the journal.
    const stays = await removeBeside(deps, source)
    if (stays) return stays
    if (!(await removeSource(entry, seen))) return REASONS.changed
  } catch (error) {
    deps.log.warn('source not removed', { error: String(error) })
    return REASONS.notRemoved
  }
  for (const { pictures } of entry.sidecars ?? []) pictures.delete(entry)
  // What else an exported library says of the file needs the row.
  if (make) return null
  try {
    deleteJournalRow(deps.db, entry.known)
  } catch (error) {
    // The next import removes it, because its source is gone.
    deps.log.warn('journal row not removed', { error: String(error) })
  }
  return read.tooLarge.length > 0 ? REASONS.sidecarTooLarge : null
}

// A later import takes what is new in one that stays, as long as its picture is there.
async function removeBeside(deps: ContentDeps, source: Source): Promise<string | null> {
  const { entry, read, hasWriter } = source
  try {
    const areGone = await removeSidecars(entry, read, ({ beside, opened, sha256 }) =>
      lookAgain({ entry: beside.entry, opened, hasWriter }, sha256),
    )
    return areGone ? null : REASONS.sidecarChanged
  } catch (error) {
    deps.log.warn('sidecar not removed', { error: String(error) })
    return REASONS.sidecarNotRemoved
  }
}
