import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { DAY } from '../../src/base/time.ts'
import { dataFolder } from '../../src/media/data-folder.ts'
import { makeKey } from '../support/dav.ts'
import { assertError } from '../support/files.ts'
import { type Answer, type Library, openLibrary, picture } from '../support/harness.ts'
import { afterEach, beforeEach, describe, it } from '../support/test.ts'

const BYTES = { 'Content-Type': 'application/offset+octet-stream' }
const TUS = { 'Tus-Resumable': '1.0.0' }
const base64 = (text: string) => Buffer.from(text).toString('base64')

let library: Library
let token: string
let image: Uint8Array
beforeEach(async () => {
  library = await openLibrary({ USER_QUOTA: '100KiB', MAX_UPLOAD_SIZE: '1MiB' })
  token = (await library.join('Ann', { can_create: true })).token
  image = await picture()
})
afterEach(() => library.close())

const uploadsIn = () => readdirSync(dataFolder(library.folder).uploads)

/** Begins an upload and returns its path below the API. */
async function begin(length = image.length, fields: Record<string, string> = {}) {
  const given = { filename: 'lake ä.jpg', ...fields }
  const pairs = Object.entries(given).map(([name, value]) => `${name} ${base64(value)}`)
  const answer = await create(length, pairs.join(','))
  assert.equal(answer.status, 201, answer.text)
  return answer.headers.get('Location')!.replace('/api/v1', '')
}

const create = (length: number | string, metadata = '') =>
  library.call('POST', '/uploads', {
    token,
    headers: { ...TUS, 'Upload-Length': String(length), 'Upload-Metadata': metadata },
  })

async function send(path: string, offset: number, bytes: Uint8Array, as = token): Promise<Answer> {
  const headers = {
    ...TUS,
    ...BYTES,
    'Upload-Offset': String(offset),
    'Content-Length': String(bytes.length),
    Authorization: `Bearer ${as}`,
  }
  const init = { method: 'PATCH', headers, body: Uint8Array.from(bytes) }
  const response = await library.request(`/api/v1${path}`, init)
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text && JSON.parse(text),
  }
}

const head = (path: string, as = token) =>
  library.call('HEAD', path, { token: as, headers: { ...TUS } })

describe('an upload by tus', () => {
  it('becomes a file with its fields once all parts are here', async () => {
    const path = await begin(image.length, {
      notes: 'at the lake',
      is_public: 'true',
      filetype: 'x',
    })
    const first = await send(path, 0, image.subarray(0, 100))
    assert.deepEqual(
      [first.status, first.headers.get('Upload-Offset'), first.headers.get('Upload-File-Id')],
      [204, '100', null],
    )
    const asked = await head(path)
    assert.deepEqual(
      ['Upload-Offset', 'Upload-Length', 'Cache-Control', 'Tus-Resumable'].map((name) =>
        asked.headers.get(name),
      ),
      ['100', String(image.length), 'no-store', '1.0.0'],
    )
    assert.equal(
      Date.parse(asked.headers.get('Upload-Expires')!),
      Math.floor((library.time.now + DAY) / 1000) * 1000,
    )
    const last = await send(path, 100, image.subarray(100))
    assert.equal(last.status, 204, last.text)
    assert.equal(last.headers.get('Upload-File-Is-New'), 'true')
    const id = last.headers.get('Upload-File-Id')
    const { body: file } = await library.call('GET', `/files/${id}`, { token })
    assert.deepEqual(
      [file.original_name, file.notes, file.is_public, file.size],
      ['lake ä.jpg', 'at the lake', true, image.length],
    )
    const content = await library.fetchRaw('GET', `/files/${id}/content`, { token })
    const digest = createHash('sha256')
      .update(Buffer.from(await content.arrayBuffer()))
      .digest('hex')
    assert.equal(digest, createHash('sha256').update(image).digest('hex'))
    assert.deepEqual(uploadsIn(), [])
  })

  it('tells again what it has become, and makes no second file', async () => {
    const path = await begin()
    const id = (await send(path, 0, image)).headers.get('Upload-File-Id')
    const again = await send(path, image.length, new Uint8Array())
    assert.deepEqual([again.status, again.headers.get('Upload-File-Id')], [204, id])
    const { headers } = await head(path)
    assert.deepEqual(
      [headers.get('Upload-Offset'), headers.get('Upload-File-Id')],
      [String(image.length), id],
    )
    const { body } = await library.call('GET', path, { token })
    assert.deepEqual([body.offset, body.file_id, body.is_new], [image.length, id, true])
    assert.equal((await library.call('GET', '/files', { token })).body.items.length, 1)
    library.time.now += DAY / 24 + 1
    token = (await library.signIn('Ann')).access_token
    assertError(await library.call('GET', path, { token }), 404, 'not_found')
  })

  it('is skipped when the library has the content', async () => {
    const { id } = (await library.upload(token, image)).body
    const path = await begin(image.length, { on_duplicate: 'skip' })
    const { headers } = await send(path, 0, image)
    assert.deepEqual(
      [headers.get('Upload-File-Id'), headers.get('Upload-File-Is-New')],
      [id, 'false'],
    )
    const other = await begin(image.length, { on_duplicate: 'conflict' })
    const refused = await send(other, 0, image)
    assertError(refused, 409, 'conflict', ['file_id'])
    assertError(await library.call('GET', other, { token }), 404, 'not_found')
    assert.deepEqual(uploadsIn(), [])
  })

  it('lacks its last byte as long as all have come and no file was made', async () => {
    const path = await begin()
    const part = library.deps.uploads.get({ id: 1 } as never, path.slice('/uploads/'.length))
    await library.deps.uploads.append(part, 0, async function* () {
      yield image
    })
    const { headers } = await head(path)
    assert.equal(headers.get('Upload-Offset'), String(image.length - 1))
    const last = await send(path, image.length - 1, image.subarray(-1))
    assert.equal(last.headers.get('Upload-File-Is-New'), 'true')
  })

  it('takes a part only where the last one ended, and none past its length', async () => {
    const path = await begin()
    await send(path, 0, image.subarray(0, 100))
    for (const offset of [0, 99, 101]) {
      assertError(await send(path, offset, image.subarray(100)), 409, 'conflict')
    }
    const more = Buffer.concat([image, Buffer.from('x')])
    assertError(await send(path, 100, more.subarray(100)), 413, 'payload_too_large')
    assert.equal((await head(path)).headers.get('Upload-Offset'), '100')
  })

  it('is refused before its first byte where it could never be a file', async () => {
    const wrong = (metadata: string, length: number | string = 100) => create(length, metadata)
    assertError(await wrong(`is_public ${base64('maybe')}`), 400, 'validation_error', ['is_public'])
    const unknown = '00000000-0000-7000-8000-000000000000'
    assertError(await wrong(`tag_ids ${base64(unknown)}`), 404, 'not_found')
    const spaced = `a${' '.repeat(16_000)}!`
    for (const metadata of ['filename !', 'a YQ==,a YQ==', 'filename gA==', ',', 'a b c', spaced]) {
      assertError(await wrong(metadata), 400, 'validation_error', ['Upload-Metadata'])
    }
    for (const length of [0, -1, '1.5', 'x']) {
      assertError(await wrong('', length), 400, 'validation_error', ['Upload-Length'])
    }
    assertError(await wrong('', 2 ** 20 + 1), 413, 'payload_too_large')
    const bob = (await library.join('Bob')).token
    const headers = { 'Upload-Length': '1' }
    assertError(await library.call('POST', '/uploads', { token: bob, headers }), 403, 'forbidden')
  })

  it('ends with the errors of an upload', async () => {
    const text = Buffer.from('this is no picture')
    const path = await begin(text.length)
    assertError(await send(path, 0, text), 415, 'unsupported_mime')
    assertError(await library.call('GET', path, { token }), 404, 'not_found')
    const large = await begin(200 * 1024)
    const over = await send(large, 0, Buffer.alloc(200 * 1024))
    assertError(over, 507, 'insufficient_storage', ['file'])
    assert.equal((await head(large)).headers.get('Upload-Offset'), '0')
  })

  it('counts once for the quota', async () => {
    const size = 60 * 1024
    const padded = Buffer.concat([image, Buffer.alloc(size - image.length)])
    const path = await begin(size)
    assert.equal((await send(path, 0, padded.subarray(0, 50_000))).status, 204)
    const other = await begin(size)
    assertError(await send(other, 0, padded), 507, 'insufficient_storage', ['file'])
    assert.equal((await send(path, 50_000, padded.subarray(50_000))).status, 204)
  })

  it('is for its user alone, and goes when they say so', async () => {
    const path = await begin()
    const root = (await library.join('Root', { is_admin: true })).token
    assertError(await library.call('GET', path, { token: root }), 404, 'not_found')
    assertError(await send(path, 0, image, root), 404, 'not_found')
    assertError(await library.call('DELETE', path, { token: root }), 404, 'not_found')
    assert.equal((await library.call('DELETE', path, { token })).status, 204)
    assertError(await send(path, 0, image), 404, 'not_found')
  })

  it('is at most the twentieth', async () => {
    for (let n = 0; n < 20; n++) await begin()
    assertError(await create(1), 409, 'conflict')
  })

  it('is of version 1.0.0, and its bytes have a type', async () => {
    const headers = { 'Tus-Resumable': '0.2.2', 'Upload-Length': '1' }
    const answer = await library.call('POST', '/uploads', { token, headers })
    assertError(answer, 412, 'precondition_failed')
    assert.equal(answer.headers.get('Tus-Version'), '1.0.0')
    const path = await begin()
    const typed = await library.call('PATCH', path, {
      token,
      headers: { 'Upload-Offset': '0', 'Content-Type': 'text/plain' },
      body: 'x',
    })
    assertError(typed, 400, 'validation_error', ['body'])
  })

  it('joins the pool of the key that sends its last part', async () => {
    const pool = await library.call('POST', '/pools', { token, body: { name: 'Phone' } })
    const session = token
    token = await makeKey(library, token, 'upload', { pool_id: pool.body.id })
    const path = await begin()
    const id = (await send(path, 0, image)).headers.get('Upload-File-Id')
    const files = await library.call('GET', `/pools/${pool.body.id}/files`, { token: session })
    assert.deepEqual(
      files.body.items.map((file: { id: string }) => file.id),
      [id],
    )
  })

  it('stays, and is nowhere else, when its key ends before its last part', async () => {
    const session = token
    token = await makeKey(library, token)
    const path = await begin()
    await send(path, 0, image.subarray(0, 100))
    const keys = await library.call('GET', '/auth/keys', { token: session })
    const [{ id }] = keys.body.items ?? keys.body
    assert.equal((await library.call('DELETE', `/auth/keys/${id}`, { token: session })).status, 204)
    assertError(await send(path, 100, image.subarray(100)), 401, 'unauthorized')
    const last = await send(path, 100, image.subarray(100), session)
    assert.equal(last.headers.get('Upload-File-Is-New'), 'true')
  })

  it('is announced', async () => {
    const { status, headers } = await library.call('OPTIONS', '/uploads', { token })
    assert.deepEqual(
      [
        status,
        headers.get('Tus-Version'),
        headers.get('Tus-Extension'),
        headers.get('Tus-Max-Size'),
      ],
      [204, '1.0.0', 'creation,expiration,termination', String(2 ** 20)],
    )
  })
})
