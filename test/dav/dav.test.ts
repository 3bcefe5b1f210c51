import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { basic, davClient, makeKey } from '../support/dav.ts'
import { inventory } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'

let library: Library
let ann: { id: number; token: string }
let dav: ReturnType<typeof davClient>
before(async () => {
  library = await openLibrary({ MAX_UPLOAD_SIZE: '8MiB', AUTH_RATE_LIMIT: '3' })
  ann = await library.join('Ann', { can_create: true })
  dav = davClient(library, await makeKey(library, ann.token))
})
after(() => library.close())

let seeds = 0
const fresh = () => picture(++seeds)
const etag = (bytes: Uint8Array) => `"${createHash('sha256').update(bytes).digest('hex')}"`
const files = async (search: string) =>
  (await library.call('GET', `/files?search=${encodeURIComponent(search)}`, { token: ann.token }))
    .body.items
const METHODS = [
  ...['OPTIONS', 'GET', 'HEAD', 'PUT', 'DELETE', 'MKCOL', 'MOVE'],
  ...['PROPFIND', 'PROPPATCH', 'LOCK', 'UNLOCK'],
]
const status = async (answer: Promise<{ status: number }>) => (await answer).status

describe('the drop box', () => {
  it('asks for a key, and takes it as the password or as a bearer', async () => {
    const none = await dav.send('OPTIONS', '', { headers: { Authorization: '' } })
    assert.equal(none.status, 401)
    assert.match(none.headers.get('WWW-Authenticate')!, /^Basic realm="Tagstead"/)
    const key = await makeKey(library, ann.token)
    for (const headers of [basic(key, 'Ann'), basic(key, ''), { Authorization: `Bearer ${key}` }]) {
      const answer = await dav.send('OPTIONS', '', { headers })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('DAV'), '1, 2')
    }
    const session = { Authorization: `Bearer ${ann.token}` }
    assert.equal((await dav.send('OPTIONS', '', { headers: session })).status, 401)
    const read = await makeKey(library, ann.token, 'read')
    assert.equal((await dav.send('OPTIONS', '', { headers: basic(read) })).status, 403)
  })

  it('is opened by keys that upload, whatever the method', async () => {
    const admin = await library.join('Admin', { is_admin: true })
    const session = { Authorization: `Bearer ${admin.token}` }
    const keys = new Map<string, object>([['session', session]])
    for (const scope of ['read', 'upload', 'tag', 'admin']) {
      keys.set(scope, basic(await makeKey(library, admin.token, scope)))
    }
    const before = inventory(library)
    for (const [n, method] of METHODS.entries()) {
      const peer = `198.51.100.${n}`
      const found = []
      for (const [name, headers] of keys) {
        const { status } = await dav.send(method, 'nowhere/x', {
          peer,
          headers: { ...headers, Depth: '0', Destination: '/dav/x' },
        })
        found.push(`${name} ${[401, 403].includes(status) ? status : 'goes on'}`)
      }
      const expected = ['session 401', 'read 403', 'upload goes on', 'tag 403', 'admin goes on']
      assert.deepEqual(found, expected, method)
      const { status } = await dav.send(method, '', { headers: { Authorization: '' } })
      assert.equal(status, 401, method)
    }
    assert.deepEqual(inventory(library), before)
  })

  it('holds back who guesses, and not who first asks without a key or has one', async () => {
    const from = (peer: string, headers: object) =>
      status(dav.send('OPTIONS', '', { peer, headers }))
    const wrong = basic(`tsk_${'0'.repeat(26)}`)
    for (let n = 0; n < 5; n++) {
      assert.equal(await from('192.0.2.1', { Authorization: '' }), 401)
      assert.equal(await from('192.0.2.1', {}), 200)
    }
    for (let n = 0; n < 3; n++) assert.equal(await from('192.0.2.1', wrong), 401)
    assert.equal(await from('192.0.2.1', wrong), 429)
    assert.equal(await from('192.0.2.2', wrong), 401)
    assert.equal(await from('192.0.2.1', {}), 200)
  })

  it('answers no page of another site', async () => {
    for (const [site, expected] of [
      ['none', 207],
      ['same-origin', 207],
      ['same-site', 403],
      ['cross-site', 403],
    ] as const) {
      const headers = { 'Sec-Fetch-Site': site, Depth: '0' }
      assert.equal(await status(dav.send('PROPFIND', '', { headers })), expected, site)
    }
  })

  it('makes a file of what is put, and says so once it is committed', async () => {
    const bytes = await fresh()
    const answer = await dav.put('put.jpg', bytes, { 'X-OC-Mtime': '1500000000' })
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.get('ETag'), etag(bytes))
    assert.equal(answer.headers.get('X-OC-MTime'), 'accepted')
    const [file] = await files('put.jpg')
    assert.equal(file.size, bytes.length)
    assert.equal(file.needs_review, true)
    assert.equal(file.is_public, false)
    assert.equal(file.date_source, 'mtime')
    assert.equal(file.content_datetime, '2017-07-14T02:40:00.000Z')
    assert.equal(library.audit().at(-1)!.action, 'file_create')
    const shown = (await dav.list('put.jpg', '0'))['/dav/put.jpg']!
    assert.equal(shown.getcontentlength, String(bytes.length))
    assert.equal(shown.getlastmodified, 'Fri, 14 Jul 2017 02:40:00 GMT')
    assert.equal(shown.getetag, etag(bytes))
    assert.equal(shown.resourcetype, '')
    const got = await dav.send('GET', 'put.jpg')
    assert.equal(got.text, Buffer.from(bytes).toString('latin1'))
    assert.match(got.headers.get('Content-Disposition')!, /^attachment/)
    assert.equal(got.headers.get('X-Content-Type-Options'), 'nosniff')
    assert.equal(got.headers.get('ETag'), etag(bytes))
    const part = await dav.send('GET', 'put.jpg', { headers: { Range: 'bytes=0-3' } })
    assert.deepEqual([part.status, part.text.length], [206, 4])
    const head = await dav.send('HEAD', 'put.jpg')
    assert.deepEqual([head.status, head.text], [200, ''])
    assert.equal(head.headers.get('Content-Length'), String(bytes.length))
  })

  it('keeps the former file of an entry that gets another content', async () => {
    const [one, other] = [await fresh(), await fresh()]
    assert.equal((await dav.put('twice.jpg', one)).status, 201)
    assert.equal((await dav.put('twice.jpg', other)).status, 204)
    assert.equal((await files('twice.jpg')).length, 2)
    assert.equal((await dav.send('GET', 'twice.jpg')).headers.get('ETag'), etag(other))
  })

  it('makes nothing of a content that the user has, be it in the trash', async () => {
    const bytes = await fresh()
    const { body: file } = await library.upload(ann.token, bytes, 'mine.jpg')
    const before = inventory(library)
    assert.equal((await dav.put('same.jpg', bytes)).status, 201)
    assert.equal((await dav.put('same.jpg', bytes)).status, 204)
    await library.call('DELETE', `/files/${file.id}`, { token: ann.token })
    assert.equal((await dav.put('again.jpg', bytes)).status, 201)
    assert.deepEqual(inventory(library), { ...before, entries: before.entries + 1 })
    assert.equal((await dav.send('GET', 'again.jpg')).headers.get('ETag'), etag(bytes))
  })

  it("makes a file of a content that only somebody else's file has", async () => {
    const bytes = await fresh()
    const bob = await library.join('Bob', { can_create: true })
    await library.upload(bob.token, bytes, 'shared.jpg', { is_public: 'true' })
    assert.equal((await dav.put('shared.jpg', bytes)).status, 201)
    assert.equal((await files('shared.jpg')).length, 2)
    const his = davClient(library, await makeKey(library, bob.token))
    assert.equal(await status(his.send('GET', 'shared.jpg')), 404)
  })

  it('shows what was sent after a rename, in the trash and after the purge', async () => {
    const bytes = await fresh()
    await dav.put('sent.jpg', bytes, { 'X-OC-Mtime': '1500000000.75' })
    const sent = await dav.list('sent.jpg', '0')
    const [{ id }] = await files('sent.jpg')
    const { token } = ann
    const steps = [
      () => library.call('PATCH', `/files/${id}`, { token, body: { original_name: 'other.jpg' } }),
      () => library.call('DELETE', `/files/${id}`, { token }),
    ]
    for (const step of steps) {
      await step()
      assert.deepEqual(await dav.list('sent.jpg', '0'), sent)
      assert.equal(await status(dav.send('GET', 'sent.jpg')), 200)
    }
    await library.call('DELETE', `/files/${id}/permanent`, { token })
    assert.deepEqual(await dav.list('sent.jpg', '0'), sent)
    assert.equal(await status(dav.send('GET', 'sent.jpg')), 404)
    assert.equal((await dav.put('sent.jpg', bytes)).status, 204)
    assert.equal((await files('sent.jpg')).length, 1)
  })

  it('refuses what an upload refuses, and notes nothing of it', async () => {
    const before = inventory(library)
    assert.equal((await dav.put('text.jpg', 'this is a text')).status, 415)
    assert.equal((await dav.put('large.jpg', Buffer.alloc(8 * 2 ** 20 + 1))).status, 413)
    const range = { 'Content-Range': 'bytes 0-3/10' }
    assert.equal((await dav.put('part.jpg', 'part', range)).status, 400)
    assert.equal((await dav.put('nowhere/a.jpg', await fresh())).status, 409)
    assert.equal((await dav.put('', await fresh())).status, 405)
    for (const name of ['text.jpg', 'large.jpg', 'part.jpg', 'a.jpg']) {
      assert.equal(await status(dav.send('GET', name)), 404)
    }
    assert.deepEqual(inventory(library), before)
  })

  it('holds conditions', async () => {
    const [one, other] = [await fresh(), await fresh()]
    assert.equal((await dav.put('if.jpg', one, { 'If-Match': '*' })).status, 412)
    assert.equal((await dav.put('if.jpg', one, { 'If-None-Match': '*' })).status, 201)
    assert.equal((await dav.put('if.jpg', other, { 'If-None-Match': '*' })).status, 412)
    assert.equal((await dav.put('if.jpg', other, { 'If-Match': etag(other) })).status, 412)
    assert.equal((await dav.put('if.jpg', other, { 'If-None-Match': etag(one) })).status, 412)
    assert.equal((await dav.put('if.jpg', other, { 'If-Match': etag(one) })).status, 204)
  })

  it('takes an empty file first, and its content later', async () => {
    const before = inventory(library)
    assert.equal((await dav.put('empty.jpg', '')).status, 201)
    assert.deepEqual(inventory(library), before)
    assert.equal((await dav.list('empty.jpg', '0'))['/dav/empty.jpg']!.getcontentlength, '0')
    const got = await dav.send('GET', 'empty.jpg')
    assert.deepEqual([got.status, got.text], [200, ''])
    assert.equal((await dav.put('empty.jpg', await fresh())).status, 204)
    assert.equal((await files('empty.jpg')).length, 1)
  })

  it('notes what systems write beside files, and stores nothing of it', async () => {
    const before = inventory(library)
    for (const name of ['._a.jpg', '.DS_Store', 'Thumbs.db', 'desktop.ini']) {
      assert.equal((await dav.put(name, 'of a system')).status, 201)
      assert.equal((await dav.list(name, '0'))[`/dav/${name}`]!.getcontentlength, '11')
      assert.equal(await status(dav.send('GET', name)), 404)
    }
    assert.deepEqual(inventory(library), before)
  })

  it('has folders', async () => {
    assert.equal(await status(dav.send('MKCOL', 'DCIM')), 201)
    assert.equal(await status(dav.send('MKCOL', 'DCIM/')), 405)
    assert.equal(await status(dav.send('MKCOL', '')), 405)
    assert.equal(await status(dav.send('MKCOL', 'none/Camera')), 409)
    assert.equal(await status(dav.send('MKCOL', 'body', { body: '<a/>' })), 415)
    assert.equal(await status(dav.send('MKCOL', 'DCIM/Camera')), 201)
    const bytes = await fresh()
    assert.equal((await dav.put('DCIM/Camera/a%20%231.jpg', bytes)).status, 201)
    assert.equal((await dav.put('DCIM/Camera', bytes)).status, 405)
    assert.equal((await dav.put('DCIM/Camera/a%20%231.jpg/b.jpg', bytes)).status, 409)
    assert.deepEqual(Object.keys(await dav.list('DCIM')), ['/dav/DCIM/', '/dav/DCIM/Camera/'])
    assert.deepEqual(Object.keys(await dav.list('DCIM/Camera/')), [
      '/dav/DCIM/Camera/',
      '/dav/DCIM/Camera/a%20%231.jpg',
    ])
    const top = await dav.list()
    assert.equal(top['/dav/DCIM/']!.resourcetype, 'D:collection')
    assert.equal(top['/dav/DCIM/']!.getetag, undefined)
    assert.equal(top['/dav/']!.resourcetype, 'D:collection')
    assert.equal(top['/dav/DCIM/Camera/'], undefined)
  })

  it('lists a folder of more than a page, in the order of names', async () => {
    await dav.send('MKCOL', 'many')
    library.deps.db.run(
      `INSERT INTO dav_entries (user_id, folder, name, is_folder, size, modified_at, created_at)
       WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1001)
       SELECT ?, 'many', printf('%04d', i), 0, 0, 0, 0 FROM n`,
      ann.id,
    )
    const found = Object.keys(await dav.list('many'))
    assert.equal(found.length, 1002)
    assert.deepEqual(found.toSorted(), found)
    assert.equal(await status(dav.send('DELETE', 'many')), 204)
  })

  it('answers what is asked of it by XML, and says what there is not', async () => {
    await dav.put('asked.jpg', await fresh())
    const find = (prop: string, path = 'asked.jpg') =>
      dav.list(path, '0', `<d:propfind xmlns:d="DAV:">${prop}</d:propfind>`)
    const some = '<d:prop><d:getetag/><d:none/><o:size xmlns:o="http://o/"/><p xmlns=""/></d:prop>'
    const { getetag, ...none } = (await find(some))['/dav/asked.jpg']!
    assert.match(getetag!, /^"[0-9a-f]{64}"$/)
    assert.deepEqual(none, { none: '404', size: '404', p: '404' })
    const names = (await find('<d:propname/>'))['/dav/asked.jpg']!
    assert.deepEqual([names.getetag, names.resourcetype], ['', ''])
    assert.equal((await find('<d:allprop/>'))['/dav/asked.jpg']!.getetag, getetag)
    const quota = '<d:prop><d:quota-used-bytes/><d:quota-available-bytes/></d:prop>'
    const room = (await find(quota, ''))['/dav/']!
    assert.ok(Number(room['quota-used-bytes']) > 0)
    assert.ok(Number(room['quota-available-bytes']) > 0)
    for (const body of [
      'no XML',
      '<propfind>',
      '<propfind/>',
      '<D:propfind/>',
      '<D:propfind xmlns:D="DAV:"/>',
      '<D:propfind xmlns:D="DAV:"><D:prop><x:y/></D:prop></D:propfind>',
      '<D:propfind xmlns:D="DAV:"><D:prop><x:y xmlns:x=""/></D:prop></D:propfind>',
      '<!DOCTYPE a [<!ENTITY x "y">]><propfind xmlns="DAV:">&x;</propfind>',
      '<a>'.repeat(20_000),
      '<D:propfind xmlns:D="DAV:"><D:prop><D:a:b/></D:prop></D:propfind>',
      `<propfind xmlns="DAV:"><prop>${'<a/>'.repeat(101)}</prop></propfind>`,
      `<propfind xmlns="DAV:"><prop>${'<a>'.repeat(2500)}${'</a>'.repeat(2500)}</prop></propfind>`,
      `<D:propfind xmlns:D="DAV:"><D:prop xmlns="${'x'.repeat(200)}">${'<a/>'.repeat(100)}</D:prop></D:propfind>`,
      Buffer.from('<propfind xmlns="DAV:">\xff</propfind>', 'latin1'),
    ]) {
      const answer = await dav.send('PROPFIND', '', {
        body: body as never,
        headers: { Depth: '0' },
      })
      assert.equal(answer.status, 400, String(body).slice(0, 80))
    }
    const named = Array.from({ length: 2600 }, (_, n) => `xmlns:p${n}="b"`).join(' ')
    const many = `<propertyupdate xmlns="DAV:" ${named}><set><prop>${'<a/>'.repeat(5000)}</prop></set></propertyupdate>`
    assert.equal(await status(dav.send('PROPPATCH', '', { body: many })), 400)
    const large = { body: `<a>${' '.repeat(2 ** 16)}</a>`, headers: { Depth: '0' } }
    assert.equal(await status(dav.send('PROPFIND', '', large)), 413)
  })

  it('goes no deeper than one folder at once', async () => {
    for (const headers of [{}, { Depth: 'infinity' }]) {
      const answer = await dav.send('PROPFIND', '', { headers })
      assert.equal(answer.status, 403)
      assert.match(answer.text, /<D:propfind-finite-depth\/>/)
    }
    assert.equal(await status(dav.send('PROPFIND', '', { headers: { Depth: '2' } })), 400)
  })

  const move = (from: string, to: string, headers = {}) =>
    status(dav.send('MOVE', from, { headers: { Destination: to, ...headers } }))

  it('moves entries, and nothing in the library', async () => {
    const bytes = await fresh()
    for (const name of ['😀', '😀/in', '😀0', 'to']) await dav.send('MKCOL', name)
    await dav.put('😀/in/a.jpg', bytes)
    await dav.put('😀/b.jpg', bytes)
    await dav.put('😀0/c.jpg', bytes)
    const before = inventory(library)
    assert.equal(await move('😀', 'https://elsewhere.example/dav/to/new'), 201)
    assert.deepEqual(Object.keys(await dav.list('to/new')), [
      '/dav/to/new/',
      '/dav/to/new/b.jpg',
      '/dav/to/new/in/',
    ])
    assert.equal(await status(dav.send('GET', 'to/new/in/a.jpg')), 200)
    assert.equal(await status(dav.send('GET', '😀/in/a.jpg')), 404)
    assert.equal(await status(dav.send('GET', '😀0/c.jpg')), 200)
    assert.deepEqual(inventory(library), before)
    for (const [from, to, expected] of [
      ['none', '/dav/x', 404],
      ['to', '/dav/to', 403],
      ['to', '/dav/to/new/x', 403],
      ['to/new', '/dav/to', 403],
      ['', '/dav/x', 403],
      ['to', '/dav/', 403],
      ['to', '/elsewhere/x', 403],
      ['to', '/dav/no/x', 409],
      ['to', '/dav/a%2Fb', 400],
      ['to', '/dav/../b', 400],
    ] as const) {
      assert.equal(await move(from, to), expected, `${from} ${to}`)
    }
    assert.equal(await move('to/new/b.jpg', '/dav/%F0%9F%98%800/c.jpg', { Overwrite: 'F' }), 412)
    assert.equal(await move('to/new/b.jpg', '/dav/%F0%9F%98%800/c.jpg', { Overwrite: 'T' }), 204)
    assert.equal(await move('to/new/in', '/dav/%F0%9F%98%800'), 204)
    assert.deepEqual(Object.keys(await dav.list('😀0')), [
      '/dav/%F0%9F%98%800/',
      '/dav/%F0%9F%98%800/a.jpg',
    ])
  })

  it('makes no path that nobody could name', async () => {
    const deep = (top: string) => [top, ...Array(5).fill('ü'.repeat(400))]
    for (const names of [deep('one'), deep('two')]) {
      for (let n = 1; n <= names.length; n++) {
        assert.equal(await status(dav.send('MKCOL', names.slice(0, n).join('/'))), 201)
      }
    }
    const below = (top: string, n: number) =>
      `/dav/${deep(top).slice(0, n).map(encodeURIComponent).join('/')}`
    assert.equal(await move('one', `${below('two', 6)}/one`), 201)
    await dav.send('MKCOL', 'top')
    assert.equal(await move('two', '/dav/top/two'), 201)
    assert.equal(await move('top', '/dav/last'), 201)
    const long = 'x'.repeat(1000)
    assert.equal(await move('last', `/dav/${long}`), 400)
    assert.equal(await status(dav.send('DELETE', 'last')), 204)
  })

  it('deletes entries, and nothing in the library', async () => {
    await dav.send('MKCOL', 'gone')
    await dav.put('gone/kept.jpg', await fresh())
    const before = inventory(library)
    assert.equal(await status(dav.send('DELETE', 'gone/')), 204)
    assert.equal(await status(dav.send('GET', 'gone/kept.jpg')), 404)
    assert.equal(await status(dav.send('DELETE', 'gone')), 404)
    assert.equal(await status(dav.send('DELETE', '')), 403)
    assert.deepEqual(inventory(library), before)
    assert.equal((await files('kept.jpg')).length, 1)
  })

  it('has no other methods', async () => {
    for (const method of ['POST', 'PATCH', 'COPY', 'ACL']) {
      const answer = await dav.send(method, 'put.jpg', { headers: { Destination: '/dav/x' } })
      assert.equal(answer.status, 405, method)
      assert.match(answer.headers.get('Allow')!, /PROPFIND/)
    }
  })

  it('tells the log no names of files', async () => {
    assert.equal((await dav.put('of%20Ann.jpg', await fresh())).status, 201)
    await dav.list('of%20Ann.jpg')
    await dav.send('PROPFIND', 'a%0Aof%20Ann.jpg')
    const logged = library.logged.flatMap(({ fields }) => fields?.path ?? [])
    assert.ok(logged.includes('/dav/…'))
    assert.ok(!JSON.stringify(library.logged).includes('of%20Ann'))
  })

  it('is for who may create, at the moment', async () => {
    const cay = await library.join('Cay')
    const hers = davClient(library, await makeKey(library, cay.token))
    const before = inventory(library)
    assert.deepEqual(Object.keys(await hers.list()), ['/dav/'])
    assert.equal((await hers.put('a.jpg', await fresh())).status, 403)
    assert.equal((await hers.put('a.jpg', '')).status, 403)
    assert.equal(await status(hers.send('MKCOL', 'a')), 403)
    assert.deepEqual(inventory(library), before)
  })

  it('puts new files into the album of the key', async () => {
    const { body: pool } = await library.call('POST', '/pools', {
      token: ann.token,
      body: { name: 'Phone' },
    })
    const phone = davClient(
      library,
      await makeKey(library, ann.token, 'upload', { pool_id: pool.id }),
    )
    assert.equal((await phone.put('album.jpg', await fresh())).status, 201)
    const { items } = (await library.call('GET', `/pools/${pool.id}/files`, { token: ann.token }))
      .body
    assert.deepEqual(
      items.map((file: { original_name: string }) => file.original_name),
      ['album.jpg'],
    )
  })

  it('makes tags of the folders of new files where the key is to', async () => {
    const phone = davClient(
      library,
      await makeKey(library, ann.token, 'upload', { folder_tags: true }),
    )
    // No tag may be named as the last one, which is left out.
    for (const folder of ['Phone', 'Phone/Camera', `Phone/Camera/${'x'.repeat(300)}`]) {
      assert.equal(await status(phone.send('MKCOL', folder)), 201)
    }
    const bytes = await fresh()
    assert.equal((await phone.put(`Phone/Camera/${'x'.repeat(300)}/in.jpg`, bytes)).status, 201)
    assert.equal((await phone.put('Phone/Camera/part.jpg.part', await fresh())).status, 201)
    const move = { headers: { Destination: '/dav/Phone/moved.jpg' } }
    assert.equal(await status(phone.send('MOVE', 'Phone/Camera/part.jpg.part', move)), 201)
    // One that is there already gets none, and an entry that is moved changes nothing.
    assert.equal((await phone.put('Phone/again.jpg', bytes)).status, 201)
    const entry = { headers: { Destination: '/dav/Phone/Camera/moved.jpg' } }
    assert.equal(await status(phone.send('MOVE', 'Phone/moved.jpg', entry)), 201)
    const tagsOf = async (name: string) => {
      const [file, ...others] = await files(name)
      assert.deepEqual(others, [])
      const { body } = await library.call('GET', `/files/${file.id}`, { token: ann.token })
      return body.tags
        .map((tag: { name: string; is_public: boolean }) => [tag.name, tag.is_public])
        .sort()
    }
    assert.deepEqual(await tagsOf('in.jpg'), [
      ['Camera', false],
      ['Phone', false],
    ])
    assert.deepEqual(await tagsOf('moved.jpg'), [['Phone', false]])
  })

  it('takes a picture without the tags of its folders that can not be made', async () => {
    const gus = await library.join('Gus', { can_create: true })
    library.deps.db.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
       INSERT INTO tags (id, name, name_key, creator_id, is_public)
       SELECT unhex('019b7ca98f2e7000a000' || printf('%012x', i)), 'tag ' || i, 'tag ' || i, ?, 0 FROM n`,
      gus.id,
    )
    const his = davClient(
      library,
      await makeKey(library, gus.token, 'upload', { folder_tags: true }),
    )
    for (const folder of ['new', 'new/tag 7']) {
      assert.equal(await status(his.send('MKCOL', encodeURI(folder))), 201)
    }
    assert.equal((await his.put('new/tag%207/of%20gus.jpg', await fresh())).status, 201)
    const found = await library.call('GET', '/files?search=gus', { token: gus.token })
    const { body } = await library.call('GET', `/files/${found.body.items[0].id}`, {
      token: gus.token,
    })
    assert.deepEqual(
      body.tags.map(({ name }: { name: string }) => name),
      ['tag 7'],
    )
  })

  it('tells of what was sent the same by HEAD as by PROPFIND', async () => {
    const sent = await fresh()
    await dav.put('same.jpg', sent, { 'X-OC-Mtime': '1500000000' })
    const [file] = await files('same.jpg')
    const path = `/files/${file.id}/content`
    const form = new FormData()
    form.set('file', new Blob([Uint8Array.from(await fresh())]), 'same.jpg')
    assert.equal((await library.call('PUT', path, { token: ann.token, body: form })).status, 200)
    const { headers } = await dav.send('HEAD', 'same.jpg')
    assert.deepEqual(
      ['ETag', 'Content-Length', 'Last-Modified'].map((name) => headers.get(name)),
      [etag(sent), String(sent.length), 'Fri, 14 Jul 2017 02:40:00 GMT'],
    )
  })

  it('takes no time that can not be true', async () => {
    for (const time of ['99999999999', '0']) {
      const put = await dav.put(`at ${time}.jpg`, await fresh(), { 'X-OC-Mtime': time })
      assert.deepEqual([put.status, put.headers.get('X-OC-MTime')], [201, null])
    }
  })

  it('makes no picture of what it has dropped', async () => {
    assert.equal((await dav.put('._e.jpg', await fresh())).status, 201)
    const move = { headers: { Destination: '/dav/e.jpg' } }
    assert.equal(await status(dav.send('MOVE', '._e.jpg', move)), 409)
    assert.equal(await status(dav.send('HEAD', 'e.jpg')), 404)
  })

  it('counts in the quota', async () => {
    const pictures = [await picture(1), await picture(2), await picture(3)]
    const size = pictures[0]!.length
    const small = await openLibrary({ USER_QUOTA: `${2 * size + 10}B` })
    const dan = await small.join('Dan', { can_create: true })
    const his = davClient(small, await makeKey(small, dan.token))
    const found = []
    for (const [n, one] of pictures.entries()) found.push((await his.put(`${n}.jpg`, one)).status)
    assert.deepEqual(found, [201, 201, 507])
    assert.equal(await status(his.send('GET', '2.jpg')), 404)
    await small.close()
  })

  it('goes with its user', async () => {
    const eve = await library.join('Eve', { can_create: true })
    const hers = davClient(library, await makeKey(library, eve.token))
    await hers.put('hers.jpg', await fresh())
    const admin = await library.join('Root', { is_admin: true })
    assert.equal(
      (await library.call('DELETE', `/users/${eve.id}`, { token: admin.token })).status,
      204,
    )
    assert.equal(await status(hers.send('GET', 'hers.jpg')), 401)
    const rows = library.deps.db.all('SELECT 1 FROM dav_entries WHERE user_id = ?', eve.id)
    assert.deepEqual(rows, [])
  })
})
