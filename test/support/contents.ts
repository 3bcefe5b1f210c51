import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataFolder } from '../../src/media/data-folder.ts'
import type { Library } from './harness.ts'

/** Returns the contents of a library, in its folder or its small store, by their blobs and past the product. */
export function contentsOf({ folder, store }: Pick<Library, 'folder' | 'store'>) {
  const { content, cachedContent } = dataFolder(folder)
  const start = `${store?.settings.prefix}files/`
  const keyOf = (blob: string) => `${start}${blob.slice(0, 2)}/${blob}`
  return {
    list: (): string[] =>
      (store
        ? [...store.objects.keys()].filter((key) => key.startsWith(start))
        : storedContents(folder)
      )
        .map((name) => name.slice(-32))
        .filter((name) => /^[0-9a-f]{32}$/.test(name))
        .sort(),
    has: (blob: string): boolean =>
      store ? store.objects.has(keyOf(blob)) : existsSync(content(blob)),
    read: (blob: string): Buffer =>
      store ? store.objects.get(keyOf(blob))!.bytes : readFileSync(content(blob)),
    write(blob: string, bytes: Uint8Array): void {
      rmSync(cachedContent(blob), { force: true })
      if (store) {
        const etag = `"${createHash('md5').update(bytes).digest('hex')}"`
        return void store.objects.set(keyOf(blob), {
          ...{ bytes: Buffer.from(bytes), etag, sha256: undefined },
        })
      }
      mkdirSync(dirname(content(blob)), { recursive: true })
      writeFileSync(content(blob), bytes)
    },
    /** Loses a content, and the copy of it that the decoder reads. */
    remove(blob: string): void {
      rmSync(cachedContent(blob), { force: true })
      if (store) store.objects.delete(keyOf(blob))
      else rmSync(content(blob))
    },
  }
}

/** Returns the paths of all contents in a data folder, below `files`; that has a mark of its own, too. */
export function storedContents(dataDir: string): string[] {
  const names = readdirSync(join(dataDir, 'files'), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => /^[0-9a-f]{2}\/[0-9a-f]{32}$/.test(name)).sort()
}
