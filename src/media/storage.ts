import { randomBytes } from 'node:crypto'
import { type FileHandle, link, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type ContentRoom, createDisk } from '../base/disk.ts'
import { createLog, type Log } from '../base/log.ts'
import { clear } from './clear.ts'
import { type Contents, openContents, type PictureAt } from './contents.ts'
import {
  BOUNDED,
  DERIVATIVES,
  type DerivativeKind,
  dataFolder,
  isShelf,
  requireBlob,
  shelfOf,
} from './data-folder.ts'
import { syncFolder } from './durable.ts'
import { createHolds, type Hold } from './holds.ts'
import { createPictureCache } from './picture-cache.ts'
import { createPicturesInMemory } from './pictures-in-memory.ts'
import { placeOf, type Where } from './places/open.ts'
import { type Place, withRoom } from './places/place.ts'
import { createPictureFinder, findPicture, type StoredPicture } from './stored-picture.ts'
import {
  cloneTemporary,
  createTemporary,
  linkTemporary,
  type TemporaryCopy,
  type TemporaryFile,
} from './temporary.ts'

/** The contents, by their blobs, which are random names, and the pictures made from them. */
export interface Storage extends Contents {
  /** The room for contents, whose folder may be on a disk of its own. */
  room: Omit<ContentRoom, 'claim' | 'claimMoved'>
  /** Returns what `ask` returns, if need be after local copies have been given up until there is room for it. */
  withRoom<T>(ask: () => T): Promise<T>
  /**
   * Makes a file, whose size in bytes may be given in advance. Throws insufficient_storage when the disk's reserve
   * would be used for that.
   */
  createTemporary(size?: number): Promise<TemporaryFile>
  /**
   * Makes a file with the content of an open one, with which it shares blocks of the disk; null where the file system
   * can't do that. Throws insufficient_storage when the disk's reserve isn't whole, or when the reserve of another disk
   * that holds the contents would be used for it.
   */
  cloneTemporary(source: FileHandle): Promise<TemporaryCopy | null>
  /**
   * Gives a whole file, of an upload that came in parts, another name among the temporary files; it keeps its own until
   * the caller removes it. Throws insufficient_storage as `cloneTemporary` does.
   */
  linkTemporary(path: string): Promise<TemporaryCopy>
  /** Returns whether there are temporary files that were not discarded: uploads and imports are under way. */
  isReceiving(): boolean
  /** Returns a new blob, the name of a content that is still to come; the shelves for its derivatives exist. */
  newBlob(): Promise<string>
  /**
   * Stores a finished file at the permanent place of its blob, and returns what `make` returns for its path, which stays
   * good until `later` has settled. The file is stored after `make`, or before where the disk has no hard links.
   * Throws busy while the place can't be reached.
   */
  keep<Made extends { later: Promise<unknown> | null }>(
    temporary: TemporaryCopy,
    blob: string,
    make: (path: string, pictureAt: PictureAt) => Promise<Made>,
  ): Promise<Made>
  /**
   * Removes the content with its derivatives, as far as they exist. A held one is moved to the temporary files, which
   * the next start removes, and is removed when its holds are released. Returns false where it can't be moved: it is to
   * be removed again later. Throws busy while the place can't be reached.
   */
  removeBlob(blob: string): Promise<boolean>
  /** Removes what was made from a content, as far as it exists, but not the content itself. */
  removeDerivatives(blob: string): Promise<void>
  /** Removes what uploads to a store that were cut off have left; returns how many and their bytes. */
  sweep: Place['sweep']
  /** Asks the store of the contents whether it answers; null when they are in the data folder. */
  lookAtStore: Place['look']
  /** Returns an empty hold: what is added to it stays until it is released. */
  hold(): Hold
  /** Removes what waited for holds, of which none may be left. */
  close(): Promise<void>
  /** Returns the derivative, or null when none has been made. */
  findDerivative(kind: DerivativeKind, blob: string): Promise<StoredPicture | null>
  /**
   * Returns the thumbnail, or null when none has been made. A small one that was found under the same stamp before is
   * sent from memory; the stamp changes whenever the thumbnail may have been made anew. Threads that also write uploads
   * would take longer to read it than all else takes.
   */
  findThumbnail(blob: string, stamp: string): Promise<StoredPicture | null>
  /**
   * Counts a derivative, if it was made, among those for which there is a limit. When that is passed, the oldest are
   * removed; resolves when they are gone.
   */
  countCached(kind: DerivativeKind, blob: string): Promise<void>
}

/**
 * Returns the storage in a data folder and empties the folder for temporary files, whose lock must be held. A command,
 * which may run next to a server, names a folder of its own. Without a `disk` that is shared with others, the disk is
 * used to its end. `thumbnailCache` is the limit of the derivatives that have one, in bytes, and `contentsCache` that of
 * copies of contents in a `store`; some may still be in an `oldPlace`. With `check`, a store is used only once that has
 * returned true.
 */
export async function openStorage(
  dataDir: string,
  {
    temporaryName = 'tmp',
    disk = createDisk(dataDir, 0),
    thumbnailCache = Number.POSITIVE_INFINITY,
    contentsCache = Number.POSITIVE_INFINITY,
    store = null as Where['store'],
    oldPlace = null as Where['oldPlace'],
    log = createLog('silent'),
    clock = Date.now,
    check = null as (() => Promise<boolean>) | null,
  } = {},
): Promise<Storage> {
  const folder = dataFolder(dataDir)
  const temporary = folder.temporary(temporaryName)
  await mkdir(temporary, { recursive: true })
  const makeShelf = await openShelves(dataDir)
  const pathAside = (blob: string) => join(temporary, requireBlob(blob))
  const caching = { cacheSize: contentsCache, temporary, disk, log }
  const place = placeOf(
    { dataDir, store, oldPlace },
    { ...caching, aside: pathAside, clock, check },
  )
  // What is deleted from the data folder would stay there.
  if (!store && !oldPlace) await rm(folder.cachedContents, { recursive: true, force: true })
  const { room } = place
  const cache = createPictureCache({
    folders: BOUNDED.map((kind) => folder.derivatives[kind]),
    limit: thumbnailCache,
    log,
  })
  const thumbnails = createPicturesInMemory()
  const findWhole = createPictureFinder()
  const find = (kind: DerivativeKind, blob: string) => findWhole(folder.derivative(kind, blob))
  for (const name of await readdir(temporary)) await clear(join(temporary, name))
  const removeDerivatives = async (blob: string) => {
    for (const kind of DERIVATIVES) await rm(folder.derivative(kind, blob), { force: true })
    // Another process may have copied it after its removal.
    await rm(folder.cachedContent(blob), { force: true })
    thumbnails.evict(blob)
  }
  const contents = openContents(dataDir, place)
  const lend = (path: string) => lendAs(join(temporary, randomName()), path, log)
  const received = new Set<TemporaryCopy>()
  const noteReceived = <Copy extends TemporaryCopy>(copy: Copy): Copy => {
    received.add(copy)
    const discard = () => {
      received.delete(copy)
      return copy.discard()
    }
    return { ...copy, discard }
  }
  const askRoom: Storage['withRoom'] = (ask) => withRoom(place, ask)
  const holds = createHolds({ removeContent: place.removeAside, log })

  return {
    ...contents,
    room,
    withRoom: askRoom,
    async createTemporary(size = 0) {
      const claim = await askRoom(() => room.claim(size))
      try {
        const file = await createTemporary(join(temporary, randomName()), { claim, log })
        const write = async (chunk: Uint8Array) => {
          await askRoom(() => claim.need(chunk.length))
          return file.write(chunk)
        }
        return noteReceived({ ...file, write })
      } catch (error) {
        claim.release()
        throw error
      }
    },
    async cloneTemporary(source) {
      const { size } = await source.stat()
      const claim = await askRoom(() => room.claimMoved(size))
      const copy = await cloneTemporary(source, join(temporary, randomName()), { claim, log })
      return copy && noteReceived(copy)
    },
    async linkTemporary(path) {
      const { size } = await stat(path)
      const claim = await askRoom(() => room.claimMoved(size))
      try {
        const copy = await linkTemporary(path, join(temporary, randomName()), { claim, log })
        return noteReceived(copy)
      } catch (error) {
        claim.release()
        throw error
      }
    },
    isReceiving: () => received.size > 0,
    async newBlob() {
      const blob = randomName()
      await makeShelf(shelfOf(blob))
      return blob
    },
    keep: (file, blob, make) =>
      file.withLocalFile(async (path) => {
        const lent = await lend(path)
        let later: Promise<unknown> | null = null
        try {
          // A lent file is stored only after decoding: a kill before that leaves temporary files, which the next start
          // removes.
          if (!lent) await place.store(path, blob, file)
          const pictureAt: PictureAt = (kind) => folder.derivative(kind, blob)
          const made = lent
            ? await make(lent.path, pictureAt)
            : await contents.withLocalFile(blob, make)
          later = made.later
          if (lent) await place.store(path, blob, file)
          return made
        } finally {
          if (later) void later.catch(() => {}).then(lent?.giveBack)
          else await lent?.giveBack()
        }
      }),
    async removeBlob(blob) {
      let isGone = true
      if (holds.defers(blob)) isGone = await place.setAside(blob)
      else await place.remove(blob)
      await removeDerivatives(blob)
      return isGone
    },
    removeDerivatives,
    sweep: place.sweep,
    lookAtStore: place.look,
    hold: holds.hold,
    close: holds.end,
    findDerivative: find,
    findThumbnail: (blob, stamp) => thumbnails.find({ blob, stamp }, () => find('thumbnail', blob)),
    async countCached(kind, blob) {
      if (!BOUNDED.includes(kind)) return
      try {
        const picture = await findPicture(folder.derivative(kind, blob))
        if (picture) await cache.add(picture.size)
      } catch (error) {
        log.warn('a picture could not be counted', { error: String(error) })
      }
    },
  }
}

/**
 * Returns a function that makes a shelf, for contents and for each kind of derivative, and resolves once the one for
 * contents is safe on the disk. Shelves of derivatives that a backup has left out are made anew.
 */
async function openShelves(dataDir: string): Promise<(shelf: string) => Promise<void>> {
  const { contents, derivatives } = dataFolder(dataDir)
  const pictures = Object.values(derivatives)
  for (const folder of [contents, ...pictures]) await mkdir(folder, { recursive: true })
  await syncFolder(dataDir)
  const makePictureShelves = async (shelf: string) => {
    for (const folder of pictures) await mkdir(join(folder, shelf), { recursive: true })
  }
  const safe = new Set((await readdir(contents)).filter(isShelf))
  // The process that made them may have been killed before it did this.
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

// Gives a finished file another name, under which the decoder finds it while it gets its permanent one, until
// `giveBack`, which never rejects. Returns null when it gets none, as on a disk without hard links.
async function lendAs(path: string, temporaryPath: string, log: Log) {
  try {
    await link(temporaryPath, path)
  } catch {
    // The reason does not matter: a caller that stores the file first needs no other name.
    return null
  }
  const giveBack = () =>
    rm(path, { force: true }).catch((error) => {
      log.warn('a temporary file stays until the next start', { error: String(error) })
    })
  return { path, giveBack }
}

function randomName(): string {
  return randomBytes(16).toString('hex')
}
