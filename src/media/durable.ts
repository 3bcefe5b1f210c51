import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** What file systems say that have no links, or none to this file. */
export const NO_LINK = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/** Writes all bytes at the handle's place; the system may take only a part at a time. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await handle.write(bytes, done, bytes.length - done)).bytesWritten
  }
}

/**
 * Makes a file of these bytes, in place of what another try may have left, and resolves once they are safe on the
 * disk; its name is not, before its folder is. Not by `writeFile`, which ends by setting the length on Bun: ext4
 * makes that durable before the bytes.
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

/** A name in a folder survives a power cut only once the folder itself is written. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Resolves once the bytes of a file that another way has written are safe on the disk. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes a small file that, after a power cut, is there either whole or not at all. */
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
