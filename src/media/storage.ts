import { createHash, randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A content that is in its permanent place. */
export interface StoredContent {
  blob: string
  /** Bytes. */
  size: number
  sha256: Uint8Array
}

/** A file under way: its content is written, hashed and counted chunk by chunk. */
export interface TemporaryFile {
  path: string
  /** Resolves when the chunk is written; throws what the file system says, ENOSPC above all. */
  write(chunk: Uint8Array): Promise<void>
  /** Returns the size in bytes and the digest once the content is safe on the disk. */
  finish(): Promise<{ size: number; sha256: Uint8Array }>
  /** Removes the file, wherever in its life it is; a kept one stays. */
  discard(): Promise<void>
}

/** Contents by the random name of their blob; nothing else opens one by its path. */
export interface Storage {
  createTemporary(): Promise<TemporaryFile>
  /** Moves a finished file to its permanent place and returns its new blob name. */
  keep(temporaryPath: string): Promise<string>
  /** Removes the content with its thumbnail and preview; what is missing is fine. */
  removeBlob(blob: string): Promise<void>
  /** Returns the content opened for reading; throws ENOENT when there is none. */
  open(blob: string): Promise<FileHandle>
  /** Returns where the decoder, a process of its own, finds the content. */
  pathForDecoder(blob: string): string
  thumbnailPath(blob: string): string
  previewPath(blob: string): string
}

/**
 * Returns the storage in a data folder, with the folder for temporary files emptied: the caller holds
 * the lock that goes with it. The command line, which may run beside a server, names one of its own.
 */
export async function openStorage(dataDir: string, temporaryName = 'tmp'): Promise<Storage> {
  const temporary = join(dataDir, temporaryName)
  await mkdir(temporary, { recursive: true })
  const makeShelf = await openShelves(dataDir)
  for (const name of await readdir(temporary)) {
    await rm(join(temporary, name), { recursive: true, force: true })
  }

  const contentPath = (blob: string) => join(dataDir, 'files', blob.slice(0, 2), blob)
  const thumbnailPath = (blob: string) =>
    join(dataDir, 'thumbnails', blob.slice(0, 2), `${blob}.jpg`)
  const previewPath = (blob: string) => join(dataDir, 'previews', blob.slice(0, 2), `${blob}.jpg`)
  return {
    createTemporary: () => createTemporary(join(temporary, randomName())),
    async keep(temporaryPath) {
      const blob = randomName()
      const path = contentPath(blob)
      await makeShelf(blob.slice(0, 2))
      await rename(temporaryPath, path)
      await syncFolder(dirname(path))
      return blob
    },
    async removeBlob(blob) {
      for (const path of [contentPath(blob), thumbnailPath(blob), previewPath(blob)]) {
        await rm(path, { force: true })
      }
    },
    open: (blob) => open(contentPath(blob), 'r'),
    pathForDecoder: contentPath,
    thumbnailPath,
    previewPath,
  }
}

async function createTemporary(path: string): Promise<TemporaryFile> {
  const handle = await open(path, 'wx')
  const hash = createHash('sha256')
  let size = 0
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await handle.close()
  }
  return {
    path,
    async write(chunk) {
      // The system may take a part only, as it does when the disk fills up.
      for (let done = 0; done < chunk.length; ) {
        done += (await handle.write(chunk, done, chunk.length - done)).bytesWritten
      }
      hash.update(chunk)
      size += chunk.length
    },
    async finish() {
      await handle.sync()
      await close()
      return { size, sha256: hash.digest() }
    },
    async discard() {
      await close()
      await rm(path, { force: true })
    },
  }
}

/**
 * Returns a function that makes a folder for each kind of file, named by how their blobs begin, and
 * resolves once the one for contents is safe on the disk. Those of pictures are made anew where a
 * backup has left them out.
 */
async function openShelves(dataDir: string): Promise<(shelf: string) => Promise<void>> {
  const [contents, ...pictures] = ['files', 'thumbnails', 'previews'].map((kind) =>
    join(dataDir, kind),
  ) as [string, string, string]
  for (const folder of [contents, ...pictures]) await mkdir(folder, { recursive: true })
  await syncFolder(dataDir)
  const makePictureShelves = async (shelf: string) => {
    for (const folder of pictures) await mkdir(join(folder, shelf), { recursive: true })
  }
  // Other programs leave names of their own, such as `.DS_Store`.
  const safe = new Set((await readdir(contents)).filter((name) => /^[0-9a-f]{2}$/.test(name)))
  // Whoever made them may have been killed before this.
  await syncFolder(contents)
  for (const shelf of safe) await makePictureShelves(shelf)
  return async (shelf) => {
    if (safe.has(shelf)) return
    await mkdir(join(contents, shelf), { recursive: true })
    await makePictureShelves(shelf)
    await syncFolder(contents)
    safe.add(shelf)
  }
}

/** A name in a folder survives a power cut only once the folder itself is written. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function randomName(): string {
  return randomBytes(16).toString('hex')
}
