import { randomBytes } from 'node:crypto'
import { link, mkdir, rm, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Claim, Disk } from '../../base/disk.ts'
import type { Log } from '../../base/log.ts'
import { dataFolder } from '../data-folder.ts'
import type { Digest } from '../digest.ts'
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
  /** How many contents were removed. A copy that was begun before the last of them may be of one, and is thrown away. */
  removals: number
  /** Makes a copy of a whole content in a file, which stays; one that is too large gets none. */
  add(path: string, of: { blob: string; size: number; removals: number }): Promise<void>
  /** Gives a copy another name, under which it stays when the copy is removed. Returns whether there is one. */
  lend(blob: string, path: string): Promise<boolean>
  /** Returns the bytes of a copy, or null when there is none that can be opened. */
  stream(blob: string, range: ReadRange): Promise<Bytes | null>
  /** Yields the bytes of a content, and makes a copy if they have the digest. No fault of the copy is one of theirs. */
  copying(bytes: Bytes, of: { blob: string; digest: Digest; removals: number }): Bytes
  remove(blob: string): Promise<void>
  /** Gives up the copies that are being made, and removes the older half; returns whether there were any. */
  makeRoom(): Promise<boolean>
}

/** Returns the copies in a data folder. */
export function createCopies(dataDir: string, { limit, temporary, disk, log }: Options): Copies {
  const { cachedContent, cachedContents } = dataFolder(dataDir)
  const cache = createPictureCache({ folders: [cachedContents], limit, log })
  const room = disk.towards(dataDir)
  // Copies that are being made of what somebody reads.
  const runs = new Set<{ blob: string; size: number; giveUp: () => Promise<void> }>()
  let hasLinks = true
  // A larger one would be removed at once.
  const isTooLarge = (size: number) => !hasLinks || size > limit * KEPT_PART

  // The disk may take no writes.
  async function touch(path: string): Promise<void> {
    await utimes(path, new Date(), new Date()).catch(() => {})
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

  const copies: Copies = {
    removals: 0,
    async add(path, of) {
      if (isTooLarge(of.size)) return
      const cached = cachedContent(of.blob)
      try {
        if (!disk.hasRoom()) await copies.makeRoom()
        if (!disk.hasRoom()) return
        await mkdir(dirname(cached), { recursive: true })
        await link(path, cached)
        if (of.removals === copies.removals) void cache.add(of.size)
        else await rm(cached, { force: true })
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException
        // Another request may have copied it as well.
        if (code === 'EEXIST') return
        hasLinks = !NO_LINK.has(code)
        log.warn('a content is not cached', { blob: of.blob, error: String(error) })
      }
    },
    async lend(blob, path) {
      try {
        await link(cachedContent(blob), path)
      } catch {
        return false
      }
      await touch(path)
      return true
    },
    async stream(blob, range) {
      const path = cachedContent(blob)
      await touch(path)
      return streamFile(path, range).catch(() => null)
    },
    async *copying(bytes, { blob, digest, removals }) {
      const begun = [...runs]
      const sum = begun.reduce((all, { size }) => all + size, digest.size)
      if (isTooLarge(sum) || begun.some((run) => run.blob === blob)) return yield* bytes
      let file: TemporaryFile | null = null
      const giveUp = async () => {
        runs.delete(run)
        await file?.discard()
        file = null
      }
      const run = { blob, size: digest.size, giveUp }
      runs.add(run)
      const path = join(temporary, randomBytes(16).toString('hex'))
      file = await begin(path, digest.size)
      if (!runs.has(run)) await giveUp()
      const keep = async () => {
        // What makes room now may remove copies, and not this one.
        runs.delete(run)
        const got = await file?.finish()
        if (!got || Buffer.from(got.sha256).toString('hex') !== digest.sha256) return
        await copies.add(path, { blob, size: got.size, removals })
      }
      let end = giveUp
      try {
        for await (const piece of bytes) {
          await file?.write(piece).catch(giveUp)
          yield piece
        }
        end = () =>
          keep()
            .catch(() => {})
            .then(giveUp)
      } finally {
        // Whoever reads them doesn't wait for the disk.
        void end()
      }
    },
    async remove(blob) {
      copies.removals++
      await rm(cachedContent(blob), { force: true })
    },
    async makeRoom() {
      const begun = [...runs]
      await Promise.all(begun.map((run) => run.giveUp()))
      await mkdir(cachedContents, { recursive: true })
      return (await cache.makeRoom()) || begun.length > 0
    },
  }
  return copies
}
