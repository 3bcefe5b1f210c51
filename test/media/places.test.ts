import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createDisk, type Disk, diskFull } from '../../src/base/disk.ts'
import { AppError } from '../../src/base/errors.ts'
import { createLog } from '../../src/base/log.ts'
import { dataFolder } from '../../src/media/data-folder.ts'
import { type ReadRange, readRange } from '../../src/media/file-bytes.ts'
import { placeOf } from '../../src/media/places/open.ts'
import type { Place } from '../../src/media/places/place.ts'
import { s3Place } from '../../src/media/places/s3.ts'
import { createS3 } from '../../src/media/s3/client.ts'
import { openStorage, type Storage } from '../../src/media/storage.ts'
import { eventually } from '../support/eventually.ts'
import { temporaryFolder } from '../support/media/media.ts'
import { openSmallS3, type SmallS3 } from '../support/s3/small-s3.ts'
import { together } from '../support/stored-files.ts'

const NOBODY = 'ab'.repeat(16)

const KINDS = {
  'the data folder': { hasStore: false, isOld: false },
  'a store': { hasStore: true, isOld: false },
  'a store, and older ones in the data folder': { hasStore: true, isOld: true },
  'the data folder, and older ones in a store': { hasStore: false, isOld: true },
}

for (const [kind, { hasStore, isOld }] of Object.entries(KINDS)) {
  describe(`contents in ${kind}`, () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>
    let store: SmallS3 | null
    let storage: Storage
    before(async () => {
      folder = await temporaryFolder()
      store = hasStore || isOld ? await openSmallS3({ page: 2 }) : null
      storage = await openStorage(folder.path, where())
    })
    after(async () => {
      await store?.close()
      await folder.remove()
    })

    const where = () => {
      const [there, oldStore] = [hasStore, isOld && !hasStore].map((is) =>
        is ? store!.settings : null,
      )
      return { store: there!, oldPlace: isOld ? { store: oldStore! } : null }
    }
    const place = () => placeOf({ dataDir: folder.path, ...where() })
    const keep = async (bytes: Uint8Array) => {
      const temporary = await storage.createTemporary()
      await temporary.write(bytes)
      const { sha256 } = await temporary.finish()
      const blob = await storage.newBlob()
      const seen = await storage.keep(temporary, blob, async (path) => {
        return { later: null, bytes: await readFile(path) }
      })
      await temporary.discard()
      assert.deepEqual(seen.bytes, Buffer.from(bytes))
      return { blob, sha256: Buffer.from(sha256).toString('hex') }
    }
    const read = async (blob: string, range?: ReadRange) =>
      together(await storage.stream(blob, range))
    const isAbsent = async (blob: string) => {
      await assert.rejects(read(blob), { code: 'ENOENT' })
      await assert.rejects(storage.readStart(blob), { code: 'ENOENT' })
      await assert.rejects(storage.digest(blob), { code: 'ENOENT' })
      assert.equal(await place().has(blob), false)
    }

    it('are kept once they were decoded, and read as they are', async () => {
      const bytes = randomBytes(100_000)
      const { blob, sha256 } = await keep(bytes)
      assert.equal(sha256, createHash('sha256').update(bytes).digest('hex'))
      assert.deepEqual(await read(blob), bytes)
      assert.deepEqual(await read(blob, { start: 5, end: 50_000 }), bytes.subarray(5, 50_000))
      await assert.rejects(read(blob, { start: 5, end: 100_001 }), /shorter than/)
      assert.deepEqual(await storage.digest(blob), { size: 100_000, sha256 })
      assert.deepEqual(await storage.withLocalFile(blob, (path) => readFile(path)), bytes)
      assert.deepEqual([await place().has(blob), storage.isReceiving()], [true, false])
      await isAbsent(NOBODY)
      assert.deepEqual(await readdir(join(folder.path, 'tmp')), [])
    })

    it('are removed, or once nothing holds them any more', async () => {
      const [{ blob }, held] = [await keep(randomBytes(10)), await keep(randomBytes(11))]
      assert.equal(await storage.removeBlob(blob), true)
      assert.equal(await storage.removeBlob(blob), true)
      await isAbsent(blob)
      const hold = storage.hold()
      hold.add([held.blob])
      const isGone = await storage.removeBlob(held.blob)
      assert.equal(isGone, store === null)
      assert.equal((await read(held.blob)).length, 11)
      await hold.release()
      await isAbsent(held.blob)
    })

    it('are listed with their sizes', async () => {
      const sizes = new Map<string, number>()
      for await (const { blob, size } of place().list()) sizes.set(blob, size)
      for (const size of [1, 2, 3]) sizes.set((await keep(randomBytes(size))).blob, size)
      const listed: [string, number][] = []
      for await (const { blob, size } of place().list()) listed.push([blob, size])
      assert.deepEqual(new Map(listed), sizes)
      const blobs = listed.map(([blob]) => blob)
      assert.deepEqual(blobs, blobs.toSorted())
    })

    it('have the mark of their library', async () => {
      assert.equal(await place().findMark(), null)
      await place().setMark('one', { isNew: true })
      assert.equal(await place().findMark(), 'one')
      await place().setMark('two')
      assert.equal(await place().findMark(), 'two')
    })
  })
}

describe('contents in a store', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let store: SmallS3
  before(async () => {
    folder = await temporaryFolder()
    store = await openSmallS3()
  })
  after(async () => {
    await store.close()
    await folder.remove()
  })

  const open = (contentsCache?: number) =>
    openStorage(folder.path, {
      store: store.settings,
      ...(contentsCache !== undefined && { contentsCache }),
    })
  const keep = async (storage: Storage, size: number) => {
    const temporary = await storage.createTemporary()
    await temporary.write(randomBytes(size))
    await temporary.finish()
    const blob = await storage.newBlob()
    try {
      await storage.keep(temporary, blob, async () => ({ later: null }))
      return blob
    } finally {
      await temporary.discard()
    }
  }
  const isBusy = (error: unknown) => {
    assert.ok(error instanceof AppError)
    assert.deepEqual([error.code, error.headers['Retry-After']], ['busy', '5'])
    return true
  }
  const nothingUnderWay = async () => (await readdir(join(folder.path, 'tmp'))).length === 0
  const isCached = (blob: string) => existsSync(dataFolder(folder.path).cachedContent(blob))

  it('are stored under the names that they would have in the data folder, before the promise', async () => {
    const blob = await keep(await open(), 10)
    assert.deepEqual([...store.objects.keys()], [`photos/files/${blob.slice(0, 2)}/${blob}`])
  })

  it('are copied for the decoder, unless there is a copy', async () => {
    const storage = await open()
    const blob = await keep(storage, 10)
    const asked = store.asked.length
    await storage.withLocalFile(blob, async () => {})
    assert.equal(store.asked.length, asked)
    assert.equal(isCached(blob), true)
    await storage.removeBlob(blob)
    assert.equal(isCached(blob), false)
  })

  it('are copied when they are looked at from their start to their end, and read from their copies', async () => {
    const none = await open(1)
    const blob = await keep(none, 10)
    const copyAs = await none.digest(blob)
    const storage = await open(100)
    const look = async (range: ReadRange) =>
      together(await storage.stream(blob, { copyAs, ...range }))
    assert.equal((await look({ start: 1 })).length, 9)
    assert.equal((await look({ end: 9 })).length, 9)
    assert.equal((await together(await storage.stream(blob))).length, 10)
    const given = await storage.stream(blob, { copyAs })
    await given.next()
    await given.return()
    assert.equal((await look({ copyAs: { size: 10, sha256: '00' } })).length, 10)
    await eventually(nothingUnderWay)
    assert.equal(isCached(blob), false)
    const [bytes] = await Promise.all([look({ start: 0, end: 10 }), look({})])
    await eventually(nothingUnderWay)
    assert.equal(isCached(blob), true)
    const cached = dataFolder(folder.path).cachedContent(blob)
    await utimes(cached, 1, 1)
    store.trouble = () => 503
    assert.deepEqual(await look({ start: 2, end: 4 }), bytes.subarray(2, 4))
    assert.deepEqual(await together(await storage.stream(blob)), bytes)
    // It was used just now.
    assert.ok((await stat(cached)).mtimeMs > 1000)
    // Only the content itself says whether it is what was stored.
    await assert.rejects(storage.digest(blob), isBusy)
    store.trouble = () => undefined
    const large = await keep(storage, 91)
    const whole = await storage.digest(large)
    const asked = store.asked.length
    for (let n = 0; n < 2; n++) {
      assert.equal((await together(await storage.stream(large, { copyAs: whole }))).length, 91)
    }
    // With 90 bytes there would be no more than 90 %.
    assert.deepEqual([isCached(large), store.asked.length], [false, asked + 2])
  })

  it('are sent whatever becomes of their copies', async () => {
    const none = await open(1)
    const blob = await keep(none, 3_000_000)
    const copyAs = await none.digest(blob)
    const look = async (disk?: Disk) =>
      together(
        await (
          await openStorage(folder.path, { store: store.settings, ...(disk && { disk }) })
        ).stream(blob, { copyAs }),
      )
    const real = createDisk(folder.path, 0)
    const full = () => {
      throw diskFull()
    }
    let [writes, released] = [0, 0]
    const claim = () => ({
      need: () => void (++writes > 1 && full()),
      wrote: () => {},
      release: () => void released++,
    })
    for (const room of [{ claim: full }, { claim }]) {
      const disk = { ...real, towards: (path: string) => ({ ...real.towards(path), ...room }) }
      assert.equal((await look(disk)).length, 3_000_000)
      await eventually(nothingUnderWay)
      assert.equal(isCached(blob), false)
    }
    assert.deepEqual([writes > 1, released > 0], [true, true])
    // What is in the way of a copy is in the way of nothing else.
    const cached = dataFolder(folder.path).cachedContent(blob)
    await rm(dirname(cached), { recursive: true, force: true })
    await writeFile(dirname(cached), '')
    assert.equal((await look()).length, 3_000_000)
    await eventually(nothingUnderWay)
    await rm(dirname(cached))
  })

  it('leave no copy when they are removed while they are looked at', async () => {
    const none = await open(1)
    const blob = await keep(none, 10)
    const copyAs = await none.digest(blob)
    const storage = await open()
    const bytes = await storage.stream(blob, { copyAs })
    await bytes.next()
    await storage.removeBlob(blob)
    await bytes.next()
    await eventually(nothingUnderWay)
    assert.equal(isCached(blob), false)
  })

  it('leave no copy when they are removed before the store has answered', async () => {
    const blob = await keep(await open(1), 10)
    const copyAs = await (await open(1)).digest(blob)
    const s3 = createS3(store.settings)
    const place = s3Place(folder.path, store.settings, {
      s3: {
        ...s3,
        async stream(name, range) {
          const answer = await s3.stream(name, range)
          await place.remove(blob)
          return answer
        },
      },
    })
    assert.equal((await together(await place.stream(blob, { copyAs }))).length, 10)
    await eventually(nothingUnderWay)
    assert.equal(isCached(blob), false)
  })

  it('give the room of copies that are being made to what needs it, and make few at once', async () => {
    const storage = await open(1)
    const blobs = [await keep(storage, 3_000_000), await keep(storage, 3_000_000)]
    const cacheSize = 5_000_000
    const place = s3Place(folder.path, store.settings, { cacheSize })
    const begin = async (blob: string) => {
      const bytes = await place.stream(blob, { copyAs: await storage.digest(blob) })
      await bytes.next()
      return bytes
    }
    const [first, second] = [await begin(blobs[0]!), await begin(blobs[1]!)]
    assert.equal((await readdir(join(folder.path, 'tmp'))).length, 1)
    assert.equal(await place.makeRoom(), true)
    assert.ok(await nothingUnderWay())
    for (const bytes of [first, second]) assert.ok((await together(bytes)).length > 0)
    assert.deepEqual(blobs.map(isCached), [false, false])
  })

  const faults: Record<string, (path: string, bytes: Uint8Array) => Promise<unknown>> = {
    'was cut off': (path, bytes) => writeFile(path, bytes.subarray(0, 50)),
    "can't be read": (path) => mkdir(path),
  }
  for (const [fault, make] of Object.entries(faults)) {
    it(`are read from the store, whole or in part, when a copy ${fault}`, async () => {
      const storage = await open()
      const blob = await keep(storage, 100)
      const cached = dataFolder(folder.path).cachedContent(blob)
      const bytes = await readFile(cached)
      for (const [start, end] of [
        [0, 100],
        [40, 60],
      ] as const) {
        const read = [
          async (range: ReadRange) => together(await storage.stream(blob, range)),
          async (range: { start: number; end: number }) =>
            readRange((given) => storage.stream(blob, given), range),
        ]
        for (const how of read) {
          await rm(cached, { recursive: true, force: true })
          await make(cached, bytes)
          assert.deepEqual(await how({ start, end }), bytes.subarray(start, end))
        }
      }
      await rm(cached, { recursive: true, force: true })
    })
  }

  it('give their room to an upload, in its middle as well, as often as it takes', async () => {
    const blobs: string[] = []
    const copy = async () => {
      const storage = await open()
      for (let n = 0; n < 3; n++) blobs.push(await keep(storage, 10))
      assert.equal(blobs.some(isCached), true)
    }
    const requireRoom = () => {
      if (blobs.some(isCached)) throw diskFull()
    }
    const real = createDisk(folder.path, 0)
    const claim = (bytes: number) => {
      requireRoom()
      const claimed = real.claim(bytes)
      const need = (more: number) => {
        requireRoom()
        claimed.need(more)
      }
      return { ...claimed, need }
    }
    const towards = (path: string) => ({ ...real.towards(path), claim })
    const disk = { ...real, requireRoom, claim, towards }
    const storage = await openStorage(folder.path, { store: store.settings, disk })
    await copy()
    const file = await storage.createTemporary()
    await copy()
    await file.write(randomBytes(10))
    assert.equal((await file.finish()).size, 10)
    await file.discard()
    await copy()
    await storage.withRoom(requireRoom)
    const refuse = (error: AppError) => () => {
      throw error
    }
    await assert.rejects(storage.withRoom(refuse(diskFull())), { code: 'insufficient_storage' })
    // Nothing is given up for what is refused for another reason.
    await copy()
    const conflict = new AppError('conflict', 'Somebody was first')
    await assert.rejects(storage.withRoom(refuse(conflict)), { code: 'conflict' })
    assert.equal(blobs.some(isCached), true)
  })

  it('leave no copy of what another process has made of them after their removal', async () => {
    const [storage, other] = [await open(), await open()]
    const blob = await keep(storage, 10)
    await other.removeBlob(blob)
    await writeFile(dataFolder(folder.path).cachedContent(blob), 'a late copy')
    await storage.removeDerivatives(blob)
    assert.equal(isCached(blob), false)
  })

  it('have copies only within their limit', async () => {
    const storage = await open(1000)
    const large = await keep(storage, 1001)
    const small: string[] = []
    assert.equal(isCached(large), false)
    const bytes = await storage.withLocalFile(large, (path) => readFile(path))
    assert.deepEqual([bytes.length, isCached(large)], [1001, false])
    for (let n = 0; n < 4; n++) small.push(await keep(storage, 300))
    await eventually(() => small.filter(isCached).length <= 3)
    for (const blob of small) {
      const { length } = await storage.withLocalFile(blob, (path) => readFile(path))
      assert.equal(length, 300)
    }
    assert.deepEqual(await readdir(join(folder.path, 'tmp')), [])
  })

  it('leave no copies once no store has any of them', async () => {
    const blob = await keep(await open(), 10)
    assert.equal(isCached(blob), true)
    await openStorage(folder.path, { oldPlace: { store: store.settings } })
    assert.equal(isCached(blob), true)
    await openStorage(folder.path)
    assert.equal(existsSync(dataFolder(folder.path).cachedContents), false)
  })

  it('are not taken for what was stored when they are something else', async () => {
    const storage = await open(1)
    const blob = await keep(storage, 10)
    const object = store.objects.get(`photos/files/${blob.slice(0, 2)}/${blob}`)!
    object.bytes = randomBytes(10)
    await assert.rejects(
      storage.withLocalFile(blob, async () => {}),
      { code: 'EIO' },
    )
  })

  it('are not there for now while the store is away, and nothing is half stored', async () => {
    const storage = await open(1)
    const blob = await keep(storage, 10)
    const objects = store.objects.size
    store.trouble = () => 503
    await assert.rejects(storage.stream(blob), isBusy)
    await assert.rejects(
      storage.withLocalFile(blob, async () => {}),
      isBusy,
    )
    await assert.rejects(storage.removeBlob(blob), isBusy)
    await assert.rejects(keep(storage, 10), isBusy)
    store.trouble = () => undefined
    assert.equal(store.objects.size, objects)
    assert.equal((await together(await storage.stream(blob))).length, 10)
  })

  it('keep the mark of the first library, whatever the engine makes of the condition', async () => {
    const place = () => placeOf({ dataDir: folder.path, store: store.settings })
    await place().setMark('one', { isNew: true })
    await assert.rejects(place().setMark('two', { isNew: true }), /Another library has marked/)
    assert.equal(await place().findMark(), 'one')
  })

  it('are used once a store that refused is no longer wrong, and status tells which it was', async () => {
    const [log, refused] = [createLog('silent'), { ...store.settings, secretKey: 'wrong' }]
    const checks = [placeOf({ dataDir: folder.path, store: refused })]
    const check = async () => {
      await (checks.pop() ?? placeOf({ dataDir: folder.path, store: store.settings })).findMark()
      return true
    }
    const place = placeOf({ dataDir: folder.path, store: store.settings }, { check, log })
    await assert.rejects(place.has(NOBODY), isBusy)
    assert.equal(await place.has(NOBODY), false)
    const gone = { ...store.settings, bucket: 'unknown' }
    const state = await placeOf({ dataDir: folder.path, store: gone }).look()
    assert.equal(state?.problem, 'refused')
  })

  it('lose the parts of uploads that a stop has cut off, and nothing of others', async () => {
    const [blob, other] = ['ab'.repeat(16), 'photos/grandma/files/ab/']
    const keys = [`photos/files/ab/${blob}`, `${other}${blob}`, 'photos/film.mkv']
    const part = { bytes: randomBytes(7), etag: '', sha256: undefined }
    for (const key of keys) {
      store.uploads.set(key, { key, sha256: undefined, parts: new Map([[1, part]]) })
    }
    const storage = await open()
    assert.deepEqual(await storage.sweep(), { uploads: 1, bytes: 7 })
    assert.deepEqual([...store.uploads.keys()], keys.slice(1))
    store.uploads.clear()
  })
})

describe('contents on their way from one place to another', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let store: SmallS3
  let storage: Storage
  before(async () => {
    folder = await temporaryFolder()
    store = await openSmallS3()
    storage = await openStorage(folder.path, { ...both(), contentsCache: 0 })
  })
  after(async () => {
    await store.close()
    await folder.remove()
  })

  const both = () => ({ store: store.settings, oldPlace: { store: null } })
  const pathOf = (blob: string) => dataFolder(folder.path).content(blob)
  const [atStore, atHome] = [
    () => placeOf({ dataDir: folder.path, store: store.settings }),
    () => placeOf({ dataDir: folder.path, store: null }),
  ]
  const add = async (place: Place, bytes: Uint8Array) => {
    const blob = await storage.newBlob()
    const path = join(folder.path, 'tmp', 'one')
    await writeFile(path, bytes)
    const sha256 = createHash('sha256').update(bytes).digest()
    await place.store(path, blob, { finish: async () => ({ size: bytes.length, sha256 }) })
    await rm(path, { force: true })
    return blob
  }

  it('are read wherever they are, and those in the data folder while the store is away', async () => {
    const [old, young] = [await add(atHome(), Buffer.of(1)), await add(atStore(), Buffer.of(2))]
    const read = async (blob: string) => [...(await together(await storage.stream(blob)))]
    const path = (blob: string) => storage.withLocalFile(blob, (path) => readFile(path))
    assert.deepEqual([await read(old), await read(young)], [[1], [2]])
    assert.deepEqual([[...(await path(old))], [...(await path(young))]], [[1], [2]])
    const asked = store.asked.length
    store.trouble = () => 503
    assert.deepEqual([await read(old), [...(await path(old))]], [[1], [1]])
    assert.equal(store.asked.length, asked)
    await assert.rejects(read(young), { code: 'busy' })
    store.trouble = () => undefined
  })

  it('are read in the data folder when the store was away at the start', async () => {
    const blob = await add(atHome(), Buffer.of(5))
    const started = await openStorage(folder.path, { ...both(), check: async () => false })
    assert.deepEqual([...(await together(await started.stream(blob)))], [5])
    await assert.rejects(started.stream(NOBODY), { code: 'busy' })
  })

  it('are read on when they are moved into the data folder meanwhile', async () => {
    const bytes = randomBytes(17 * 2 ** 20)
    for (const range of [{}, { start: 7, end: bytes.length - 7 }, { buffer: Buffer.alloc(5000) }]) {
      const blob = await add(atStore(), bytes)
      const pieces: Buffer[] = []
      for await (const piece of await storage.stream(blob, range)) {
        if (pieces.length === 0) {
          await writeFile(pathOf(blob), bytes)
          await atStore().remove(blob)
        }
        pieces.push(Buffer.from(piece))
      }
      const { start = 0, end } = range as ReadRange
      assert.ok(Buffer.concat(pieces).equals(bytes.subarray(start, end)))
    }
  })

  it('stay for the decoder when they are moved to the store meanwhile', async () => {
    const blob = await add(atHome(), Buffer.of(3))
    const seen = await storage.withLocalFile(blob, async (path) => {
      await atHome().remove(blob)
      return readFile(path)
    })
    assert.deepEqual([...seen], [3])
    assert.deepEqual(await readdir(join(folder.path, 'tmp')), [])
  })

  it('are removed from both, and not before the store is there', async () => {
    const blob = await add(atStore(), Buffer.of(4))
    await writeFile(pathOf(blob), Buffer.of(4))
    store.trouble = () => 503
    await assert.rejects(storage.removeBlob(blob), { code: 'busy' })
    store.trouble = () => undefined
    assert.equal(await storage.removeBlob(blob), true)
    assert.deepEqual([await atStore().has(blob), await atHome().has(blob)], [false, false])
  })
})
