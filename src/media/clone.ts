import { chmod, constants, copyFile, type FileHandle, rm } from 'node:fs/promises'
import { readDigest } from './digest.ts'
import { syncFile } from './durable.ts'
import { pathOfOpened } from './opened.ts'

const { COPYFILE_EXCL, COPYFILE_FICLONE_FORCE } = constants
const PRIVATE = 0o600

/**
 * Makes a file that shares the disk with an open one, whose bytes of this moment it has, and returns true; where the
 * file system can't do that, makes none and returns false.
 */
export async function cloneFile(source: FileHandle, path: string): Promise<boolean> {
  try {
    await copyFile(pathOfOpened(source), path, COPYFILE_EXCL | COPYFILE_FICLONE_FORCE)
    // It comes with the mode of the source.
    await chmod(path, PRIVATE)
    return true
  } catch {
    // Whoever then copies the bytes meets what else is wrong.
    await rm(path, { force: true })
    return false
  }
}

/** Returns the size in bytes and the digest of a file, once it is safe on the disk. */
export async function settle(path: string): Promise<{ size: number; sha256: Uint8Array }> {
  await syncFile(path)
  const { size, sha256 } = await readDigest(path)
  return { size, sha256: Buffer.from(sha256, 'hex') }
}
