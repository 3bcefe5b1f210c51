import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { davClient, makeKey } from '../support/dav.ts'
import { inventory } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'

let library: Library
let token: string
let dav: ReturnType<typeof davClient>
before(async () => {
  library = await openLibrary()
  token = (await library.join('Ann', { can_create: true })).token
  dav = davClient(library, await makeKey(library, token))
})
after(() => library.close())

let seeds = 0
const fresh = () => picture(++seeds)
const etag = (bytes: Uint8Array) => `"${createHash('sha256').update(bytes).digest('hex')}"`
const move = (from: string, to: string, headers = {}) =>
  dav.send('MOVE', from, { headers: { Destination: `/dav/${to}`, ...headers } })
const parts = () => readdirSync(join(library.folder, 'uploads'))
const unfinished = () => library.deps.db.all('SELECT 1 FROM uploads WHERE file_id IS NULL')
const named = async (name: string) =>
  (await library.call('GET', `/files?search=${name}`, { token })).body.items

describe('a part', () => {
  it('becomes a file when it is moved to a name of its own', async () => {
    for (const ending of ['part', 'partial', 'filepart', 'tacitpart', 'TMP']) {
      const bytes = await fresh()
      const before = inventory(library)
      const from = `a.jpg.${ending}`
      const put = await dav.put(from, bytes, { 'X-OC-Mtime': '1500000000' })
      assert.deepEqual([put.status, put.headers.get('ETag')], [201, etag(bytes)])
      assert.deepEqual(inventory(library), before)
      assert.equal(parts().length, 1)
      const shown = (await dav.list(from, '0'))[`/dav/${from}`]!
      assert.equal(shown.getcontentlength, String(bytes.length))
      const head = await dav.send('HEAD', from)
      assert.equal(head.headers.get('Content-Length'), String(bytes.length))
      assert.equal((await dav.send('GET', from)).status, 404)
      const moved = await move(from, `${ending}.jpg`)
      assert.equal(moved.status, 201)
      assert.deepEqual(parts(), [])
      assert.equal((await dav.send('HEAD', from)).status, 404)
      const [file] = await named(`${ending}.jpg`)
      assert.deepEqual(
        [file.size, file.content_datetime],
        [bytes.length, '2017-07-14T02:40:00.000Z'],
      )
      const got = await dav.send('GET', `${ending}.jpg`)
      assert.equal(got.text, Buffer.from(bytes).toString('latin1'))
      const { getcontentlength, getlastmodified, getetag } = shown
      const after = (await dav.list(`${ending}.jpg`, '0'))[`/dav/${ending}.jpg`]!
      assert.equal(after.getcontentlength, getcontentlength)
      assert.equal(after.getlastmodified, getlastmodified)
      assert.equal(after.getetag, getetag)
    }
  })

  it('takes the place of a file, unless it must not', async () => {
    const [one, other] = [await fresh(), await fresh()]
    await dav.put('place.jpg', one)
    await dav.put('place.jpg.part', other)
    assert.equal((await move('place.jpg.part', 'place.jpg', { Overwrite: 'F' })).status, 412)
    assert.equal((await named('place.jpg')).length, 1)
    assert.equal(parts().length, 1)
    assert.equal((await move('place.jpg.part', 'none/place.jpg')).status, 409)
    assert.equal((await move('place.jpg.part', 'other.part')).status, 201)
    assert.equal((await move('other.part', 'place.jpg')).status, 204)
    assert.equal((await named('place.jpg')).length, 2)
    assert.equal((await dav.send('GET', 'place.jpg')).headers.get('ETag'), etag(other))
    assert.deepEqual(parts(), [])
  })

  it('is one of the same content, or nothing, without another file', async () => {
    const bytes = await fresh()
    await dav.put('known.jpg', bytes)
    const before = inventory(library)
    await dav.put('known.jpg.part', bytes)
    assert.equal((await move('known.jpg.part', 'again.jpg')).status, 201)
    await dav.put('empty.part', '')
    assert.equal((await move('empty.part', 'empty.jpg')).status, 201)
    assert.deepEqual(parts(), [])
    assert.deepEqual(inventory(library), before)
    assert.equal((await dav.send('GET', 'again.jpg')).headers.get('ETag'), etag(bytes))
  })

  it('goes when it is no picture, so that it takes no place of others', async () => {
    const before = inventory(library)
    for (let n = 0; n < 25; n++) {
      assert.equal((await dav.put(`${n}.txt.part`, 'this is a text')).status, 201)
      assert.equal((await move(`${n}.txt.part`, `${n}.txt`)).status, 415)
      assert.equal((await dav.send('HEAD', `${n}.txt`)).status, 404)
      assert.equal((await dav.send('HEAD', `${n}.txt.part`)).status, 404)
    }
    assert.deepEqual([parts(), unfinished()], [[], []])
    assert.deepEqual(inventory(library), before)
  })

  it('of what systems write for themselves is noted, and kept nowhere', async () => {
    const before = inventory(library)
    await dav.put('Thumbs.db.part', 'thumbs')
    assert.equal((await move('Thumbs.db.part', 'Thumbs.db')).status, 201)
    assert.equal((await dav.list('Thumbs.db', '0'))['/dav/Thumbs.db']!.getcontentlength, '6')
    assert.deepEqual([parts(), unfinished()], [[], []])
    assert.deepEqual(inventory(library), before)
  })

  it('has no date but that of its name, or what is said later, when nothing came with it', async () => {
    const bytes = [await fresh(), await fresh()]
    await dav.put('dated.part', bytes[0]!)
    assert.equal((await move('dated.part', 'IMG-20180102-WA0001.jpg')).status, 201)
    const [dated] = await named('WA0001')
    assert.deepEqual([dated.date_source, dated.date_precision], ['name', 'day'])
    await dav.put('plain.jpg.part', bytes[1]!)
    await move('plain.jpg.part', 'plain.jpg')
    assert.equal((await named('plain'))[0].date_source, 'upload')
    const body = `<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop>
      <D:getlastmodified>Fri, 14 Jul 2017 02:40:00 GMT</D:getlastmodified></D:prop></D:set></D:propertyupdate>`
    assert.equal((await dav.send('PROPPATCH', 'plain.jpg', { body })).status, 207)
    assert.equal((await named('plain'))[0].content_datetime, '2017-07-14T02:40:00.000Z')
  })

  it('goes when it is deleted or sent again', async () => {
    await dav.put('text.part', 'this is a text')
    assert.equal((await dav.put('text.part', 'this is another')).status, 204)
    assert.equal(parts().length, 1)
    await dav.send('MKCOL', 'folder')
    assert.equal((await move('text.part', 'folder/text.part')).status, 201)
    assert.equal((await dav.send('DELETE', 'folder')).status, 204)
    assert.deepEqual(parts(), [])
    assert.deepEqual(unfinished(), [])
  })

  it('goes when its folder has gone meanwhile', async () => {
    await dav.send('MKCOL', 'going')
    const chunks = [await fresh()]
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(stream) {
          const chunk = chunks.pop()
          if (chunk) return stream.enqueue(Uint8Array.from(chunk))
          await dav.send('DELETE', 'going')
          stream.close()
        },
      },
      { highWaterMark: 0 },
    )
    const { status } = await dav.send('PUT', 'going/a.part', { body })
    assert.equal(status, 409)
    assert.deepEqual([parts(), unfinished()], [[], []])
  })

  it('is one of those that are sent at once', async () => {
    const sent = [await fresh(), await fresh(), await fresh()]
    await dav.put('twice.part', sent.pop()!)
    const puts = await Promise.all(sent.map((bytes) => dav.put('twice.part', bytes)))
    assert.deepEqual(
      puts.map(({ status }) => status),
      [204, 204],
    )
    assert.equal(unfinished().length, 1)
    await dav.send('DELETE', 'twice.part')
    assert.deepEqual([parts(), unfinished()], [[], []])
  })

  it('is there when it is sent again while it becomes a file', async () => {
    const [one, other] = [await fresh(), await fresh()]
    await dav.put('again.part', one)
    const [moved, put] = await Promise.all([
      move('again.part', 'moved.jpg'),
      dav.put('again.part', other),
    ])
    // Whichever was first, an answered part is there.
    assert.deepEqual([moved.status, put.status], moved.status === 409 ? [409, 204] : [201, 201])
    assert.equal((await dav.send('HEAD', 'again.part')).headers.get('ETag'), etag(other))
    await move('again.part', 'moved.jpg')
    assert.equal((await dav.send('HEAD', 'moved.jpg')).headers.get('ETag'), etag(other))
    assert.deepEqual([parts(), unfinished()], [[], []])
  })

  it('goes at the next start when a kill came before its entry', async () => {
    const ann = { id: 1, name: 'Ann', is_admin: false, can_create: true }
    const { uploads } = library.deps
    const { id } = uploads.open({ user: ann, name: 'left.part', length: null })
    await uploads.append({ id }, 0, async function* () {
      yield await fresh()
      await uploads.removeExpired()
      assert.equal(unfinished().length, 1)
    })
    await dav.put('kept.part', await fresh())
    await uploads.removeExpired()
    assert.deepEqual([parts().length, unfinished().length], [1, 1])
    assert.equal((await dav.send('DELETE', 'kept.part')).status, 204)
  })

  it('stays under its other name when more is being sent under the former', async () => {
    const [one, other] = [await fresh(), await fresh()]
    await dav.put('first.part', one)
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const put = dav.send('PUT', 'first.part', { body: readable as never })
    const writer = writable.getWriter()
    await writer.write(other.subarray(0, 9))
    assert.equal((await move('first.part', 'second.part')).status, 201)
    await writer.write(other.subarray(9))
    await writer.close()
    assert.equal((await put).status, 201)
    assert.equal((await move('second.part', 'second.jpg')).status, 201)
    assert.equal((await move('first.part', 'first.jpg')).status, 201)
    assert.equal((await dav.send('GET', 'second.jpg')).headers.get('ETag'), etag(one))
    assert.equal((await dav.send('GET', 'first.jpg')).headers.get('ETag'), etag(other))
  })

  it('is one when it is sent twice at once', async () => {
    const both = await Promise.all(
      [await fresh(), await fresh()].map((b) => dav.put('twice.part', b)),
    )
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 204])
    assert.equal(parts().length, 1)
    assert.equal((await move('twice.part', 'twice.jpg')).status, 201)
    assert.deepEqual(parts(), [])
  })

  it('is nowhere when its folder goes before its end', async () => {
    await dav.send('MKCOL', 'gone')
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const put = dav.send('PUT', 'gone/a.part', { body: readable as never })
    const writer = writable.getWriter()
    await writer.write(Buffer.from('x'))
    assert.equal((await dav.send('DELETE', 'gone')).status, 204)
    await writer.close()
    assert.equal((await put).status, 409)
    assert.deepEqual(parts(), [])
  })

  it('is kept when it comes again while the former becomes a file', async () => {
    const noise = {
      width: 2000,
      height: 1500,
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    } as const
    const slow = await sharp({ create: { ...noise, channels: 3, background: '#000' } })
      .png()
      .toBuffer()
    const other = await fresh()
    await dav.put('again.part', slow)
    const moving = move('again.part', 'made.jpg')
    const put = await dav.put('again.part', other)
    assert.ok([201, 204].includes(put.status))
    const moved = (await moving).status
    const made = await dav.send('HEAD', 'made.jpg')
    assert.deepEqual([moved, made.status], put.status === 201 ? [201, 200] : [409, 404])
    assert.equal((await dav.send('HEAD', 'again.part')).headers.get('ETag'), etag(other))
    assert.equal((await move('again.part', 'made.jpg')).status, made.status === 200 ? 204 : 201)
    assert.equal((await dav.send('GET', 'made.jpg')).headers.get('ETag'), etag(other))
    assert.deepEqual(parts(), [])
  })

  it('goes a day after it came, with its entry', async () => {
    await dav.put('old.part', await fresh())
    library.time.now += 25 * 60 * 60 * 1000
    await library.deps.uploads.removeExpired()
    assert.deepEqual(parts(), [])
    assert.equal((await dav.send('HEAD', 'old.part')).status, 404)
  })

  it('is one of at most twenty', async () => {
    for (let n = 0; n < 20; n++) assert.equal((await dav.put(`${n}.part`, 'x')).status, 201)
    const more = await dav.put('20.part', 'x')
    assert.deepEqual([more.status, more.headers.get('Retry-After')], [503, '5'])
    assert.equal((await dav.send('HEAD', '20.part')).status, 404)
    assert.equal((await dav.put('whole.jpg', await fresh())).status, 201)
  })
})
