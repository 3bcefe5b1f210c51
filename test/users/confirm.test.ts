import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { type Library, openLibrary } from '../support/harness.ts'

let library: Library
let token: string
afterEach(() => library.close())

async function setUp(settings: Record<string, string> = {}) {
  library = await openLibrary(settings)
  await library.addUser('Ann')
  token = (await library.signIn('Ann')).access_token
}
const patch = (body: unknown, peer?: string) =>
  library.call('PATCH', '/users/me', { token, body, ...(peer && { peer }) })
const RIGHT = 'password of Ann'
const refused = (message: string) => [403, { code: 'forbidden', message }]

describe('the current password, sent with a new one', () => {
  it('must be right, or nothing changes', async () => {
    await setUp()
    const entries = library.audit().length
    const sent = { name: 'Anna', password: 'another', current_password: 'wrong' }
    const wrong = await patch(sent, '192.0.2.1')
    assert.deepEqual([wrong.status, wrong.body], refused('The current password is wrong'))
    assert.equal(library.audit().length, entries)
    assert.deepEqual(
      library.logged.filter(({ level }) => level === 'warn'),
      [
        {
          level: 'warn',
          message: 'wrong current password',
          fields: { address: '192.0.2.1', name: 'Ann' },
        },
      ],
    )
    assert.equal((await library.login('Ann', RIGHT)).status, 200)
    assert.equal((await patch({ password: 'another', current_password: RIGHT })).status, 200)
    assert.equal((await library.login('Ann', 'another')).status, 200)
  })

  it('may be left out, and is not looked at without a new one', async () => {
    await setUp()
    assert.equal((await patch({ name: 'Ann', current_password: 'wrong' })).status, 200)
    assert.equal((await patch({ password: 'another' })).status, 200)
    assert.equal((await patch({ password: 'third', current_password: 7 })).status, 400)
  })

  it('counts against the limits of signing in when it is wrong', async () => {
    await setUp({ AUTH_RATE_LIMIT: '3' })
    const peer = '192.0.2.1'
    const statuses = []
    for (const current_password of ['a', 'b', 'c', RIGHT]) {
      statuses.push((await patch({ password: 'another', current_password }, peer)).status)
    }
    assert.deepEqual(statuses, [403, 403, 403, 429])
    assert.equal((await library.login('Ann', RIGHT, { peer })).status, 429)
    // Without it, nothing is tried.
    assert.equal((await patch({ password: 'another' }, peer)).status, 200)
    for (let i = 0; i < 18; i++) {
      const other = `198.51.${i}.1`
      await patch({ password: 'third', current_password: 'wrong' }, other)
    }
    assert.deepEqual(library.waits, [1000])
  })

  it('is given back to the limits when it is right', async () => {
    await setUp({ AUTH_RATE_LIMIT: '3' })
    const peer = '192.0.2.1'
    for (let i = 0; i < 10; i++) {
      assert.equal((await patch({ password: RIGHT, current_password: RIGHT }, peer)).status, 200)
    }
  })

  it('is the one of that moment: of two changes at once, one is refused', async () => {
    await setUp()
    const changes = ['one', 'two'].map((password) => patch({ password, current_password: RIGHT }))
    const statuses = (await Promise.all(changes)).map((answer) => answer.status)
    assert.deepEqual(statuses.sort(), [200, 403])
  })
})

describe('CONFIRM_PASSWORD', () => {
  const MISSING = refused('A new password requires `current_password`')

  it('asks for it when the session is older than ten minutes', async () => {
    await setUp({ CONFIRM_PASSWORD: 'on' })
    library.time.now += 10 * 60_000
    assert.equal((await patch({ password: 'another' })).status, 200)
    library.time.now += 1
    const missing = await patch({ password: 'third' })
    assert.deepEqual([missing.status, missing.body], MISSING)
    assert.equal((await patch({ password: 'third', current_password: RIGHT })).status, 403)
    assert.equal((await patch({ name: 'Anna' })).status, 200)
    assert.equal((await patch({ password: 'third', current_password: 'another' })).status, 200)
    assert.equal((await library.login('Anna', 'third')).status, 200)
  })

  it('asks for it in a session that was only refreshed', async () => {
    await setUp({ CONFIRM_PASSWORD: 'on' })
    const { refresh_token } = await library.signIn('Ann')
    library.time.now += 11 * 60_000
    token = (await library.refresh(refresh_token)).body.access_token
    assert.equal((await patch({ password: 'another' })).status, 403)
    token = (await library.signIn('Ann')).access_token
    assert.equal((await patch({ password: 'another' })).status, 200)
  })

  it('refuses before the limits, the hash and the name are looked at, not before 400', async () => {
    await setUp({ CONFIRM_PASSWORD: 'on', AUTH_RATE_LIMIT: '1' })
    await library.addUser('Bert')
    library.time.now += 11 * 60_000
    assert.equal((await patch({ password: '' })).status, 400)
    for (let i = 0; i < 3; i++) {
      const missing = await patch({ name: 'Bert', password: 'another' }, '192.0.2.1')
      assert.deepEqual([missing.status, missing.body], MISSING)
    }
    const sent = { password: 'another', current_password: RIGHT }
    assert.equal((await patch({ name: 'Bert', ...sent }, '192.0.2.1')).status, 409)
    assert.equal((await patch(sent, '192.0.2.1')).status, 200)
  })
})
