import { isUtf8 } from 'node:buffer'
import { type BigIntStats, constants, type Dir, type Stats } from 'node:fs'
import {
  access,
  type FileHandle,
  lstat,
  open,
  opendir,
  readdir,
  realpath,
  stat,
  unlink,
} from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import type { Config } from '../base/config.ts'
import { AppError, invalid } from '../base/errors.ts'
import { DESCRIPTORS } from '../media/opened.ts'
import { purposeOf, refuseUsed } from './others-folders.ts'
import {
  type Guard,
  guardOf,
  identitiesAbove,
  identityOf,
  isGone,
  unlessGone,
} from './own-folders.ts'
import { pathWithin, type RawName, readable } from './raw-name.ts'
import { REASONS } from './reasons.ts'
import { type SourceNames, sourceNames } from './source-names.ts'

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants

// When Node is asked for texts, a name that is not UTF-8 may make it lose others; Bun only gives texts.
const NAMES = 'Bun' in globalThis ? 'utf8' : ('buffer' as BufferEncoding)

const READ_AT_ONCE = 256

/** A name in a folder. A link is `other`, whatever it leads to. */
export interface NamedEntry {
  name: string
  kind: 'file' | 'folder' | 'other'
}

/**
 * A folder that stays the one that was opened: a user with write access to the import folder may replace a part of its
 * path with a link at any moment.
 */
export interface ImportFolder {
  /** The real path that the folder had when it was opened, absolute; a name that is not UTF-8 is as in `pathWithin`. */
  path: string
  /** The path from the configured folder, without links; empty for that folder. */
  below: string
  /** How the journal names sources. */
  sources: SourceNames
  /**
   * Returns how the journal names the source with this name; for it alone, because what is there may have been swapped.
   */
  known(name: RawName): string
  /** Yields the entries of the folder in no order, while it is read; names that are not UTF-8 are left out. */
  entries(): AsyncGenerator<NamedEntry>
  /**
   * Opens a folder in this one, without following a link. Throws a validation error when it is no folder, and when the
   * library stores its own files in it.
   */
  folder(name: RawName): Promise<ImportFolder>
  /**
   * Returns the purpose of the folder if a library uses it for its own, so that nothing in it may be imported; null for
   * any other.
   */
  purpose(): ReturnType<typeof purposeOf>
  /** Returns the names of everything in the folder, as bytes, in no order. */
  names(): Promise<Buffer[]>
  /** Returns the status of a name, without following links, or null when nothing has it. */
  look(name: RawName): Promise<Stats | null>
  /**
   * Opens a file for reading, without following a link or waiting for the writer of a pipe. Returns null when the file
   * is gone.
   */
  open(name: RawName): Promise<FileHandle | null>
  /**
   * Returns a path to a file that was opened in this folder, for functions that take only paths. Throws conflict when
   * no path leads to it any more.
   */
  pathTo(name: RawName, source: FileHandle): Promise<string>
  /** Removes a file if `isIt` accepts its status, and makes sure that it stays removed. */
  removeIf(name: RawName, isIt: (seen: Stats) => boolean): Promise<'removed' | 'other' | 'absent'>
  /** Has something that was opened in the folder closed with it. */
  hold(close: () => Promise<void>): void
  close(): Promise<void>
}

/**
 * Opens the folder that an import names: the configured one, or one below it. The path may be relative or absolute, and
 * is checked after links are resolved. `descriptors` is where the process reaches what it has open; on a system without
 * that, the folder is compared with the opened one before each use. Throws conflict when import is turned off, or,
 * unless the folder is only to be listed, when BACKUP_DIR can't be looked at or it can't be determined whether a
 * library uses the folder; and a validation error for anything but such a folder.
 */
export async function openImportFolder(
  config: Config,
  path: string | undefined,
  { descriptors = DESCRIPTORS, toList = false } = {},
): Promise<ImportFolder> {
  const { importPath, dataDir } = config
  if (importPath === null) throw new AppError('conflict', 'Import is turned off')
  const base = await realFolder(importPath)
  const folder = path ? await realFolder(resolve(base, path)) : base
  if (!isWithin(folder, base)) throw outside(folder, base)
  const { opened, below } = await descend(base, folder, descriptors)
  try {
    const guard = await guardOf(config)
    const identities = [...(await identitiesAbove(base)), ...below]
    guard.refuse(identities)
    if (!toList) guard.requireBackupsSeen()
    const sources = sourceNames(await realpath(dataDir), base)
    const place = { path: folder, below: relative(base, folder), sources, guard, identities }
    const found = await folderOf(opened, place, descriptors)
    await refuseUsed(folder, { within: found.purpose, toList })
    return found
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function realFolder(path: string): Promise<string> {
  try {
    const real = await realpath(path)
    await access(real, constants.R_OK | constants.X_OK)
    if ((await stat(real)).isDirectory()) return real
  } catch {
    throw invalid('path', 'must be a folder that the server can read')
  }
  throw invalid('path', 'must be a folder')
}

// A user who may import manages the server, and needs both paths to see what is wrong.
function outside(folder: string, base: string): AppError {
  const [there, here] = [JSON.stringify(folder), JSON.stringify(base)]
  return invalid(
    'path',
    `must be in the import folder: ${there} is outside of ${here}, and only that folder and what is ` +
      'in it is imported; the setting IMPORT_PATH names another',
  )
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`)
}

// Opens a folder below another step by step, and returns the identities from the first on.
async function descend(base: string, folder: string, descriptors: string) {
  const names = relative(base, folder).split('/').filter(Boolean)
  let opened = await openFolder(base)
  try {
    const below = [identityOf(await opened.stat({ bigint: true }))]
    let path = base
    for (const name of names) {
      const parent = opened
      opened = await openFolder(join(await reach(parent, path, descriptors), name))
      await parent.close()
      path = join(path, name)
      below.push(identityOf(await opened.stat({ bigint: true })))
    }
    return { opened, below }
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function openFolder(path: string | Buffer): Promise<FileHandle> {
  try {
    return await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  } catch (error) {
    if (!isGone(error) && (error as NodeJS.ErrnoException).code !== 'ELOOP') throw error
    throw invalid('path', 'must be a folder that the server can read')
  }
}

// Returns a path to an open folder that can't be swapped, or its own path where there is none.
async function reach(opened: FileHandle, path: string, descriptors: string): Promise<string> {
  const fixed = `${descriptors}/${opened.fd}`
  return (await isStill(fixed, await opened.stat({ bigint: true }))) ? fixed : path
}

async function isStill(path: string, seen: BigIntStats): Promise<boolean> {
  try {
    return identityOf(await stat(path, { bigint: true })) === identityOf(seen)
  } catch {
    return false
  }
}

/** Returns the error for a folder that existed and can't be reached any more. */
export function moved(): AppError {
  return new AppError('conflict', REASONS.movedFolder)
}

interface Place extends Pick<ImportFolder, 'path' | 'below' | 'sources'> {
  guard: Guard
  /** Its own identity, last, and those of all folders that hold it. */
  identities: string[]
}

async function folderOf(
  opened: FileHandle,
  place: Place,
  descriptors: string,
): Promise<ImportFolder> {
  const { path, below, sources, guard, identities } = place
  const seen = await opened.stat({ bigint: true })
  const way = await reach(opened, path, descriptors)
  const current = async () => {
    if (way !== path) return way
    const isThere = (await unlessGone(realpath(path))) === path && (await isStill(path, seen))
    if (isThere) return path
    throw moved()
  }
  const pathOf = async (name: RawName) =>
    Buffer.concat([Buffer.from(`${await current()}/`), Buffer.from(name as string)])
  const look = async (name: RawName) => unlessGone(lstat(await pathOf(name)))
  const held: (() => Promise<void>)[] = []
  return {
    path,
    below,
    sources,
    known: (name) => sources.of(pathWithin(path, name)),
    async *entries() {
      const dir = await opendir(await current(), { bufferSize: READ_AT_ONCE, encoding: NAMES })
      for await (const entry of entriesOf(dir)) {
        const bytes = Buffer.from(entry.name)
        if (!isUtf8(bytes)) continue
        const name = bytes.toString()
        // A name may itself contain the character that stands for bytes that are no text.
        const seen = name.includes('\ufffd') ? await look(name) : entry
        if (seen) yield { name, kind: kindOf(seen) }
      }
    },
    async folder(name) {
      const inner = await openFolder(await pathOf(name))
      try {
        const identity = identityOf(await inner.stat({ bigint: true }))
        const inside = [...identities, identity]
        guard.refuse(inside)
        const within = {
          path: pathWithin(path, name),
          below: join(below, readable(name)),
          identities: inside,
        }
        return await folderOf(inner, { ...place, ...within }, descriptors)
      } catch (error) {
        await inner.close()
        throw error
      }
    },
    purpose: async () =>
      guard.isBackups(identities.at(-1)) ? REASONS.backups : purposeOf(await current()),
    names: async () => readdir(await current(), { encoding: 'buffer' }),
    look,
    open: async (name) => unlessGone(open(await pathOf(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)),
    async pathTo(name, source) {
      const way = await reach(source, String(await pathOf(name)), descriptors)
      if (await isStill(way, await source.stat({ bigint: true }))) return way
      throw new AppError('conflict', REASONS.movedFile)
    },
    async removeIf(name, isIt) {
      const seen = await look(name)
      if (!seen) return 'absent'
      if (!isIt(seen)) return 'other'
      await unlink(await pathOf(name))
      // A source that a power cut brought back would be imported twice.
      await opened.sync()
      return 'removed'
    },
    hold: (close) => void held.push(close),
    async close() {
      for (const close of held) await close()
      await opened.close()
    },
  }
}

async function* entriesOf(dir: Dir) {
  try {
    for (;;) {
      const entry = await dir.read().catch(skipUnseen)
      if (entry === null) return
      if (entry) yield entry
    }
  } finally {
    await dir.close()
  }
}

// Some file systems don't report the kind of an entry, so the runtime looks at each one, and finds none whose name is
// not UTF-8 or that is gone meanwhile.
function skipUnseen(error: NodeJS.ErrnoException): undefined {
  if (error.syscall !== 'lstat' || !isGone(error)) throw error
}

function kindOf(seen: Pick<Stats, 'isFile' | 'isDirectory'>): NamedEntry['kind'] {
  return seen.isFile() ? 'file' : seen.isDirectory() ? 'folder' : 'other'
}
