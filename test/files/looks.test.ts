import assert from 'node:assert/strict'
import sharp from 'sharp'
import { thumbHashToApproximateAspectRatio, thumbHashToAverageRGBA } from 'thumbhash'
import { form, type Library, openLibrary } from '../support/harness.ts'
import { filmBytes } from '../support/media/film.ts'
import { without } from '../support/media/media.ts'
import { after, before, describe, it } from '../support/test.ts'

let library: Library
let ann: { id: number; token: string }
before(async () => {
  library = await openLibrary({ FFMPEG_PATH: 'ffmpeg' })
  ann = await library.join('Ann', { can_create: true })
})
after(() => library.close())

const colour = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
/** Returns what a file tells of its looks. */
const looksOf = ({ width, height, duration, thumbhash }: Record<string, unknown>) => ({
  width,
  height,
  duration,
  thumbhash,
})
const NOTHING = { width: null, height: null, duration: null, thumbhash: null }

describe('how a file looks', () => {
  it('is told by its upload, as it is displayed', async () => {
    const bytes = await colour(600, 400, '#c04020')
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const { body } = await library.upload(ann.token, bytes)
    const { width, height, duration, thumbhash, size } = body
    assert.deepEqual([width, height, duration, size], [400, 600, null, bytes.length])
    const hash = Buffer.from(thumbhash, 'base64')
    assert.ok(hash.length <= 25)
    assert.ok(Math.abs(thumbHashToApproximateAspectRatio(hash) - 2 / 3) < 0.1)
    const { r, g, b, a } = thumbHashToAverageRGBA(hash)
    for (const [is, wanted] of [
      [r, 0xc0],
      [g, 0x40],
      [b, 0x20],
      [a, 0xff],
    ] as const) {
      assert.ok(Math.abs(is * 255 - wanted) < 12, `${r} ${g} ${b} ${a}`)
    }
    assert.equal((await library.call('GET', `/files/${body.id}`, ann)).body.thumbhash, thumbhash)
  })

  it('is that of the new content when that is replaced, and the version changes', async () => {
    const { body: old } = await library.upload(
      ann.token,
      await colour(60, 40, '#123').jpeg().toBuffer(),
    )
    const put = async (bytes: Uint8Array, name: string) =>
      (
        await library.call('PUT', `/files/${old.id}/content`, {
          token: ann.token,
          body: form(bytes, name),
        })
      ).body
    const replaced = await put(await colour(30, 90, '#f00').png().toBuffer(), 'x.png')
    assert.deepEqual([replaced.width, replaced.height], [30, 90])
    assert.notEqual(replaced.thumbhash, old.thumbhash)
    assert.notEqual(replaced.version, old.version)
    const broken = await put(Buffer.from('\xff\xd8\xff and nothing more', 'latin1'), 'x.jpg')
    assert.deepEqual(looksOf(broken), NOTHING)
    const rows = library.deps.db.all<{ decoder: string }>(
      'SELECT decoder FROM file_looks l JOIN files f ON f.rid = l.file_rid WHERE f.id = unhex(?)',
      old.id.replaceAll('-', ''),
    )
    assert.deepEqual(rows, [{ decoder: library.deps.decoder.version }])
  })

  it('of a film has its length, and its size as a player shows it', {
    skip: without('ffmpeg', '-version'),
  }, async () => {
    const shows = 'testsrc=size=1280x720:duration=4.3:rate=10'
    const film = await filmBytes('film.mp4', ['-c:v', 'mpeg4'], shows)
    const { body } = await library.upload(ann.token, film, 'x.mp4')
    assert.deepEqual([body.width, body.height, body.duration], [1280, 720, 4.3])
    const hash = Buffer.from(body.thumbhash, 'base64')
    assert.ok(Math.abs(thumbHashToApproximateAspectRatio(hash) - 16 / 9) < 0.3)
  })

  it('is told in lists and pools, too', async () => {
    const { body } = await library.upload(ann.token, await colour(60, 40, '#123').jpeg().toBuffer())
    const [listed] = (await library.call('GET', '/files?limit=1', ann)).body.items
    assert.deepEqual(listed, body)
    const pool = await library.call('POST', '/pools', { token: ann.token, body: { name: 'x' } })
    const path = `/pools/${pool.body.id}/files`
    await library.call('POST', path, { token: ann.token, body: { file_ids: [body.id] } })
    const { items } = (await library.call('GET', path, ann)).body
    assert.deepEqual(items, [{ ...body, position: 0 }])
  })

  it('goes with its file', async () => {
    const { body } = await library.upload(ann.token, await colour(60, 40, '#123').jpeg().toBuffer())
    const count = () =>
      library.deps.db.get<{ n: number }>('SELECT count(*) AS n FROM file_looks')!.n
    const before = count()
    await library.call('DELETE', `/files/${body.id}`, ann)
    await library.call('DELETE', `/files/${body.id}/permanent`, ann)
    assert.equal(count(), before - 1)
  })
})
