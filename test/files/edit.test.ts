import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import sharp from 'sharp'
import { addTag, assertError, blobOf, grant, inventory } from '../support/files.ts'
import { form, type Library, openLibrary, picture } from '../support/harness.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

let library: Library
let ann: { id: number; token: string }
let bob: { id: number; token: string }
let id: string
before(async () => {
  library = await openLibrary()
  ann = await library.join('Ann', { can_create: true })
  bob = await library.join('Bob')
})
after(() => library.close())
beforeEach(async () => {
  const fields = { notes: 'old', metadata: '{"a":1}', content_datetime: '2020-01-02T03:04:05Z' }
  id = (await library.upload(ann.token, await picture(1), 'sea.jpg', fields)).body.id
})

const call = (method: string, path = '', body?: unknown, user = ann) =>
  library.call(method, `/files/${id}${path}`, { token: user.token, body })
const lastEntry = () => library.audit().at(-1)

describe('PATCH of a file', () => {
  it('changes what is named, and tells the log from what to what', async () => {
    const file = (await call('GET')).body
    const update = {
      original_name: '  Cafe\u0301.jpg ',
      content_datetime: '1999-12-31T23:00:00-01:00',
      notes: 'a\r\nb',
      metadata: { b: [1, { c: null }] },
      is_public: true,
    }
    const expected = {
      ...file,
      original_name: 'Caf\u00e9.jpg',
      content_datetime: '2000-01-01T00:00:00.000Z',
      content_offset: -60,
      notes: 'a\nb',
      metadata: { b: [1, { c: null }] },
      is_public: true,
    }
    const answer = await call('PATCH', '', update)
    assert.deepEqual([answer.status, answer.body], [200, expected])
    assert.equal((await call('GET')).text, answer.text)
    assert.deepEqual(lastEntry(), {
      user_id: ann.id,
      user_name: 'Ann',
      action: 'file_edit',
      details: {
        changes: {
          original_name: { from: 'sea.jpg', to: 'Caf\u00e9.jpg' },
          content_datetime: { from: '2020-01-02T03:04:05.000Z', to: '2000-01-01T00:00:00.000Z' },
          content_offset: { from: null, to: -60 },
          notes: { from: 'old', to: 'a\nb' },
          metadata: { from: { a: 1 }, to: { b: [1, { c: null }] } },
          is_public: { from: false, to: true },
        },
      },
    })
  })

  it('leaves absent and read-only fields, and null clears three', async () => {
    const file = (await call('GET')).body
    const entries = library.audit().length
    const readOnly = { id: UNKNOWN, mime_type: 'x', exif: { a: 1 }, phash: 1, tags: [], x: 1 }
    for (const update of [{}, readOnly, file, { notes: 'old', is_public: false }]) {
      assert.deepEqual((await call('PATCH', '', update)).body, file)
    }
    assert.equal(library.audit().length, entries)
    const cleared = { original_name: null, notes: null, metadata: null }
    assert.deepEqual((await call('PATCH', '', cleared)).body, { ...file, ...cleared })
    assert.equal((await call('PATCH', '', { notes: '' })).body.notes, '')
  })

  it('refuses each wrong value with its field, and changes nothing', async () => {
    const file = (await call('GET')).body
    const before = inventory(library)
    const bad: Record<string, unknown[]> = {
      original_name: ['', ' ', 'a\nb', 'x'.repeat(256), '\ud800', 1],
      content_datetime: [null, '2020-01-01', 0, ''],
      notes: [1, '\u0000', '\ud800'],
      metadata: ['{}', [], 1, { a: '\u0000' }, { a: 'x'.repeat(65_536) }],
      is_public: [null, 'true', 1],
    }
    for (const [field, values] of Object.entries(bad)) {
      for (const value of values) {
        const answer = await call('PATCH', '', { notes: 'new', [field]: value })
        assertError(answer, 400, 'validation_error', [field])
      }
    }
    const several = { is_public: 1, notes: 1, metadata: 1 }
    const fields = ['notes', 'metadata', 'is_public']
    assertError(await call('PATCH', '', several), 400, 'validation_error', fields)
    assert.deepEqual(inventory(library), before)
    assert.deepEqual((await call('GET')).body, file)
    assert.equal((await call('PATCH', '', { original_name: 'é'.repeat(255) })).status, 200)
  })

  it('needs edit: a public file and a right to view give none', async () => {
    const rename = (file: string) =>
      library.call('PATCH', `/files/${file}`, { token: bob.token, body: { notes: 'mine' } })
    assertError(await rename(UNKNOWN), 404, 'not_found')
    assertError(await rename(id), 403, 'forbidden')
    await call('PATCH', '', { is_public: true })
    grant(library, bob.id, 'file', id)
    assertError(await rename(id), 403, 'forbidden')
    library.deps.db.run('UPDATE acl SET can_edit = 1')
    assert.equal((await rename(id)).body.notes, 'mine')
  })
})

describe('the trash', () => {
  it('takes a file, shows it still, and gives it back', async () => {
    const file = (await call('GET')).body
    assert.deepEqual([(await call('DELETE')).status, (await call('DELETE')).status], [204, 204])
    const trashed_at = '2026-01-02T03:04:05.678Z'
    assert.deepEqual((await call('GET')).body, { ...file, is_deleted: true, trashed_at })
    assert.equal((await call('GET', '/content')).status, 200)
    const listed = async (query: string) => {
      const { items } = (await library.call('GET', `/files${query}`, ann)).body
      return items.some((item: { id: string }) => item.id === id)
    }
    assert.deepEqual([await listed(''), await listed('?trash=true')], [false, true])
    for (const _ of [1, 2]) {
      const restored = await call('POST', '/restore')
      assert.deepEqual([restored.status, restored.body], [200, file])
    }
    const actions = library.audit().map(({ action }) => action)
    assert.deepEqual(actions.slice(-2), ['file_delete', 'file_restore'])
    assert.deepEqual(lastEntry()?.details, { original_name: 'sea.jpg' })
  })

  it('alone lets a file be deleted for good, and then its bytes go', async () => {
    const kept = inventory(library)
    assertError(await call('DELETE', '/permanent'), 409, 'conflict')
    assert.deepEqual(inventory(library), kept)
    await call('DELETE')
    await call('POST', '/views')
    assert.equal((await call('DELETE', '/permanent')).status, 204)
    assert.equal(lastEntry()?.action, 'file_permanent_delete')
    assertError(await call('GET'), 404, 'not_found')
    assertError(await call('DELETE', '/permanent'), 404, 'not_found')
    const { files, blobs, thumbnails } = inventory(library)
    const less = { files: kept.files - 1, blobs: kept.blobs - 1, thumbnails: kept.thumbnails - 1 }
    assert.deepEqual({ files, blobs, thumbnails }, less)
  })

  it('needs edit, as everything that changes a file does', async () => {
    grant(library, bob.id, 'file', id)
    const wrong = form(Buffer.from('text'), 'x.jpg')
    for (const [method, path, body] of [
      ['DELETE', ''],
      ['POST', '/restore'],
      ['DELETE', '/permanent'],
      // Before the body is looked at, which would be 415.
      ['PUT', '/content', wrong],
    ] as const) {
      assertError(await call(method, path, body, bob), 403, 'forbidden')
      const unknown = { token: bob.token, body }
      const answer = await library.call(method, `/files/${UNKNOWN}${path}`, unknown)
      assertError(answer, 404, 'not_found')
    }
  })
})

describe('replacing the content', () => {
  it('keeps what people made, and renews what comes from the bytes', async () => {
    const tag = await addTag(library, ann.token, `tag of ${id}`)
    await call('PUT', `/tags/${tag.id}`)
    const before = (await call('GET')).body
    const thumbnail = (await library.fetchRaw('GET', `/files/${id}/thumbnail`, ann)).headers
    const old = await library.fetchRaw('GET', `/files/${id}/content`, ann)
    const { blobs, thumbnails } = inventory(library)
    const blob = blobOf(library.deps.db, id)
    const bytes = await noisyPng()
    const answer = await call('PUT', '/content', form(bytes, 'land.png'))
    assert.equal(answer.status, 200)
    const { phash, thumbhash, version, ...rest } = answer.body
    const { phash: _, thumbhash: hashBefore, version: versionBefore, ...kept } = before
    const png = { original_name: 'land.png', mime_type: 'image/png', mime_extension: 'png' }
    assert.deepEqual(rest, { ...kept, ...png, size: bytes.length, width: 60, height: 40 })
    assert.notEqual(thumbhash, hashBefore)
    assert.notEqual(version, versionBefore)
    assert.notEqual(phash, before.phash)
    assert.notEqual(blobOf(library.deps.db, id), blob)
    const content = await library.fetchRaw('GET', `/files/${id}/content`, ann)
    assert.notEqual(content.headers.get('ETag'), old.headers.get('ETag'))
    assert.deepEqual(new Uint8Array(await content.arrayBuffer()), new Uint8Array(bytes))
    const renewed = (await library.fetchRaw('GET', `/files/${id}/thumbnail`, ann)).headers
    assert.notEqual(renewed.get('ETag'), thumbnail.get('ETag'))
    const now = inventory(library)
    assert.deepEqual([now.blobs, now.thumbnails, now.temporary], [blobs, thumbnails, 0])
    const { action, details } = lastEntry()!
    assert.deepEqual(
      [action, details.from.original_name, details.to.original_name],
      ['file_replace', 'sea.jpg', 'land.png'],
    )
  })

  it('answers what was committed though the file is deleted for good before the answer', async () => {
    const { storage } = library.deps
    const { removeBlob } = storage
    storage.removeBlob = async (blob) => {
      storage.removeBlob = removeBlob
      const isGone = await removeBlob(blob)
      await call('DELETE')
      await call('DELETE', '/permanent')
      return isGone
    }
    const before = inventory(library).blobs
    const answer = await call('PUT', '/content', form(await noisyPng(), 'x.png'))
    assert.equal(answer.status, 200)
    assert.equal(answer.body.mime_type, 'image/png')
    assert.equal(inventory(library).blobs, before - 1)
  })

  it('leaves the old content when the new one is refused', async () => {
    const file = (await call('GET')).body
    const before = inventory(library)
    const put = (body: unknown) => call('PUT', '/content', body)
    const empty = new FormData()
    assertError(await put(form(Buffer.from('text'), 'x.jpg')), 415, 'unsupported_mime')
    assertError(await put(form(new Uint8Array(), 'x.jpg')), 400, 'validation_error', ['file'])
    assertError(await put(empty), 400, 'validation_error', ['file'])
    assertError(await put({}), 400, 'validation_error', ['body'])
    assert.deepEqual((await call('GET')).body, file)
    assert.deepEqual(inventory(library), before)
  })

  async function noisyPng() {
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 }
    return sharp({ create: { width: 60, height: 40, channels: 3, background: 'blue', noise } })
      .png()
      .toBuffer()
  }
})

describe('views of a file', () => {
  it('are recorded once for each user and day, with the last time, for who may view it', async () => {
    assertError(await call('POST', '/views', undefined, bob), 403, 'forbidden')
    grant(library, bob.id, 'file', id)
    const first = library.time.now
    const last = first + 1500
    const views: [user: typeof ann, at: number][] = [
      [ann, first],
      [bob, first],
      [bob, last],
      [bob, first],
    ]
    for (const [user, at] of views) {
      library.time.now = at
      assert.equal((await call('POST', '/views', undefined, user)).status, 204)
    }
    const kept = library.deps.db.all(
      `SELECT user_id, day, viewed_at FROM file_view_days JOIN files ON rid = file_rid
       WHERE lower(hex(files.id)) = ? ORDER BY user_id, day`,
      id.replaceAll('-', ''),
    )
    assert.deepEqual(kept, [
      { user_id: ann.id, day: 20455, viewed_at: first },
      { user_id: bob.id, day: 20455, viewed_at: last },
    ])
  })
})

describe('phash', () => {
  it('is an exact integer wherever a File appears, and no text changes with it', async () => {
    const tag = await addTag(library, ann.token, `hash of ${id}`)
    await call('PUT', `/tags/${tag.id}`)
    const nasty = '","phash":1,"exif":{}} \\u0022 $& $1 null'
    const update = {
      original_name: `${nasty}.jpg`,
      notes: nasty,
      metadata: { phash: 1, [nasty]: nasty },
    }
    await call('PATCH', '', update)
    for (const phash of [
      '9223372036854775807',
      '-9223372036854775808',
      '9007199254740993',
      '-1',
      '0',
    ]) {
      library.deps.db.run(
        'UPDATE files SET phash = CAST(? AS INTEGER) WHERE lower(hex(id)) = ?',
        phash,
        id.replaceAll('-', ''),
      )
      const one = await call('GET')
      const answers = [
        one,
        await call('PATCH', '', {}),
        await call('POST', '/restore'),
        await library.call('GET', `/files?filter={t=${tag.id}}`, ann),
        await library.call('GET', `/tags/${tag.id}/files`, ann),
      ]
      for (const { text, body } of answers) {
        assert.ok(text.includes(`"phash":${phash},`), text)
        const { original_name, notes, metadata } = body.items?.[0] ?? body
        assert.deepEqual({ original_name, notes, metadata }, update)
      }
    }
  })
})
