import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertError } from '../support/files.ts'
import { type Library, openLibrary } from '../support/harness.ts'

let library: Library
let root: { id: number; token: string }
let ann: { id: number; token: string }
let bob: { id: number; token: string }
before(async () => {
  library = await openLibrary()
  root = await library.join('Root', { is_admin: true })
  ann = await library.join('Ann')
  bob = await library.join('bob')
})
after(() => library.close())

describe('the settings of a user', () => {
  const get = (user: { token: string }) =>
    library.call('GET', '/users/me/settings', { token: user.token })
  const put = (user: { token: string }, body: unknown) =>
    library.call('PUT', '/users/me/settings', { token: user.token, body })

  it('are an empty object, then what was put, and nobody else’s', async () => {
    const { status, body } = await get(ann)
    assert.deepEqual([status, body], [200, {}])
    const entries = library.audit().length
    const settings = { language: 'de', keys: { off: ['t'] }, 'ä 1': [null, 1.5] }
    const answer = await put(ann, settings)
    assert.deepEqual([answer.status, answer.body], [200, settings])
    assert.equal(answer.headers.get('Operation'), null)
    assert.equal(library.audit().length, entries)
    assert.deepEqual((await get(ann)).body, settings)
    assert.deepEqual((await put(ann, { order: 'asc' })).body, { order: 'asc' })
    assert.deepEqual((await get(ann)).body, { order: 'asc' })
    assert.deepEqual((await get(bob)).body, {})
    assert.deepEqual((await get(root)).body, {})
  })

  it('have at most 16 KiB as JSON in UTF-8, and stay when they are refused', async () => {
    const room = 16 * 1024 - '{"a":""}'.length
    const largest = { a: 'ä'.repeat(room / 2) }
    assert.equal((await put(ann, largest)).status, 200)
    for (const wrong of [
      { a: `${largest.a}b` },
      { a: '\ud800' },
      { a: '\0' },
      '{"a":1e999}',
      '{"__proto__":1}',
      '[]',
      'null',
      `{"a":${'['.repeat(33)}${']'.repeat(33)}}`,
    ]) {
      assertError(await put(ann, wrong), 400, 'validation_error', ['body'])
    }
    assertError(await put(ann, `{"a":"${'x'.repeat(2 ** 20)}"}`), 413, 'payload_too_large')
    assertError(await library.call('PUT', '/users/me/settings', { body: {} }), 401, 'unauthorized')
    assertError(await library.call('GET', '/users/me/settings'), 401, 'unauthorized')
    assert.deepEqual((await get(ann)).body, largest)
  })

  it('are gone with the user', async () => {
    const carl = await library.join('Carl')
    await put(carl, { language: 'en' })
    const path = `/users/${carl.id}`
    assert.equal((await library.call('DELETE', path, { token: root.token })).status, 204)
    const left = 'SELECT count(*) AS n FROM user_settings WHERE user_id = ?'
    assert.deepEqual(library.deps.db.get(left, carl.id), { n: 0 })
  })
})

describe('the people', () => {
  const people = async (user: { token: string }) =>
    (await library.call('GET', '/people', { token: user.token })).body

  it('are all who are not blocked, by name in upper or lower case, for everybody', async () => {
    const zoe = await library.addUser('ÄNNE')
    const blocked = await library.addUser('Aaron')
    const body = { is_blocked: true }
    await library.call('PATCH', `/users/${blocked}`, { token: root.token, body })
    const all = [
      { id: ann.id, name: 'Ann' },
      { id: bob.id, name: 'bob' },
      { id: root.id, name: 'Root' },
      { id: zoe, name: 'ÄNNE' },
    ]
    assert.deepEqual(await people(bob), all)
    assert.deepEqual(await people(root), all)
    await library.call('DELETE', `/users/${zoe}`, { token: root.token })
    assert.deepEqual(await people(bob), all.slice(0, 3))
    assertError(await library.call('GET', '/people'), 401, 'unauthorized')
  })

  it('are at most 1,000, the first by name', async () => {
    library.deps.db.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       INSERT INTO users (name, password_hash, is_admin, can_create, is_blocked)
       SELECT printf('m %04d', 1001 - i), '', 0, 0, 0 FROM n`,
    )
    const names = (await people(ann)).map((person: { name: string }) => person.name)
    assert.deepEqual(
      [names.length, names[0], names[2], names[999]],
      [1000, 'Ann', 'm 0001', 'm 0998'],
    )
  })
})
