import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat, truncate } from 'node:fs/promises'
import type { Config } from '../base/config.ts'
import { CLAIM_AHEAD, diskFull } from '../base/disk.ts'
import { AppError, invalid, overQuota } from '../base/errors.ts'
import { beforeAbort, DAY } from '../base/time.ts'
import type { User } from '../base/user.ts'
import { type Synchronous, type Tx, type WriteDeps, write } from '../db/write.ts'
import type { QuotaShare, Upload } from '../http/multipart.ts'
import { dataFolder, isUpload } from '../media/data-folder.ts'
import { syncFile, syncFolder, writeAll } from '../media/durable.ts'
import type { Storage } from '../media/storage.ts'
import { unlessAbsent } from '../media/unless-absent.ts'
import {
  countUnfinished,
  deleteUpload,
  findUpload,
  insertUpload,
  listExpired,
  setFinished,
  setReceived,
  type UploadRow,
} from './queries.ts'

/** How many uploads in parts a user may have that aren't files yet. */
export const MOST_UPLOADS = 20
// How long a part waits for more bytes, and what it has become is told, in milliseconds.
const KEPT = DAY
const TOLD = DAY / 24

/** An upload that comes in parts; its `size` is in bytes that are safe on the disk. */
export type Part = UploadRow

interface Incoming {
  /** The bytes that are announced; 0 when nobody knows. */
  bytes?: number
  quota?: QuotaShare | undefined
}

/** The uploads that come in parts. A write for one ends with the first error, and what has come by then stays. */
export interface Uploads {
  /**
   * Begins an upload of `length` bytes; null when that isn't known yet. Throws conflict when the user has too many,
   * payload_too_large for one that may never become a file, and insufficient_storage when the disk has no room for it.
   */
  open(upload: {
    user: User
    name: string | null
    length: number | null
    fields?: Record<string, string>
  }): Part
  /** Returns an upload of the user as the table has it. Throws not_found. */
  get(user: User, id: string): Part
  /**
   * Returns an upload of the user as it is on the disk. What is just being received for it ends, since a client that
   * asks has lost that connection; what is being made of it is waited for. A whole one that is no file gives up its last
   * byte: to a client, having all bytes means having the file. Throws not_found.
   */
  find(user: User, id: string): Promise<Part>
  /**
   * Adds to an upload what `read` yields until its signal is aborted, and returns it. Throws conflict unless it has
   * `offset` bytes and nothing else is under way for it, payload_too_large beyond its length, insufficient_storage, and
   * what `read` throws.
   */
  append(
    part: Pick<Part, 'id'>,
    offset: number,
    read: (signal: AbortSignal) => AsyncGenerator<Uint8Array>,
    incoming?: Incoming,
  ): Promise<Part>
  /**
   * Returns what `use` makes of the whole upload, such as a file. `use` calls `finished` in its write; then the bytes
   * are removed. Otherwise they stay. Throws conflict when something else is under way for it.
   */
  finish<T>(part: Pick<Part, 'id'>, use: (file: Upload['file']) => Promise<T>): Promise<T>
  /** Records what an upload has become. */
  finished(tx: Tx, part: Pick<Part, 'id'>, file: { id: string; isNew: boolean }): void
  /** Removes an upload, once nothing is under way for it. */
  discard(part: Pick<Part, 'id'>): Promise<void>
  /**
   * Removes uploads for which nothing has come for a day, what a kill has left of parts of the drop box, and bytes that
   * belong to none.
   */
  removeExpired(): Promise<void>
}

interface UploadsDeps extends WriteDeps {
  storage: Storage
  config: Pick<Config, 'dataDir' | 'maxUploadSize'>
}

/** Returns the uploads of a library, whose bytes only this process may write. */
export function createUploads({ db, disk, clock, storage, config }: UploadsDeps): Uploads {
  const folder = dataFolder(config.dataDir)
  const locks = createLocks()
  const change = <T>(work: (tx: Tx) => Synchronous<T>) => write(db, { now: clock() }, work)

  function get(user: User, id: string): Part {
    const row = findUpload(db, id)
    if (!row || row.user_id !== user.id || row.until < clock()) throw unknown()
    return row
  }

  // The file's length is the truth: a kill may have kept the table from learning of it.
  async function settled(id: string): Promise<Part> {
    const row = findUpload(db, id)
    if (!row) throw unknown()
    if (row.file_id !== null) return row
    const size = (await unlessAbsent(stat(folder.upload(id))))?.size ?? 0
    if (size === row.size) return row
    if (size > 0) await makeSafe(id)
    const part = { ...row, size }
    change((tx) => setReceived(tx, part))
    return part
  }

  async function makeSafe(id: string): Promise<void> {
    await syncFile(folder.upload(id))
    await syncFolder(folder.uploads)
    await syncFolder(config.dataDir)
  }

  async function remove(id: string): Promise<void> {
    change((tx) => deleteUpload(tx, id))
    await rm(folder.upload(id), { force: true })
  }

  return {
    open({ user, name, length, fields = {} }) {
      const { maxUploadSize } = config
      if (length !== null && length > maxUploadSize) throw tooLarge(maxUploadSize)
      const room = storage.room.room()
      if (room !== null && room < (length ?? 0)) throw diskFull()
      disk.requireRoom()
      return change((tx) => {
        if (countUnfinished(tx, user.id) >= MOST_UPLOADS) throw tooMany()
        const id = randomUUID()
        const until = tx.now + KEPT
        const texts = JSON.stringify(fields)
        insertUpload(tx, { id, user_id: user.id, name, length, until, fields: texts })
        return findUpload(tx, id)!
      })
    },
    get,
    async find(user, id) {
      get(user, id)
      return locks.takeOver(id, async () => {
        const part = await settled(id)
        if (part.file_id !== null || part.size !== part.length) return part
        const shorter = { ...part, size: part.size - 1 }
        // The bytes may be those of a content whose commit failed in a way that a later commit has to settle.
        change((tx) => setReceived(tx, shorter))
        await truncate(folder.upload(id), shorter.size)
        return settled(id)
      })
    },
    append: ({ id }, offset, read, { bytes = 0, quota } = {}) =>
      locks.take(id, async (signal) => {
        const { size, length, file_id, until } = await settled(id)
        if (offset !== size || file_id !== null) throw otherOffset(size)
        const most = length ?? config.maxUploadSize
        if (offset + bytes > most) throw tooLarge(most)
        const count = quotaCount(quota, bytes)
        const claim = await storage.withRoom(() => disk.claim(bytes))
        try {
          count(0)
          // What comes shortly before the end mustn't go with a restart after it.
          const renewed = clock() + KEPT
          if (until < renewed - TOLD) change((tx) => setReceived(tx, { id, size, until: renewed }))
          await mkdir(folder.uploads, { recursive: true })
          const handle = await open(folder.upload(id), 'a')
          let received = 0
          try {
            const chunks = read(signal)
            for (;;) {
              const { value: chunk, done } = await beforeAbort(chunks.next(), signal)
              if (done) break
              received += chunk.length
              if (offset + received > most) throw tooLarge(most)
              count(received)
              await storage.withRoom(() => claim.need(chunk.length))
              await writeAll(handle, chunk)
              claim.wrote(chunk.length)
            }
          } finally {
            await handle.close()
            await makeSafe(id)
            const { size } = await stat(folder.upload(id))
            change((tx) => setReceived(tx, { id, size, until: tx.now + KEPT }))
          }
        } finally {
          claim.release()
          quota?.end()
        }
        return settled(id)
      }),
    finish: ({ id }, use) =>
      locks.take(id, async () => {
        const { name, size } = await settled(id)
        if (size === 0) throw invalid('file', 'must not be empty')
        const path = folder.upload(id)
        const temporary = await storage.linkTemporary(path)
        try {
          const { sha256 } = await temporary.finish()
          const used = await use({ temporary, size, sha256, filename: name, isCounted: true })
          if (findUpload(db, id)?.file_id !== null) await rm(path, { force: true })
          return used
        } finally {
          await temporary.discard()
        }
      }),
    finished(tx, { id }, file) {
      setFinished(tx, { id, file_id: file.id, is_new: file.isNew, until: tx.now + TOLD })
    },
    discard: ({ id }) => locks.takeOver(id, () => remove(id)),
    async removeExpired() {
      // What is just being received may have an entry once that is over.
      const expired = listExpired(db, clock()).filter((id) => !locks.isTaken(id))
      for (const id of expired) if (!locks.isTaken(id)) await remove(id)
      for (const id of (await unlessAbsent(readdir(folder.uploads))) ?? []) {
        if (!isUpload(id) || locks.isTaken(id)) continue
        if (findUpload(db, id)?.file_id !== null) await rm(folder.upload(id), { force: true })
      }
    },
  }
}

// Of each upload, one thing at a time is under way.
function createLocks() {
  const taken = new Map<string, { ending: AbortController; done: Promise<unknown> }>()
  const locks = {
    isTaken: (id: string) => taken.has(id),
    async take<T>(id: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      if (taken.has(id)) throw new AppError('conflict', 'The upload is being received already')
      const ending = new AbortController()
      const done = work(ending.signal).finally(() => taken.delete(id))
      taken.set(id, { ending, done })
      return done
    },
    async takeOver<T>(id: string, work: () => Promise<T>): Promise<T> {
      for (let other = taken.get(id); other; other = taken.get(id)) {
        other.ending.abort(new AppError('conflict', 'The upload went on in another request'))
        await other.done.catch(() => {})
      }
      return locks.take(id, work)
    },
  }
  return locks
}

// Returns a function that takes from the quota the bytes that have come and a piece of the announced ones, and throws
// insufficient_storage when all of them are more than is left.
function quotaCount(quota: QuotaShare | undefined, announced: number) {
  return (received: number) => {
    if (!quota) return
    const least = Math.max(received, announced)
    if (least > quota.left()) throw overQuota()
    quota.take(Math.min(least, received + CLAIM_AHEAD))
  }
}

function unknown(): AppError {
  return new AppError('not_found', 'There is no such upload')
}

function tooMany(): AppError {
  return new AppError('conflict', `A user may have ${MOST_UPLOADS} unfinished uploads`)
}

function otherOffset(size: number): AppError {
  return new AppError('conflict', `The upload has ${size} bytes: go on from there`)
}

function tooLarge(most: number): AppError {
  return new AppError('payload_too_large', `The upload may have at most ${most} bytes`)
}
