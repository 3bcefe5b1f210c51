import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { dataFolder } from '../../src/media/data-folder.ts'
import type { Library } from './harness.ts'
import { elements, sendNow, type Target } from './s3/signed.ts'

/** For a test's `skip`: what goes wrong in a store is said by the small one. */
export const withoutSmallStore = process.env.TEST_STORE ? 'is of the small store' : false

interface Contents {
  list(): string[]
  has(blob: string): boolean
  read(blob: string): Buffer
  write(blob: string, bytes: Uint8Array): void
  /** Loses a content, and the copy of it that the decoder reads. */
  remove(blob: string): void
}

/** Returns the contents of a library, in its folder or its store, by their blobs and past the product. */
export function contentsOf({ folder, store }: Pick<Library, 'folder' | 'store'>): Contents {
  if (process.env.TEST_STORE) return contentsIn(JSON.parse(process.env.TEST_STORE), folder)
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
    remove(blob: string): void {
      rmSync(cachedContent(blob), { force: true })
      if (store) store.objects.delete(keyOf(blob))
      else rmSync(content(blob))
    },
  }
}

// Of a real store, as the harness names objects there.
function contentsIn(given: Record<string, string>, folder: string): Contents {
  const target: Target = {
    endpoint: given.S3_ENDPOINT!,
    region: given.S3_REGION!,
    bucket: given.CONTENTS!.replace('s3://', ''),
    accessKey: given.AWS_ACCESS_KEY_ID!,
    secretKey: given.AWS_SECRET_ACCESS_KEY!,
  }
  const prefix = `${basename(folder)}/files/`
  const keyOf = (blob: string) => `${prefix}${blob.slice(0, 2)}/${blob}`
  const { cachedContent } = dataFolder(folder)
  const forget = (blob: string) => rmSync(cachedContent(blob), { force: true })
  return {
    list() {
      const { body } = sendNow(target, 'GET', '', { query: { 'list-type': '2', prefix } })
      const names = elements(body.toString(), 'Key').map((key) => key.slice(-32))
      return names.filter((name) => /^[0-9a-f]{32}$/.test(name)).sort()
    },
    has: (blob) => sendNow(target, 'HEAD', keyOf(blob)).status === 200,
    read: (blob) => sendNow(target, 'GET', keyOf(blob)).body,
    write(blob, bytes) {
      forget(blob)
      sendNow(target, 'PUT', keyOf(blob), { body: bytes })
    },
    remove(blob) {
      forget(blob)
      sendNow(target, 'DELETE', keyOf(blob))
    },
  }
}

/** Returns the paths of all contents in a data folder, below `files`; that has a mark of its own, too. */
export function storedContents(dataDir: string): string[] {
  const names = readdirSync(join(dataDir, 'files'), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => /^[0-9a-f]{2}\/[0-9a-f]{32}$/.test(name)).sort()
}
