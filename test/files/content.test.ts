import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { assertError, grant } from '../support/files.ts'
import { form, type Library, openLibrary, picture } from '../support/harness.ts'
import { corpusFiles } from '../support/media/media.ts'
import { orientations, photograph } from '../support/media/samples.ts'
import { after, before, describe, it } from '../support/test.ts'

let library: Library
let ann: { id: number; token: string }
let bob: { id: number; token: string }
before(async () => {
  library = await openLibrary()
  ann = await library.join('Ann', { can_create: true })
  bob = await library.join('Bob')
})
after(() => library.close())

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())

async function addFile(bytes: Uint8Array, name = 'picture.jpg', fields = {}) {
  const answer = await library.upload(ann.token, bytes, name, fields)
  assert.equal(answer.status, 201, answer.text)
  return answer.body as { id: string; mime_type: string }
}
function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return library.fetchRaw(method, path, { token: ann.token, headers })
}
const pick = (response: Response, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, response.headers.get(name)]))

describe('the content of a file', () => {
  it('is what was uploaded, whole and by ranges', {
    timeout: 60_000,
  }, async () => {
    const made = [await photograph(0), await photograph(1, 300, 200)]
    for (const path of [...made, ...corpusFiles()]) {
      const original = readFileSync(path)
      const { id } = await addFile(original)
      const url = `/files/${id}/content`
      assert.equal(sha256(await bytesOf(await get(url))), sha256(original), path)
      const step = Math.ceil(original.length / 3)
      const parts: Uint8Array[] = []
      for (let start = 0; start < original.length; start += step) {
        const end = Math.min(start + step, original.length) - 1
        const response = await get(url, { Range: `bytes=${start}-${end}` })
        assert.equal(response.status, 206)
        const range = `bytes ${start}-${end}/${original.length}`
        assert.equal(response.headers.get('Content-Range'), range)
        parts.push(await bytesOf(response))
      }
      assert.equal(sha256(Buffer.concat(parts)), sha256(original), path)
    }
  })

  it('is continued by a date only if that can mean no content that was replaced', async () => {
    const first = Buffer.concat([await picture(1), Buffer.from('first')])
    const second = Buffer.concat([await picture(1), Buffer.from('other')])
    const { id } = await addFile(first)
    const url = `/files/${id}/content`
    const known = await get(url)
    const date = known.headers.get('Last-Modified')!
    await known.arrayBuffer()
    const goOn = (condition: string) => get(url, { Range: 'bytes=-5', 'If-Range': condition })
    const continued = await goOn(date)
    assert.deepEqual([continued.status, await continued.text()], [206, 'first'])

    library.time.now += 100
    const replaced = await library.call('PUT', `/files/${id}/content`, {
      token: ann.token,
      body: form(second, 'x.jpg'),
    })
    assert.equal(replaced.status, 200)
    const whole = await goOn(date)
    assert.equal(whole.headers.get('Last-Modified'), date)
    assert.equal(whole.status, 200)
    assert.ok(second.equals(await bytesOf(whole)))
    assert.equal((await goOn(known.headers.get('ETag')!)).status, 200)
    const tagged = await goOn(whole.headers.get('ETag')!)
    assert.deepEqual([tagged.status, await tagged.text()], [206, 'other'])
  })

  it('is an attachment of no type by default, and itself inline, both in a sandbox', async () => {
    const bytes = await picture(1)
    const { id } = await addFile(bytes, 'sea.jpg')
    const names = [
      'Content-Type',
      'Content-Disposition',
      'Content-Length',
      'Content-Security-Policy',
      'X-Content-Type-Options',
      'Cache-Control',
      'Accept-Ranges',
      'ETag',
      'Last-Modified',
    ]
    const expected = {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': 'attachment; filename="sea.jpg"',
      'Content-Length': String(bytes.length),
      'Content-Security-Policy':
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; media-src 'self'",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-cache',
      'Accept-Ranges': 'bytes',
      ETag: `"${sha256(bytes)}"`,
      'Last-Modified': new Date(library.time.now).toUTCString(),
    }
    const url = `/files/${id}/content`
    assert.deepEqual(pick(await get(url), names), expected)
    const inline = {
      ...expected,
      'Content-Type': 'image/jpeg',
      'Content-Disposition': 'inline; filename="sea.jpg"',
    }
    assert.deepEqual(pick(await get(`${url}?inline=1`), names), inline)

    const head = await get(url, {}, 'HEAD')
    assert.deepEqual([head.status, pick(head, names)], [200, expected])
    assert.equal((await bytesOf(head)).length, 0)
    const part = await get(`${url}?inline=1`, { Range: 'bytes=-2' })
    assert.deepEqual(pick(part, names), { ...inline, 'Content-Length': '2' })
    const unchanged = await get(url, { 'If-None-Match': expected.ETag })
    assert.deepEqual([unchanged.status, (await bytesOf(unchanged)).length], [304, 0])
    const outside = await get(url, { Range: `bytes=${bytes.length}-` })
    assert.equal(outside.status, 416)
    assert.equal(outside.headers.get('Content-Range'), `bytes */${bytes.length}`)
  })

  it('goes on to its end while it is replaced', async () => {
    const bytes = Buffer.concat([await picture(2), Buffer.alloc(3_000_000, 'long')])
    const { id } = await addFile(bytes)
    const reader = (await get(`/files/${id}/content`)).body!.getReader()
    const parts = [(await reader.read()).value!]
    const body = form(await picture(3), 'short.jpg')
    assert.equal((await library.call('PUT', `/files/${id}/content`, { ...ann, body })).status, 200)
    for (;;) {
      const { value } = await reader.read()
      if (!value) break
      parts.push(value)
    }
    assert.ok(parts.length > 1)
    assert.equal(sha256(Buffer.concat(parts)), sha256(bytes))
  })

  it('takes inline=1 only', async () => {
    const { id } = await addFile(await picture())
    for (const query of ['inline=0', 'inline=', 'inline=true', 'inline=1&inline=1']) {
      const answer = await library.call('GET', `/files/${id}/content?${query}`, ann)
      assertError(answer, 400, 'validation_error', ['inline'])
    }
  })

  it('carries any name by RFC 6266 and 8187', async () => {
    const cases: [string, string, string][] = [
      ['a/b\\c "d".jpg', 'c "d".jpg', `filename="c _d_.jpg"; filename*=UTF-8''c%20%22d%22.jpg`],
      ['\u{1F600}.jpg', '\u{1F600}.jpg', `filename="_.jpg"; filename*=UTF-8''%F0%9F%98%80.jpg`],
      [
        'שלום.jpg',
        'שלום.jpg',
        `filename="____.jpg"; filename*=UTF-8''%D7%A9%D7%9C%D7%95%D7%9D.jpg`,
      ],
      [
        '50%41;(1).jpg',
        '50%41;(1).jpg',
        `filename="50_41_(1).jpg"; filename*=UTF-8''50%2541%3B%281%29.jpg`,
      ],
      ["it's *.jpg", "it's *.jpg", `filename="it's *.jpg"`],
    ]
    for (const [sent, stored, parameters] of cases) {
      const { id } = await addFile(await picture(), sent)
      const file = (await library.call('GET', `/files/${id}`, ann)).body
      assert.equal(file.original_name, stored)
      const response = await get(`/files/${id}/content`)
      assert.equal(response.headers.get('Content-Disposition'), `attachment; ${parameters}`)
    }
    const { id } = await addFile(await picture())
    await library.call('PATCH', `/files/${id}`, { ...ann, body: { original_name: null } })
    const response = await get(`/files/${id}/content`)
    assert.equal(response.headers.get('Content-Disposition'), `attachment; filename="${id}.jpg"`)
  })

  it('needs view on the file', async () => {
    const { id } = await addFile(await picture())
    const unknown = '00000000-0000-7000-8000-000000000000'
    for (const kind of ['content', 'thumbnail', 'preview']) {
      const call = (file: string, token?: string) =>
        library.call('GET', `/files/${file}/${kind}`, token ? { token } : {})
      assertError(await call(id), 401, 'unauthorized')
      assertError(await call('x', bob.token), 400, 'validation_error', ['file_id'])
      assertError(await call(unknown, bob.token), 404, 'not_found')
      assertError(await call(id, bob.token), 403, 'forbidden')
    }
    grant(library, bob.id, 'file', id)
    const response = await library.fetchRaw('GET', `/files/${id}/content`, bob)
    assert.equal(response.status, 200)
  })
})

describe('a content token', () => {
  const mint = (id: string, token: string) =>
    library.call('POST', `/files/${id}/content-token`, { token })
  const use = (id: string, token: string, method = 'GET', rest = 'content') =>
    library.call(method, `/files/${id}/${rest}?access_token=${token}`)

  it('is minted for who may view the file', async () => {
    const { id } = await addFile(await picture())
    const { status, body } = await mint(id, ann.token)
    assert.deepEqual(
      [status, Object.keys(body), body.expires_in],
      [200, ['token', 'expires_in'], 21_600],
    )
    assertError(await mint(id, bob.token), 403, 'forbidden')
    assertError(await mint('00000000-0000-7000-8000-000000000000', bob.token), 404, 'not_found')
    assert.equal((await use(id, body.token)).status, 200)
    assert.equal((await use(id.toUpperCase(), body.token)).status, 200)
    assert.equal((await use(id, ann.token)).status, 200)
    const twice = await use(id, `${body.token}&access_token=${body.token}`)
    assertError(twice, 400, 'validation_error', ['access_token'])
    const bearer = await library.call('GET', `/files/${id}/content`, { token: body.token })
    assertError(bearer, 401, 'unauthorized')
  })

  it('is good for a GET of the content of its file only', async () => {
    const [{ id }, other] = [await addFile(await picture()), await addFile(await picture())]
    const { token } = (await mint(id, ann.token)).body
    assertError(await use(other.id, token), 401, 'unauthorized')
    assertError(await use(id, `${token}x`), 401, 'unauthorized')
    assertError(await use(id, ''), 401, 'unauthorized')
    assert.equal((await use(id, token, 'HEAD')).status, 401)
    for (const rest of ['thumbnail', 'preview', 'tags']) {
      assertError(await use(id, token, 'GET', rest), 401, 'unauthorized')
      assertError(await use(id, ann.token, 'GET', rest), 401, 'unauthorized')
    }
    assertError(await use(id, ann.token, 'PUT'), 401, 'unauthorized')
    assertError(await use(id, ann.token, 'POST', 'views'), 401, 'unauthorized')
  })

  it('lives on after its session, until it expires', async () => {
    const { id } = await addFile(await picture())
    const { access_token } = await library.signIn('Ann')
    const { token } = (await mint(id, access_token)).body
    await library.call('POST', '/auth/logout', { token: access_token })
    assertError(await use(id, access_token), 401, 'unauthorized')
    assert.equal((await use(id, token)).status, 200)
    library.time.now += 6 * 3_600_000 - 1000
    assert.equal((await use(id, token)).status, 200)
    library.time.now += 1000
    assertError(await use(id, token), 401, 'unauthorized')
    ann.token = (await library.signIn('Ann')).access_token
  })

  it('gives no more than its user has at the moment', async () => {
    const { id } = await addFile(await picture())
    const carl = await library.join('Carl')
    grant(library, carl.id, 'file', id)
    const { token } = (await mint(id, carl.token)).body
    assert.equal((await use(id, token)).status, 200)
    library.deps.db.run('DELETE FROM acl WHERE user_id = ?', carl.id)
    assertError(await use(id, token), 403, 'forbidden')
    await library.call('DELETE', `/files/${id}`, ann)
    await library.call('DELETE', `/files/${id}/permanent`, ann)
    assertError(await use(id, token), 404, 'not_found')
    library.deps.db.run('UPDATE users SET is_blocked = 1 WHERE id = ?', carl.id)
    assertError(await use(id, token), 401, 'unauthorized')
  })
})

describe('thumbnails and previews', () => {
  const sizeOf = async (id: string, kind: string) => {
    const response = await get(`/files/${id}/${kind}`)
    const bytes = await bytesOf(response)
    const { width, height, format } = await sharp(bytes).metadata()
    return {
      status: response.status,
      type: response.headers.get('Content-Type'),
      format,
      width,
      height,
    }
  }
  const JPEG = { status: 200, type: 'image/jpeg', format: 'jpeg' }

  it('fit into 320 and 1920 pixels, and are never enlarged', async () => {
    const create = { width: 4000, height: 1000, channels: 3 as const, background: 'red' }
    const large = await addFile(await sharp({ create }).jpeg().toBuffer())
    assert.deepEqual(await sizeOf(large.id, 'thumbnail'), { ...JPEG, width: 320, height: 80 })
    assert.deepEqual(await sizeOf(large.id, 'preview'), { ...JPEG, width: 1920, height: 480 })
    const small = await addFile(await picture())
    assert.deepEqual(await sizeOf(small.id, 'thumbnail'), { ...JPEG, width: 48, height: 32 })
    assert.deepEqual(await sizeOf(small.id, 'preview'), { ...JPEG, width: 48, height: 32 })
  })

  it('are made again when they are gone', async () => {
    const { id } = await addFile(await picture(5))
    const made = await bytesOf(await get(`/files/${id}/thumbnail`))
    const folder = join(library.folder, 'thumbnails')
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (name.endsWith('.jpg')) rmSync(join(folder, name))
    }
    assert.deepEqual(await bytesOf(await get(`/files/${id}/thumbnail`)), made)
  })

  it('look the same for all eight orientations', {
    timeout: 60_000,
  }, async () => {
    const pixels: Buffer[] = []
    for (const path of await orientations()) {
      const { id } = await addFile(readFileSync(path))
      assert.deepEqual(await sizeOf(id, 'thumbnail'), { ...JPEG, width: 320, height: 240 }, path)
      const thumbnail = await bytesOf(await get(`/files/${id}/thumbnail`))
      pixels.push(
        await sharp(thumbnail).resize(32, 32, { fit: 'fill' }).greyscale().raw().toBuffer(),
      )
    }
    assert.equal(pixels.length, 8)
    for (const other of pixels) {
      const difference = other.reduce((sum, value, i) => sum + Math.abs(value - pixels[0]![i]!), 0)
      assert.ok(difference / other.length < 4, `${difference / other.length} of 255 on average`)
    }
  })

  it('are a placeholder for what can not be decoded, and hold nobody up', async () => {
    const torn = (await picture()).slice(0, 40)
    const { id, mime_type } = await addFile(torn, 'torn.jpg')
    assert.equal(mime_type, 'image/jpeg')
    assert.equal((await library.call('GET', `/files/${id}`, ann)).body.phash, null)
    for (const kind of ['thumbnail', 'preview']) {
      const response = await get(`/files/${id}/${kind}`)
      assert.deepEqual([response.status, response.headers.get('ETag')], [200, '"placeholder"'])
      assert.equal((await sharp(await bytesOf(response)).metadata()).format, 'jpeg')
    }
    assert.deepEqual(await bytesOf(await get(`/files/${id}/content`)), new Uint8Array(torn))
    const told = library.logged.filter(({ fields }) => fields?.file_id === id)
    assert.deepEqual(told, [
      { level: 'info', message: 'a content could not be decoded', fields: { file_id: id } },
    ])
    // Of pictures, a page shows hundreds.
    const levels = library.logged
      .filter(({ fields }) => String(fields?.path).startsWith(`/api/v1/files/${id}/`))
      .map(({ level, fields }) => [level, String(fields?.path).split('/').at(-1)])
    assert.deepEqual(levels, [
      ['debug', 'thumbnail'],
      ['debug', 'preview'],
      ['info', 'content'],
    ])
  })
})
