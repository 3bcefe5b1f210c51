import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import sharp from 'sharp'
import { fileVersion } from '../../../src/files/version.ts'
import type { DerivativeKind } from '../../../src/media/data-folder.ts'
import { type Library, openLibrary, picture } from '../../support/harness.ts'
import { fakeFfmpeg, WEBM } from '../../support/media/fake-ffmpeg.ts'
import { temporaryFolder, withoutEncoder } from '../../support/media/media.ts'
import { phoneHeic } from '../../support/media/samples.ts'
import { madeOnce } from '../../support/run-folder.ts'
import { pathsOf } from '../../support/stored-files.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { type SignedInPage, send, signInToPage } from '../../support/web-session.ts'

let library: Library
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let ffmpeg: Awaited<ReturnType<typeof fakeFfmpeg>>
const pages: Record<string, SignedInPage> = {}
before(async () => {
  folder = await temporaryFolder()
  ffmpeg = await fakeFfmpeg(folder.path)
  ffmpeg.answer('frame')
  const places = { ofOne: 1, ofAll: 1 }
  // A busy machine may take longer for a HEIC than uploads wait.
  const wait = () => new Promise<void>(() => {})
  library = await openLibrary({}, { ffmpeg, places, wait })
  for (const name of ['Ann', 'Bob', 'Carl']) {
    await library.addUser(name, { can_create: true, is_admin: true })
    pages[name] = await signInToPage(library, name)
  }
})
after(async () => {
  await library.close()
  await folder.remove()
})

const made = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#4a6' } })
const tiff = (width = 1200, height = 900) => made(width, height).tiff().toBuffer()
const add = async (bytes: Uint8Array, name: string) => {
  const { status, body } = await library.upload(pages.Ann!.access_token, bytes, name)
  assert.equal(status, 201)
  return body.id as string
}
/** What the library has stored of a file. */
const fileOf = (id: string) =>
  library.deps.db.get<Parameters<typeof fileVersion>[0]>(
    `SELECT d.blob, d.derivative_state, d.decoder_version, d.rotation FROM files f
     JOIN file_details d ON d.file_rid = f.rid WHERE f.id = unhex(?)`,
    id.replaceAll('-', ''),
  )!
const pathOf = (id: string, kind: DerivativeKind) =>
  pathsOf(library.deps).derivative(kind, fileOf(id).blob)

/** Returns what the page gets under the version of now. */
async function look(id: string, kind: string, { as = 'Ann', query = '' } = {}) {
  const page = pages[as]!
  const path = `/web/media/${page.media}/${id}/${kind}?v=${fileVersion(fileOf(id))}${query}`
  const response = await send(library, page.jar, 'GET', path)
  assert.equal(response.status, 200)
  const body = Buffer.from(await response.arrayBuffer())
  const { format, width, height } = await sharp(body).metadata()
  const isKept = response.headers.get('Cache-Control') === 'private, max-age=86400, immutable'
  if (!isKept) assert.equal(response.headers.get('Cache-Control'), 'no-store')
  return { format, size: [width, height], isKept, etag: response.headers.get('ETag'), body }
}
const large = (id: string) => look(id, 'thumbnail', { query: '&size=640' })

/** Keeps the decoder busy with a film; returns how to let it go on. */
async function occupy(): Promise<() => Promise<void>> {
  ffmpeg.answer('frame')
  const film = await add(WEBM, 'film.webm')
  ffmpeg.answer('waits')
  const looking = look(film, 'preview')
  await ffmpeg.waiting()
  return async () => {
    await ffmpeg.goOn()
    await looking
    ffmpeg.answer('frame')
  }
}
const untilWaiting = async (count: number) => {
  while (library.deps.decoder.waitingPreviews() < count) await setImmediate()
}

describe('a larger thumbnail', () => {
  it('is made when it is asked for, once, and not enlarged', async () => {
    const id = await add(await made(1200, 900).jpeg().toBuffer(), 'a.jpg')
    rmSync(pathOf(id, 'thumbnail640'), { force: true })
    const first = await large(id)
    assert.deepEqual([first.format, first.size, first.isKept], ['jpeg', [640, 480], true])
    assert.ok(existsSync(pathOf(id, 'thumbnail640')))
    assert.deepEqual(await large(id), first)
    assert.notEqual((await look(id, 'thumbnail')).etag, first.etag)
    const small = await add(await picture(), 'small.jpg')
    assert.deepEqual((await large(small)).size, [48, 32])
  })

  it('is the same over the API, and another size than 320 and 640 is 400', async () => {
    const token = pages.Ann!.access_token
    const id = await add(await made(1200, 900).jpeg().toBuffer(), 'a.jpg')
    const get = (query: string) =>
      library.fetchRaw('GET', `/files/${id}/thumbnail${query}`, { token })
    for (const [query, width] of [
      ['', 320],
      ['?size=320', 320],
      ['?size=640', 640],
    ] as const) {
      const response = await get(query)
      assert.equal(response.headers.get('Cache-Control'), 'private, no-cache')
      assert.equal((await sharp(await response.arrayBuffer()).metadata()).width, width)
    }
    for (const query of ['?size=641', '?size=', '?size=0x280', '?size=320&size=640']) {
      const response = await get(query)
      await response.arrayBuffer()
      assert.equal(response.status, 400, query)
    }
  })

  it('of a TIFF is made with the smaller one at the upload', async () => {
    const id = await add(await tiff(), 'a.tif')
    assert.deepEqual((await sharp(pathOf(id, 'thumbnail640')).metadata()).width, 640)
    assert.deepEqual((await sharp(pathOf(id, 'thumbnail')).metadata()).width, 320)
  })

  it('is the smaller one, which nobody keeps, while more than eight previews wait', async () => {
    const ids = []
    for (let n = 0; n < 9; n++) ids.push(await add(await picture(n), `${n}.jpg`))
    const wanted = await add(await made(900, 900).jpeg().toBuffer(), 'wanted.jpg')
    rmSync(pathOf(wanted, 'thumbnail640'), { force: true })
    const goOn = await occupy()
    const previews = ids.map((id) => look(id, 'preview'))
    await untilWaiting(9)
    const instead = await large(wanted)
    assert.deepEqual([instead.size, instead.isKept], [[320, 320], false])
    assert.equal(instead.etag, (await look(wanted, 'thumbnail')).etag)
    const token = pages.Ann!.access_token
    const api = await library.fetchRaw('GET', `/files/${wanted}/thumbnail?size=640`, { token })
    await api.arrayBuffer()
    assert.equal(api.headers.get('Cache-Control'), 'no-store')
    await goOn()
    await Promise.all(previews)
    assert.deepEqual((await large(wanted)).size, [640, 640])
  })

  it('is the placeholder, which nobody keeps, where no thumbnail can be made', async () => {
    ffmpeg.answer('nonsense')
    const id = await add(WEBM, 'film.webm')
    const { etag, isKept } = await large(id)
    assert.deepEqual([etag, isKept], ['"placeholder"', false])
    ffmpeg.answer('frame')
  })
})

describe('a full picture', () => {
  it('is the content of what browsers show', async () => {
    const bytes = await made(400, 300).png().toBuffer()
    const { body, isKept } = await look(await add(bytes, 'a.png'), 'full')
    assert.deepEqual([body.equals(bytes), isKept], [true, true])
  })

  it('of a TIFF is a JPEG of all its pixels, made once', async () => {
    const id = await add(await tiff(2500, 2000), 'a.tif')
    const first = await look(id, 'full')
    assert.deepEqual([first.format, first.size, first.isKept], ['jpeg', [2500, 2000], true])
    assert.ok(existsSync(pathOf(id, 'full')))
    assert.deepEqual(await look(id, 'full'), first)
  })

  it('of a HEIC, too; its larger thumbnail comes with it', {
    skip: withoutEncoder('libx265'),
  }, async () => {
    const id = await add(readFileSync(await phoneHeic()), 'a.heic')
    assert.ok(existsSync(pathOf(id, 'thumbnail640')))
    const [small, larger] = [await look(id, 'thumbnail'), await large(id)]
    assert.deepEqual(
      [small.size, larger.size],
      [
        [240, 320],
        [480, 640],
      ],
    )
    const { format, size } = await look(id, 'full')
    assert.deepEqual([format, size], ['jpeg', [3024, 4032]])
  })

  it('is the preview of a film', async () => {
    const id = await add(WEBM, 'film.webm')
    const full = await look(id, 'full')
    assert.deepEqual(full, await look(id, 'preview'))
    assert.equal(full.isKept, true)
  })

  it('of more than 100 megapixels is the preview, which is kept and waits for no turn', async () => {
    const wide = await madeOnce('wide.tif', 'more than 100 megapixels', async (path) => {
      const picture = made(12_000, 8400).toColourspace('b-w')
      await picture.tiff({ compression: 'lzw' }).toFile(path)
    })
    const id = await add(readFileSync(wide), 'wide.tif')
    const full = await look(id, 'full')
    assert.deepEqual([full.size, full.isKept], [[1920, 1344], true])
    assert.equal(existsSync(pathOf(id, 'full')), false)

    const other = await add(await tiff(1001, 800), 'a.tif')
    const goOn = await occupy()
    const underWay = look(other, 'full')
    await untilWaiting(1)
    assert.deepEqual(await look(id, 'full'), full)
    await goOn()
    await underWay
  })

  it('is made one at a time for a user, and two in all', async () => {
    const ids = await Promise.all(
      [1, 2, 3, 4].map(async (n) => add(await tiff(1000 + n, 800), 'a.tif')),
    )
    const goOn = await occupy()
    const looks = [
      look(ids[0]!, 'full'),
      look(ids[1]!, 'full'),
      look(ids[2]!, 'full', { as: 'Bob' }),
      look(ids[3]!, 'full', { as: 'Carl' }),
    ]
    await untilWaiting(2)
    // Whoever is let through would be there after as many turns.
    for (let turns = 0; turns < 200; turns++) await setImmediate()
    assert.equal(library.deps.decoder.waitingPreviews(), 2)
    await goOn()
    const sizes = (await Promise.all(looks)).map(({ size }) => size[0])
    assert.deepEqual(sizes, [1001, 1002, 1003, 1004])
  })
})

describe('what is kept within THUMBNAIL_CACHE', () => {
  it('goes with its content', async () => {
    const id = await add(await tiff(), 'a.tif')
    await look(id, 'full')
    const paths = [pathOf(id, 'thumbnail640'), pathOf(id, 'full')]
    assert.deepEqual(paths.map(existsSync), [true, true])
    const token = pages.Ann!.access_token
    for (const path of [`/files/${id}`, `/files/${id}/permanent`]) {
      assert.equal((await library.call('DELETE', path, { token })).status, 204)
    }
    assert.deepEqual(paths.map(existsSync), [false, false])
  })

  it('goes when there is too much of it, and is made again', async () => {
    const small = await openLibrary({ THUMBNAIL_CACHE: '1B' })
    await small.addUser('Ann', { can_create: true })
    const { access_token: token } = await signInToPage(small, 'Ann')
    const { id } = (await small.upload(token, await tiff(), 'a.tif')).body
    const { blob } = small.deps.db.get<{ blob: string }>('SELECT blob FROM file_details')!
    const width = async () => {
      const path = `/files/${id}/thumbnail?size=640`
      const response = await small.fetchRaw('GET', path, { token })
      return (await sharp(await response.arrayBuffer()).metadata()).width
    }
    // The one that came with the upload is removed by then, and not while it is sent.
    await small.deps.storage.countCached('thumbnail640', blob)
    assert.equal(await width(), 640)
    await small.deps.storage.countCached('thumbnail640', blob)
    assert.equal(existsSync(pathsOf(small.deps).derivative('thumbnail640', blob)), false)
    assert.equal(await width(), 640)
    await small.close()
  })
})
