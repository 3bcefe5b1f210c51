import type { WriteAs } from '../auth/write-as.ts'
import { AppError, overQuota } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import { fileInstead } from '../files/known/known.ts'
import type { Content } from '../files/queries.ts'
import { type ContentDeps, discardContent, keepContent } from '../files/upload.ts'
import type { Description } from '../media/description.ts'
import { createDescriber, type Describer } from '../tags/described/apply.ts'
import { applyAgain, describeAgain, hasNewSidecars } from './again.ts'
import { type EntryOutcome, importContent, isUndescribed, skipped } from './commit.ts'
import { copyOf, digestOf, type FolderEntry, isSameFile } from './entries.ts'
import { fileToJoin, joinFile, whyLeftOut } from './exported.ts'
import type { MakeFile } from './library/files.ts'
import { findJournalContent, findJournalRow } from './queries.ts'
import { REASONS } from './reasons.ts'
import { removeImported, staysAnyway } from './remove.ts'
import { type HasWriter, lookForWriters } from './rest.ts'
import { type ImportOptions, USUAL } from './schema.ts'
import { readSidecars } from './sidecars.ts'
import { type Imported, openSource, type Source } from './source.ts'
import type { OpenSource } from './tree.ts'

/** An entry that has been looked at and, if it is to be imported, copied and decoded. */
export interface Prepared {
  /** Gives the file its row, or throws what prevents that, and then removes the source. */
  finish(writeAs: WriteAs): EntryOutcome | Promise<EntryOutcome>
  /** Discards what was prepared; called instead of `finish`. */
  discard(): Promise<void>
}

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

/** Returns an entry that is skipped for a reason. */
export function skip(reason: string): Prepared {
  return { finish: () => skipped(reason), async discard() {} }
}

/** Returns a skipped entry for an error which says that the file has no accepted type; throws any other error. */
export function skipUnsupported(error: unknown): Prepared {
  if (error instanceof AppError && error.code === 'unsupported_mime') return skip(error.message)
  throw error
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
