import type { BigIntStats } from 'node:fs'
import { lstat, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Config } from '../base/config.ts'
import { AppError, invalid } from '../base/errors.ts'
import { backupFolder, generationTime } from '../media/backup-folder.ts'
import { dataFolder, isShelf } from '../media/data-folder.ts'

/** Keeps imports out of folders in which the library stores its own files. */
export interface Guard {
  /**
   * Throws a validation error for such a folder. A link or a mount may lead there, so that the path doesn't show it.
   * `identities` are those of the folder, last, and of all that hold it.
   */
  refuse(identities: string[]): void
  /** Returns whether an identity is that of BACKUP_DIR, which may hold other folders beside those of backups. */
  isBackups(identity: string | undefined): boolean
  /** Throws conflict when BACKUP_DIR can't be looked at: its contents may also be mounted elsewhere. */
  requireBackupsSeen(): void
}

/** Returns the guard of a library, with its folders as they are at this moment. */
export async function guardOf({
  dataDir,
  backupDir,
}: Pick<Config, 'dataDir' | 'backupDir'>): Promise<Guard> {
  const { contents, cachedContents, derivatives, imports } = dataFolder(dataDir)
  const own = (await pathsIn(dataDir)).filter((path) => path !== imports)
  const backups = await seenBackups(backupDir)
  const shelved = [contents, cachedContents, ...Object.values(derivatives)]
  const shelves = await Promise.all(shelved.map(pathsIn))
  const refused = new Set([
    ...(await foldersOf(own, lstat)),
    ...(await foldersOf([...shelved, ...shelves.flat()], stat)),
    ...backups.folders,
  ])
  const [library] = await foldersOf([dataDir], stat)
  const [imported = null] = await foldersOf([imports], lstat)
  return {
    refuse(identities) {
      const isOwn = identities.some(
        (identity, index) =>
          refused.has(identity) || (identity === library && identities[index + 1] !== imported),
      )
      if (isOwn) throw invalid('path', "must not hold the library's own files")
    },
    isBackups: (identity) => identity !== undefined && identity === backups.whole,
    requireBackupsSeen() {
      if (backups.failure === null) return
      throw new AppError(
        'conflict',
        `BACKUP_DIR can't be looked at (${backups.failure}), so that an import might take what is in it: ` +
          'mount its disk again, or set no BACKUP_DIR',
      )
    },
  }
}

// Returns the identities of BACKUP_DIR and of the existing folders that backups make in it, and why one of them can't
// be looked at, or null.
async function seenBackups(backupDir: string | null) {
  if (backupDir === null) return { folders: [], failure: null }
  const { contents, generations } = backupFolder(backupDir)
  const foldersIn = async (folder: string, isOne: (name: string) => boolean) => {
    const paths = await unlessDenied(pathsIn(folder))
    return foldersOf(
      (paths ?? []).filter((path) => isOne(basename(path))),
      stat,
    )
  }
  const [whole, ...parts] = await Promise.allSettled([
    foldersOf([backupDir], stat),
    foldersOf([contents, generations], stat),
    // Each may be mounted elsewhere by itself.
    foldersIn(contents, isShelf),
    foldersIn(generations, (name) => generationTime(name) !== null),
  ])
  const seen = (look: PromiseSettledResult<string[]>) =>
    look.status === 'fulfilled' ? look.value : []
  const failed = [whole, ...parts].find((look) => look.status === 'rejected')
  const failure = failed && ((failed.reason as NodeJS.ErrnoException).code ?? String(failed.reason))
  return { whole: seen(whole)[0], folders: parts.flatMap(seen), failure: failure ?? null }
}

/** Returns a text that is equal for two looks at one folder, by whatever path. */
export function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`
}

/** Returns the identities of the folders that hold one, from the root on. */
export async function identitiesAbove(path: string): Promise<string[]> {
  const outer = dirname(path)
  if (outer === path) return []
  return [...(await identitiesAbove(outer)), identityOf(await stat(outer, { bigint: true }))]
}

// Returns none for a folder that does not exist yet.
async function pathsIn(folder: string): Promise<string[]> {
  return ((await unlessGone(readdir(folder))) ?? []).map((name) => join(folder, name))
}

async function foldersOf(
  paths: string[],
  at: (path: string, options: { bigint: true }) => Promise<BigIntStats>,
): Promise<string[]> {
  // What is temporary may have disappeared.
  const found = await Promise.all(paths.map((path) => unlessGone(at(path, { bigint: true }))))
  return found.flatMap((seen) => (seen?.isDirectory() ? [identityOf(seen)] : []))
}

/** Returns the result, or null when its file is not there; throws any other error. */
export async function unlessGone<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

async function unlessDenied<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result
  } catch (error) {
    // Nothing in it can be imported from there either.
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return null
    throw error
  }
}

/** Returns whether an error of the file system says that something is not there. */
export function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ENOTDIR'
}
