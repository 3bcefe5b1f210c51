import { randomBytes } from 'node:crypto'
import { link, mkdir, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Claim, Disk } from '../../base/disk.ts'
import type { Log } from '../../base/log.ts'
import { dataFolder } from '../data-folder.ts'
import { type Digest, isSameDigest } from '../digest.ts'
import { NO_LINK } from '../durable.ts'
import { type Bytes, type ReadRange, streamFile } from '../file-bytes.ts'
import { createPictureCache, KEPT_PART } from '../picture-cache.ts'
import { createTemporary, type TemporaryFile } from '../temporary.ts'

interface Options {
  /** Bytes of all copies. */
  limit: number
  /** The folder for temporary files. */
  temporary: string
  disk: Disk
  log: Log
}

/**
 * Copies of contents in a store, in the data folder. Those that were not used for the longest time are removed first,
 * and none is made when the disk has no room.
 */
interface Copies {
  /** Returns what `copy` returns. When the content is removed meanwhile, what `copy` adds is no copy. */
  during<T>(blob: string, copy: () => Promise<T>): Promise<T>
  /** Makes a copy of a whole content in a file, which stays; one that is too large gets none. */
  add(path: string, blob: string, size: number): Promise<void>
  /** Gives a copy another name, under which it stays when the copy is removed. Returns whether there is one. */
  lend(blob: string, path: string): Promise<boolean>
  /** Returns the bytes of a copy, or null when there is none that can be read. */
  stream(blob: string, range: ReadRange): Promise<Bytes | null>
  /** Yields the bytes of a content, and makes a copy if they have the digest. No fault of the copy is one of theirs. */
  copying(blob: string, bytes: Bytes, digest: Digest): Bytes
  remove(blob: string): Promise<void>
  /** Removes the older half; returns whether there were any. */
  makeRoom(): Promise<boolean>
}

/** Returns the copies in a data folder. */
export function createCopies(dataDir: string, { limit, temporary, disk, log }: Options): Copies {
  const { cachedContent, cachedContents } = dataFolder(dataDir)
  const cache = createPictureCache({ folders: [cachedContents], limit, log })
  const room = disk.towards(dataDir)
  // A larger one would be removed at once.
  const isTooLarge = (size: number) => size > limit * KEPT_PART
  const underWay = new Set<string>()

  // The disk may take no writes.
  async function touch(path: string): Promise<void> {
    const now = new Date()
    await utimes(path, now, now).catch(() => {})
  }

  async function begin(path: string, size: number): Promise<TemporaryFile | null> {
    let claim: Claim | undefined
    try {
      claim = room.claim(size)
      return await createTemporary(path, { claim, log })
    } catch {
      claim?.release()
      return null
    }
  }

  async function finish(file: TemporaryFile, blob: string, digest: Digest): Promise<void> {
    const { size, sha256 } = await file.finish()
    const got = { size, sha256: Buffer.from(sha256).toString('hex') }
    if (isSameDigest(got, digest)) await file.withLocalFile((path) => copies.add(path, blob, size))
  }

  const copies: Copies = {
    async during(blob, copy) {
      underWay.add(blob)
      try {
        return await copy()
      } finally {
        underWay.delete(blob)
      }
    },
    async add(path, blob, size) {
      if (isTooLarge(size)) return
      const cached = cachedContent(blob)
      try {
        if (!disk.hasRoom()) await copies.makeRoom()
        if (!disk.hasRoom()) return
        await mkdir(dirname(cached), { recursive: true })
        await link(path, cached)
        if (underWay.has(blob)) void cache.add(size)
        else await rm(cached, { force: true })
      } catch (error) {
        // Another request may have copied it as well.
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return
        log.warn('a content is not cached', { blob, error: String(error) })
      }
    },
    async lend(blob, path) {
      try {
        await link(cachedContent(blob), path)
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException
        if (code === 'ENOENT' || NO_LINK.has(code)) return false
        throw error
      }
      await touch(path)
      return true
    },
    async stream(blob, range) {
      const path = cachedContent(blob)
      const found = await stat(path).catch(() => null)
      // A disk may have cut it off; otherwise each look would end there.
      if (found && range.copyAs && found.size !== range.copyAs.size) await copies.remove(blob)
      await touch(path)
      return streamFile(path, range).catch(() => null)
    },
    async *copying(blob, bytes, digest) {
      if (isTooLarge(digest.size) || underWay.has(blob)) return yield* bytes
      underWay.add(blob)
      let file = await begin(join(temporary, randomBytes(16).toString('hex')), digest.size)
      const giveUp = async () => {
        await file?.discard()
        file = null
      }
      const end = async (isWhole: boolean) => {
        if (file && isWhole) await finish(file, blob, digest).catch(giveUp)
        await giveUp()
        underWay.delete(blob)
      }
      let isWhole = false
      try {
        for await (const piece of bytes) {
          await file?.write(piece).catch(giveUp)
          yield piece
        }
        isWhole = true
      } finally {
        // Whoever reads them doesn't wait for the disk.
        void end(isWhole)
      }
    },
    async remove(blob) {
      underWay.delete(blob)
      await rm(cachedContent(blob), { force: true })
    },
    async makeRoom() {
      await mkdir(cachedContents, { recursive: true })
      return cache.makeRoom()
    },
  }
  return copies
}
