import { randomBytes } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createDisk, type Disk } from '../../base/disk.ts'
import type { StoreProblem } from '../../base/enums.ts'
import { AppError, busy } from '../../base/errors.ts'
import { createLog, type Log } from '../../base/log.ts'
import type { StoreSettings } from '../../base/store-settings.ts'
import { dataFolder, isBlob, pathInShelf } from '../data-folder.ts'
import { isSameDigest } from '../digest.ts'
import { filling, readOn, SHORTER } from '../file-bytes.ts'
import { createS3, type S3 } from '../s3/client.ts'
import { S3Error } from '../s3/request.ts'
import { createTemporary } from '../temporary.ts'
import { createCopies } from './copies.ts'
import { type Place, withRoom } from './place.ts'

interface Options {
  /** Bytes of the local copies. */
  cacheSize?: number
  /** The folder for temporary files. */
  temporary?: string
  disk?: Disk
  log?: Log
  clock?: () => number
  s3?: S3
}

// Objects have the names of files in a data folder, so that other programs can copy one to the other.
const FOLDER = 'files'
const MARK = `${FOLDER}/.library`
// Bytes of a content that are fetched when it is larger than these, and than all copies may be: what a film says of
// itself is in its first or its last bytes.
const [BEGINNING, END] = [32 * 2 ** 20, 8 * 2 ** 20]
const PRIVATE = 0o600
const nameOf = (blob: string) => pathInShelf(FOLDER, blob)
// Below the prefix there may be objects of others, such as another library.
const blobOf = (name: string) => {
  const blob = name.slice(-32)
  return isBlob(blob) && name === nameOf(blob) ? blob : null
}

/** Returns the contents in a store. What is decoded or watched is copied into the data folder. */
export function s3Place(dataDir: string, settings: StoreSettings, options: Options = {}): Place {
  const folder = dataFolder(dataDir)
  const {
    cacheSize = Number.POSITIVE_INFINITY,
    temporary = folder.temporary('tmp'),
    disk = createDisk(dataDir, 0),
    log = createLog('silent'),
    clock = Date.now,
    s3 = createS3(settings),
  } = options
  const room = disk.towards(dataDir)
  const copies = createCopies(dataDir, { limit: cacheSize, temporary, disk, log })
  let trouble: { problem: StoreProblem; since: number } | null = null

  async function told<T>(blob: string, ask: () => Promise<T>): Promise<T> {
    try {
      const answer = await ask()
      trouble = null
      return answer
    } catch (error) {
      throw noted(blob, error)
    }
  }

  async function* telling<T>(blob: string, pieces: AsyncGenerator<T, void>) {
    try {
      yield* pieces
    } catch (error) {
      throw noted(blob, error)
    }
  }

  function noted(blob: string, error: unknown): unknown {
    if (error instanceof S3Error) {
      const { trouble: problem } = error
      if (problem !== 'away' && problem !== 'refused') trouble = null
      else if (trouble?.problem !== problem) trouble = { problem, since: clock() }
    }
    return toldError(blob, error)
  }

  // Returns whether all of it was fetched.
  async function fetchTo(path: string, blob: string): Promise<boolean> {
    const { removals } = copies
    const found = await s3.head(nameOf(blob))
    if (!found) throw absent(blob)
    const { size, sha256 } = found
    if (size > Math.max(cacheSize, BEGINNING + END)) {
      await fetchEnds(path, blob, size)
      return false
    }
    const claim = await withRoom(place, () => room.claim(size))
    try {
      const file = await createTemporary(path, { claim, log })
      try {
        for await (const piece of await s3.stream(nameOf(blob), { end: size })) {
          await file.write(piece)
        }
        const got = Buffer.from((await file.finish()).sha256).toString('hex')
        // Other programs may have put it there without its digest.
        if (sha256 !== null && !isSameDigest({ size, sha256 }, { size, sha256: got })) {
          throw Object.assign(new Error('An object is not what was stored'), { code: 'EIO' })
        }
      } catch (error) {
        await file.discard()
        throw error
      }
      await copies.add(path, { blob, size, removals })
      return true
    } finally {
      claim.release()
    }
  }

  // Writes a sparse file, in which a decoder finds what a content says of itself.
  async function fetchEnds(path: string, blob: string, size: number): Promise<void> {
    const claim = await withRoom(place, () => room.claim(BEGINNING + END))
    const handle = await open(path, 'wx', PRIVATE)
    try {
      for (const range of [{ end: BEGINNING }, { start: size - END, end: size }]) {
        let at = range.start ?? 0
        for await (const piece of await s3.stream(nameOf(blob), range)) {
          for (let done = 0; done < piece.length; ) {
            done += (await handle.write(piece, done, piece.length - done, at + done)).bytesWritten
          }
          at += piece.length
        }
      }
    } finally {
      await handle.close()
      claim.release()
    }
  }

  const place: Place = {
    name: `s3://${settings.bucket}/${settings.prefix}${FOLDER}`,
    room,
    async stream(blob, range = {}) {
      const { buffer, ...unbuffered } = range
      const { start = 0, end = Number.POSITIVE_INFINITY, isFresh = false, copyAs } = range
      const { removals } = copies
      const ask = (from: number) => s3.stream(nameOf(blob), { ...unbuffered, start: from })
      const fetch = async (from: number) => telling(blob, await told(blob, () => ask(from)))
      const copy = isFresh ? null : await copies.stream(blob, unbuffered)
      const isAll = copyAs && start === 0 && end >= copyAs.size
      let bytes = copy ?? (await fetch(start))
      const drop = () => copies.remove(blob).catch(() => {})
      // What can't be read of a copy is in the store.
      if (copy) bytes = readOn(copy, start, (at) => drop().then(() => fetch(at)))
      else if (isAll) bytes = copies.copying(bytes, { blob, digest: copyAs, removals })
      return buffer ? filling(buffer, bytes) : bytes
    },
    asBlob: async () => null,
    async withLocalFile(blob, fn) {
      const path = join(temporary, randomBytes(16).toString('hex'))
      const fetch = () => told(blob, () => fetchTo(path, blob))
      try {
        const isWhole = (await copies.lend(blob, path)) || (await fetch())
        return await fn(path, isWhole)
      } finally {
        await rm(path, { force: true })
      }
    },
    has: (blob) => told(blob, async () => (await s3.head(nameOf(blob))) !== null),
    sizeOf: (blob) => told(blob, async () => (await s3.head(nameOf(blob)))?.size ?? null),
    hasShelf: async () => true,
    store: (path, blob, file) =>
      told(blob, async () => {
        const { size, sha256 } = await file.finish()
        const digest = { size, sha256: Buffer.from(sha256).toString('hex') }
        await s3.put(nameOf(blob), { path, ...digest })
        // What was just uploaded is likely to be looked at.
        await copies.add(path, { blob, size, removals: copies.removals })
      }),
    async remove(blob) {
      await told(blob, () => s3.remove(nameOf(blob)))
      await copies.remove(blob)
    },
    // An object can't be moved, so it stays where it is.
    setAside: async () => false,
    removeAside: (blob) => place.remove(blob),
    async *list() {
      for await (const { name, size } of telling('', s3.list(`${FOLDER}/`))) {
        const blob = blobOf(name)
        if (blob) yield { blob, size }
      }
    },
    findMark: () =>
      told('', async () => {
        try {
          const chunks: Uint8Array[] = []
          for await (const chunk of await s3.stream(MARK)) chunks.push(chunk)
          return Buffer.concat(chunks).toString().trim()
        } catch (error) {
          if (error instanceof S3Error && error.trouble === 'absent') return null
          throw error
        }
      }),
    setMark: (mark, { isNew } = { isNew: false }) =>
      told('', async () => {
        if (!isNew) await s3.remove(MARK)
        await s3.create(MARK, `${mark}\n`)
        // Some engines take no notice of the condition.
        const set = await place.findMark()
        if (set === mark) return
        throw new AppError(
          'conflict',
          `${place.name}: Another library has marked its contents there`,
        )
      }),
    removeMark: () => told('', () => s3.remove(MARK)),
    makeRoom: copies.makeRoom,
    async look() {
      // An answer to HEAD has no words: it would not say that the bucket is gone.
      await place.findMark().catch(() => {})
      return { name: place.name, problem: null, since: null, ...trouble }
    },
    sweep: () =>
      told('', async () => {
        const swept = { uploads: 0, bytes: 0 }
        for await (const upload of s3.listUploads()) {
          if (!blobOf(upload.name)) continue
          swept.bytes += await s3.abort(upload)
          swept.uploads++
        }
        return swept
      }),
  }
  return place
}

function absent(blob: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`There is no content ${blob}`), { code: 'ENOENT' })
}

// Tells the errors of a store as those of a disk are told.
function toldError(blob: string, error: unknown): unknown {
  if (!(error instanceof S3Error)) return error
  if (error.trouble === 'absent') return absent(blob)
  if (error.trouble === 'outside') return new Error(SHORTER)
  if (error.trouble !== 'away') return error
  const message = 'The store of the contents does not answer: try again later'
  return Object.assign(busy(message), { cause: error })
}
