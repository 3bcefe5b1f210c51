import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { type Config, parseConfig } from '../../../src/base/config.ts'
import { createLog } from '../../../src/base/log.ts'
import { acquireLock } from '../../../src/db/lock.ts'
import { recordPlaces } from '../../../src/files/content/places.ts'
import { removeContents } from '../../../src/files/content/removals.ts'
import { findPlaces } from '../../../src/files/content/store-queries.ts'
import {
  type MoveEvent,
  type MoveProblem,
  type MoveSummary,
  moveContents,
  planMove,
} from '../../../src/keep/move/move.ts'
import { openContents } from '../../../src/media/contents.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { eachPlace, placeOf } from '../../../src/media/places/open.ts'
import { openStorage } from '../../../src/media/storage.ts'
import { type Library, openLibrary, picture } from '../../support/harness.ts'
import { openSmallS3, type SmallS3 } from '../../support/s3/small-s3.ts'

const COUNT = 5

describe('the contents of a library', () => {
  let library: Library
  let store: SmallS3
  beforeEach(async () => {
    store = await openSmallS3({ page: 3 })
    library = await openLibrary({ CONTENTS: 'local' })
    const { token } = await library.join('Ann', { is_admin: true })
    for (let n = 0; n < COUNT; n++) await library.upload(token, await picture(n))
    await recordPlaces(db(), configFor('local'), createLog('silent'))
  })
  afterEach(async () => {
    await library.close()
    await store.close()
  })

  const db = () => library.deps.db
  const log = createLog('silent')
  const configFor = (contents: 'local' | 's3') =>
    parseConfig({
      ...store.env,
      CONTENTS: contents === 's3' ? store.env.CONTENTS : 'local',
      DATA_DIR: library.folder,
    })
  const start = async (contents: 'local' | 's3') =>
    (await recordPlaces(db(), configFor(contents), log)).config
  const depsFor = async (config: Config) => {
    const temporary = dataFolder(library.folder).temporary('tmp-move')
    await openStorage(library.folder, { temporaryName: 'tmp-move' })
    return { ...library.deps, config, log, temporary }
  }
  const move = async (config: Config, signal = new AbortController().signal) => {
    const events: MoveEvent[] = []
    for await (const event of moveContents(await depsFor(config), signal)) events.push(event)
    const { type: _, ...done } = events.at(-1) as MoveSummary
    return { done, problems: events.filter(({ type }) => type === 'problem') as MoveProblem[] }
  }
  const rows = () =>
    db().all<{ rid: number; blob: string; size: number; sha256: Uint8Array }>(
      'SELECT file_rid AS rid, blob, size, sha256 FROM file_details ORDER BY blob',
    )
  const bytesOf = () => rows().reduce((sum, { size }) => sum + size, 0)
  const objects = () => [...store.objects.keys()].filter((key) => !key.endsWith('.library'))
  const files = () =>
    readdirSync(dataFolder(library.folder).contents, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name !== '.library')
      .map(({ name }) => name)
      .sort()
  const hasMark = () => [
    existsSync(dataFolder(library.folder).storeMarker),
    store.objects.has('photos/files/.library'),
  ]
  const areWhole = async (config: Config) => {
    const contents = openContents(library.folder, placeOf(config))
    for (const { blob, size, sha256 } of rows()) {
      const expected = { size, sha256: Buffer.from(sha256).toString('hex') }
      assert.deepEqual(await contents.digest(blob), expected)
    }
  }
  const NOTHING = { problems: 0, unknown: 0, waiting: 0 }

  it('wait for a store that goes away while it is listed', async () => {
    await move(await start('s3'))
    const home = await depsFor(await start('local'))
    let pauses = 0
    const wait = async () => {
      pauses++
      if (pauses % 2 === 0) store.trouble = () => undefined
    }
    const isRest = ({ query }: { query: URLSearchParams }) => query.has('continuation-token')
    store.trouble = (asked) => (isRest(asked) ? 503 : undefined)
    const { signal } = new AbortController()
    assert.equal((await planMove({ ...home, wait }, signal)).contents, COUNT)
    assert.equal(pauses, 2)
  })

  it('are moved to a store and back, with what was said before', async () => {
    const toStore = await start('s3')
    const [bytes, plan] = [bytesOf(), await planMove(await depsFor(toStore), AbortSignal.any([]))]
    const none = { unknown: 0, waiting: 0, room: null }
    assert.deepEqual(plan, { contents: COUNT, bytes, requests: 2 * COUNT, ...none })
    const asked = store.asked.length
    const all = { moved: COUNT, bytes, ...NOTHING, finished: true }
    assert.deepEqual(await move(toStore), { done: all, problems: [] })
    assert.equal(store.asked.length - asked, plan.requests)
    assert.deepEqual([files(), objects().length, hasMark()], [[], COUNT, [false, true]])
    assert.deepEqual(Object.values(findPlaces(db())), ['s3://family/photos', null])
    await areWhole(configFor('s3'))

    const toHome = await start('local')
    const { requests, room, ...rest } = await planMove(await depsFor(toHome), AbortSignal.any([]))
    assert.deepEqual(rest, { contents: COUNT, bytes, unknown: 0, waiting: 0 })
    assert.deepEqual([requests, room! > bytes], [2 * COUNT + 3, true])
    const before = store.asked.length
    assert.deepEqual(await move(toHome), { done: all, problems: [] })
    // The last of the lists are shorter, and the mark is removed.
    assert.equal(store.asked.length - before, 2 * COUNT + 2 + 2 + 1 + 1)
    const blobs = rows().map(({ blob }) => blob)
    assert.deepEqual([files(), objects(), hasMark()], [blobs, [], [true, false]])
    assert.deepEqual(Object.values(findPlaces(db())), ['local', null])
    await areWhole(configFor('local'))
    assert.deepEqual(readdirSync(join(library.folder, 'tmp-move')), [])
  })

  it('stay where they are when they are damaged or missing, until they are whole', async () => {
    const config = await start('s3')
    const [damaged, short] = rows()
    const { content } = dataFolder(library.folder)
    const before = readFileSync(content(damaged!.blob))
    writeFileSync(content(damaged!.blob), Buffer.alloc(damaged!.size))
    const cut = readFileSync(content(short!.blob))
    writeFileSync(content(short!.blob), cut.subarray(1))
    const { done, problems } = await move(config)
    assert.deepEqual([done.moved, done.problems, done.finished], [COUNT - 2, 2, false])
    assert.deepEqual(problems.map(({ blob }) => blob).sort(), [damaged!.blob, short!.blob])
    assert.match(problems[0]!.sentence, /damaged/)
    assert.deepEqual([files().length, objects().length, hasMark()], [2, COUNT - 2, [true, true]])
    writeFileSync(content(damaged!.blob), before)
    writeFileSync(content(short!.blob), cut)
    assert.equal((await move(config)).done.finished, true)
    await areWhole(configFor('s3'))
    const object = store.objects.get(objects()[0]!)!
    object.bytes = Buffer.alloc(object.bytes.length)
    const back = await move(await start('local'))
    assert.deepEqual([back.done.moved, back.done.problems, files().length], [4, 1, 4])
    assert.match(back.problems[0]!.sentence, /damaged/)
  })

  for (const to of ['s3', 'local'] as const) {
    it(`leave no copy when they are removed on their way to ${to}`, async () => {
      if (to === 'local') await move(await start('s3'))
      const config = await start(to)
      const { rid, blob } = rows()[0]!
      const method = to === 's3' ? 'PUT' : 'GET'
      store.trouble = (asked) => {
        if (asked.method === method && asked.key.endsWith(blob)) {
          db().run('DELETE FROM files WHERE rid = ?', rid)
        }
        return undefined
      }
      const { done } = await move(config)
      assert.deepEqual(done, {
        ...{ moved: COUNT - 1, bytes: bytesOf(), problems: 0, unknown: 0 },
        ...{ waiting: 1, finished: false },
      })
      const [target, source] = eachPlace(config).map((one) => placeOf(one))
      assert.deepEqual([await target!.has(blob), await source!.has(blob)], [false, true])
      const storage = await openStorage(library.folder, config)
      await removeContents({ ...library.deps, storage }, [blob])
      const next = await move(config)
      assert.deepEqual([next.done.moved, next.done.finished], [0, true])
      await areWhole(configFor(to))
    })
  }

  it('are moved when only backups of the database alone name them any more', async () => {
    const { rid, blob } = rows()[0]!
    db().run("INSERT INTO kept_generations VALUES ('/backups', 1)")
    db().run('DELETE FROM files WHERE rid = ?', rid)
    for (const to of ['s3', 'local'] as const) {
      const config = await start(to)
      const { done } = await move(config)
      assert.deepEqual([done.moved, done.waiting, done.finished], [COUNT, 0, true])
      const places = eachPlace(config).map((one) => placeOf(one))
      assert.deepEqual(await Promise.all(places.map((place) => place.has(blob))), [true, false])
      await areWhole(configFor(to))
    }
    const storage = await openStorage(library.folder)
    await removeContents({ ...library.deps, storage }, [blob])
    assert.equal(files().length, COUNT)
    db().run('DELETE FROM kept_generations')
    await removeContents({ ...library.deps, storage }, [blob])
    assert.equal(files().length, COUNT - 1)
  })

  it('go on where they were stopped', async () => {
    const config = await start('s3')
    const stop = new AbortController()
    store.trouble = ({ method }) => {
      if (method === 'HEAD') stop.abort(new Error('stopped'))
      return undefined
    }
    await assert.rejects(move(config, stop.signal), /stopped/)
    const moved = COUNT - files().length
    assert.ok(moved < COUNT)
    assert.ok(objects().length >= moved)
    await areWhole(config)
    store.trouble = () => undefined
    const { done } = await move(config)
    assert.deepEqual([done.moved, done.finished], [COUNT - moved, true])
    await areWhole(configFor('s3'))
  })

  it('wait for a store that is away, and for an import that may store more of them', async () => {
    const config = await start('s3')
    let [refusals, waits] = [9, library.waits.length]
    store.trouble = ({ method }) => (method === 'PUT' && refusals-- > 0 ? 503 : undefined)
    const lock = acquireLock(dataFolder(library.folder).importLock, 'taken')
    await assert.rejects(move(config), /An import is running, which may store contents in /)
    waits = library.waits.length - waits
    assert.ok(waits >= 1 && waits <= 3)
    assert.deepEqual([files(), objects().length, hasMark()], [[], COUNT, [true, true]])
    lock.release()
    assert.equal((await move(config)).done.finished, true)
  })

  it('that no file has stay, and are counted', async () => {
    const config = await start('s3')
    writeFileSync(
      dataFolder(library.folder).content(`${rows()[0]!.blob.slice(0, 2)}${'0'.repeat(30)}`),
      '',
    )
    const { done } = await move(config)
    assert.deepEqual([done.moved, done.unknown, done.finished], [COUNT, 1, true])
    assert.equal(files().length, 1)
  })

  it('are not moved on when a server starts with another place meanwhile', async () => {
    const config = await start('s3')
    await start('local')
    await assert.rejects(move(config), /A server was started with another CONTENTS meanwhile/)
    assert.deepEqual([files().length, objects()], [COUNT, []])
  })
})
