import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Library, openLibrary, picture } from '../support/harness.ts'

const FILE = '01890a5d-ac96-774b-bcce-b302099a8057'
const OTHER_FILE = '01890a5d-ac96-774b-bcce-b302099a8058'
const UNAUTHORIZED = { code: 'unauthorized', message: 'A valid access token is required' }

describe('the guard', () => {
  let library: Library
  before(async () => {
    library = await openLibrary()
    await library.addUser('Ann')
  })
  after(() => library.close())

  it('admits bearers of a live access token only', async () => {
    const { access_token, refresh_token } = await library.signIn('Ann')
    const content = await library.deps.tokens.signContent({ user_id: 1, file_id: FILE })
    const me = (headers: Record<string, string>) => library.call('GET', '/users/me', { headers })
    const [, claims, signature] = access_token.split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    assert.equal((await me({ Authorization: `bearer ${access_token}` })).status, 200)
    const refused = [
      '',
      'Bearer',
      'Bearer ',
      access_token,
      `Basic ${access_token}`,
      `Bearer ${access_token} x`,
      `Bearer ${access_token.slice(0, -2)}`,
      `Bearer ${none}.${claims}.`,
      `Bearer ${none}.${claims}.${signature}`,
      `Bearer ${refresh_token}`,
      `Bearer ${content}`,
    ]
    for (const value of refused) {
      const answer = await me({ Authorization: value })
      assert.deepEqual([answer.status, answer.body], [401, UNAUTHORIZED], value)
      assert.equal(answer.headers.get('WWW-Authenticate'), 'Bearer')
    }
    assert.equal((await me({})).status, 401)
    const query = await library.call('GET', `/users/me?access_token=${access_token}`)
    assert.equal(query.status, 401, 'a token in the query is for content alone')
    const mutation = await library.call('POST', `/auth/logout?access_token=${access_token}`)
    assert.equal(mutation.status, 401)
  })

  it('refuses an access token as refresh token', async () => {
    const { access_token } = await library.signIn('Ann')
    assert.equal((await library.refresh(access_token)).status, 401)
  })

  it("never admits to another user's session, whatever the token says", async () => {
    await library.addUser('Bert')
    const { access_token } = await library.signIn('Ann')
    const sid = JSON.parse(Buffer.from(access_token.split('.')[1]!, 'base64url').toString()).sid
    const token = await library.deps.tokens.signAccess(2, sid)
    assert.equal((await library.call('GET', '/users/me', { token })).status, 401)
  })

  it('ends with the session, and with the time of the token', async () => {
    const ended = await library.signIn('Ann')
    assert.equal(
      (await library.call('POST', '/auth/logout', { token: ended.access_token })).status,
      204,
    )
    const again = await library.call('GET', '/users/me', { token: ended.access_token })
    assert.equal(again.status, 401)
    assert.equal((await library.refresh(ended.refresh_token)).status, 401)
    assert.equal(library.audit().at(-1)?.action, 'user_logout')

    const { access_token } = await library.signIn('Ann')
    library.time.now += 900_000
    assert.equal((await library.call('GET', '/users/me', { token: access_token })).status, 401)
  })

  it('writes the last activity at most once a minute', async () => {
    const { access_token } = await library.signIn('Ann')
    const start = library.time.now
    const activityAfter = async (ms: number) => {
      library.time.now = start + ms
      await library.call('GET', '/users/me', { token: access_token })
      const row = library.deps.db.get<{ last_activity: number }>(
        'SELECT last_activity FROM sessions ORDER BY id DESC LIMIT 1',
      )
      return row!.last_activity - start
    }
    const seen = []
    for (const ms of [59_999, 60_000, 90_000, 120_000]) seen.push(await activityAfter(ms))
    assert.deepEqual(seen, [0, 60_000, 60_000, 120_000])
    assert.equal(await activityAfter(-100_000), -100_000, 'the clock was set back')
  })
})

describe("the guard of a file's content", () => {
  let library: Library
  let file: string
  let token: string
  const signIn = async () => (await library.signIn('Ann')).access_token
  const content = async (query: string, headers: Record<string, string> = {}, method = 'GET') => {
    const path = `/files/${file.toUpperCase()}/content${query}`
    const response = await library.fetchRaw(method, path, { headers })
    await response.arrayBuffer()
    return response.status
  }
  before(async () => {
    library = await openLibrary()
    const ann = await library.join('Ann', { can_create: true })
    file = (await library.upload(ann.token, await picture())).body.id
    const minted = await library.call('POST', `/files/${file}/content-token`, { token: ann.token })
    assert.equal(minted.body.expires_in, 21_600)
    token = minted.body.token
  })
  after(() => library.close())

  it('admits by query with an access token or a content token of this file', async () => {
    const access_token = await signIn()
    assert.equal(await content(`?access_token=${token}`), 200)
    assert.equal(await content(`?access_token=${access_token}`), 200)
    assert.equal(await content('', { Authorization: `Bearer ${access_token}` }), 200)
    const other = await library.deps.tokens.signContent({ user_id: 1, file_id: OTHER_FILE })
    for (const query of ['', '?access_token=', `?access_token=${other}`, '?access_token=x']) {
      assert.equal(await content(query), 401, query)
    }
  })

  it('takes the header when there is one', async () => {
    const good = { Authorization: `Bearer ${await signIn()}` }
    const query = `?access_token=${token}`
    assert.equal(await content(query, { Authorization: 'Bearer x' }), 401)
    assert.equal(await content(query, { Authorization: `Bearer ${token}` }), 401)
    assert.equal(await content('?access_token=x', good), 200)
  })

  it('takes a query for nothing but GET, and for nothing but the content', async () => {
    const access_token = await signIn()
    const good = { Authorization: `Bearer ${access_token}` }
    assert.equal(await content('', good, 'HEAD'), 200)
    for (const value of [token, access_token]) {
      assert.equal(await content(`?access_token=${value}`, {}, 'HEAD'), 401)
      assert.equal(await content(`?access_token=${value}`, {}, 'PUT'), 401)
      for (const path of ['', '/thumbnail', '/preview', '/tags']) {
        const answer = await library.call('GET', `/files/${file}${path}?access_token=${value}`)
        assert.equal(answer.status, 401, path)
      }
    }
  })

  it('keeps a content token good after logout, until it expires or the user is blocked', async () => {
    const access_token = await signIn()
    await library.call('POST', '/auth/logout', { token: access_token })
    assert.equal(await content(`?access_token=${access_token}`), 401)
    assert.equal(await content(`?access_token=${token}`), 200)
    const { db } = library.deps
    db.run('UPDATE users SET is_blocked = 1')
    assert.equal(await content(`?access_token=${token}`), 401)
    db.run('UPDATE users SET is_blocked = 0')
    db.run('UPDATE files SET creator_id = ?', await library.addUser('Bert'))
    assert.equal(await content(`?access_token=${token}`), 403, 'rights are read anew')
    db.run('UPDATE files SET creator_id = 1')
    library.time.now += 6 * 3_600_000
    assert.equal(await content(`?access_token=${token}`), 401)
  })
})
