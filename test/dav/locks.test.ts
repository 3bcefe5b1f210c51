import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { davClient, makeKey, readMultistatus } from '../support/dav.ts'
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

const INFO = `<?xml version="1.0" encoding="utf-8"?>
<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope>
<D:locktype><D:write/></D:locktype><D:owner><D:href>http://www.apple.com/webdav_fs/</D:href></D:owner></D:lockinfo>`

describe('a lock', () => {
  it('makes an empty file where there is none, which is filled then', async () => {
    const answer = await dav.send('LOCK', 'new.jpg', { body: INFO, headers: { Depth: '0' } })
    assert.equal(answer.status, 201)
    const token = answer.headers.get('Lock-Token')!
    assert.match(token, /^<opaquelocktoken:[0-9a-f-]{36}>$/)
    assert.ok(answer.text.includes(`<D:href>${token.slice(1, -1)}</D:href>`))
    assert.ok(answer.text.includes('<D:href>http://www.apple.com/webdav_fs/</D:href>'))
    assert.ok(answer.text.includes('<D:href>/dav/new.jpg</D:href>'))
    assert.equal((await dav.list('new.jpg', '0'))['/dav/new.jpg']!.getcontentlength, '0')
    const put = await dav.put('new.jpg', await picture(), { If: `(${token})` })
    assert.equal(put.status, 204)
    const again = await dav.send('LOCK', 'new.jpg', { headers: { If: `(${token})` } })
    assert.equal(again.status, 200)
    assert.equal(again.headers.get('Lock-Token'), null)
    assert.ok(again.text.includes(token.slice(1, -1)))
    const end = await dav.send('UNLOCK', 'new.jpg', { headers: { 'Lock-Token': token } })
    assert.equal(end.status, 204)
  })

  it('brings no file back whose lock is prolonged', async () => {
    const If = '(<opaquelocktoken:00000000-0000-4000-8000-000000000000>)'
    assert.equal((await dav.send('LOCK', 'gone.jpg', { headers: { If } })).status, 404)
    assert.equal((await dav.send('HEAD', 'gone.jpg')).status, 404)
  })

  it('is for folders, too, and is asked for in its own words', async () => {
    assert.equal((await dav.send('LOCK', '', { body: INFO })).status, 200)
    assert.equal((await dav.send('LOCK', 'no/a.jpg', { body: INFO })).status, 409)
    assert.equal((await dav.send('LOCK', 'a.jpg', { body: '<a/>' })).status, 400)
    assert.equal((await dav.send('LOCK', 'a.jpg')).status, 400)
    assert.equal((await dav.send('UNLOCK', 'a.jpg')).status, 400)
    const headers = { 'Lock-Token': '<x>' }
    assert.equal((await dav.send('UNLOCK', 'a.jpg', { headers })).status, 400)
  })
})

describe('properties', () => {
  it('keep the time of an empty file for what is sent into it', async () => {
    await dav.send('LOCK', 'filled.jpg', { body: INFO })
    const body = `<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><Z:Win32LastModifiedTime
      xmlns:Z="urn:schemas-microsoft-com:">Fri, 14 Jul 2017 02:40:00 GMT</Z:Win32LastModifiedTime>
      </D:prop></D:set></D:propertyupdate>`
    assert.equal((await dav.send('PROPPATCH', 'filled.jpg', { body })).status, 207)
    const put = await dav.put('filled.jpg', await picture(2))
    assert.deepEqual([put.status, put.headers.get('X-OC-MTime')], [204, null])
    const shown = (await dav.list('filled.jpg', '0'))['/dav/filled.jpg']!
    assert.equal(shown.getlastmodified, 'Fri, 14 Jul 2017 02:40:00 GMT')
    const { items } = (await library.call('GET', '/files?search=filled', { token })).body
    assert.equal(items[0].content_datetime, '2017-07-14T02:40:00.000Z')
    // Of what replaces it, nobody has said.
    await dav.put('filled.jpg', await picture(3))
    const after = (await dav.list('filled.jpg', '0'))['/dav/filled.jpg']!
    assert.notEqual(after.getlastmodified, shown.getlastmodified)
  })

  it('are taken of the times that systems set, and of nothing else', async () => {
    await dav.put('times.jpg', await picture(1))
    const body = `<D:propertyupdate xmlns:D="DAV:" xmlns:Z="urn:schemas-microsoft-com:"><D:set><D:prop>
      <Z:Win32CreationTime>Fri, 14 Jul 2017 02:40:00 GMT</Z:Win32CreationTime>
      <Z:Win32LastModifiedTime>Fri, 14 Jul 2017 02:40:00 GMT</Z:Win32LastModifiedTime>
      <Z:Win32FileAttributes>00000020</Z:Win32FileAttributes>
      <A:when xmlns:A="http://apple.com/ns/x/">1</A:when>
      <D:displayname>other</D:displayname><x:y xmlns:x="http://x/?a&amp;b">1</x:y></D:prop></D:set>
      <D:remove><D:prop><D:getetag/></D:prop></D:remove></D:propertyupdate>`
    const answer = await dav.send('PROPPATCH', 'times.jpg', { body })
    assert.equal(answer.status, 207)
    assert.deepEqual(readMultistatus(answer.text), {
      '/dav/times.jpg': {
        Win32CreationTime: '',
        Win32LastModifiedTime: '',
        Win32FileAttributes: '',
        when: '',
        displayname: '403',
        y: '403',
        getetag: '403',
      },
    })
    const shown = (await dav.list('times.jpg', '0'))['/dav/times.jpg']!
    assert.equal(shown.getlastmodified, 'Fri, 14 Jul 2017 02:40:00 GMT')
    assert.equal(shown.displayname, 'times.jpg')
    const { items } = (await library.call('GET', '/files?search=times', { token })).body
    assert.equal(items[0].content_datetime, '2017-07-14T02:40:00.000Z')
    const worse = body.replaceAll('2017', '2016')
    assert.equal((await dav.send('PROPPATCH', 'times.jpg', { body: worse })).status, 207)
    const later = (await library.call('GET', '/files?search=times', { token })).body.items[0]
    assert.equal(later.content_datetime, '2017-07-14T02:40:00.000Z')
    assert.equal((await dav.send('PROPPATCH', 'none.jpg', { body })).status, 404)
    assert.equal((await dav.send('PROPPATCH', 'times.jpg', { body: '<a/>' })).status, 400)
    assert.equal((await dav.send('PROPPATCH', '', { body })).status, 207)
  })
})
