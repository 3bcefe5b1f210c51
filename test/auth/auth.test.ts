import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { login } from '../../src/auth/login.ts'
import { openDatabase } from '../../src/db/client.ts'
import { assertError } from '../support/files.ts'
import { type Library, openLibrary } from '../support/harness.ts'

describe('signing in', () => {
  let library: Library
  let ann: number
  before(async () => {
    library = await openLibrary()
    ann = await library.addUser('Ann')
  })
  after(() => library.close())

  it('opens a session and answers a token pair', async () => {
    const headers = { 'User-Agent': `Mozilla\u0085 ${'x'.repeat(600)}` }
    const answer = await library.login(' Ann ', 'password of Ann', { headers })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('Cache-Control'), 'no-store')
    assert.deepEqual(Object.keys(answer.body), ['access_token', 'refresh_token', 'expires_in'])
    assert.equal(answer.body.expires_in, 900)

    const token = answer.body.access_token
    const list = await library.call('GET', '/auth/sessions', { token })
    assert.deepEqual(list.body, {
      items: [
        {
          id: 1,
          user_agent: `Mozilla ${'x'.repeat(504)}`,
          started_at: '2026-01-02T03:04:05.678Z',
          expires_at: '2026-02-01T03:04:05.678Z',
          last_activity: '2026-01-02T03:04:05.678Z',
          is_current: true,
        },
      ],
      total: 1,
    })
    assert.deepEqual(library.audit().at(-1), {
      user_id: ann,
      user_name: 'Ann',
      action: 'user_login',
      details: { session_id: 1 },
    })
  })

  it('refuses a wrong password, with an entry in the audit log', async () => {
    const answer = await library.login('Ann', 'wrong')
    assert.equal(answer.status, 401)
    assert.equal(answer.headers.get('WWW-Authenticate'), 'Bearer')
    assert.deepEqual(answer.body, {
      code: 'unauthorized',
      message: 'The name or the password is wrong',
    })
    assert.deepEqual(library.audit().at(-1), {
      user_id: ann,
      user_name: 'Ann',
      action: 'user_login_failed',
      details: { reason: 'wrong password' },
    })
  })

  it('refuses an unknown name in the same words, with a line in the log only', async () => {
    const entries = library.audit().length
    const known = await library.login('Ann', 'wrong')
    for (const name of ['Nobody', 'ann', '', 'x'.repeat(5000)]) {
      const answer = await library.login(name, 'password of Ann')
      assert.deepEqual([answer.status, answer.body], [401, known.body])
    }
    assert.equal(library.audit().length, entries + 1)
  })

  it('writes one line in the log for each failure, with the address and 64 characters', async () => {
    const id = await library.addUser('Locked')
    library.deps.db.run('UPDATE users SET is_blocked = 1 WHERE id = ?', id)
    const line = async (name: string, password: string) => {
      const before = library.logged.length
      await library.login(name, password, { peer: '2001:db8::7' })
      const lines = library.logged.slice(before).filter(({ message }) => message !== 'request')
      return lines.map(({ level, message, fields }) => ({ level, message, ...fields }))
    }
    const failed = (name: string, reason: string) => [
      { level: 'warn', message: 'login failed', address: '2001:db8::7', name, reason },
    ]
    assert.deepEqual(await line('Ann', 'wrong'), failed('Ann', 'wrong password'))
    assert.deepEqual(await line('Locked', 'password of Locked'), failed('Locked', 'blocked'))
    assert.deepEqual(await line('Nobody', ''), failed('Nobody', 'unknown name'))
    assert.deepEqual(
      await line('a\n\r\t\u0000\u007f\u0085\u2028\u202e\ud800b', ''),
      failed(`a${'\ufffd'.repeat(9)}b`, 'unknown name'),
    )
    const faces = '\u{1F600}'.repeat(64)
    assert.deepEqual(await line(`${faces}x`, ''), failed(faces, 'unknown name'))
    assert.deepEqual(await line('Ann', 'password of Ann'), [])
  })

  it('takes a name or password that nobody can have for a wrong one, with the same entry', async () => {
    const known = await library.login('Ann', 'wrong')
    const tooLong = 'x'.repeat(1025)
    const marks = `Ann${'\u0301'.repeat(31)}`
    // The row of an earlier version.
    await library.addUser(marks)
    for (const name of [tooLong, marks, `Ann${'\u0301'.repeat(1500)}`]) {
      const entries = library.audit().length
      const answer = await library.login(name, `password of ${name}`)
      assert.deepEqual([answer.status, answer.body], [401, known.body])
      assert.equal(library.audit().length, entries)
    }
    for (const password of [tooLong, marks, '\u0301'.repeat(3000)]) {
      const answer = await library.login('Ann', password)
      assert.deepEqual([answer.status, answer.body], [401, known.body])
      assert.deepEqual(library.audit().at(-1)?.details, { reason: 'wrong password' })
    }
  })

  it('takes a body of 8 KiB and no more, as refreshing does', async () => {
    const padded = (body: object, size: number) => {
      const text = JSON.stringify({ ...body, padding: '' })
      return text.replace('""}', `"${' '.repeat(size - text.length)}"}`)
    }
    const send = async (path: string, body: string) =>
      (await library.call('POST', path, { body })).status
    const right = { name: 'Ann', password: 'password of Ann' }
    assert.equal(await send('/auth/login', padded(right, 8192)), 200)
    const { refresh_token } = await library.signIn('Ann')
    assert.equal(await send('/auth/refresh', padded({ refresh_token }, 8192)), 200)
    for (const path of ['/auth/login', '/auth/refresh']) {
      const answer = await library.call('POST', path, { body: padded(right, 8193) })
      assertError(answer, 413, 'payload_too_large')
      assert.equal(answer.body.message, 'The body is larger than 8 KiB')
    }
  })

  it('keeps a well-formed name of the client, with at most 30 marks in a row', async () => {
    const { deps } = library
    const kept = async (user_agent: string) => {
      const place = { address: '192.0.2.1', network: null, user_agent }
      await login(deps, { name: 'Ann', password: 'password of Ann' }, place)
      return deps.db.get<{ user_agent: string }>(
        'SELECT user_agent FROM sessions ORDER BY id DESC LIMIT 1',
      )?.user_agent
    }
    const marks = '\u0301'.repeat(30)
    assert.equal(await kept(`x${marks}${marks}${'y'.repeat(600)}`), `x${marks}${'y'.repeat(481)}`)
    assert.equal(await kept('\u0301'.repeat(500_000)), marks)
    assert.equal(await kept(`e\u0301${'👍'.repeat(600)}\ud800`), `é${'👍'.repeat(511)}`)
  })

  it('does the same work for an unknown name, and fails alike when it can not be done', async () => {
    const other = openDatabase(join(library.folder, 'tagstead.sqlite'))
    const attempt = async (name: string) => {
      const version = () => other.get<{ data_version: number }>('PRAGMA data_version')!.data_version
      const before = version()
      const { status, body } = await library.login(name, 'wrong')
      return { status, body, hasCommitted: version() !== before }
    }
    const known = await attempt('Ann')
    assert.deepEqual([known.status, known.hasCommitted], [401, true])
    assert.deepEqual(await attempt('Nobody'), known)
    library.deps.db.run('PRAGMA query_only = 1')
    const failed = await attempt('Ann')
    assert.equal(failed.status, 500)
    assert.deepEqual(await attempt('Nobody'), failed)
    library.deps.db.run('PRAGMA query_only = 0')
    other.close()
  })

  it('answers 400 with one detail for each wrong field', async () => {
    const answer = await library.call('POST', '/auth/login', { body: { name: 7 } })
    assert.equal(answer.status, 400)
    const fields = answer.body.details.map((detail: { field: string }) => detail.field)
    assert.deepEqual(fields, ['name', 'password'])
    assert.equal((await library.call('POST', '/auth/refresh', { body: {} })).status, 400)
  })

  it('tells a blocked user only after the right password', async () => {
    const id = await library.addUser('Blocked')
    library.deps.db.run('UPDATE users SET is_blocked = 1 WHERE id = ?', id)
    assert.equal((await library.login('Blocked', 'wrong')).status, 401)
    const answer = await library.login('Blocked')
    assert.equal(answer.status, 403)
    assert.equal(answer.body.code, 'forbidden')
    const last = library.audit().at(-1)
    assert.deepEqual([last?.action, last?.details], ['user_login_failed', { reason: 'blocked' }])
    const open = library.deps.db.get('SELECT 1 FROM sessions WHERE user_id = ?', id)
    assert.equal(open, undefined)
  })

  it('looks again after the hash: blocked, deleted, or another password meanwhile', async () => {
    const { db } = library.deps
    const changes: [string, number, string][] = [
      ['Late block', 403, 'UPDATE users SET is_blocked = 1 WHERE id = ?'],
      ['Late delete', 401, 'DELETE FROM users WHERE id = ?'],
      ['Late change', 401, "UPDATE users SET password_hash = 'x' WHERE id = ?"],
    ]
    for (const [name, status, sql] of changes) {
      const id = await library.addUser(name)
      const { verify } = library.deps.passwords
      library.deps.passwords.verify = async (hash, password) => {
        const result = await verify(hash, password)
        db.run(sql, id)
        return result
      }
      assert.equal((await library.login(name)).status, status, name)
      library.deps.passwords.verify = verify
      assert.equal(db.get('SELECT 1 FROM sessions WHERE user_id = ?', id), undefined, name)
    }
  })

  it('removes the sessions that have expired', async () => {
    await library.addUser('Bert')
    await library.signIn('Bert')
    library.time.now += 31 * 86_400_000
    const { access_token } = await library.signIn('Ann')
    const count = library.deps.db.get<{ n: number }>('SELECT count(*) AS n FROM sessions')
    assert.equal(count?.n, 1)
    assert.equal((await library.call('GET', '/users/me', { token: access_token })).status, 200)
  })
})

describe('sessions', () => {
  let library: Library
  before(async () => {
    library = await openLibrary()
    await library.addUser('Ann')
    await library.addUser('Bert')
    await library.addUser('Root', { is_admin: true })
  })
  after(() => library.close())

  it("are listed by page, the caller's own live ones", async () => {
    const pairs = []
    for (let i = 0; i < 3; i++) pairs.push(await library.signIn('Ann'))
    await library.signIn('Bert')
    const token = pairs[1]!.access_token
    const ids = async (query: string) => {
      const { body } = await library.call('GET', `/auth/sessions${query}`, { token })
      const items = body.items as { id: number; is_current: boolean }[]
      return [items.map(({ id, is_current }) => `${id}${is_current ? '*' : ''}`).join(), body.total]
    }
    assert.deepEqual(await ids(''), ['3,2*,1', 3])
    assert.deepEqual(await ids('?limit=1&offset=1'), ['2*', 3])
    assert.deepEqual(await ids('?offset=9'), ['', 3])
    for (const query of ['?limit=0', '?limit=201', '?offset=-1', '?limit=', '?limit=1&limit=2']) {
      const answer = await library.call('GET', `/auth/sessions${query}`, { token })
      assert.equal(answer.status, 400, query)
    }
  })

  it("can be ended: one's own, and any by an admin; another's is not found", async () => {
    const ann = await library.signIn('Ann')
    const bert = await library.signIn('Bert')
    const root = await library.signIn('Root')
    const idOf = (pair: { refresh_token: string }) => Number(pair.refresh_token.split('.')[0])
    const end = (id: number | string, pair: { access_token: string }) =>
      library.call('DELETE', `/auth/sessions/${id}`, { token: pair.access_token })

    assert.equal((await end(idOf(bert), ann)).status, 404)
    assert.equal((await end(9999, ann)).status, 404)
    for (const id of ['x', '0', '1.5', '-1']) assert.equal((await end(id, ann)).status, 400)
    assert.equal((await end(idOf(bert), root)).status, 204)
    assert.equal((await end(idOf(bert), root)).status, 404)
    assert.deepEqual(library.audit().at(-1), {
      user_id: 3,
      user_name: 'Root',
      action: 'session_terminate',
      details: { session_id: idOf(bert), user_id: 2, user_name: 'Bert' },
    })
    const dead = await library.call('GET', '/users/me', { token: bert.access_token })
    assert.equal(dead.status, 401)
    assert.equal((await end(idOf(ann), ann)).status, 204)
    assert.equal((await end(idOf(ann), ann)).status, 401)
  })

  it('end at their expiry, with access tokens that would live longer', async () => {
    const short = await openLibrary({ REFRESH_TOKEN_TTL: '5m' })
    await short.addUser('Ann')
    const { access_token } = await short.signIn('Ann')
    short.time.now += 299_999
    assert.equal((await short.call('GET', '/users/me', { token: access_token })).status, 200)
    short.time.now += 1
    assert.equal((await short.call('GET', '/users/me', { token: access_token })).status, 401)
    await short.close()
  })

  it('end at their expiry, also for who looks for them', async () => {
    const early = await library.signIn('Ann')
    library.time.now += 30 * 86_400_000 - 1
    assert.equal((await library.refresh(early.refresh_token)).status, 200)
    library.time.now += 30 * 86_400_000
    assert.equal((await library.refresh(early.refresh_token)).status, 401)
    const root = await library.signIn('Root')
    const path = `/auth/sessions/${early.refresh_token.split('.')[0]}`
    assert.equal((await library.call('DELETE', path, { token: root.access_token })).status, 404)
  })
})
