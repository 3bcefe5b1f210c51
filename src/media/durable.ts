import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { copyFile, type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** What file systems report that have no links, or none to this file. */
export const NO_LINK = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/** Writes all bytes at the handle's position; the system may take only a part at a time. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await handle.write(bytes, done, bytes.length - done)).bytesWritten
  }
}

/**
 * Makes a file of these bytes, in place of what another try may have left, and resolves once they are safe on the disk;
 * its name is not, before its folder is. Does not use `writeFile`, which ends by setting the length on Bun: ext4 makes
 * that durable before the bytes.
 */
export async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, 'w')
  try {
    await writeAll(handle, bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes the names in a folder safe: they survive a power cut only once the folder itself is written. */
export const syncFolder = syncPath

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Moves a file to another place, which may be on another disk: its bytes are safe there then, its name is not before
 * the folder is.
 */
export async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    await copySynced(from, to)
    await rm(from, { force: true })
  }
}

/** Returns where a file is while it is incomplete. */
export const partOf = (path: string) => `${path}.part`

/** Copies a file, whose bytes are safe at the other place then; its name is not before the folder is. */
export async function copySynced(from: string, to: string): Promise<void> {
  const part = partOf(to)
  try {
    await copyFile(from, part)
    await syncPath(part)
    await rename(part, to)
  } finally {
    await rm(part, { force: true })
  }
}

/** Resolves once the bytes of a file that was written by other means are safe on the disk. */
export const syncFile = syncPath

/** Writes a small file that, after a power cut, exists either whole or not at all. */
export function writeSafely(path: string, text: string): void {
  const file = openSync(`${path}.new`, 'w', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(`${path}.new`, path)
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
