import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createApp } from '../../src/app.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'

const PAGE = 'https://page.example'

describe('the answers to pages of other origins', () => {
  let closed: Library
  let open: Library
  before(async () => {
    closed = await openLibrary()
    open = await openLibrary({ CORS_ORIGINS: `${PAGE}, http://localhost:5173` })
  })
  after(() => Promise.all([closed.close(), open.close()]))

  const ask = async (library: Library, origin: string, init: RequestInit = {}, path = '/health') =>
    (await library.request(path, { ...init, headers: { Origin: origin, ...init.headers } })).headers

  it('are not readable, nor shown as pictures, without origins in the settings', async () => {
    const headers = await ask(closed, PAGE)
    assert.equal(headers.get('Access-Control-Allow-Origin'), null)
    assert.equal(headers.get('Cross-Origin-Resource-Policy'), 'same-origin')
  })

  it('are readable by the origins of the settings only, whatever they answer', async () => {
    for (const path of ['/health', '/api/v1/users/me', '/api/v1/nowhere']) {
      for (const origin of [PAGE, 'http://localhost:5173']) {
        const headers = await ask(open, origin, {}, path)
        assert.equal(headers.get('Access-Control-Allow-Origin'), origin, path)
        assert.match(headers.get('Vary') ?? '', /\bOrigin\b/i)
      }
      for (const origin of ['https://evil.example', `${PAGE}.evil.example`, 'null']) {
        const headers = await ask(open, origin, {}, path)
        assert.equal(headers.get('Access-Control-Allow-Origin'), null, path)
      }
    }
  })

  it('may be embedded as pictures when there are origins in the settings', async () => {
    const { token } = await open.join('Ann', { can_create: true })
    const picture = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')
    const { id } = (await open.upload(token, picture)).body
    const minted = await open.call('POST', `/files/${id}/content-token`, { token })
    const path = `/api/v1/files/${id}/content?inline=1&access_token=${minted.body.token}`
    const response = await open.request(path)
    await response.arrayBuffer()
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('Cross-Origin-Resource-Policy'), 'cross-origin')
    assert.equal(response.headers.get('X-Content-Type-Options'), 'nosniff')
  })

  it('have the same policies for pages and caches as without origins in the settings', async () => {
    const policies = async (library: Library) => {
      const { token } = await library.join('Ben', { can_create: true })
      const { id } = (await library.upload(token, await picture())).body
      const minted = await library.call('POST', `/files/${id}/content-token`, { token })
      const content = `/api/v1/files/${id}/content`
      const withToken = { headers: { Authorization: `Bearer ${token}` } }
      const asked: [string, RequestInit?][] = [
        ['/'],
        ['/docs'],
        ['/health'],
        [`/api/v1/files/${id}/thumbnail`, withToken],
        [content, withToken],
        [`${content}?inline=1&access_token=${minted.body.token}`],
      ]
      const found = []
      // Pages are no operations of the document, against which a library holds its answers.
      const app = createApp(library.deps)
      for (const [path, init] of asked) {
        const { headers } = await app.request(path, init)
        found.push([headers.get('Content-Security-Policy'), headers.get('Cache-Control')])
      }
      return found
    }
    const shared = await policies(open)
    assert.deepEqual(shared, await policies(closed))
    assert.equal(new Set(shared.map(([policy]) => policy)).size, 4)
  })

  it('admit a PUT with a token in advance, to the same origins', async () => {
    const asked = {
      'Access-Control-Request-Method': 'PUT',
      'Access-Control-Request-Headers': 'authorization,content-type',
    }
    const preflight = (origin: string) =>
      ask(open, origin, { method: 'OPTIONS', headers: asked }, '/api/v1/files/x/tags')
    const headers = await preflight(PAGE)
    assert.equal(headers.get('Access-Control-Allow-Origin'), PAGE)
    assert.match(headers.get('Access-Control-Allow-Methods') ?? '', /\bPUT\b/)
    assert.match(headers.get('Access-Control-Allow-Headers') ?? '', /Authorization.*Content-Type/)
    assert.equal(headers.get('Access-Control-Allow-Credentials'), null)
    const refused = await preflight('https://evil.example')
    assert.equal(refused.get('Access-Control-Allow-Origin'), null)
  })
})

describe('what caches may keep', () => {
  let library: Library
  let token: string
  let id: string
  before(async () => {
    library = await openLibrary()
    token = (await library.join('Ann', { is_admin: true })).token
    id = (await library.upload(token, await picture())).body.id
  })
  after(() => library.close())

  const cacheControl = async (path: string, method = 'GET', as = token) => {
    const headers = { Authorization: `Bearer ${as}` }
    const response = await library.request(path, { method, headers })
    await response.arrayBuffer()
    return [response.status, response.headers.get('Cache-Control')]
  }

  it('is no JSON of the API, no error and no stream', async () => {
    const api = '/api/v1'
    assert.deepEqual(await cacheControl(`${api}/users/me`), [200, 'no-store'])
    assert.deepEqual(await cacheControl(`${api}/files`), [200, 'no-store'])
    assert.deepEqual(await cacheControl(`${api}/files/duplicates`), [200, 'no-store'])
    assert.deepEqual(await cacheControl(`${api}/users/me`, 'GET', 'none'), [401, 'no-store'])
    assert.deepEqual(await cacheControl(`${api}/files/x`), [400, 'no-store'])
    assert.deepEqual(await cacheControl(`${api}/nowhere`), [404, 'no-store'])
    assert.deepEqual(await cacheControl(`${api}/users/me`, 'PUT'), [405, 'no-store'])
    assert.deepEqual(await cacheControl(`${api}/files/${id}/content`, 'GET', 'none'), [
      401,
      'no-store',
    ])
    assert.deepEqual(await cacheControl(`${api}/files/${id}`, 'DELETE'), [204, 'no-store'])
    mkdirSync(join(library.folder, 'import'))
    assert.deepEqual(await cacheControl(`${api}/files/import`, 'POST'), [200, 'no-store'])
  })

  it('is contents, with a question each time, and the document', async () => {
    const content = [200, 'private, no-cache']
    for (const part of ['content', 'thumbnail', 'preview']) {
      assert.deepEqual(await cacheControl(`/api/v1/files/${id}/${part}`), content)
    }
    assert.deepEqual(await cacheControl('/api/v1/openapi.json'), [200, 'public, no-cache'])
  })
})
