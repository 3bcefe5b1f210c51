import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Library, openLibrary } from '../support/harness.ts'
import { withEachReadFailing } from '../support/media/failing-reads.ts'
import { fakeFfmpeg, WEBM } from '../support/media/fake-ffmpeg.ts'
import { temporaryFolder } from '../support/media/media.ts'
import { pathsOf } from '../support/stored-files.ts'

const MINUTE = 60_000

let library: Library
let token: string
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let ffmpeg: Awaited<ReturnType<typeof fakeFfmpeg>>
before(async () => {
  folder = await temporaryFolder()
  ffmpeg = await fakeFfmpeg(folder.path)
  library = await openLibrary({ ACCESS_TOKEN_TTL: '1d' }, { ffmpeg })
  token = (await library.join('ann', { can_create: true })).token
})
after(async () => {
  await library.close()
  await folder.remove()
})
beforeEach(() => ffmpeg.answer('frame'))

interface Row {
  blob: string
  state: string
  version: string | null
  phash: string | null
}
/** What the library knows of the newest file. */
const row = () =>
  library.deps.db.get<Row>(
    `SELECT d.blob, d.derivative_state AS state, d.decoder_version AS version,
     CAST(f.phash AS TEXT) AS phash
     FROM files f JOIN file_details d ON d.file_rid = f.rid ORDER BY f.rid DESC LIMIT 1`,
  )!
const addFilm = async () => {
  const { status, body } = await library.upload(token, WEBM, 'film.webm')
  assert.equal(status, 201)
  return body.id as string
}
/** Returns whether the picture is the file's own, and its bytes. */
const look = async (id: string, kind: 'thumbnail' | 'preview') => {
  const response = await library.fetchRaw('GET', `/files/${id}/${kind}`, { token })
  assert.equal(response.status, 200)
  const isOwn = response.headers.get('ETag') !== '"placeholder"'
  return { isOwn, bytes: Buffer.from(await response.arrayBuffer()) }
}
const hasLooks = async (id: string) =>
  (await library.call('GET', `/files/${id}`, { token })).body.thumbhash !== null
const isShown = async (id: string, kind: 'thumbnail' | 'preview') => (await look(id, kind)).isOwn

describe('a thumbnail', () => {
  const remains: Record<string, (made: Buffer) => Buffer> = {
    'of no bytes': () => Buffer.alloc(0),
    'of zeros': (made) => Buffer.alloc(made.length),
    'of zeros at its end': (made) => Buffer.concat([made.subarray(0, -9), Buffer.alloc(9)]),
  }
  for (const [what, left] of Object.entries(remains)) {
    it(`${what}, as a power cut leaves it, is made anew`, async () => {
      const id = await addFilm()
      const path = pathsOf(library.deps).derivative('thumbnail', row().blob)
      const made = readFileSync(path)
      writeFileSync(path, left(made))
      assert.deepEqual(await look(id, 'thumbnail'), { isOwn: true, bytes: made })
      assert.deepEqual(readFileSync(path), made)
    })
  }

  it('that the disk can not read at its ends is made anew', async () => {
    // Each is looked at once; so many reads fail, one after the other.
    const films = [await addFilm(), await addFilm(), await addFilm()]
    const runs = ffmpeg.runs()
    const { reads } = await withEachReadFailing(
      'EIO',
      () => look(films.pop()!, 'thumbnail'),
      (looked) => assert.ok(looked.status === 'fulfilled' && looked.value.isOwn),
    )
    assert.deepEqual([reads, ffmpeg.runs() - runs], [2, 2])
  })

  it('that can no longer be made takes nothing away, and is not tried at every look', async () => {
    const id = await addFilm()
    const before = row()
    assert.equal(typeof before.phash, 'string')
    rmSync(pathsOf(library.deps).derivative('thumbnail', before.blob))
    ffmpeg.answer('nonsense')
    assert.equal(await isShown(id, 'thumbnail'), false)
    assert.deepEqual(row(), before)
    const runs = ffmpeg.runs()
    assert.equal(await isShown(id, 'thumbnail'), false)
    assert.equal(ffmpeg.runs(), runs)
  })

  it('that the system refused is made later, together with the hash', async () => {
    const { phash } = row()
    ffmpeg.answer('no process')
    const id = await addFilm()
    assert.deepEqual([row().state, row().phash], ['pending', null])
    assert.equal(await hasLooks(id), false)
    assert.equal(await isShown(id, 'thumbnail'), false)
    ffmpeg.answer('frame')
    const runs = ffmpeg.runs()
    assert.equal(await isShown(id, 'thumbnail'), false)
    assert.equal(ffmpeg.runs(), runs)
    library.time.now += 6 * MINUTE
    assert.equal(await isShown(id, 'thumbnail'), true)
    assert.deepEqual([row().state, row().phash], ['made', phash])
    assert.equal(await hasLooks(id), true)
  })
})

describe('a preview', () => {
  it('that can not be made is not tried again', async () => {
    const id = await addFilm()
    ffmpeg.answer('nonsense')
    assert.equal(await isShown(id, 'preview'), false)
    ffmpeg.answer('frame')
    library.time.now += 6 * MINUTE
    const runs = ffmpeg.runs()
    assert.equal(await isShown(id, 'preview'), false)
    assert.equal(ffmpeg.runs(), runs)
    assert.equal(await isShown(id, 'thumbnail'), true)
  })

  it('that the system refused is tried again after a while, as often as it does', async () => {
    const id = await addFilm()
    for (const answer of ['no process', 'no file', 'gone'] as const) {
      ffmpeg.answer(answer)
      assert.equal(await isShown(id, 'preview'), false)
      const runs = ffmpeg.runs()
      library.time.now += 4 * MINUTE
      assert.equal(await isShown(id, 'preview'), false)
      assert.equal(ffmpeg.runs(), runs)
      library.time.now += 2 * MINUTE
    }
    ffmpeg.answer('frame')
    assert.equal(await isShown(id, 'preview'), true)
  })

  it('that the system refused is tried again when the clock was set back', async () => {
    const id = await addFilm()
    ffmpeg.answer('no process')
    assert.equal(await isShown(id, 'preview'), false)
    ffmpeg.answer('frame')
    library.time.now -= MINUTE
    assert.equal(await isShown(id, 'preview'), true)
    library.time.now += MINUTE
  })

  it('that takes too much is tried twice', async () => {
    const id = await addFilm()
    for (const _ of [1, 2]) {
      const runs = ffmpeg.runs()
      ffmpeg.answer('killed')
      assert.equal(await isShown(id, 'preview'), false)
      assert.ok(ffmpeg.runs() > runs)
      library.time.now += 6 * MINUTE
    }
    ffmpeg.answer('frame')
    assert.equal(await isShown(id, 'preview'), false)
  })

  it('is not left behind by a file that is deleted while it is made', async () => {
    const id = await addFilm()
    const { blob } = row()
    ffmpeg.answer('waits')
    const looking = look(id, 'preview')
    await ffmpeg.waiting()
    for (const path of [`/files/${id}`, `/files/${id}/permanent`]) {
      assert.equal((await library.call('DELETE', path, { token })).status, 204)
    }
    await ffmpeg.goOn()
    assert.equal((await looking).isOwn, false)
    assert.equal(existsSync(pathsOf(library.deps).derivative('preview', blob)), false)
  })
})
