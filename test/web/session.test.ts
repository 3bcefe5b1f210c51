import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { VERSION } from '../../src/base/version.ts'
import type { WebSession } from '../../src/web/schema.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'
import { cookieJar, PAGE, send, signInToPage } from '../support/web-session.ts'

const PROXY = '192.0.2.80'
const DAYS_30 = 30 * 86_400
const NAME = /^tagstead-[0-9a-f]{8}-[sm]$/

let library: Library
before(async () => {
  library = await openLibrary({ TRUSTED_PROXIES: PROXY, CORS_ORIGINS: 'https://page.example' })
  await library.addUser('Ann')
  await library.addUser('Bob')
})
after(() => library.close())

const credentials = (name: string) => ({ name, password: `password of ${name}` })
const signIn = (options: Parameters<typeof send>[4] = {}) =>
  send(library, cookieJar(), 'POST', '/web/session', { body: credentials('Ann'), ...options })
const works = async (token: string) => (await library.call('GET', '/users/me', { token })).status

/** Returns the names, values and attributes of the cookies that an answer sets. */
const cookiesOf = ({ headers }: Response) =>
  headers.getSetCookie().map((line) => {
    const [pair, ...attributes] = line.split('; ')
    const [name, value] = pair!.split('=') as [string, string]
    return { name, value, attributes: attributes.join('; ') }
  })

describe('signing in to the page', () => {
  it('answers with an access token, the user and the characters of the session', async () => {
    const response = await signIn()
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('Cache-Control'), 'no-store')
    assert.equal(response.headers.get('Tagstead-Version'), VERSION)
    const { access_token, media, ...rest } = (await response.json()) as Record<string, string>
    const user = { id: 1, name: 'Ann', is_admin: false, can_create: false, is_blocked: false }
    assert.deepEqual(rest, { expires_in: 900, user, has_files: false })
    assert.match(media!, /^[\w-]{16}$/)
    assert.equal(await works(access_token!), 200)
    assert.equal(library.audit().at(-1)?.action, 'user_login')
  })

  it('says whether the user has added files, also when the right to add more was taken', async () => {
    const { id, token } = await library.join('Eve', { can_create: true })
    assert.equal((await library.upload(token, await picture())).status, 201)
    library.deps.db.run('UPDATE users SET can_create = 0 WHERE id = ?', id)
    const response = await signIn({ body: credentials('Eve') })
    const { user, has_files } = (await response.json()) as WebSession
    assert.deepEqual([user.can_create, has_files], [false, true])
  })

  it('sets two cookies that no script reads and no other site sends', async () => {
    const [session, media, ...others] = cookiesOf(await signIn())
    assert.deepEqual(others, [])
    assert.match(session!.name, NAME)
    assert.equal(media!.name, session!.name.replace(/s$/, 'm'))
    const rest = `Max-Age=${DAYS_30}; HttpOnly; SameSite=Strict`
    assert.equal(session!.attributes, `Path=/web/session; ${rest}`)
    assert.equal(media!.attributes, `Path=/web/media; ${rest}`)
    assert.notEqual(session!.value, media!.value)
  })

  it('makes them secure over https, as a trusted proxy says and nobody else', async () => {
    const over = (proto: string, peer?: string) =>
      signIn({ headers: { 'X-Forwarded-Proto': proto }, ...(peer && { peer }) })
    for (const { name, attributes } of cookiesOf(await over('https', PROXY))) {
      assert.match(name, /^__Secure-tagstead-[0-9a-f]{8}-[sm]$/)
      assert.match(attributes, /; Secure$/)
    }
    for (const response of [await over('https', '192.0.2.81'), await over('http', PROXY)]) {
      for (const { name, attributes } of cookiesOf(response)) {
        assert.match(name, NAME)
        assert.doesNotMatch(attributes, /Secure/)
      }
    }
  })

  it('fails as signing in to the API does, and sets no cookie', async () => {
    const fail = async (name: string, password: string) => {
      const response = await signIn({ body: { name, password } })
      assert.deepEqual(response.headers.getSetCookie(), [])
      const web = [response.status, await response.json()]
      const { status, body } = await library.login(name, password)
      assert.deepEqual(web, [status, body])
      return status
    }
    assert.equal(await fail('Ann', 'a wrong one'), 401)
    assert.equal(library.audit().at(-1)?.action, 'user_login_failed')
    assert.equal(await fail('nobody', 'a wrong one'), 401)
    library.deps.db.run("UPDATE users SET is_blocked = 1 WHERE name = 'Bob'")
    assert.equal(await fail('Bob', 'password of Bob'), 403)
    assert.equal(await fail('Bob', 'a wrong one'), 401)
    library.deps.db.run("UPDATE users SET is_blocked = 0 WHERE name = 'Bob'")
  })

  it('shares the limits of the API: failures there count here, and the other way round', async () => {
    const limited = await openLibrary({ AUTH_RATE_LIMIT: '2' })
    await limited.addUser('Ann')
    const peer = '192.0.2.7'
    const wrong = { name: 'Ann', password: 'a wrong one' }
    assert.equal((await limited.login('Ann', 'a wrong one', { peer })).status, 401)
    const page = (body: unknown) =>
      send(limited, cookieJar(), 'POST', '/web/session', { body, peer })
    assert.equal((await page(wrong)).status, 401)
    const refused = await page(credentials('Ann'))
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('Retry-After')) > 0)
    assert.equal((await limited.login('Ann', undefined, { peer })).status, 429)

    const { jar } = await signInToPage(limited, 'Ann')
    const forged = { Cookie: `${jar.cookie('s')!.replace(/.$/, '')}!` }
    const refresh = (headers = {}) =>
      send(limited, jar, 'POST', '/web/session/refresh', { body: {}, headers, peer })
    assert.equal((await refresh(forged)).status, 401)
    assert.equal((await limited.refresh('nonsense', { peer })).status, 401)
    assert.equal((await refresh()).status, 429)
    assert.equal((await limited.refresh('nonsense', { peer })).status, 429)
    await limited.close()
  })

  it('takes no failed attempt for a page that is opened before anybody has signed in', async () => {
    const limited = await openLibrary({ AUTH_RATE_LIMIT: '1' })
    for (let n = 0; n < 5; n++) {
      const options = { body: {}, peer: '192.0.2.7' }
      const answer = await send(limited, cookieJar(), 'POST', '/web/session/refresh', options)
      assert.equal(answer.status, 204)
      // Another tab may just have set them.
      assert.deepEqual(answer.headers.getSetCookie(), [])
    }
    await limited.close()
  })
})

describe('what another site sends', () => {
  const routes = [
    ['POST', '/web/session'],
    ['POST', '/web/session/refresh'],
    ['DELETE', '/web/session'],
  ] as const

  it('is refused on every route of the session, and nothing happens', async () => {
    const { jar, access_token } = await signInToPage(library, 'Ann')
    const before = library.audit().length
    const body = credentials('Ann')
    const statusOf = async (method: string, path: string, headers: Record<string, string>) => {
      const all = { ...jar.header(path), ...headers }
      const init = { method, headers: all, body: JSON.stringify(body) }
      const response = await library.request(path, init)
      assert.deepEqual(response.headers.getSetCookie(), [])
      assert.equal(response.headers.get('Access-Control-Allow-Origin'), null)
      return response.status
    }
    const { 'X-Tagstead': _, ...withoutHeader } = PAGE
    const form = { 'X-Tagstead': '1', 'Content-Type': 'application/x-www-form-urlencoded' }
    const other = { ...PAGE, Origin: 'https://page.example' }
    for (const [method, path] of routes) {
      assert.equal(await statusOf(method, path, withoutHeader), 403)
      assert.equal(await statusOf(method, path, { ...PAGE, 'X-Tagstead': '0' }), 403)
      assert.equal(await statusOf(method, path, form), 400)
      for (const site of ['cross-site', 'same-site', 'none']) {
        assert.equal(await statusOf(method, path, { ...other, 'Sec-Fetch-Site': site }), 403)
      }
    }
    assert.equal(library.audit().length, before)
    assert.equal(await works(access_token), 200)
  })

  it('gets no leave to send the header, whatever CORS_ORIGINS says', async () => {
    for (const [method, path] of routes) {
      const headers = {
        Origin: 'https://page.example',
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'x-tagstead,content-type',
      }
      const response = await library.request(path, { method: 'OPTIONS', headers })
      assert.equal(response.status, 405)
      assert.equal(response.headers.get('Access-Control-Allow-Origin'), null)
      assert.equal(response.headers.get('Cross-Origin-Resource-Policy'), 'same-origin')
    }
  })

  it('is told from the page of this server, where the browser tells', async () => {
    const response = await signIn({ headers: { 'Sec-Fetch-Site': 'same-origin' } })
    assert.equal(response.status, 200)
  })
})

describe('signing out of the page', () => {
  const signOut = (...[jar, options]: [Parameters<typeof send>[1], Parameters<typeof send>[4]?]) =>
    send(library, jar, 'DELETE', '/web/session', options)

  it('ends the session, takes both cookies away and is audited', async () => {
    const { jar, access_token } = await signInToPage(library, 'Ann')
    const old = jar.header('/web/session')
    const response = await signOut(jar)
    assert.equal(response.status, 204)
    assert.equal(response.headers.get('Clear-Site-Data'), null, 'plain http')
    jar.take(response)
    assert.deepEqual([jar.cookie('s'), jar.cookie('m')], [undefined, undefined])
    assert.equal(await works(access_token), 401)
    assert.equal(library.audit().at(-1)?.action, 'user_logout')
    const refresh = { body: {}, headers: old }
    assert.equal((await send(library, jar, 'POST', '/web/session/refresh', refresh)).status, 401)
  })

  it('is 204 without a session, with a foreign cookie and again, and then nothing is audited', async () => {
    const { jar } = await signInToPage(library, 'Ann')
    const stale = jar.header('/web/session')
    await signOut(jar)
    const before = library.audit().length
    const name = stale.Cookie!.split('=')[0]
    for (const headers of [{}, stale, { Cookie: `${name}=1.1.${'A'.repeat(43)}` }]) {
      const response = await signOut(cookieJar(), { headers })
      assert.equal(response.status, 204)
      assert.equal(response.headers.getSetCookie().length, 2)
    }
    assert.equal(library.audit().length, before)
  })

  it('is 204 when the session can not be ended, and says so in the log', async () => {
    const { jar } = await signInToPage(library, 'Ann')
    library.deps.db.run(
      `CREATE TEMP TRIGGER refused BEFORE INSERT ON audit_log
       BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`,
    )
    const response = await signOut(jar)
    library.deps.db.run('DROP TRIGGER refused')
    assert.equal(response.status, 204)
    jar.take(response)
    assert.deepEqual([jar.cookie('s'), jar.cookie('m')], [undefined, undefined])
    const told = library.logged.find(({ level }) => level === 'error')
    assert.equal(told?.message, 'a session of the page could not be ended')
  })

  it('has the browser forget the pictures that it keeps, over https', async () => {
    const headers = { 'X-Forwarded-Proto': 'https' }
    const response = await signOut(cookieJar(), { headers, peer: PROXY })
    assert.equal(response.headers.get('Clear-Site-Data'), '"cache"')
  })
})

describe('a cookie', () => {
  it('has the same name after a restart, and another one on another server', async () => {
    const name = () => library.deps.webTokens.instance
    const before = name()
    await library.restart()
    assert.equal(name(), before)
    const { createWebTokens } = await import('../../src/web/session.ts')
    assert.notEqual(createWebTokens(Buffer.alloc(32, 1)).instance, before)
  })

  it('is no refresh token of the API, and those are no cookie', async () => {
    const { jar } = await signInToPage(library, 'Ann')
    const value = jar.cookie('s')!.split('=')[1]!
    assert.equal((await library.refresh(value)).status, 401)
    const { refresh_token } = await library.signIn('Ann')
    const headers = { Cookie: `${jar.cookie('s')!.split('=')[0]}=${refresh_token}` }
    const options = { body: {}, headers }
    const answer = await send(library, cookieJar(), 'POST', '/web/session/refresh', options)
    assert.equal(answer.status, 401)
    assert.equal((await library.refresh(refresh_token)).status, 200)
  })
})
