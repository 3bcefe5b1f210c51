import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { fileVersion } from '../../src/files/version.ts'
import { form, type Library, openLibrary, picture } from '../support/harness.ts'
import { setPublic } from '../support/object-rows.ts'
import { pathsOf } from '../support/stored-files.ts'
import { type SignedInPage, send, signInToPage } from '../support/web-session.ts'

const KINDS = ['thumbnail', 'preview', 'full', 'content'] as const
const DAY = 86_400_000
const KEPT = 'private, max-age=86400, immutable'

let library: Library
let ann: SignedInPage
let bob: SignedInPage
let id: string
let bytes: Uint8Array
before(async () => {
  library = await openLibrary({ CORS_ORIGINS: 'https://page.example' })
  await library.addUser('Ann', { can_create: true })
  await library.addUser('Bob')
  ann = await signInToPage(library, 'Ann')
  bob = await signInToPage(library, 'Bob')
  bytes = await picture(3)
  id = (await library.upload(ann.access_token, bytes)).body.id
})
after(() => library.close())

interface Options {
  query?: string
  headers?: Record<string, string>
  method?: string
  /** Whose characters are in the address. */
  media?: string
}

/** Asks for a picture with the cookies of a page. */
async function look(page: SignedInPage, kind: string, options: Options = {}) {
  const { query = '', headers = {}, method = 'GET', media = page.media } = options
  const path = `/web/media/${media}/${id}/${kind}${query}`
  const response = await send(library, page.jar, method, path, { headers })
  return { response, body: Buffer.from(await response.arrayBuffer()) }
}
const statusOf = async (page: SignedInPage, kind = 'thumbnail', options: Options = {}) =>
  (await look(page, kind, options)).response.status
const versionOf = () => {
  const file = library.deps.db.get<Parameters<typeof fileVersion>[0]>(
    'SELECT blob, derivative_state, decoder_version, rotation FROM file_details',
  )
  return fileVersion(file!)
}

describe('the pictures of the page', () => {
  it('are those of the API', async () => {
    const token = ann.access_token
    for (const kind of KINDS) {
      const { response, body } = await look(ann, kind)
      assert.equal(response.status, 200)
      const inApi = kind === 'full' ? 'content?inline=1' : kind
      const api = await library.fetchRaw('GET', `/files/${id}/${inApi}`, { token })
      assert.ok(body.equals(Buffer.from(await api.arrayBuffer())), kind)
      assert.equal(response.headers.get('ETag'), api.headers.get('ETag'))
      assert.equal(response.headers.get('Content-Type'), 'image/jpeg')
    }
  })

  it('are kept for a day under their version, and not at all under another or none', async () => {
    const v = versionOf()
    for (const kind of ['thumbnail', 'preview', 'full']) {
      for (const [query, expected] of [
        [`?v=${v}`, KEPT],
        ['?v=AAAAAAAA', 'no-store'],
        ['', 'no-store'],
      ] as const) {
        const { response } = await look(ann, kind, { query })
        assert.equal(response.headers.get('Cache-Control'), expected, kind + query)
        assert.equal(response.headers.get('Vary'), 'Cookie')
      }
    }
  })

  it('are asked for each time where they are the content, unless it is another version', async () => {
    const cacheOf = async (query: string) =>
      (await look(ann, 'content', { query })).response.headers.get('Cache-Control')
    assert.equal(await cacheOf(''), 'private, no-cache')
    assert.equal(await cacheOf(`?v=${versionOf()}`), 'private, no-cache')
    assert.equal(await cacheOf('?v=AAAAAAAA'), 'no-store')
  })

  it('come in ranges, with validators, heads and the policy of contents', async () => {
    const range = { headers: { Range: 'bytes=2-5' } }
    const { response, body } = await look(ann, 'content', range)
    assert.equal(response.status, 206)
    assert.equal(response.headers.get('Content-Range'), `bytes 2-5/${bytes.length}`)
    assert.ok(body.equals(Buffer.from(bytes.subarray(2, 6))))
    assert.match(response.headers.get('Content-Security-Policy') ?? '', /^sandbox; default-src/)
    assert.match(response.headers.get('Content-Disposition') ?? '', /^inline; .*picture\.jpg/)
    assert.equal(response.headers.get('X-Content-Type-Options'), 'nosniff')
    for (const kind of KINDS) {
      const whole = (await look(ann, kind)).response
      const known = { 'If-None-Match': whole.headers.get('ETag')! }
      assert.equal(await statusOf(ann, kind, { headers: known }), 304)
      const head = await look(ann, kind, { method: 'HEAD' })
      assert.equal(head.response.status, 200)
      assert.equal(head.body.length, 0)
      for (const name of ['ETag', 'Content-Length', 'Cache-Control']) {
        assert.equal(head.response.headers.get(name), whole.headers.get(name))
      }
    }
  })

  it('are kept by no browser while they are a placeholder', async () => {
    const { db, decoder } = library.deps
    db.run(
      "UPDATE file_details SET derivative_state = 'failed', decoder_version = ?",
      decoder.version,
    )
    const { blob } = db.get<{ blob: string }>('SELECT blob FROM file_details')!
    await rm(pathsOf(library.deps).derivative('thumbnail', blob))
    const { response } = await look(ann, 'thumbnail', { query: `?v=${versionOf()}` })
    assert.equal(response.headers.get('ETag'), '"placeholder"')
    assert.equal(response.headers.get('Cache-Control'), 'no-store')
    db.run("UPDATE file_details SET derivative_state = 'made'")
  })

  it('have another version when their content is replaced', async () => {
    const before = versionOf()
    const body = form(await picture(4), 'other.jpg')
    const token = ann.access_token
    assert.equal((await library.call('PUT', `/files/${id}/content`, { token, body })).status, 200)
    assert.notEqual(versionOf(), before)
    const { response } = await look(ann, 'thumbnail', { query: `?v=${before}` })
    assert.equal(response.headers.get('Cache-Control'), 'no-store')
  })

  it('have the sizes that are asked for, and no other', async () => {
    const large = await sharp({
      create: { width: 1200, height: 900, channels: 3, background: '#456' },
    })
      .jpeg()
      .toBuffer()
    const kept = id
    id = (await library.upload(ann.access_token, large)).body.id
    for (const [query, width] of [
      ['', 320],
      ['?size=320', 320],
      ['?size=640', 640],
    ] as const) {
      const { body } = await look(ann, 'thumbnail', { query })
      assert.equal((await sharp(body).metadata()).width, width)
    }
    for (const query of ['?size=641', '?size=0', '?size=', '?size=640&size=640', '?v=a&v=b']) {
      assert.equal(await statusOf(ann, 'thumbnail', { query }), 400, query)
    }
    id = kept
  })
})

describe('the right to see a picture of the page', () => {
  it('is nobody without the cookie of pictures, whatever else they send', async () => {
    const path = `/web/media/${ann.media}/${id}/thumbnail`
    const session = ann.jar.cookie('s')!
    const media = ann.jar.cookie('m')!
    const asks: Record<string, string>[] = [
      {},
      { Authorization: `Bearer ${ann.access_token}` },
      { Cookie: session },
      { Cookie: media.replace('-m=', '-s=') },
      { Cookie: session.replace('-s=', '-m=') },
      { Cookie: `${media}x` },
      { Cookie: media.slice(0, -1) },
      { Cookie: media.replace(/=\d+\./, '=999.') },
      { Cookie: media.replace(/=.*/, '=') },
    ]
    for (const headers of asks) {
      const response = await library.request(path, { headers })
      assert.equal(response.status, 401, JSON.stringify(headers))
      assert.equal(response.headers.get('Cache-Control'), 'no-store')
      assert.equal(response.headers.get('Vary'), 'Cookie')
    }
    const query = await library.request(`${path}?access_token=${ann.access_token}`)
    assert.equal(query.status, 401)
  })

  it("is 404 under another session's characters, for whoever has the cookie", async () => {
    setPublic(library.deps.db, true)
    assert.equal(await statusOf(bob), 200)
    for (const media of [ann.media, 'x', `${bob.media}x`, '0'.repeat(16)]) {
      assert.equal(await statusOf(bob, 'thumbnail', { media }), 404)
    }
    const again = await signInToPage(library, 'Bob')
    assert.notEqual(again.media, bob.media)
    assert.equal(await statusOf(bob, 'thumbnail', { media: again.media }), 404)
    setPublic(library.deps.db, false)
  })

  it('is looked up at each request: who may not view it gets 403, and nobody what is not there', async () => {
    for (const kind of KINDS) {
      assert.equal(await statusOf(bob, kind), 403)
      setPublic(library.deps.db, true)
      assert.equal(await statusOf(bob, kind), 200)
      setPublic(library.deps.db, false)
      assert.equal(await statusOf(bob, kind), 403)
    }
    const path = `/web/media/${ann.media}/00000000-0000-7000-8000-000000000000/full`
    assert.equal((await send(library, ann.jar, 'GET', path)).status, 404)
    const nonsense = `/web/media/${ann.media}/nonsense/full`
    assert.equal((await send(library, ann.jar, 'GET', nonsense)).status, 400)
  })

  it('opens nothing but GET and HEAD of pictures', async () => {
    const path = `/web/media/${ann.media}/${id}/thumbnail`
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      assert.equal((await send(library, ann.jar, method, path)).status, 405)
    }
    for (const other of [`/web/media/${ann.media}/${id}`, `/web/media/${ann.media}/${id}/exif`]) {
      assert.equal((await send(library, ann.jar, 'GET', other)).status, 404)
    }
  })

  it('is gone with the next picture when the user is blocked, and back with the user', async () => {
    library.deps.db.run("UPDATE users SET is_blocked = 1 WHERE name = 'Ann'")
    assert.equal(await statusOf(ann), 401)
    library.deps.db.run("UPDATE users SET is_blocked = 0 WHERE name = 'Ann'")
    assert.equal(await statusOf(ann), 200)
  })

  it('ends with the session: signed out, ended elsewhere, expired, the user deleted', async () => {
    const out = await signInToPage(library, 'Ann')
    assert.equal(await statusOf(out), 200)
    assert.equal((await send(library, out.jar, 'DELETE', '/web/session')).status, 204)
    assert.equal(await statusOf(out), 401)

    const ended = await signInToPage(library, 'Ann')
    library.deps.db.run('DELETE FROM sessions WHERE id = (SELECT max(id) FROM sessions)')
    assert.equal(await statusOf(ended), 401)

    setPublic(library.deps.db, true)
    await library.addUser('Carl')
    const carl = await signInToPage(library, 'Carl')
    assert.equal(await statusOf(carl), 200)
    library.deps.db.run("DELETE FROM users WHERE name = 'Carl'")
    assert.equal(await statusOf(carl), 401)

    const old = await signInToPage(library, 'Ann')
    library.time.now += 30 * DAY
    assert.equal(await statusOf(old), 401)
    ann = await signInToPage(library, 'Ann')
    bob = await signInToPage(library, 'Bob')
    setPublic(library.deps.db, false)
  })

  it('keeps the session in use, as requests with a token do', async () => {
    const lastActivity = () =>
      library.deps.db.get<{ at: number }>('SELECT max(last_activity) AS at FROM sessions')?.at
    library.time.now += 61_000
    await statusOf(ann)
    assert.equal(lastActivity(), library.time.now)
  })

  it('is no business of other origins', async () => {
    const { response } = await look(ann, 'content', { headers: { Origin: 'https://page.example' } })
    assert.equal(response.headers.get('Access-Control-Allow-Origin'), null)
    assert.equal(response.headers.get('Cross-Origin-Resource-Policy'), 'same-origin')
    assert.equal(response.headers.get('Vary'), 'Cookie')
  })
})
