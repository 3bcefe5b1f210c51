import { randomBytes } from 'node:crypto'
import { link, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dataFolder } from '../data-folder.ts'
import { NO_LINK } from '../durable.ts'
import { readOn } from '../file-bytes.ts'
import { unlessAbsent } from '../unless-absent.ts'
import type { Place } from './place.ts'

interface Both {
  local: Place
  store: Place
  /** The one to which new contents go. */
  to: Place
  dataDir: string
  /** The folder for temporary files. */
  temporary: string
}

/**
 * Returns the data folder and a store as one place, while contents are moved from one to the other. What is read is
 * looked for in the data folder, in the store, and once more in the data folder: it may have been moved meanwhile.
 */
export function bothPlaces({ local, store, to, dataDir, temporary }: Both): Place {
  const { content } = dataFolder(dataDir)
  const find = async <T>(use: (place: Place) => Promise<T>): Promise<T> =>
    (await unlessAbsent(use(local))) ?? (await unlessAbsent(use(store))) ?? use(local)

  // Without links, what failed because the file was moved counts as absent there.
  const withMoved: Place['withLocalFile'] = async (blob, fn) => {
    try {
      return await local.withLocalFile(blob, fn)
    } catch (error) {
      if (await local.has(blob)) throw error
      throw Object.assign(new Error(`${blob} was moved`, { cause: error }), { code: 'ENOENT' })
    }
  }

  // Gives a file another name, under which it stays while `fn` runs.
  const withLink: Place['withLocalFile'] = async (blob, fn) => {
    const path = join(temporary, randomBytes(16).toString('hex'))
    try {
      await link(content(blob), path)
    } catch (error) {
      if (!NO_LINK.has((error as NodeJS.ErrnoException).code ?? '')) throw error
      return withMoved(blob, fn)
    }
    try {
      return await fn(path, true)
    } finally {
      await rm(path, { force: true })
    }
  }

  const withLocalFile: Place['withLocalFile'] = async (blob, fn) => {
    const use = async (how: Place['withLocalFile']) => ({ made: await how(blob, fn) })
    const found =
      (await unlessAbsent(use(withLink))) ??
      (await unlessAbsent(use(store.withLocalFile))) ??
      (await use(withLink))
    return found.made
  }

  const remove = async (blob: string) => {
    await local.remove(blob)
    await store.remove(blob)
  }
  return {
    name: `${local.name} and ${store.name}`,
    get room() {
      return to.room
    },
    async stream(blob, range = {}) {
      const bytes = await find((place) => place.stream(blob, range))
      // An object that is moved while it is read is read on in the data folder.
      return readOn(bytes, range.start ?? 0, async (start, error) => {
        if (!isAbsent(error)) throw error
        return local.stream(blob, { ...range, start })
      })
    },
    // It would be read later, when it may have been moved.
    asBlob: async () => null,
    withLocalFile,
    has: async (blob) => (await local.has(blob)) || (await store.has(blob)) || local.has(blob),
    sizeOf: async (blob) =>
      (await local.sizeOf(blob)) ?? (await store.sizeOf(blob)) ?? local.sizeOf(blob),
    hasShelf: local.hasShelf,
    store: to.store,
    remove,
    // What is to be removed may just be on its way to the other place.
    setAside: async () => false,
    removeAside: remove,
    async *list() {
      yield* local.list()
      yield* store.list()
    },
    findMark: to.findMark,
    setMark: to.setMark,
    removeMark: to.removeMark,
    makeRoom: store.makeRoom,
    look: store.look,
    sweep: store.sweep,
  }
}

function isAbsent(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}
