import { existsSync, mkdirSync, openAsBlob, readFileSync } from 'node:fs'
import { access, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createDisk } from '../../base/disk.ts'
import { dataFolder, isBlob, isShelf } from '../data-folder.ts'
import { move, syncFolder, writeSafely } from '../durable.ts'
import { streamFile } from '../file-bytes.ts'
import { unlessAbsent, unlessAbsentNow } from '../unless-absent.ts'
import type { Place } from './place.ts'

/** Returns the contents in a data folder; a held one that was removed is at the path that `aside` returns. */
export function localPlace(
  dataDir: string,
  {
    aside = dataFolder(dataDir).content,
    disk = createDisk(dataDir, 0),
  }: { aside?: (blob: string) => string; disk?: ReturnType<typeof createDisk> } = {},
): Place {
  const { content, contents, storeMarker } = dataFolder(dataDir)
  const find = async <T>(blob: string, use: (path: string) => Promise<T>) =>
    (await unlessAbsent(use(content(blob)))) ?? use(aside(blob))
  let room: Place['room'] | undefined
  return {
    name: contents,
    get room() {
      room ??= disk.towards(contents)
      return room
    },
    stream: (blob, range) => find(blob, (path) => streamFile(path, range)),
    asBlob: (blob) =>
      find(blob, async (path) => {
        await (await open(path, 'r')).close()
        return openAsBlob(path)
      }),
    withLocalFile: (blob, fn) => fn(content(blob), true),
    has: async (blob) => existsSync(content(blob)),
    sizeOf: async (blob) => (await unlessAbsent(stat(content(blob))))?.size ?? null,
    hasShelf: (blob) =>
      access(dirname(content(blob))).then(
        () => true,
        () => false,
      ),
    async store(from, blob) {
      const path = content(blob)
      await move(from, path)
      await syncFolder(dirname(path))
    },
    remove: (blob) => rm(content(blob), { force: true }),
    async setAside(blob) {
      await unlessAbsent(move(content(blob), aside(blob)))
      return true
    },
    // In this order, so that none is left that is being set aside meanwhile.
    async removeAside(blob) {
      await rm(content(blob), { force: true })
      await rm(aside(blob), { force: true })
    },
    async *list() {
      for (const shelf of (await readdir(contents)).filter(isShelf).sort()) {
        for (const blob of (await readdir(join(contents, shelf))).filter(isBlob).sort()) {
          const found = await unlessAbsent(stat(content(blob)))
          if (found) yield { blob, size: found.size }
        }
      }
    },
    findMark: async () => unlessAbsentNow(() => readFileSync(storeMarker, 'utf8').trim()),
    async setMark(mark) {
      mkdirSync(contents, { recursive: true })
      writeSafely(storeMarker, `${mark}\n`)
    },
    removeMark: () => rm(storeMarker, { force: true }),
    makeRoom: async () => false,
    look: async () => null,
    sweep: async () => ({ uploads: 0, bytes: 0 }),
  }
}

/** Makes all shelves for contents, so that none has to be made safe when a content is stored. */
export async function makeShelves(dataDir: string): Promise<void> {
  const { contents } = dataFolder(dataDir)
  for (let shelf = 0; shelf < 256; shelf++) {
    await mkdir(join(contents, shelf.toString(16).padStart(2, '0')), { recursive: true })
  }
  await syncFolder(contents)
}
