import { existsSync, lstatSync, type Stats } from 'node:fs'
import { lstat, mkdir, readdir } from 'node:fs/promises'
import type { Config } from '../../base/config.ts'
import { isOutOfSpace } from '../../base/disk.ts'
import { AppError } from '../../base/errors.ts'
import type { Db } from '../../db/client.ts'
import { backupFolder } from '../../media/backup-folder.ts'
import { openContents } from '../../media/contents.ts'
import { type Copied, canShare, createCopier, type Original } from '../../media/copy.ts'
import { dataFolder, isShelf, shelfOf } from '../../media/data-folder.ts'
import { isSameDigest, readDigest } from '../../media/digest.ts'
import { placeOf } from '../../media/places/open.ts'
import { syncNames } from '../../media/sync-names.ts'
import { unlessAbsent, unlessAbsentNow } from '../../media/unless-absent.ts'
import { bytesOf, contentsToCome, diskOf, hasSpace, requireSpace } from './disk-space.ts'
import { forEachContent } from './each-content.ts'
import { isSameDisk } from './folder.ts'
import type { ManifestLine } from './manifest.ts'
import { countContents } from './queries.ts'

interface ContentsRequest {
  config: Pick<Config, 'dataDir' | 'store'>
  dir: string
  isLinking: boolean
  /** Whether to also read the contents that the backup already has, and copy damaged ones again. */
  isFull: boolean
  signal: AbortSignal
}

export interface CopiedContents {
  /** The number of the library's contents, and their bytes. */
  contents: number
  bytes: number
  /** The number of contents copied now, and their bytes. */
  copied: number
  copied_bytes: number
  /** Blobs of the contents of which neither the library nor the backup has an intact copy. */
  missing: string[]
  /** Whether copies share blocks of the disk with the library. */
  hasShared: boolean
}

/**
 * Throws insufficient_storage, before anything is copied in vain, unless a folder of backups has room for `bytes` and
 * for the contents that it lacks. Contents take no room where they are linked or share blocks with the library's.
 */
export async function requireRoomForAll(
  db: Db,
  { config, dir, isLinking }: Pick<ContentsRequest, 'config' | 'dir' | 'isLinking'>,
  bytes: number,
): Promise<void> {
  requireSpace(dir, bytes)
  if (isLinking || hasSpace(dir, bytes + countContents(db).bytes)) return
  const library = dataFolder(config.dataDir)
  const { contents, sharing } = backupFolder(dir)
  // There are no links to the library on another disk, and a network disk takes long to ask for each file.
  const isGood = isSameDisk(library.contents, dir)
    ? ({ blob, size }: ManifestLine, path: string) =>
        isUsable(lstatSync(path), { size, original: library.content(blob), isLinking })
    : undefined
  const toCome = () => contentsToCome(db, contents, isGood)
  if (hasSpace(dir, bytes + bytesOf(toCome()))) return
  for (const { blob } of config.store ? [] : toCome()) {
    const isSharing = await canShare(library.content(blob), sharing)
    if (isSharing) return
    if (isSharing === false) break
  }
  let needed = bytes
  // Contents that the library has lost are not copied.
  for (const { blob, size } of toCome()) {
    if (config.store || existsSync(library.content(blob))) needed += size
  }
  requireSpace(dir, needed)
}

/** Returns how many contents a database names, of which none is copied. */
export function nothingCopied(db: Db): CopiedContents {
  const { count, bytes } = countContents(db)
  const none = { copied: 0, copied_bytes: 0, missing: [], hasShared: false }
  return { contents: count, bytes, ...none }
}

/**
 * Copies the contents that a database names and a folder of backups lacks, and resolves once they are safe there.
 * Throws insufficient_storage when the disk has no room for one, a GiB of which stays free, and the file system's other
 * errors.
 */
export async function copyContents(
  db: Db,
  request: ContentsRequest,
  onProgress: (done: number, total: number) => void,
): Promise<CopiedContents> {
  const { dir, signal } = request
  const { dataDir, store } = request.config
  const library = dataFolder(dataDir)
  const place = placeOf(request.config)
  const { digest } = openContents(dataDir, place)
  // A store is read, and a file may be linked.
  const originalOf = (blob: string): string | Original =>
    store
      ? { digest: (options) => digest(blob, options), has: () => place.has(blob) }
      : library.content(blob)
  const result = nothingCopied(db)
  const copier = createCopier({ disk: diskOf(dir), isLinking: request.isLinking })
  const shelves = createShelves(dir)
  const bring = async (line: ManifestLine): Promise<Copied | 'present'> => {
    const [from, to] = [library.content(line.blob), backupFolder(dir).content(line.blob)]
    if (await isPresent(to, line, { ...request, from })) return 'present'
    await shelves.make(shelfOf(line.blob))
    return copier.copy(originalOf(line.blob), to, line, signal)
  }
  const work = forEachContent(db, { total: result.contents, signal, onProgress }, async (line) => {
    const what = await bring(line)
    if (what === 'copied') {
      result.copied++
      result.copied_bytes += line.size
    } else if (what !== 'present') result.missing.push(line.blob)
  })
  await work.catch((error) => {
    if (!isOutOfSpace(error)) throw error
    throw new AppError('insufficient_storage', 'The disk of the backup is full')
  })
  await shelves.sync()
  result.missing.sort()
  return { ...result, hasShared: copier.hasShared() }
}

async function isPresent(
  path: string,
  line: ManifestLine,
  {
    from,
    isLinking,
    isFull,
    signal,
  }: Pick<ContentsRequest, 'isLinking' | 'isFull' | 'signal'> & { from: string },
): Promise<boolean> {
  const found = await unlessAbsent(lstat(path))
  if (!found || !isUsable(found, { size: line.size, original: from, isLinking })) return false
  return !isFull || (await isAsItWas(path, line, signal))
}

// Also refuses a link of an earlier backup where a copy is wanted now.
function isUsable(
  found: Stats,
  { size, original, isLinking }: { size: number; original: string; isLinking: boolean },
): boolean {
  if (found.size !== size) return false
  if (isLinking || found.nlink <= 1) return true
  const linked = unlessAbsentNow(() => lstatSync(original))
  return linked?.ino !== found.ino || linked.dev !== found.dev
}

async function isAsItWas(path: string, line: ManifestLine, signal: AbortSignal): Promise<boolean> {
  try {
    return isSameDigest(await readDigest(path, { signal }), line)
  } catch (error) {
    if (signal.aborted) throw error
    return false
  }
}

function createShelves(dir: string) {
  const { contents, shelf: pathOf } = backupFolder(dir)
  const made = new Map<string, Promise<unknown>>()
  return {
    make(shelf: string): Promise<unknown> {
      const known = made.get(shelf)
      if (known) return known
      const making = mkdir(pathOf(shelf), { recursive: true })
      made.set(shelf, making)
      return making
    },
    /** Resolves once all names are safe on the disk, including those of an earlier backup that was killed. */
    async sync() {
      const shelves = (await readdir(contents)).filter(isShelf)
      for (const shelf of shelves) await syncNames(pathOf(shelf))
      await syncNames(contents)
    },
  }
}
