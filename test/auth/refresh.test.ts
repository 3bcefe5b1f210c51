import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Library, openLibrary } from '../support/harness.ts'

describe('refreshing', () => {
  let library: Library
  before(async () => {
    library = await openLibrary()
    await library.addUser('Ann')
  })
  after(() => library.close())

  const session = (token: string) =>
    library.deps.db.get<{ generation: number; expires_at: number; last_activity: number }>(
      'SELECT generation, expires_at, last_activity FROM sessions WHERE id = ?',
      Number(token.split('.')[0]),
    )
  const works = async (token: string) => (await library.call('GET', '/users/me', { token })).status

  it('rotates, slides the expiry and leaves the old access token good', async () => {
    const first = await library.signIn('Ann')
    const entries = library.audit().length
    library.time.now += 100_000
    const answer = await library.refresh(first.refresh_token)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('Cache-Control'), 'no-store')
    assert.notEqual(answer.body.refresh_token, first.refresh_token)
    assert.equal(answer.body.expires_in, 900)
    assert.deepEqual(session(first.refresh_token), {
      generation: 2,
      expires_at: library.time.now + 30 * 86_400_000,
      last_activity: library.time.now,
    })
    assert.equal(await works(answer.body.access_token), 200)
    assert.equal(await works(first.access_token), 200)
    assert.equal(library.audit().length, entries, 'a refresh is not audited')
  })

  it('gives a predecessor the live token for 60 seconds, after a restart too', async () => {
    const first = await library.signIn('Ann')
    const second = (await library.refresh(first.refresh_token)).body
    const expiry = session(first.refresh_token)?.expires_at
    for (const wait of [0, 30_000, 30_000]) {
      library.time.now += wait
      await library.restart()
      const again = await library.refresh(first.refresh_token)
      assert.equal(again.status, 200)
      assert.equal(again.body.refresh_token, second.refresh_token)
      assert.equal(await works(again.body.access_token), 200)
    }
    assert.equal(session(first.refresh_token)?.expires_at, expiry, 'nothing was rotated')
    assert.equal((await library.refresh(second.refresh_token)).status, 200)
  })

  it('ends the session when a predecessor comes later than 60 seconds', async () => {
    const first = await library.signIn('Ann')
    const second = (await library.refresh(first.refresh_token)).body
    library.time.now += 61_000
    const reuse = await library.refresh(first.refresh_token)
    assert.equal(reuse.status, 401)
    assert.equal(reuse.headers.get('WWW-Authenticate'), 'Bearer')
    assert.deepEqual(library.audit().at(-1), {
      user_id: 1,
      user_name: 'Ann',
      action: 'token_reuse',
      details: { session_id: Number(first.refresh_token.split('.')[0]) },
    })
    assert.equal((await library.refresh(second.refresh_token)).status, 401)
    assert.equal(await works(second.access_token), 401)
    const entries = library.audit().length
    assert.equal((await library.refresh(first.refresh_token)).status, 401)
    assert.equal(library.audit().length, entries)
  })

  it('ends the session when a predecessor comes after the clock was set back', async () => {
    const first = await library.signIn('Ann')
    const second = (await library.refresh(first.refresh_token)).body
    library.time.now -= 60_000
    assert.equal((await library.refresh(first.refresh_token)).status, 200)
    library.time.now -= 1000
    assert.equal((await library.refresh(first.refresh_token)).status, 401)
    assert.equal((await library.refresh(second.refresh_token)).status, 401)
    library.time.now += 61_000
  })

  it('ends the session when an older generation comes, however soon', async () => {
    const first = await library.signIn('Ann')
    const second = (await library.refresh(first.refresh_token)).body
    const third = (await library.refresh(second.refresh_token)).body
    assert.equal((await library.refresh(first.refresh_token)).status, 401)
    assert.equal(session(first.refresh_token), undefined)
    assert.equal((await library.refresh(third.refresh_token)).status, 401)
  })

  it('answers the one whose answer was lost, and the next rotation is a rotation', async () => {
    const first = await library.signIn('Ann')
    await library.refresh(first.refresh_token)
    const retried = (await library.refresh(first.refresh_token)).body
    const next = (await library.refresh(retried.refresh_token)).body
    assert.equal(session(next.refresh_token)?.generation, 3)
    assert.notEqual(next.refresh_token, retried.refresh_token)
  })

  it('rotates once when 500 come at once, and the limit takes none for a failure', async () => {
    const limited = await openLibrary({ AUTH_RATE_LIMIT: '1' })
    await limited.addUser('Ann')
    const { refresh_token } = await limited.signIn('Ann')
    const crowd = Array.from({ length: 500 }, () => limited.refresh(refresh_token))
    const answers = await Promise.all(crowd)
    assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200]))
    assert.equal(new Set(answers.map((answer) => answer.body.refresh_token)).size, 1)
    const row = limited.deps.db.get<{ generation: number }>('SELECT generation FROM sessions')
    assert.equal(row?.generation, 2)
    await limited.close()
  })

  it('keeps two clients that share a session going', async () => {
    const start = await library.signIn('Ann')
    const held = [start.refresh_token, start.refresh_token]
    for (let round = 0; round < 20; round++) {
      library.time.now += 300_000
      for (const client of [0, 1]) {
        const answer = await library.refresh(held[client]!)
        assert.equal(answer.status, 200, `round ${round}, client ${client}`)
        held[client] = answer.body.refresh_token
      }
    }
    assert.equal(session(start.refresh_token)?.generation, 21)
  })

  it('ignores a token that it did not make: the session goes on', async () => {
    const { refresh_token } = await library.signIn('Ann')
    const [sid, , mac] = refresh_token.split('.')
    const entries = library.audit().length
    const forged = [
      '',
      'x',
      `${sid}.1.${'A'.repeat(43)}`,
      `${sid}.2.${mac}`,
      `${Number(sid) + 1}.1.${mac}`,
      `${sid}.1.${mac}.`,
    ]
    for (const token of forged) assert.equal((await library.refresh(token)).status, 401, token)
    assert.equal(library.audit().length, entries)
    assert.equal((await library.refresh(refresh_token)).status, 200)
  })

  it('ignores a token from after the state to which the database was restored', async () => {
    const first = await library.signIn('Ann')
    const second = (await library.refresh(first.refresh_token)).body
    library.deps.db.run('UPDATE sessions SET generation = generation - 1')
    assert.equal((await library.refresh(second.refresh_token)).status, 401)
    assert.equal((await library.refresh(first.refresh_token)).status, 200)
  })

  it('ends for a blocked user', async () => {
    const { access_token, refresh_token } = await library.signIn('Ann')
    library.deps.db.run('UPDATE users SET is_blocked = 1')
    assert.equal((await library.refresh(refresh_token)).status, 401)
    assert.equal(await works(access_token), 401)
    library.deps.db.run('UPDATE users SET is_blocked = 0')
  })
})
