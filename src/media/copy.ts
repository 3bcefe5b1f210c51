import { constants, copyFile, link, lstat, open, rename, stat, unlink } from 'node:fs/promises'
import type { Claim, Disk } from '../base/disk.ts'
import { type Digest, type DigestOptions, isSameDigest, readDigest } from './digest.ts'
import { NO_LINK, partOf, syncFile, writeAll } from './durable.ts'
import { unlessAbsent } from './unless-absent.ts'

/** What became of a copy: the other words are about the original. */
export type Copied = 'copied' | 'damaged' | 'missing' | 'unreadable'

// What a disk reports of a file that it can't read; when the disk itself is gone, it reports something else.
const UNREADABLE = new Set(['EIO', 'EACCES', 'EPERM', 'EISDIR', 'EBADMSG', 'EUCLEAN'])

// What a file system reports that shares no blocks, or none between these two places.
const NO_SHARING = new Set(['ENOTSUP', 'EOPNOTSUPP', 'EXDEV', 'EINVAL', 'ENOTTY', 'ENOSYS'])

/** What is copied and is no file: its bytes can only be read. */
export interface Original {
  /** Reads it to its end; throws ENOENT when there is none. */
  digest(options: DigestOptions): Promise<Digest>
  has(): Promise<boolean>
}

interface Copier {
  /**
   * Copies a file, or another original, that should have this digest to a place in an existing folder, replacing what is
   * there, and resolves once its bytes are safe on the disk and were read back. A copy that differs is not retained.
   * Throws when the copy can't be written, including insufficient_storage when the disk's reserve would be used, when it
   * can't be read as it was written, and the signal's reason.
   */
  copy(from: string | Original, to: string, digest: Digest, signal: AbortSignal): Promise<Copied>
  /** Does the same without moving the copy to its place: it stays beside that, at `partOf(to)`. */
  prepare(from: string | Original, to: string, digest: Digest, signal: AbortSignal): Promise<Copied>
  /** Returns whether a copy shares blocks of the disk with its original. */
  hasShared(): boolean
}

/**
 * Returns what copies files: as hard links of the originals if `isLinking`; else with shared blocks where the file
 * system can, so that they are stored once until one is written. Bytes that are copied are claimed of `disk`, where the
 * copies go.
 */
export function createCopier({
  disk,
  isLinking = false,
}: {
  disk: Pick<Disk, 'claim'>
  isLinking?: boolean
}): Copier {
  // Sharing is not tried again once the file system has refused it.
  let isSharing = !isLinking
  let hasShared = false
  const share = async (from: string, to: string) => {
    const shared = await tryToShare(from, to)
    if (shared === 'unsupported') isSharing = false
    if (shared === 'shared') hasShared = true
    return shared
  }

  const prepare: Copier['prepare'] = async (from, to, digest, signal) => {
    const part = partOf(to)
    let what: Copied | null = null
    try {
      await unlessAbsent(unlink(part))
      const isFile = typeof from === 'string'
      if (isLinking && isFile) await linkTo(from, part)
      const shared = isSharing && isFile ? await share(from, part) : 'unsupported'
      const isOne = (isLinking && isFile) || shared === 'shared'
      what = isOne
        ? await lookAt(part, digest, signal)
        : await copyBytes(from, part, { digest, disk, signal })
      if (what === 'copied' && isOne && !isLinking) await syncFile(part)
      return what
    } catch (error) {
      what = null
      if (isAbsent(error) && !(await isThere(from))) return 'missing'
      throw error
    } finally {
      if (what !== 'copied') await unlessAbsent(unlink(part))
    }
  }
  return {
    prepare,
    async copy(from, to, digest, signal) {
      const what = await prepare(from, to, digest, signal)
      if (what === 'copied') await putInPlace(to)
      return what
    },
    hasShared: () => hasShared,
  }
}

/**
 * Returns whether copies in a folder share blocks of the disk with their originals, by making one of a file for a
 * moment; null when that file is missing or can't be read, which shows nothing.
 */
export async function canShare(from: string, to: string): Promise<boolean | null> {
  try {
    const shared = await tryToShare(from, to)
    return shared === 'unreadable' ? null : shared === 'shared'
  } finally {
    await unlessAbsent(unlink(to))
  }
}

/**
 * Makes a copy that shares its blocks with the original, and returns what became of it: `unsupported` by the file
 * system, the original is missing or can't be read, or it `failed` this once.
 */
async function tryToShare(
  from: string,
  to: string,
): Promise<'shared' | 'unsupported' | 'unreadable' | 'failed'> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE_FORCE)
    return 'shared'
  } catch (error) {
    if (isAbsent(error) || isUnreadable(error)) return 'unreadable'
    if (!NO_SHARING.has(codeOf(error))) return 'failed'
    // Bun reports the same for a folder.
    return (await unlessAbsent(stat(from)))?.isFile() ? 'unsupported' : 'unreadable'
  }
}

async function putInPlace(path: string): Promise<void> {
  const part = partOf(path)
  try {
    await rename(part, path)
  } catch (error) {
    await unlessAbsent(unlink(part))
    throw error
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? ''
const isAbsent = (error: unknown) => codeOf(error) === 'ENOENT'
const isUnreadable = (error: unknown) => UNREADABLE.has(codeOf(error))

async function linkTo(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (!NO_LINK.has(codeOf(error))) throw error
    throw new Error('Contents can be linked only on the disk of the library, if it has hard links')
  }
}

async function isThere(original: string | Original): Promise<boolean> {
  if (typeof original !== 'string') return original.has()
  return (await unlessAbsent(lstat(original))) !== null
}

function digestFrom(original: string | Original, options: DigestOptions): Promise<Digest> {
  if (typeof original === 'string') return readDigest(original, options)
  return original.digest(options)
}

/** Returns whether an original has that digest, as if it was copied. Throws ENOENT, and the signal's reason. */
export async function lookAt(
  from: string | Original,
  digest: Digest,
  signal: AbortSignal,
): Promise<Copied> {
  try {
    return isSameDigest(await digestFrom(from, { signal }), digest) ? 'copied' : 'damaged'
  } catch (error) {
    if (isUnreadable(error)) return 'unreadable'
    throw error
  }
}

// Resolves once the bytes are safe on the disk and were read back.
async function copyBytes(
  from: string | Original,
  to: string,
  { digest, disk, signal }: { digest: Digest; disk: Pick<Disk, 'claim'>; signal: AbortSignal },
): Promise<Copied> {
  let claim: Claim
  try {
    claim = disk.claim(digest.size)
  } catch (error) {
    // What can't be copied needs no room.
    const found = await lookAt(from, digest, signal)
    if (found !== 'copied') return found
    throw error
  }
  try {
    return await writeBytes(from, to, { digest, claim, signal })
  } finally {
    claim.release()
  }
}

async function writeBytes(
  from: string | Original,
  to: string,
  { digest, claim, signal }: { digest: Digest; claim: Claim; signal: AbortSignal },
): Promise<Copied> {
  const handle = await open(to, 'w')
  let failure: unknown
  try {
    const onPiece = async (bytes: Uint8Array) => {
      try {
        claim.need(bytes.length)
        await writeAll(handle, bytes)
        claim.wrote(bytes.length)
      } catch (error) {
        failure = error
        throw error
      }
    }
    const read = await digestFrom(from, { signal, onPiece })
    if (!isSameDigest(read, digest)) return 'damaged'
    await handle.sync().catch((error) => {
      failure = error
      throw error
    })
  } catch (error) {
    if (failure === undefined && isUnreadable(error)) return 'unreadable'
    throw error
  } finally {
    await handle.close()
  }
  if (isSameDigest(await readDigest(to, { signal }), digest)) return 'copied'
  throw new Error(`The disk gives back other bytes than were written to ${to}`)
}
