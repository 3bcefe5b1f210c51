import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Hono } from 'hono'
import sharp from 'sharp'
import { runBackground } from '../../src/background/run.ts'
import type { AppEnv } from '../../src/http/env.ts'
import type { Looks } from '../../src/media/decoder/decoder.ts'
import { filmBytes } from '../support/media/film.ts'
import { without, withoutEncoder } from '../support/media/media.ts'
import { losslessOf, RAWS } from '../support/media/raws.ts'
import { orientations, photograph, smallHeic } from '../support/media/samples.ts'
import { assertLike, eachWithOldLibrary, pictureOf } from '../support/old-library.ts'
import { pathsOf } from '../support/stored-files.ts'
import { describe, it } from '../support/test.ts'

const old = eachWithOldLibrary()
const PROGRESS = "SELECT looked_at, total FROM background_work WHERE name = 'looks'"
const { upload, get, progress, forget, blobOf, thumbnailOf, watchDecoder, addFiles } = old

describe('the background', () => {
  it('gives old files what an upload gives, the newest first, those in the trash too', async () => {
    const files = [
      await upload(await pictureOf(600, 400, 6)),
      await upload(await pictureOf(900, 300)),
      await upload(await pictureOf(30, 40)),
    ]
    await old.library.call('DELETE', `/files/${files[0].id}`, old.ann)
    forget()
    assert.equal((await get(files[1].id)).width, null)
    const asked = watchDecoder()
    await runBackground(old.library.deps).over
    assertLike(await get(files[0].id), {
      ...files[0],
      is_deleted: true,
      trashed_at: files[0].created_at,
    })
    assertLike(await get(files[1].id), files[1])
    assertLike(await get(files[2].id), files[2])
    assert.deepEqual(
      asked,
      files.toReversed().map(({ id }) => `look ${blobOf(id)}`),
    )
    assert.equal(await progress(), null)

    // All is done for this version of the decoder.
    await runBackground(old.library.deps).over
    assert.equal(asked.length, files.length)
  })

  it('looks at every kind of content as an upload does', async () => {
    const kinds: Record<string, Uint8Array> = {
      'held.jpg': readFileSync((await orientations())[5]!),
      'small.avif': await sharp(await photograph(1, 300, 200))
        .avif()
        .toBuffer(),
      'scan.tiff': await sharp(await photograph(2, 300, 200))
        .tiff()
        .toBuffer(),
      'torn.jpg': readFileSync(await photograph(3, 300, 200)).subarray(0, 2000),
    }
    if (!withoutEncoder('libx265')) kinds['phone.heic'] = readFileSync((await smallHeic(8)).path)
    if (!without('ffmpeg', '-version')) {
      kinds['film.mp4'] = await filmBytes('film.mp4', ['-c:v', 'mpeg4'])
    }
    const files = []
    for (const [name, bytes] of Object.entries(kinds)) files.push(await upload(bytes, name))
    forget()
    await runBackground(old.library.deps).over
    for (const file of files) {
      assertLike(await get(file.id), file)
    }
  })

  it('decodes where there is no thumbnail, and makes that', async () => {
    const file = await upload(await pictureOf(60, 40))
    rmSync(thumbnailOf(file.id))
    forget()
    const asked = watchDecoder()
    await runBackground(old.library.deps).over
    const blob = blobOf(file.id)
    assert.deepEqual(asked, [`look ${blob}`, `derive ${blob}`])
    assert.deepEqual(await get(file.id), file)
    assert.ok(await old.library.deps.storage.findDerivative('thumbnail', blob))
  })

  it('waits while a request runs, and goes on behind it', async () => {
    const files = []
    for (const n of [1, 2, 3]) files.push(await upload(await pictureOf(40 + n, 40)))
    forget()
    const { decoder } = old.library.deps
    // A request comes while the first file is looked at, and lasts.
    let endRequest = () => {}
    const held = new Promise<void>((resolve) => {
      endRequest = resolve
    })
    const app = new Hono<AppEnv>()
    app.use(old.library.deps.activity.watch)
    app.get('/slow', async (c) => {
      await held
      return c.text('done')
    })
    let looks = 0
    let asked: Response | Promise<Response> | undefined
    const looked = new Promise<void>((resolve) => {
      old.library.deps.decoder = {
        ...decoder,
        look: (input): Promise<Looks | null> => {
          if (++looks === 1) asked = app.request('/slow')
          return decoder.look(input).finally(() => setImmediate(resolve))
        },
      }
    })
    const { over, stop } = runBackground(old.library.deps)
    await looked
    assert.equal(looks, 1)
    // What was found until then is kept.
    assert.deepEqual(old.library.deps.db.get(PROGRESS), {
      looked_at: 1,
      total: 3,
    })
    endRequest()
    await asked
    await over
    assert.equal(looks, 3)
    await stop()
    for (const file of files) assertLike(await get(file.id), file)
  })

  it('tells RAW files from TIFFs that an earlier version took them for', async () => {
    const { db } = old.library.deps
    const [large, small] = [await pictureOf(1600, 1000), await pictureOf(160, 120)]
    const dng = RAWS['image/x-adobe-dng']!({ large, small, raw: losslessOf(large) })
    const files = [
      await upload(dng, 'a.dng'),
      await upload(await sharp(large).tiff().toBuffer(), 'scan.tif'),
    ]
    const [raw, scan] = files
    db.run("UPDATE files SET mime_type = 'image/tiff', mime_extension = 'tif'")
    db.run("UPDATE file_looks SET decoder = 'older', width = 160, height = 120")
    const before = await sharp(small).toBuffer()
    writeFileSync(thumbnailOf(raw.id), before)
    await runBackground(old.library.deps).over
    assertLike(await get(raw.id), raw)
    assert.deepEqual([raw.mime_type, raw.mime_extension], ['image/x-adobe-dng', 'dng'])
    assert.deepEqual([raw.width, raw.height], [1600, 1000])
    assert.equal((await sharp(thumbnailOf(raw.id)).metadata()).width, 320)
    assertLike(await get(scan.id), { ...scan, width: 1600, height: 1000 })
  })

  it('gives turns while it passes files that lack nothing, and writes only at the end', async () => {
    await upload(await pictureOf(60, 40))
    addFiles(6000)
    const { db } = old.library.deps
    db.run("UPDATE files SET date_source = 'exif'")
    db.run('CREATE TEMP TABLE moves (name TEXT, place INTEGER)')
    db.run(
      `CREATE TEMP TRIGGER moved AFTER UPDATE ON background_work
       BEGIN INSERT INTO moves VALUES (NEW.name, NEW.place); END`,
    )
    let turns = 0
    let isOver = false
    const count = () => {
      turns++
      if (!isOver) setImmediate(count)
    }
    const { over } = runBackground(old.library.deps)
    setImmediate(count)
    await over
    isOver = true
    // Four stretches for each kind of work, and nothing else takes time here.
    assert.ok(turns >= 6, String(turns))
    const kinds = ['notes', 'captures', 'looks', 'dates', 'finer', 'companions']
    assert.deepEqual(
      db.all('SELECT name, place FROM moves'),
      kinds.map((name) => ({ name, place: null })),
    )
    assert.deepEqual(
      db.all('SELECT looked_at FROM background_work'),
      kinds.map(() => ({ looked_at: 6001 })),
    )
  })

  it('ends at once when it is told to, and writes nothing that is found later', async () => {
    const files = [await upload(await pictureOf(60, 40)), await upload(await pictureOf(50, 40))]
    forget()
    const { decoder } = old.library.deps
    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const found = { first: Promise.resolve<Looks | null>(null) }
    const asked = new Promise<void>((resolve) => {
      old.library.deps.decoder = {
        ...decoder,
        look: (input) => {
          if (input.path !== pathsOf(old.library.deps).content(blobOf(files[0].id))) {
            return decoder.look(input)
          }
          resolve()
          found.first = held.then(() => decoder.look(input))
          return found.first
        },
      }
    })
    const { stop } = runBackground(old.library.deps)
    await asked
    await stop()
    goOn()
    assert.equal((await found.first)?.width, 60)
    // What came before is kept.
    assert.deepEqual(await progress(), { looked_at: 1, total: 2 })
    assertLike(await get(files[1].id), files[1])
    assert.equal((await get(files[0].id)).width, null)
  })

  it('goes on from its place, over many portions', async () => {
    const { id } = await upload(await pictureOf(60, 40))
    const { db } = old.library.deps
    addFiles(119)
    forget()
    const { decoder } = old.library.deps
    let looks = 0
    const first: { stop?: () => Promise<void> } = {}
    const ended = new Promise<void>((resolve) => {
      old.library.deps.decoder = {
        ...decoder,
        look: async (input) => {
          // In the third portion, as a kill would.
          if (++looks === 110) void first.stop!().then(resolve)
          return decoder.look(input)
        },
      }
    })
    first.stop = runBackground(old.library.deps).stop
    await ended
    const row = () => db.get(PROGRESS)
    assert.deepEqual(row(), { looked_at: 109, total: 120 })
    assert.deepEqual(await progress(), { looked_at: 109, total: 120 })
    assert.equal(db.get<{ n: number }>('SELECT count(*) AS n FROM file_looks')!.n, 109)
    await runBackground(old.library.deps).over
    // The one under way at the stop once more.
    assert.equal(looks, 121)
    assert.equal(db.get<{ n: number }>('SELECT count(*) AS n FROM file_looks')!.n, 120)
    assert.deepEqual(await progress(), null)
    assert.equal((await get(id)).width, 60)
  })
})
