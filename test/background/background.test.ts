import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { Hono } from 'hono'
import sharp from 'sharp'
import { runBackground } from '../../src/background/run.ts'
import { createActivity } from '../../src/http/clients/activity.ts'
import type { AppEnv } from '../../src/http/env.ts'
import type { Looks } from '../../src/media/decoder/decoder.ts'
import { corpusFile, type Library, openLibrary } from '../support/harness.ts'
import { WEBM } from '../support/media/fake-ffmpeg.ts'
import { without, withoutCorpus } from '../support/media/media.ts'

let library: Library
let ann: { id: number; token: string }
beforeEach(async () => {
  library = await openLibrary()
  ann = await library.join('Ann', { is_admin: true })
})
afterEach(() => library.close())

const pictureOf = (width: number, height: number, orientation = 1) =>
  sharp({ create: { width, height, channels: 3, background: '#c04020' } })
    .jpeg()
    .withMetadata({ orientation })
    .toBuffer()
const upload = async (bytes: Uint8Array, name = 'x.jpg') =>
  (await library.upload(ann.token, bytes, name)).body
const get = async (id: string) => (await library.call('GET', `/files/${id}`, ann)).body
const progress = async () => (await library.call('GET', '/status', ann)).body.background
/** Makes the library one from before it was kept how files look. */
const forget = () => library.deps.db.run('DELETE FROM file_looks')
/** The thumbnail that the hash is made of is a JPEG, so the hash may differ a little. */
function assertLike(file: Record<string, unknown>, uploaded: Record<string, unknown>) {
  const { thumbhash, ...rest } = file
  const { thumbhash: ofUpload, ...expected } = uploaded
  assert.deepEqual(rest, expected)
  assert.equal(typeof thumbhash, typeof ofUpload)
  assert.equal(thumbhash === null, ofUpload === null)
}
const blobOf = (id: string) =>
  library.deps.db.get<{ blob: string }>(
    'SELECT blob FROM file_details JOIN files ON rid = file_rid WHERE id = unhex(?)',
    id.replaceAll('-', ''),
  )!.blob
const thumbnailOf = (id: string) => library.deps.storage.thumbnailPath(blobOf(id))
/** Notes which contents the decoder looks at, and which it decodes. */
function watchDecoder() {
  const { decoder } = library.deps
  const asked: string[] = []
  const blobIn = (path: string) => path.slice(-32)
  library.deps.decoder = {
    ...decoder,
    look: (input) => {
      asked.push(`look ${blobIn(input.path)}`)
      return decoder.look(input)
    },
    derive: (input) => {
      asked.push(`derive ${blobIn(input.path)}`)
      return decoder.derive(input)
    },
  }
  return asked
}
/** Adds files like the first one that lack nothing. */
function addFiles(number: number) {
  const { db } = library.deps
  db.run(
    `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${number})
     INSERT INTO files (id, name_key, mime_type, mime_extension, content_datetime, creator_id,
     is_public, is_deleted, needs_review) SELECT randomblob(16), '', mime_type, mime_extension, 0,
     creator_id, 0, 0, 1 FROM n, (SELECT * FROM files LIMIT 1)`,
  )
  db.run(
    `INSERT INTO file_details (file_rid, blob, size, sha256, stored_at, derivative_state, exif)
     SELECT rid, hex(randomblob(16)), 1, zeroblob(32), 0, 'made', '{}' FROM files
     WHERE rid NOT IN (SELECT file_rid FROM file_details)`,
  )
  db.run(
    `INSERT INTO file_looks (file_rid, thumbhash, decoder) SELECT rid, zeroblob(1), 'made up'
     FROM files WHERE rid NOT IN (SELECT file_rid FROM file_looks)`,
  )
}
/** Has the system refuse to look at a file so many times. */
function refuse(id: string, times: number) {
  const { decoder } = library.deps
  const path = library.deps.storage.pathForDecoder(blobOf(id))
  let left = times
  library.deps.decoder = {
    ...decoder,
    look: async (input) => (input.path === path && left-- > 0 ? null : decoder.look(input)),
  }
}
/** Resolves when the decoder is asked to look at a file. */
function whenLookedAt(id: string): Promise<void> {
  const { decoder } = library.deps
  const path = library.deps.storage.pathForDecoder(blobOf(id))
  return new Promise((resolve) => {
    library.deps.decoder = {
      ...decoder,
      look: (input) => {
        if (input.path === path) resolve()
        return decoder.look(input)
      },
    }
  })
}

describe('the background', () => {
  it('gives old files what an upload gives, the newest first, those in the trash too', async () => {
    const files = [
      await upload(await pictureOf(600, 400, 6)),
      await upload(await pictureOf(900, 300)),
      await upload(await pictureOf(30, 40)),
    ]
    await library.call('DELETE', `/files/${files[0].id}`, ann)
    forget()
    assert.equal((await get(files[1].id)).width, null)
    const asked = watchDecoder()
    await runBackground(library.deps).over
    assertLike(await get(files[0].id), { ...files[0], is_deleted: true })
    assertLike(await get(files[1].id), files[1])
    assertLike(await get(files[2].id), files[2])
    assert.deepEqual(
      asked,
      files.toReversed().map(({ id }) => `look ${blobOf(id)}`),
    )
    assert.equal(await progress(), null)

    // All is done for this version of the decoder.
    await runBackground(library.deps).over
    assert.equal(asked.length, files.length)
  })

  it('looks at what the corpus holds as an upload does', { skip: withoutCorpus }, async () => {
    const names = [
      'heic/samplefilehub.heif',
      'orientation/landscape_6.jpg',
      'photos/Irvine_CA.avif',
      'tiff/Arbitro.tiff',
      'video/doorknob.mp4',
      'broken/image01713.jpg',
    ]
    const files = []
    for (const name of names) files.push(await upload(corpusFile(name), name))
    forget()
    await runBackground(library.deps).over
    for (const file of files) {
      assertLike(await get(file.id), file)
    }
  })

  it('decodes where there is no thumbnail, and makes that', async () => {
    const file = await upload(await pictureOf(60, 40))
    rmSync(thumbnailOf(file.id))
    forget()
    const asked = watchDecoder()
    await runBackground(library.deps).over
    const blob = blobOf(file.id)
    assert.deepEqual(asked, [`look ${blob}`, `derive ${blob}`])
    assert.deepEqual(await get(file.id), file)
    assert.ok(await library.deps.storage.findDerivative('thumbnail', blob))
  })

  it('knows nothing of what can not be decoded or is lost, and is done with it', async () => {
    const broken = await upload(Buffer.from('\xff\xd8\xff and nothing more', 'latin1'))
    const lost = await upload(await pictureOf(60, 40))
    rmSync(library.deps.storage.pathForDecoder(blobOf(lost.id)))
    const damaged = await upload(await pictureOf(50, 40))
    writeFileSync(library.deps.storage.pathForDecoder(blobOf(damaged.id)), 'no picture')
    rmSync(thumbnailOf(damaged.id))
    forget()
    const asked = watchDecoder()
    await runBackground(library.deps).over
    for (const { id } of [broken, lost, damaged]) {
      const { width, height, duration, thumbhash } = await get(id)
      assert.deepEqual([width, height, duration, thumbhash], [null, null, null, null])
    }
    // What this version has failed on is not even looked at.
    assert.ok(!asked.some((job) => job.endsWith(blobOf(broken.id))))
    const count = asked.length
    await runBackground(library.deps).over
    assert.equal(asked.length, count)

    // Another version tries these again, and no others.
    const whole = await upload(await pictureOf(70, 40))
    const { decoder } = library.deps
    library.deps.decoder = { ...decoder, version: `${decoder.version}-and-later` }
    await runBackground(library.deps).over
    const tried = new Set(asked.slice(count).map((job) => job.slice(-32)))
    assert.deepEqual(tried, new Set([broken, lost, damaged].map(({ id }) => blobOf(id))))
    assert.deepEqual(await get(whole.id), whole)
  })

  it('is done with a film whose container hangs, and does not try it again', {
    skip: without('mkfifo', '--version'),
  }, async () => {
    await library.close()
    library = await openLibrary({}, { timeLimit: 500 })
    ann = await library.join('Ann', { is_admin: true })
    const film = await upload(WEBM, 'film.webm')
    // On a slow machine, the upload may have taken too long.
    const { db, decoder } = library.deps
    const failed = "UPDATE file_details SET derivative_state = 'failed', decoder_version = ?"
    db.run(failed, decoder.version)
    const path = library.deps.storage.pathForDecoder(blobOf(film.id))
    rmSync(path)
    // Nobody writes to it, so that whoever reads it waits for ever.
    execFileSync('mkfifo', [path])
    forget()
    await runBackground(library.deps).over
    assert.equal(await progress(), null)
    const asked = watchDecoder()
    await runBackground(library.deps).over
    assert.deepEqual(asked, [])
  })

  it('is done with what the disk can not read, and goes on with the next', async () => {
    const whole = await upload(await pictureOf(60, 40))
    const damaged = await upload(await pictureOf(50, 40))
    // The system answers ELOOP, which is as little a lost file as the EIO of a bad sector.
    rmSync(thumbnailOf(damaged.id))
    symlinkSync(thumbnailOf(damaged.id), thumbnailOf(damaged.id))
    forget()
    await runBackground(library.deps).over
    assert.equal((await get(damaged.id)).thumbhash, null)
    assertLike(await get(whole.id), whole)
    assert.equal(await progress(), null)
  })

  it('leaves no thumbnail of a file that is purged while it is made', async () => {
    const file = await upload(await pictureOf(60, 40))
    const thumbnail = thumbnailOf(file.id)
    rmSync(thumbnail)
    forget()
    const { decoder } = library.deps
    library.deps.decoder = {
      ...decoder,
      derive: async (input) => {
        const made = await decoder.derive(input)
        // As if it came to its place behind the purge, which removes what is there.
        const bytes = readFileSync(thumbnail)
        for (const path of [`/files/${file.id}`, `/files/${file.id}/permanent`]) {
          assert.equal((await library.call('DELETE', path, ann)).status, 204)
        }
        writeFileSync(thumbnail, bytes)
        return made
      },
    }
    await runBackground(library.deps).over
    assert.equal(existsSync(thumbnail), false)
  })

  it('leaves what the system refuses for later, and is not over before', async () => {
    const file = await upload(await pictureOf(60, 40))
    forget()
    const { decoder } = library.deps
    let tries = 0
    const refused = new Promise<void>((resolve) => {
      library.deps.decoder = {
        ...decoder,
        look: async () => {
          if (++tries === 1) setImmediate(resolve)
          return null
        },
      }
    })
    const background = runBackground(library.deps)
    await refused
    await background.stop()
    assert.deepEqual(await progress(), { looked_at: 0, total: 1 })
    library.deps.decoder = decoder
    await runBackground(library.deps).over
    assertLike(await get(file.id), file)
  })

  it('comes back after a pause to what the system refused once', async () => {
    const files = []
    for (const n of [1, 2, 3]) files.push(await upload(await pictureOf(40 + n, 40)))
    forget()
    refuse(files[1].id, 2)
    const begun = library.waits.length
    await runBackground(library.deps).over
    for (const file of files) assertLike(await get(file.id), file)
    assert.deepEqual(
      library.waits.slice(begun).filter((ms) => ms !== 2000),
      [10 * 60_000],
    )
    assert.equal(await progress(), null)
  })

  it('comes back to what it was refused before a restart', async () => {
    const files = []
    for (const n of [1, 2, 3]) files.push(await upload(await pictureOf(40 + n, 40)))
    forget()
    refuse(files[2].id, 2)
    const middle = whenLookedAt(files[1].id)
    const { stop } = runBackground(library.deps)
    await middle
    await stop()
    assert.deepEqual(await progress(), { looked_at: 1, total: 3 })
    assert.equal((await get(files[2].id)).width, null)
    await runBackground(library.deps).over
    for (const file of files) assertLike(await get(file.id), file)
  })

  it('passes over what the system always refuses, though it refuses nothing else', async () => {
    const file = await upload(await pictureOf(60, 40))
    addFiles(2000)
    const newest = await upload(await pictureOf(50, 40))
    library.deps.db.run('DELETE FROM file_looks WHERE thumbhash IS NOT zeroblob(1)')
    refuse(newest.id, Number.POSITIVE_INFINITY)
    const reached = whenLookedAt(file.id)
    const { stop } = runBackground(library.deps)
    await reached
    await stop()
    assert.equal((await get(newest.id)).width, null)
  })

  it('waits while a request runs, and goes on behind it', async () => {
    const files = []
    for (const n of [1, 2, 3]) files.push(await upload(await pictureOf(40 + n, 40)))
    forget()
    const { decoder } = library.deps
    // A request comes while the first file is looked at, and lasts.
    let endRequest = () => {}
    const held = new Promise<void>((resolve) => {
      endRequest = resolve
    })
    const app = new Hono<AppEnv>()
    app.use(library.deps.activity.watch)
    app.get('/slow', async (c) => {
      await held
      return c.text('done')
    })
    let looks = 0
    let asked: Response | Promise<Response> | undefined
    const looked = new Promise<void>((resolve) => {
      library.deps.decoder = {
        ...decoder,
        look: (input): Promise<Looks | null> => {
          if (++looks === 1) asked = app.request('/slow')
          return decoder.look(input).finally(() => setImmediate(resolve))
        },
      }
    })
    const { over, stop } = runBackground(library.deps)
    await looked
    assert.equal(looks, 1)
    // What was found until then is kept.
    assert.deepEqual(library.deps.db.get('SELECT looked_at, total FROM background_work'), {
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

  it('gives turns while it passes files that lack nothing, and writes only at the end', async () => {
    await upload(await pictureOf(60, 40))
    addFiles(6000)
    const { db } = library.deps
    db.run('CREATE TEMP TABLE moves (place INTEGER)')
    db.run(
      `CREATE TEMP TRIGGER moved AFTER UPDATE ON background_work
       BEGIN INSERT INTO moves VALUES (NEW.place); END`,
    )
    let turns = 0
    let isOver = false
    const count = () => {
      turns++
      if (!isOver) setImmediate(count)
    }
    const { over } = runBackground(library.deps)
    setImmediate(count)
    await over
    isOver = true
    // Four stretches, and nothing else takes time here.
    assert.ok(turns >= 3, String(turns))
    assert.deepEqual(db.all('SELECT place FROM moves'), [{ place: null }])
    assert.equal(db.get<{ n: number }>('SELECT looked_at AS n FROM background_work')!.n, 6001)
  })

  it('ends at once when it is told to, and writes nothing that is found later', async () => {
    const files = [await upload(await pictureOf(60, 40)), await upload(await pictureOf(50, 40))]
    forget()
    const { decoder } = library.deps
    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const found = { first: Promise.resolve<Looks | null>(null) }
    const asked = new Promise<void>((resolve) => {
      library.deps.decoder = {
        ...decoder,
        look: (input) => {
          if (input.path !== library.deps.storage.pathForDecoder(blobOf(files[0].id))) {
            return decoder.look(input)
          }
          resolve()
          found.first = held.then(() => decoder.look(input))
          return found.first
        },
      }
    })
    const { stop } = runBackground(library.deps)
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
    const { db } = library.deps
    addFiles(119)
    forget()
    const { decoder } = library.deps
    let looks = 0
    const first: { stop?: () => Promise<void> } = {}
    const ended = new Promise<void>((resolve) => {
      library.deps.decoder = {
        ...decoder,
        look: async (input) => {
          // In the third portion, as a kill would.
          if (++looks === 110) void first.stop!().then(resolve)
          return decoder.look(input)
        },
      }
    })
    first.stop = runBackground(library.deps).stop
    await ended
    const row = () => db.get('SELECT looked_at, total FROM background_work')
    assert.deepEqual(row(), { looked_at: 109, total: 120 })
    assert.deepEqual(await progress(), { looked_at: 109, total: 120 })
    assert.equal(db.get<{ n: number }>('SELECT count(*) AS n FROM file_looks')!.n, 109)
    await runBackground(library.deps).over
    // The one under way at the stop once more.
    assert.equal(looks, 121)
    assert.equal(db.get<{ n: number }>('SELECT count(*) AS n FROM file_looks')!.n, 120)
    assert.deepEqual(await progress(), null)
    assert.equal((await get(id)).width, 60)
  })
})

describe('the activity of a server', () => {
  const signal = new AbortController().signal

  it('is calm once two seconds passed without a request', async () => {
    const waits: number[] = []
    let during = () => {}
    const activity = createActivity(async (ms) => {
      waits.push(ms)
      during()
    })
    const app = new Hono<AppEnv>()
    app.use(activity.watch)
    app.get('*', (c) => c.text('done'))
    await activity.calm(signal)
    assert.deepEqual(waits, [2000])
    await activity.calm(signal)
    await app.request('/health')
    await activity.calm(signal)
    assert.deepEqual(waits, [2000])

    await app.request('/files')
    let left = 2
    during = () => {
      // Each of these begins the two seconds anew.
      if (left-- > 0) void app.request('/files')
    }
    await activity.calm(signal)
    assert.deepEqual(waits.length, 4)
  })

  it('ends its wait when it is told to', async () => {
    const activity = createActivity(async () => {})
    const app = new Hono<AppEnv>()
    app.use(activity.watch)
    let end = () => {}
    const held = new Promise<void>((resolve) => {
      end = resolve
    })
    app.get('/slow', async (c) => {
      await held
      return c.text('done')
    })
    const slow = app.request('/slow')
    assert.equal(activity.isBusy(), true)
    const ending = new AbortController()
    const calm = activity.calm(ending.signal)
    ending.abort()
    await assert.rejects(calm, { name: 'AbortError' })
    end()
    await slow
    await activity.calm(signal)
    assert.equal(activity.isBusy(), false)
  })
})
