import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createPictureCache } from '../../src/media/picture-cache.ts'
import { temporaryFolder } from '../support/media/media.ts'

const START = Date.UTC(2026, 0, 1) / 1000
const SIZE = 1000

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let folders: string[]
const warnings: string[] = []
const log = { warn: (message: string) => void warnings.push(message) }
before(async () => {
  folder = await temporaryFolder()
  folders = ['thumbnails640', 'full'].map((name) => join(folder.path, name))
})
after(() => folder.remove())
beforeEach(async () => {
  for (const path of folders) {
    await rm(path, { recursive: true, force: true })
    await mkdir(path)
  }
})

/** Writes a picture of 1,000 bytes that was made so many minutes after the start. */
async function make(n: number, { minute = n, kind = n % 2 } = {}): Promise<string> {
  const path = join(folders[kind]!, `a${n % 3}`, `${n}.jpg`)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, Buffer.alloc(SIZE))
  await utimes(path, START + minute * 60, START + minute * 60)
  return path
}
const makeAll = (minutes: number[]) =>
  Promise.all(minutes.map((minute, n) => make(n, { minute, kind: n % 2 })))
const kept = (paths: string[]) => paths.map((path) => existsSync(path))

describe('the cache of larger pictures', () => {
  it('keeps everything within its limit', async () => {
    const paths = await makeAll([0, 1, 2, 3])
    await createPictureCache({ folders, limit: 4 * SIZE, log }).add(SIZE)
    assert.deepEqual(kept(paths), [true, true, true, true])
  })

  it('lets the oldest go beyond it, of either kind, down to nine tenths', async () => {
    const paths = await makeAll([5, 1, 4, 0, 3, 2, 9, 8, 7, 6, 10])
    await createPictureCache({ folders, limit: 10 * SIZE, log }).add(SIZE)
    const gone = [1, 3]
    assert.deepEqual(
      kept(paths),
      paths.map((_, n) => !gone.includes(n)),
    )
  })

  it('lets only as many go as it must when all are of one minute', async () => {
    const paths = await makeAll([3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3])
    await createPictureCache({ folders, limit: 10 * SIZE, log }).add(SIZE)
    assert.equal(kept(paths).filter(Boolean).length, 9)
  })

  it('goes on counting what is added, and counts anew before anything goes', async () => {
    const cache = createPictureCache({ folders, limit: 10 * SIZE, log })
    const paths = []
    for (let n = 0; n < 30; n++) {
      paths.push(await make(n))
      await cache.add(SIZE)
      assert.ok(kept(paths).filter(Boolean).length <= 10)
      assert.ok(existsSync(paths.at(-1)!), 'the newest stays')
    }
    // Somebody else has made room.
    for (const path of paths.slice(0, 28)) await rm(path, { force: true })
    for (let n = 30; n < 38; n++) {
      paths.push(await make(n))
      await cache.add(SIZE)
    }
    assert.deepEqual(kept(paths.slice(28)), Array(10).fill(true))
  })

  it('says in the log when it can not count, and tries again', async () => {
    const path = await make(1)
    const missing = join(folder.path, 'missing')
    const cache = createPictureCache({ folders: [missing, ...folders], limit: 1, log })
    await cache.add(SIZE)
    assert.deepEqual(warnings, ['the kept pictures could not be counted'])
    await mkdir(missing)
    await cache.add(SIZE)
    assert.equal(existsSync(path), false)
  })
})
