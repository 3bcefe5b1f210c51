import { type FileHandle, open } from 'node:fs/promises'

/** Writes all bytes at the handle's place; the system may take only a part at a time. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await handle.write(bytes, done, bytes.length - done)).bytesWritten
  }
}

/**
 * Makes a file of these bytes, and resolves once they are safe on the disk; its name is not, before
 * its folder is. Throws EEXIST when there is one. Not by `writeFile`, which ends by setting the
 * length on Bun: ext4 makes that durable before the bytes.
 */
export async function writeNew(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, 'wx')
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
