import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { type Library, openLibrary } from '../support/harness.ts'

let library: Library
let root: string
let ann: string
const ROOT = { id: 1, name: 'Root', is_admin: true, can_create: false, is_blocked: false }
const ANN = { id: 2, name: 'Ann', is_admin: false, can_create: true, is_blocked: false }

async function setUp() {
  library = await openLibrary({ PASSWORD_MIN_LENGTH: '4' })
  await library.addUser('Root', { is_admin: true })
  await library.addUser('Ann', { can_create: true })
  root = (await library.signIn('Root')).access_token
  ann = (await library.signIn('Ann')).access_token
}
const lastEntry = () => library.audit().at(-1)

describe('users, for an admin', () => {
  beforeEach(setUp)
  afterEach(() => library.close())

  it('are refused to everybody else, before anything is validated', async () => {
    const calls: [string, string, unknown][] = [
      ['GET', '/users?limit=x', undefined],
      ['POST', '/users', {}],
      ['GET', '/users/x', undefined],
      ['PATCH', '/users/x', { is_admin: 'x' }],
      ['DELETE', '/users/x', undefined],
    ]
    for (const [method, path, body] of calls) {
      const as = async (token?: string) => {
        const answer = await library.call(method, path, { ...(token && { token }), body })
        return [answer.status, answer.body.code]
      }
      assert.deepEqual(await as(), [401, 'unauthorized'], `${method} ${path}`)
      assert.deepEqual(await as(ann), [403, 'forbidden'], `${method} ${path}`)
      assert.deepEqual(await as(root), [400, 'validation_error'], `${method} ${path}`)
    }
  })

  it('are listed by page in the order of their ids', async () => {
    const list = await library.call('GET', '/users', { token: root })
    assert.deepEqual(list.body, { items: [ROOT, ANN], total: 2, offset: 0, limit: 50 })
    const page = await library.call('GET', '/users?offset=1&limit=1', { token: root })
    assert.deepEqual(page.body, { items: [ANN], total: 2, offset: 1, limit: 1 })
    assert.deepEqual((await library.call('GET', '/users/2', { token: root })).body, ANN)
    assert.equal((await library.call('GET', '/users/99', { token: root })).status, 404)
  })

  it('are created with defaults, a stored form of the name, and can sign in', async () => {
    const body = { name: '  Zoe\u0308 ', password: 'four', id: 77, is_blocked: true }
    const answer = await library.call('POST', '/users', { token: root, body })
    const zoe = { id: 3, name: 'Zo\u00eb', is_admin: false, can_create: false, is_blocked: false }
    assert.deepEqual([answer.status, answer.body], [201, zoe])
    assert.deepEqual(lastEntry(), {
      user_id: 1,
      user_name: 'Root',
      action: 'user_create',
      details: { user_id: 3, name: 'Zo\u00eb', is_admin: false, can_create: false },
    })
    assert.equal((await library.login('Zo\u00eb', 'four')).status, 200)
    const again = await library.call('POST', '/users', { token: root, body })
    assert.deepEqual([again.status, again.body.code], [409, 'conflict'])
    const other = { ...body, name: 'zo\u00eb', is_admin: true, can_create: true }
    const created = await library.call('POST', '/users', { token: root, body: other })
    assert.deepEqual([created.body.is_admin, created.body.can_create], [true, true])
  })

  it('need a name of 1 to 32 characters and a password of the set length to 256', async () => {
    const status = async (name: unknown, password: unknown) => {
      const answer = await library.call('POST', '/users', { token: root, body: { name, password } })
      const fields = answer.body.details?.map((detail: { field: string }) => detail.field)
      return [answer.status, fields?.join()]
    }
    assert.deepEqual(await status('\u{1F600}'.repeat(32), 'x'.repeat(256)), [201, undefined])
    assert.deepEqual(await status('x'.repeat(33), 'x'.repeat(257)), [400, 'name,password'])
    assert.deepEqual(await status(' ', 'xxx'), [400, 'name,password'])
    assert.deepEqual(await status('a\nb', '\ud800xxxx'), [400, 'name,password'])
    assert.deepEqual(await status(null, null), [400, 'name,password'])
    assert.equal((await library.call('GET', '/users', { token: root })).body.total, 3)
  })

  it('change their rights, on the next request', async () => {
    const patch = (body: unknown) => library.call('PATCH', '/users/2', { token: root, body })
    const answer = await patch({ is_admin: true, can_create: false, name: 'ignored' })
    assert.deepEqual(answer.body, { ...ANN, is_admin: true, can_create: false })
    assert.deepEqual(lastEntry()?.action, 'user_role_change')
    assert.deepEqual(lastEntry()?.details, {
      user_id: 2,
      name: 'Ann',
      is_admin: { from: false, to: true },
      can_create: { from: true, to: false },
    })
    assert.equal((await library.call('GET', '/users', { token: ann })).status, 200)
    const entries = library.audit().length
    assert.equal((await patch({ is_admin: true })).status, 200)
    assert.equal((await patch({})).status, 200)
    assert.equal(library.audit().length, entries, 'nothing changed, nothing is written')
    await patch({ is_admin: false })
    assert.equal((await library.call('GET', '/users', { token: ann })).status, 403)
    const unknown = await library.call('PATCH', '/users/99', { token: root, body: {} })
    assert.equal(unknown.status, 404)
  })

  it('are blocked with all their sessions, and unblocked without them', async () => {
    const second = await library.signIn('Ann')
    const patch = (is_blocked: boolean) =>
      library.call('PATCH', '/users/2', { token: root, body: { is_blocked } })
    assert.deepEqual((await patch(true)).body, { ...ANN, is_blocked: true })
    const details = { user_id: 2, name: 'Ann' }
    assert.deepEqual(lastEntry()?.details, { ...details, sessions_ended: 2 })
    assert.equal(lastEntry()?.action, 'user_block')
    const statuses = async () => [
      (await library.call('GET', '/users/me', { token: ann })).status,
      (await library.refresh(second.refresh_token)).status,
    ]
    assert.deepEqual(await statuses(), [401, 401])
    assert.deepEqual((await patch(false)).body, ANN)
    assert.deepEqual([lastEntry()?.action, lastEntry()?.details], ['user_unblock', details])
    assert.deepEqual(await statuses(), [401, 401])
    assert.equal((await library.login('Ann')).status, 200)
  })

  it('never lose the last admin who is not blocked, nor block or delete themselves', async () => {
    const patch = (id: number, body: unknown) =>
      library.call('PATCH', `/users/${id}`, { token: root, body })
    const blocked = await library.addUser('Blocked', { is_admin: true })
    library.deps.db.run('UPDATE users SET is_blocked = 1 WHERE id = ?', blocked)
    assert.equal((await patch(1, { is_admin: false })).status, 409)
    assert.equal((await patch(1, { is_blocked: true })).status, 409)
    assert.equal((await library.call('DELETE', '/users/1', { token: root })).status, 409)
    assert.equal((await patch(blocked, { is_admin: false })).status, 200)
    assert.deepEqual((await library.call('GET', '/users/me', { token: root })).body, ROOT)

    await patch(2, { is_admin: true })
    assert.equal((await patch(1, { is_blocked: true })).status, 409)
    assert.equal((await library.call('DELETE', '/users/1', { token: root })).status, 409)
    assert.equal((await patch(1, { is_admin: false })).status, 200)
    assert.equal((await library.call('GET', '/users', { token: root })).status, 403)
  })

  it('keep an admin when the last two demote, block and delete each other at once', async () => {
    await library.call('PATCH', '/users/2', { token: root, body: { is_admin: true } })
    const statuses = await Promise.all([
      library.call('PATCH', '/users/2', { token: root, body: { is_admin: false } }),
      library.call('PATCH', '/users/1', { token: ann, body: { is_blocked: true } }),
      library.call('DELETE', '/users/1', { token: ann }),
    ])
    for (const { status } of statuses) assert.ok([200, 204, 401, 403, 409].includes(status))
    const row = library.deps.db.get<{ n: number }>(
      'SELECT count(*) AS n FROM users WHERE is_admin = 1 AND is_blocked = 0',
    )
    assert.equal(row?.n, 1)
  })

  it('are not created by an admin who was demoted during the hash', async () => {
    const { hash } = library.deps.passwords
    library.deps.passwords.hash = async (password) => {
      library.deps.db.run('UPDATE users SET is_admin = 0 WHERE id = 1')
      return hash(password)
    }
    const body = { name: 'Eve', password: 'four' }
    assert.equal((await library.call('POST', '/users', { token: root, body })).status, 403)
    library.deps.passwords.hash = hash
    assert.equal((await library.login('Eve', 'four')).status, 401)
  })
})

describe('deleting a user', () => {
  before(setUp)
  after(() => library.close())

  it('hands over what they created and takes sessions, views and ACL entries along', async () => {
    const { db } = library.deps
    const id = (n: number) => Buffer.alloc(16, n)
    db.run(
      `INSERT INTO files (id, name_key, mime_type, mime_extension, content_datetime, creator_id,
         is_public, is_deleted, needs_review)
       VALUES (?, '', 'image/png', 'png', 0, 2, 0, 0, 1), (?, '', 'image/png', 'png', 0, 2, 0, 1, 1),
         (?, '', 'image/png', 'png', 0, 1, 0, 0, 1)`,
      id(1),
      id(2),
      id(3),
    )
    for (const table of ['tags', 'categories']) {
      db.run(
        `INSERT INTO ${table} (id, name, name_key, creator_id, is_public) VALUES (?, 'a', 'a', 2, 0)`,
        id(4),
      )
    }
    db.run(
      `INSERT INTO pools (id, name, name_key, creator_id, is_public, sort_key, sort_order)
       VALUES (?, 'a', 'a', 2, 0, 'manual', 'asc')`,
      id(5),
    )
    db.run(
      "INSERT INTO acl (user_id, object_type, object_rid, can_view, can_edit) VALUES (2, 'file', 3, 1, 0), (1, 'file', 1, 1, 1)",
    )
    db.run('INSERT INTO file_view_days VALUES (3, 2, 0, 0)')

    const answer = await library.call('DELETE', '/users/2', { token: root })
    assert.deepEqual([answer.status, answer.body], [204, null])
    assert.deepEqual(lastEntry(), {
      user_id: 1,
      user_name: 'Root',
      action: 'user_delete',
      details: {
        user_id: 2,
        name: 'Ann',
        handed_over: { files: 2, tags: 1, categories: 1, pools: 1 },
      },
    })
    for (const table of ['files', 'tags', 'categories', 'pools']) {
      const owners = db.all(`SELECT DISTINCT creator_id FROM ${table}`)
      assert.deepEqual(
        owners.map((row) => ({ ...(row as object) })),
        [{ creator_id: 1 }],
        table,
      )
    }
    for (const table of ['acl', 'sessions', 'file_view_days']) {
      assert.equal(db.get(`SELECT 1 FROM ${table} WHERE user_id = 2`), undefined, table)
    }
    assert.ok(db.get('SELECT 1 FROM acl WHERE user_id = 1'), 'stays, without effect')
    assert.equal(library.audit().find((entry) => entry.user_id === 2)?.user_name, 'Ann')
    assert.equal((await library.call('GET', '/users/me', { token: ann })).status, 401)
    assert.equal((await library.call('DELETE', '/users/2', { token: root })).status, 404)
    assert.equal((await library.login('Ann')).status, 401)
    assert.ok((await library.addUser('Next')) > 2, 'no number is given twice')
  })
})

describe('oneself', () => {
  beforeEach(setUp)
  afterEach(() => library.close())
  const patch = (body: unknown) => library.call('PATCH', '/users/me', { token: ann, body })

  it('can be looked at, and renamed, and nothing more', async () => {
    assert.deepEqual((await library.call('GET', '/users/me', { token: ann })).body, ANN)
    const entries = library.audit().length
    const rights = { is_admin: true, can_create: false, is_blocked: true, id: 1 }
    assert.deepEqual((await patch({ ...rights, name: ' Ann ' })).body, ANN)
    assert.equal(library.audit().length, entries, 'nothing changed, nothing is written')

    assert.deepEqual((await patch({ ...rights, name: 'Anna' })).body, { ...ANN, name: 'Anna' })
    assert.deepEqual(lastEntry()?.details, {
      user_id: 2,
      fields: ['name'],
      name: { from: 'Ann', to: 'Anna' },
    })
    assert.equal((await library.login('Anna', 'password of Ann')).status, 200)
    assert.equal((await patch({ name: 'Root' })).status, 409)
    assert.equal((await patch({ name: '' })).status, 400)
    assert.equal((await patch({ name: null, password: 'abc' })).body.details.length, 2)
  })

  it('gets another password, which ends all other sessions', async () => {
    const other = await library.signIn('Ann')
    const answer = await patch({ password: 'brand new' })
    assert.deepEqual([answer.status, answer.body], [200, ANN])
    assert.deepEqual(lastEntry(), {
      user_id: 2,
      user_name: 'Ann',
      action: 'user_edit',
      details: { user_id: 2, fields: ['password'], sessions_ended: 1 },
    })
    assert.equal((await library.call('GET', '/users/me', { token: ann })).status, 200)
    const dead = await library.call('GET', '/users/me', { token: other.access_token })
    assert.equal(dead.status, 401)
    assert.equal((await library.refresh(other.refresh_token)).status, 401)
    assert.equal((await library.login('Ann')).status, 401)
    assert.equal((await library.login('Ann', 'brand new')).status, 200)
  })

  it('changes neither name nor password when the other is refused', async () => {
    assert.equal((await patch({ name: 'Root', password: 'brand new' })).status, 409)
    assert.equal((await library.login('Ann')).status, 200)
  })

  it('keeps the password when the session ended during the hash', async () => {
    const { hash } = library.deps.passwords
    library.deps.passwords.hash = async (password) => {
      library.deps.db.run('DELETE FROM sessions WHERE user_id = 2')
      return hash(password)
    }
    assert.equal((await patch({ password: 'brand new' })).status, 401)
    library.deps.passwords.hash = hash
    assert.equal((await library.login('Ann')).status, 200)
  })
})
