import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import sharp from 'sharp'
import { derivativeKey, makerOf } from '../../src/files/content/makers.ts'
import { shelfOf } from '../../src/media/data-folder.ts'
import { withoutSmallStore } from '../support/contents.ts'
import { form, type Library, openLibrary } from '../support/harness.ts'
import { namesIn, putFile, runImport } from '../support/imports.ts'
import { fakeFfmpeg, WEBM } from '../support/media/fake-ffmpeg.ts'
import { finerHashOf, hashOf, temporaryFolder } from '../support/media/media.ts'

let library: Library
let token: string
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let ffmpeg: Awaited<ReturnType<typeof fakeFfmpeg>>
/** For how long uploads have said that they wait for their pictures, in milliseconds. */
const waits: number[] = []
/** Resolves when the time is over for which uploads wait. */
let isOver: Promise<void>
let end: () => void
before(async () => {
  folder = await temporaryFolder()
  ffmpeg = await fakeFfmpeg(folder.path)
  const wait = (ms: number) => {
    waits.push(ms)
    return isOver
  }
  library = await openLibrary({ ACCESS_TOKEN_TTL: '1d' }, { ffmpeg, wait })
  token = (await library.join('ann', { is_admin: true, can_create: true })).token
})
after(async () => {
  await library.close()
  await folder.remove()
})
beforeEach(() => {
  waits.length = 0
})
/** Has the next uploads meet a program that answers so, and wait until `end` is called. */
const prepare = (answer: Parameters<typeof ffmpeg.answer>[0]) => {
  ffmpeg.answer(answer)
  isOver = new Promise((resolve) => {
    end = resolve
  })
}

interface Row {
  rid: number
  blob: string
  state: string
  phash: string | null
}
const row = (id: string) =>
  library.deps.db.get<Row>(
    `SELECT f.rid, d.blob, d.derivative_state AS state, CAST(f.phash AS TEXT) AS phash
     FROM files f JOIN file_details d ON d.file_rid = f.rid WHERE f.id = unhex(?)`,
    id.replaceAll('-', ''),
  )!
const finerOf = (id: string) =>
  library.deps.db.get<{ hash: string }>(
    'SELECT lower(hex(hash)) AS hash FROM finer_hashes WHERE file_rid = ?',
    row(id).rid,
  )?.hash
/** Sends a film, and returns the answer that comes before its frame. */
const sendSlowly = async (sending: () => ReturnType<Library['call']>) => {
  prepare('waits')
  const sent = sending()
  await ffmpeg.waiting()
  end()
  return sent
}
const uploadSlowly = async () => {
  const { status, body } = await sendSlowly(() => library.upload(token, WEBM, 'film.webm'))
  assert.equal(status, 201)
  return body
}
const uploadAtOnce = async () => {
  prepare('frame')
  const { body } = await library.upload(token, WEBM, 'film.webm')
  return body
}
/** Has the frame of a content made, and what follows from it. */
const goOn = async (blob: string) => {
  const followed = makerOf(derivativeKey('thumbnail', blob))
  assert.ok(followed)
  await ffmpeg.goOn()
  return followed
}
const cellOf = async (id: string) => {
  const { body } = await library.call('GET', '/files/cells?hashes=1', { token })
  const index = body.ids.indexOf(id)
  return { flags: body.f[index], version: body.v[index], ratio: body.r[index], hash: body.h[index] }
}
const thumbnail = async (id: string) => {
  const response = await library.fetchRaw('GET', `/files/${id}/thumbnail`, { token })
  return { etag: response.headers.get('ETag'), bytes: Buffer.from(await response.arrayBuffer()) }
}
const purge = async (id: string) => {
  for (const path of [`/files/${id}`, `/files/${id}/permanent`]) {
    assert.equal((await library.call('DELETE', path, { token })).status, 204)
  }
}
/** What the disk has of a content. */
const storedOf = (blob: string) =>
  ['files', 'thumbnails', 'thumbnails640', 'tmp'].flatMap((name) =>
    readdirSync(join(library.folder, name), { recursive: true }).filter((each) =>
      String(each).includes(blob),
    ),
  )
/** The frame that is made of each film. */
const frame = () => sharp(join(folder.path, 'frame.png')).png().toBuffer()

describe('an upload whose picture takes longer than it is waited for', () => {
  it('is answered without it after ten seconds, and the picture follows', async () => {
    const file = await uploadSlowly()
    assert.deepEqual(waits, [10_000])
    assert.deepEqual([file.phash, file.width, file.thumbhash], [null, null, null])
    assert.equal(row(file.id).state, 'pending')
    const placeholder = await cellOf(file.id)
    assert.equal(placeholder.flags & 8, 8)
    assert.equal(await goOn(row(file.id).blob), 'made')

    const { body } = await library.call('GET', `/files/${file.id}`, { token })
    assert.equal(row(file.id).phash, await hashOf(await frame()))
    assert.equal(finerOf(file.id), (await finerHashOf(await frame())).hash)
    assert.deepEqual([body.width, body.height], [96, 64])
    assert.equal(typeof body.thumbhash, 'string')
    const cell = await cellOf(file.id)
    assert.equal(cell.flags & 8, 0)
    assert.notEqual(cell.version, placeholder.version)
    assert.deepEqual([cell.ratio, cell.hash], [150, body.thumbhash])
    const { bytes, etag } = await thumbnail(file.id)
    assert.equal((await sharp(bytes).metadata()).width, 96)
    assert.notEqual(etag, '"placeholder"')
    assert.deepEqual(library.deps.decoder.jobs(), 0)
  })

  it('has its EXIF and its date from the beginning', async () => {
    const bytes = await sharp(await frame())
      .withExif({ IFD0: { Make: 'Maker' }, IFD2: { DateTimeOriginal: '2024:05:06 07:08:09' } })
      .jpeg()
      .toBuffer()
    prepare('frame')
    end()
    const { body } = await library.upload(token, bytes)
    assert.equal(body.phash, null)
    assert.deepEqual(
      [body.exif.Make, body.content_datetime, body.date_source],
      ['Maker', '2024-05-06T07:08:09.000Z', 'exif'],
    )
    await makerOf(derivativeKey('thumbnail', row(body.id).blob))
    const { body: later } = await library.call('GET', `/files/${body.id}`, { token })
    assert.equal(row(body.id).phash, await hashOf(Buffer.from(bytes)))
    const { exif, content_datetime, date_source } = body
    assert.deepEqual({ ...later, exif, content_datetime, date_source }, later)
  })

  it('looks like other files, once it is there', async () => {
    const other = await uploadAtOnce()
    const one = await uploadSlowly()
    const similar = async () => {
      const { body } = await library.call('GET', `/files/${other.id}/similar?distance=0`, { token })
      return body.items.map(({ file }: { file: { id: string } }) => file.id).includes(one.id)
    }
    assert.equal(await similar(), false)
    await goOn(row(one.id).blob)
    assert.equal(await similar(), true)
  })

  it('has its picture made once, however many look at it meanwhile', async () => {
    const { id } = await uploadSlowly()
    const runs = ffmpeg.runs()
    const looks = [thumbnail(id), thumbnail(id)]
    await goOn(row(id).blob)
    for (const { etag } of await Promise.all(looks)) assert.notEqual(etag, '"placeholder"')
    assert.equal(ffmpeg.runs(), runs)
  })

  it('that is purged meanwhile leaves nothing', async () => {
    const { id } = await uploadSlowly()
    const { blob } = row(id)
    await purge(id)
    assert.equal(await goOn(blob), 'made')
    assert.deepEqual(storedOf(blob), [])
  })

  it('that is replaced meanwhile changes nothing of the new content', async () => {
    const { id } = await uploadSlowly()
    const { blob } = row(id)
    const colour = { width: 30, height: 90, channels: 3, background: '#0af' } as const
    const bytes = await sharp({ create: colour }).png().toBuffer()
    prepare('waits')
    const body = form(bytes, 'other.png')
    assert.equal((await library.call('PUT', `/files/${id}/content`, { token, body })).status, 200)
    const settled = [row(id), finerOf(id), await cellOf(id)]
    assert.equal(await goOn(blob), 'made')
    assert.deepEqual([row(id), finerOf(id), await cellOf(id)], settled)
    assert.equal(row(id).state, 'made')
    assert.deepEqual(storedOf(blob), [])
  })

  it('that replaces a content gets its picture in the same way', async () => {
    const { id } = await uploadAtOnce()
    const old = row(id)
    const send = () =>
      library.call('PUT', `/files/${id}/content`, { token, body: form(WEBM, 'other.webm') })
    const { status, body } = await sendSlowly(send)
    assert.deepEqual([status, body.phash, finerOf(id)], [200, null, undefined])
    assert.equal(await goOn(row(id).blob), 'made')
    assert.deepEqual([row(id).state, row(id).phash], ['made', await hashOf(await frame())])
    assert.deepEqual(storedOf(old.blob), [])
  })

  it('that is refused in the end leaves nothing', async () => {
    const tag = await library.call('POST', '/tags', { token, body: { name: 'passing' } })
    prepare('waits')
    const { storage } = library.deps
    const { newBlob } = storage
    let blob = ''
    storage.newBlob = async () => {
      storage.newBlob = newBlob
      blob = await newBlob()
      return blob
    }
    const upload = library.upload(token, WEBM, 'film.webm', { tag_ids: tag.body.id })
    await ffmpeg.waiting()
    assert.equal((await library.call('DELETE', `/tags/${tag.body.id}`, { token })).status, 204)
    end()
    assert.equal((await upload).status, 404)
    assert.equal(await goOn(blob), 'made')
    assert.deepEqual(storedOf(blob), [])
  })

  it('that can not be kept in the end leaves nothing', { skip: withoutSmallStore }, async () => {
    prepare('waits')
    const { storage } = library.deps
    const { newBlob } = storage
    let blob = ''
    storage.newBlob = async () => {
      storage.newBlob = newBlob
      blob = await newBlob()
      return blob
    }
    const upload = library.upload(token, WEBM, 'film.webm')
    await ffmpeg.waiting()
    // The content can't be moved to a folder that isn't there.
    const shelf = join(library.folder, 'files', shelfOf(blob))
    renameSync(shelf, `${shelf}-away`)
    // Nor into a store that refuses it.
    if (library.store) library.store.trouble = ({ method }) => (method === 'PUT' ? 403 : undefined)
    end()
    assert.equal((await upload).status, 500)
    renameSync(`${shelf}-away`, shelf)
    if (library.store) library.store.trouble = () => undefined
    assert.equal(await goOn(blob), 'made')
    assert.deepEqual(storedOf(blob), [])
    assert.deepEqual(namesIn(join(library.folder, 'tmp')), [])
  })

  it('is left for later when the system refuses, and has failed when the content is broken', async () => {
    for (const [answer, state] of [
      ['no process', 'pending'],
      ['nonsense', 'failed'],
    ] as const) {
      prepare(answer)
      end()
      const { status, body } = await library.upload(token, WEBM, 'film.webm')
      assert.equal(status, 201)
      await makerOf(derivativeKey('thumbnail', row(body.id).blob))
      assert.equal(row(body.id).state, state)
    }
  })
})

describe('an import', () => {
  it('waits no longer for a picture either', async () => {
    const imports = join(library.folder, 'import')
    mkdirSync(imports, { recursive: true })
    putFile(imports, 'film.webm', WEBM)
    prepare('waits')
    const running = runImport(library, token)
    await ffmpeg.waiting()
    end()
    const events = await running
    assert.deepEqual([events.at(-1)!.imported, namesIn(imports)], [1, []])
    const { body } = await library.call('GET', '/files?limit=1', { token })
    const [{ id, phash }] = body.items
    assert.equal(phash, null)
    assert.equal(await goOn(row(id).blob), 'made')
    assert.equal(row(id).phash, await hashOf(await frame()))
  })
})
