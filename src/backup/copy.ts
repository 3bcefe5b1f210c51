import { constants, copyFile, link, lstat, open, rename, rm } from 'node:fs/promises'
import { type Digest, readDigest } from '../media/digest.ts'
import { NO_LINK, syncFile, writeAll } from '../media/durable.ts'
import { unlessAbsent } from '../media/unless-absent.ts'

/** What became of a copy: `damaged` and `missing` are the original's. */
export type Copied = 'copied' | 'damaged' | 'missing'

/** Makes the copies of contents, each of which is read back. */
interface Copier {
  /**
   * Copies a file that should have this digest to a place on a folder that is there, replacing what stands there, and
   * resolves once its bytes are safe on the disk and were read back. What isn't as it should be is not kept. Throws
   * when the copy can't be written, and when it can't be read as it was written.
   */
  copy(from: string, to: string, digest: Digest): Promise<Copied>
}

/**
 * Returns what copies files: as hard links of the originals if that is asked for; else sharing their blocks where the
 * file system can, so that both are one only until one is written.
 */
export function createCopier({ isLinking = false } = {}): Copier {
  /** Whether the file system shares blocks; it is asked once. */
  let canShare = true
  const share = async (from: string, to: string) => {
    if (!canShare) return false
    try {
      await copyFile(from, to, constants.COPYFILE_FICLONE_FORCE)
      return true
    } catch (error) {
      if (isAbsent(error)) throw error
      canShare = false
      return false
    }
  }

  return {
    async copy(from, to, digest) {
      const part = `${to}.part`
      try {
        await rm(part, { force: true })
        if (isLinking) await linkTo(from, part)
        else if (!(await share(from, part))) {
          const read = await copyBytes(from, part)
          if (!isSame(read, digest)) return 'damaged'
          if (!isSame(await readDigest(part), digest)) throw notKept(to)
          await rename(part, to)
          return 'copied'
        }
        if (!isSame(await readDigest(part), digest)) return 'damaged'
        if (!isLinking) await syncFile(part)
        await rename(part, to)
        return 'copied'
      } catch (error) {
        if (isAbsent(error) && (await unlessAbsent(lstat(from))) === null) return 'missing'
        throw error
      } finally {
        await rm(part, { force: true })
      }
    },
  }
}

const isSame = (one: Digest, other: Digest) =>
  one.size === other.size && one.sha256 === other.sha256
const isAbsent = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

function notKept(path: string): Error {
  return new Error(`The disk gives back other bytes than were written to ${path}`)
}

async function linkTo(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (!NO_LINK.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    throw new Error('Contents can be linked only on the disk of the library, if it has hard links')
  }
}

/** Copies the bytes of a file, which are safe on the disk then, and returns the digest of what was read. */
async function copyBytes(from: string, to: string): Promise<Digest> {
  const handle = await open(to, 'w')
  try {
    const digest = await readDigest(from, (bytes) => writeAll(handle, bytes))
    await handle.sync()
    return digest
  } finally {
    await handle.close()
  }
}
