import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { assertError } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'
import { send, signInToPage } from '../support/web-session.ts'

let library: Library
let root: { id: number; token: string }
let ann: { id: number; token: string }
afterEach(() => library.close())

async function setUp(settings: Record<string, string> = {}) {
  library = await openLibrary(settings)
  root = await library.join('Root', { is_admin: true })
  ann = await library.join('Ann', { can_create: true })
}
const reset = (id: number | string, body?: unknown, { token = root.token, peer = '' } = {}) =>
  library.call('POST', `/users/${id}/password`, { token, body, ...(peer && { peer }) })
const self = (token: string) => library.call('GET', '/users/me', { token })
const OWN = 'password of Root'

describe('a password that an admin gives', () => {
  it('is told once, and is the only one from then on', async () => {
    await setUp({ PASSWORD_MIN_LENGTH: '30' })
    const pair = await library.signIn('Ann')
    const page = await signInToPage(library, 'Ann')
    const file = (await library.upload(ann.token, await picture())).body.id
    const thumbnail = `/web/media/${page.media}/${file}/thumbnail`
    const look = async () => (await send(library, page.jar, 'GET', thumbnail)).status
    assert.equal(await look(), 200)

    const answer = await reset(ann.id)
    const { password, ...rest } = answer.body
    assert.deepEqual([answer.status, rest], [200, {}])
    assert.match(password, /^[\w-]{30,}$/)
    assert.equal(answer.headers.get('Cache-Control'), 'no-store')
    assert.deepEqual(library.audit().at(-1), {
      user_id: root.id,
      user_name: 'Root',
      action: 'user_password_reset',
      details: { user_id: ann.id, name: 'Ann', sessions_ended: 3 },
    })
    assert.ok(!JSON.stringify([library.audit(), library.logged]).includes(password))

    assert.equal((await library.login('Ann')).status, 401)
    for (const token of [ann.token, pair.access_token, page.access_token]) {
      assert.equal((await self(token)).status, 401)
    }
    assert.equal((await library.refresh(pair.refresh_token)).status, 401)
    assert.equal(await look(), 401)
    const refreshed = await send(library, page.jar, 'POST', '/web/session/refresh', { body: {} })
    assert.equal(refreshed.status, 401)
    const entered = await library.login('Ann', password)
    assert.equal(entered.status, 200)
    assert.equal((await self(entered.body.access_token)).body.name, 'Ann')
    assert.equal((await self(root.token)).status, 200)
  })

  it('is another one each time, and never one’s own', async () => {
    await setUp()
    const [first, second] = [await reset(ann.id), await reset(ann.id, {})]
    assert.notEqual(first.body.password, second.body.password)
    assert.equal((await library.login('Ann', first.body.password)).status, 401)
    assert.equal((await library.login('Ann', second.body.password)).status, 200)
    const entries = library.audit().length
    assertError(await reset(root.id), 409, 'conflict')
    assert.equal(library.audit().length, entries)
    assert.equal((await self(root.token)).status, 200)
    assert.equal((await library.login('Root')).status, 200)
  })

  it('leaves a user who is blocked outside', async () => {
    await setUp()
    const patch = (is_blocked: boolean) =>
      library.call('PATCH', `/users/${ann.id}`, { token: root.token, body: { is_blocked } })
    await patch(true)
    const { password } = (await reset(ann.id)).body
    assert.equal((await library.login('Ann', password)).status, 403)
    await patch(false)
    assert.equal((await library.login('Ann', password)).status, 200)
  })

  it('makes the networks of the user unknown', async () => {
    await setUp({ AUTH_RATE_LIMIT: '10' })
    const known = () =>
      library.deps.db.all('SELECT network FROM known_networks WHERE user_id = ?', ann.id).length
    await library.login('Ann', undefined, { peer: '203.0.113.7' })
    assert.equal(known(), 1)
    await reset(ann.id, {}, { peer: '203.0.113.7' })
    assert.equal(known(), 0)
  })

  it('is refused to all but admins, and needs a user and a sound body', async () => {
    await setUp()
    const blocked = await library.join('Blocked', { is_admin: true })
    library.deps.db.run('UPDATE users SET is_blocked = 1 WHERE id = ?', blocked.id)
    const nobody = await library.call('POST', `/users/${ann.id}/password`)
    assertError(nobody, 401, 'unauthorized')
    assertError(await reset(ann.id, {}, blocked), 401, 'unauthorized')
    assertError(await reset('x', { current_password: 7 }, ann), 403, 'forbidden')
    assertError(await reset('x'), 400, 'validation_error', ['user_id'])
    assertError(await reset(0), 400, 'validation_error', ['user_id'])
    const wrong = await reset(ann.id, { current_password: 7 })
    assertError(wrong, 400, 'validation_error', ['current_password'])
    assertError(await reset(ann.id, '[]'), 400, 'validation_error', ['body'])
    assertError(await reset(99), 404, 'not_found')
    assert.equal((await library.login('Ann')).status, 200)
  })
})

describe('two passwords given at once', () => {
  it('to one user: the one that is told by the last works', async () => {
    await setUp()
    const answers = await Promise.all([reset(ann.id), reset(ann.id), reset(ann.id)])
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    const order = answers.sort(
      (a, b) => Number(a.headers.get('Operation')) - Number(b.headers.get('Operation')),
    )
    const statuses = []
    for (const { body } of order) statuses.push((await library.login('Ann', body.password)).status)
    assert.deepEqual(statuses, [401, 401, 200])
  })

  it('by two admins to each other: one of them wins, and stays inside', async () => {
    await setUp()
    const other = await library.join('Other', { is_admin: true })
    const answers = await Promise.all([reset(other.id), reset(root.id, {}, other)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401])
    const won = answers.findIndex(({ status }) => status === 200)
    const { password } = answers[won]!.body
    const [winner, loser] = won === 0 ? ['Root', 'Other'] : ['Other', 'Root']
    assert.equal((await library.login(winner)).status, 200)
    assert.equal((await library.login(loser, password)).status, 200)
  })

  it('while somebody signs in with the former one: that session does not stay', async () => {
    await setUp()
    const { verify } = library.deps.passwords
    library.deps.passwords.verify = async (...checked) => {
      const isRight = await verify(...checked)
      assert.equal((await reset(ann.id)).status, 200)
      return isRight
    }
    assert.equal((await library.login('Ann')).status, 401)
  })

  it('are not given by an admin who was demoted, or to a user who was deleted, meanwhile', async () => {
    await setUp()
    const { hash } = library.deps.passwords
    const during = (sql: string) => {
      library.deps.passwords.hash = async (password) => {
        library.deps.db.run(sql)
        return hash(password)
      }
    }
    during("UPDATE users SET is_admin = 0 WHERE name = 'Root'")
    assertError(await reset(ann.id), 403, 'forbidden')
    library.deps.db.run("UPDATE users SET is_admin = 1 WHERE name = 'Root'")
    during("UPDATE users SET is_deleted = 1, is_blocked = 1 WHERE name = 'Ann'")
    assertError(await reset(ann.id), 404, 'not_found')
    library.deps.db.run("UPDATE users SET is_deleted = 0, is_blocked = 0 WHERE name = 'Ann'")
    library.deps.passwords.hash = hash
    assert.equal((await library.login('Ann')).status, 200)
  })
})

describe('the password of the admin who gives one', () => {
  it('must be right when it is sent, or nothing changes', async () => {
    await setUp()
    const entries = library.audit().length
    assertError(await reset(ann.id, { current_password: 'password of Ann' }), 403, 'forbidden')
    assert.equal(library.audit().length, entries)
    assert.equal((await self(ann.token)).status, 200)
    assert.equal((await reset(ann.id, { current_password: OWN })).status, 200)
  })

  it('counts against the limits of signing in when it is wrong', async () => {
    await setUp({ AUTH_RATE_LIMIT: '3' })
    const peer = '192.0.2.1'
    const statuses = []
    for (const current_password of ['a', 'b', 'c', OWN]) {
      statuses.push((await reset(ann.id, { current_password }, { peer })).status)
    }
    assert.deepEqual(statuses, [403, 403, 403, 429])
    assert.equal((await library.login('Root', OWN, { peer })).status, 429)
    assert.equal((await library.login('Ann', undefined, { peer })).status, 200)
  })

  it('is asked for by CONFIRM_PASSWORD when the session is older than ten minutes', async () => {
    await setUp({ CONFIRM_PASSWORD: 'on' })
    library.time.now += 10 * 60_000
    assert.equal((await reset(ann.id)).status, 200)
    library.time.now += 1
    assertError(await reset(ann.id), 403, 'forbidden')
    assertError(await reset(99), 404, 'not_found')
    assertError(await reset(root.id), 409, 'conflict')
    const { body } = await reset(ann.id, { current_password: OWN })
    assert.equal((await library.login('Ann', body.password)).status, 200)
  })

  it('is the one of that moment', async () => {
    await setUp()
    const { hash } = library.deps.passwords
    library.deps.passwords.hash = async (password) => {
      library.deps.db.run("UPDATE users SET password_hash = '' WHERE name = 'Root'")
      return hash(password)
    }
    assertError(await reset(ann.id, { current_password: OWN }), 403, 'forbidden')
    library.deps.passwords.hash = hash
    assert.equal((await library.login('Ann')).status, 200)
  })
})
