import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { admitBasic } from '../../src/auth/keys/admit.ts'
import { assertError } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'

const DAY = 86_400_000
const NOW = '2026-01-02T03:04:05.678Z'

describe('keys', () => {
  let library: Library
  let ann: { id: number; token: string }
  let root: { id: number; token: string }

  beforeEach(async () => {
    library = await openLibrary()
    ann = await library.join('Ann', { can_create: true })
    root = await library.join('Root', { is_admin: true })
  })
  afterEach(() => library.close())

  const make = (fields: Record<string, unknown>, token = ann.token) =>
    library.call('POST', '/auth/keys', { token, body: { name: 'Phone', ...fields } })
  const keyOf = async (fields: Record<string, unknown>, token = ann.token): Promise<string> =>
    (await make(fields, token)).body.key
  const statusOf = async (token: string, path = '/users/me') =>
    (await library.call('GET', path, { token })).status

  it('are shown once, and stored as a hash', async () => {
    const { status, body, headers } = await make({ name: ' Phone of Ann ', scope: 'upload' })
    const { key, public_url, ...shown } = body
    const expected = {
      id: 1,
      name: 'Phone of Ann',
      scope: 'upload',
      pool_id: null,
      folder_tags: false,
      created_at: NOW,
      expires_at: null,
      last_use: null,
    }
    assert.deepEqual([status, shown, headers.get('Cache-Control')], [201, expected, 'no-store'])
    assert.equal(public_url, null)
    assert.match(key, /^tsk_[0-9a-v]{26}$/)
    const list = await library.call('GET', '/auth/keys', { token: ann.token })
    assert.deepEqual(list.body, { items: [expected] })
    const row = library.deps.db.get<{ digest: Uint8Array }>('SELECT digest FROM api_keys')
    assert.deepEqual(
      Buffer.from(row!.digest).toString('hex'),
      createHash('sha256').update(key).digest('hex'),
    )
    assert.notEqual(await keyOf({ scope: 'upload' }), key)
    assert.deepEqual(library.audit().at(-2), {
      user_id: ann.id,
      user_name: 'Ann',
      action: 'key_create',
      details: { key_id: 1, name: 'Phone of Ann', scope: 'upload' },
    })
  })

  it('open what their scope says, as bearer alone', async () => {
    const key = await keyOf({ scope: 'read' })
    assert.deepEqual((await library.call('GET', '/users/me', { token: key })).body.name, 'Ann')
    assert.equal(await statusOf(key, '/files'), 200)
    const { id } = (await library.upload(ann.token, await picture())).body
    assert.equal(await statusOf(key, `/files/${id}/content`), 200)
    const path = `/files/${id}/content`
    assert.equal((await library.call('HEAD', path, { token: key })).status, 200)
    const upload = await keyOf({ scope: 'upload' })
    assert.equal((await library.call('HEAD', path, { token: upload })).status, 403)
    const asQuery = `/files/${id}/content?access_token=${key}`
    assert.equal((await library.call('GET', asQuery)).status, 401)
    const basic = `Basic ${Buffer.from(`Ann:${key}`).toString('base64')}`
    for (const [name, value] of [
      ['Authorization', basic],
      ['Cookie', `tagstead-s=${key}`],
    ] as const) {
      const headers = { [name]: value }
      assert.equal((await library.call('GET', '/files', { headers })).status, 401)
    }
    const refused = await library.upload(key, await picture(1))
    assertError(refused, 403, 'forbidden')
    assert.equal(refused.body.message, 'A key of the scope `read` may not do that')
  })

  it('are no keys with another character, other case or more around them', async () => {
    const key = await keyOf({ scope: 'read' })
    const other = key.endsWith('0') ? '1' : '0'
    for (const wrong of [
      key.slice(0, -1) + other,
      key.slice(0, -1),
      `${key}0`,
      key.toUpperCase(),
    ]) {
      assertError(await library.call('GET', '/users/me', { token: wrong }), 401, 'unauthorized')
    }
  })

  it('are admitted as the password of Basic, whatever the name', async () => {
    const key = await keyOf({ scope: 'upload' })
    const header = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
    for (const name of ['', 'Ann', 'somebody else']) {
      assert.deepEqual(admitBasic(library.deps, header(`${name}:${key}`)), {
        user: { id: ann.id, name: 'Ann', is_admin: false, can_create: true },
        key: { id: 1, scope: 'upload', pool_rid: null, folder_tags: false },
      })
    }
    const none = [undefined, '', `Bearer ${key}`, header('Ann:password of Ann'), header(`${key}:`)]
    for (const wrong of none) assert.equal(admitBasic(library.deps, wrong), null)
    await library.call('DELETE', '/auth/keys/1', { token: ann.token })
    assert.equal(admitBasic(library.deps, header(`:${key}`)), null)
  })

  it('say when they were last used, written at most once a minute', async () => {
    const key = await keyOf({ scope: 'read' })
    const start = library.time.now
    const lastUse = async (ms: number) => {
      library.time.now = start + ms
      await statusOf(key)
      const { body } = await library.call('GET', '/auth/keys', { token: ann.token })
      return Date.parse(body.items[0].last_use) - start
    }
    const seen = []
    for (const ms of [1000, 60_999, 61_000, 90_000]) seen.push(await lastUse(ms))
    assert.deepEqual(seen, [1000, 1000, 61_000, 61_000])
  })

  it('never give more than their user may do at the moment', async () => {
    const ids = [ann, root].map(({ id }) => id)
    const set = (id: number, body: object, token = root.token) =>
      library.call('PATCH', `/users/${id}`, { token, body })
    assertError(await make({ scope: 'admin' }), 403, 'forbidden')
    const upload = await keyOf({ scope: 'upload' })
    await set(ids[0]!, { can_create: false })
    assertError(await library.upload(upload, await picture(2)), 403, 'forbidden')

    await set(ids[0]!, { is_admin: true })
    const admin = await keyOf({ scope: 'admin' })
    assert.equal(await statusOf(admin, '/audit'), 200)
    assertError(await set(ids[0]!, { is_admin: true }, admin), 403, 'forbidden')
    const eve = await library.join('Eve')
    assertError(await set(eve.id, { is_admin: true }, admin), 403, 'forbidden')
    assert.equal((await set(eve.id, { can_create: true }, admin)).status, 200)
    const read = await keyOf({ scope: 'read' })
    assert.equal(await statusOf(read, '/audit'), 403, 'an admin reads the log with the scope admin')
    await set(ids[0]!, { is_admin: false })
    for (const path of ['/audit', '/files', '/users/me']) {
      assert.equal(await statusOf(admin, path), 403, path)
    }
    assert.equal(await statusOf(read, '/files'), 200)
  })

  it('of the scope tag change tags, pools and notes, and show nothing to more people', async () => {
    const key = await keyOf({ scope: 'tag' })
    const { id } = (await library.upload(ann.token, await picture())).body
    const ask = async (method: string, path: string, body: object) =>
      (await library.call(method, path, { token: key, body })).status
    assert.equal(await ask('PATCH', `/files/${id}`, { notes: 'Oma' }), 200)
    for (const body of [{ is_public: true }, { notes: '', rotation: 90 }]) {
      assert.equal(await ask('PATCH', `/files/${id}`, body), 403)
    }
    assert.equal(await ask('POST', '/tags', { name: 'Lake' }), 201)
    assert.equal(await ask('POST', '/tags', { name: 'Sea', is_public: true }), 403)
    const made = await library.call('POST', '/pools', { token: key, body: { name: 'Summer' } })
    const pool = `/pools/${made.body.id}`
    assert.equal(await ask('PATCH', pool, { name: 'Summer 2024', is_public: false }), 200)
    for (const body of [{ is_public: true }, { shares_files: true }]) {
      assert.equal(await ask('PATCH', pool, body), 403)
      assert.equal(await ask('POST', '/pools', { name: 'New', ...body }), 403)
    }
  })

  it('end by hand, for their user and for an admin', async () => {
    const key = await keyOf({ scope: 'read' })
    const bob = await library.join('Bob')
    const end = (token: string, id = 1) => library.call('DELETE', `/auth/keys/${id}`, { token })
    assertError(await end(bob.token), 404, 'not_found')
    assertError(await end(key), 403, 'forbidden')
    assert.equal(await statusOf(key), 200)
    assert.equal((await end(ann.token)).status, 204)
    assert.equal(await statusOf(key), 401)
    assertError(await end(ann.token), 404, 'not_found')
    const other = await keyOf({ scope: 'read' })
    assert.equal((await end(root.token, 2)).status, 204)
    assert.equal(await statusOf(other), 401)
    assert.deepEqual(library.audit().at(-1), {
      user_id: root.id,
      user_name: 'Root',
      action: 'key_end',
      details: { key_id: 2, name: 'Phone', user_id: ann.id, user_name: 'Ann' },
    })
  })

  it('end by themselves, and can not be made for the past', async () => {
    const expires_at = new Date(library.time.now + DAY).toISOString()
    const key = await keyOf({ scope: 'read', expires_at })
    assert.equal(await statusOf(key), 200)
    library.time.now += DAY
    assert.equal(await statusOf(key), 401)
    const { access_token: token } = await library.signIn('Ann')
    assert.deepEqual((await library.call('GET', '/auth/keys', { token })).body, { items: [] })
    const late = await make({ scope: 'read', expires_at }, token)
    assertError(late, 400, 'validation_error', ['expires_at'])
    await make({ scope: 'read' }, token)
    const rows = library.deps.db.all<{ id: number }>('SELECT id FROM api_keys')
    assert.deepEqual(
      rows.map((row) => row.id),
      [2],
    )
  })

  it('end with the tokens that were made with them', async () => {
    const { id } = (await library.upload(ann.token, await picture())).body
    const tokensOf = async (token: string) => {
      const body = { file_ids: [id] }
      const content = await library.call('POST', `/files/${id}/content-token`, { token })
      const archive = await library.call('POST', '/files/archive', { token, body })
      return [
        `/files/${id}/content?access_token=${content.body.token}`,
        `/files/archive?access_token=${archive.body.token}`,
      ]
    }
    const statuses = async (paths: string[]) =>
      Promise.all(paths.map(async (path) => (await library.call('GET', path)).status))
    assert.deepEqual(await statuses(await tokensOf(await keyOf({ scope: 'read' }))), [200, 200])
    const paths = await tokensOf(await keyOf({ scope: 'read' }))
    await library.call('DELETE', '/auth/keys/2', { token: ann.token })
    assert.deepEqual(await statuses(paths), [401, 401])
    assert.deepEqual(await statuses(await tokensOf(ann.token)), [200, 200])
  })

  it('end with a block and with the user', async () => {
    const key = await keyOf({ scope: 'read' })
    const path = `/users/${ann.id}`
    await library.call('PATCH', path, { token: root.token, body: { is_blocked: true } })
    const ended = { user_id: ann.id, name: 'Ann', sessions_ended: 1, keys_ended: 1 }
    assert.deepEqual(library.audit().at(-1)!.details, ended)
    await library.call('PATCH', path, { token: root.token, body: { is_blocked: false } })
    assert.equal(await statusOf(key), 401)
    const { access_token } = await library.signIn('Ann')
    const another = await keyOf({ scope: 'read' }, access_token)
    assert.equal(await statusOf(another), 200)
    assert.equal((await library.call('DELETE', path, { token: root.token })).status, 204)
    assert.equal(await statusOf(another), 401)
  })

  it('end with a new password when that is asked', async () => {
    const key = await keyOf({ scope: 'read' })
    const change = (body: object) =>
      library.call('PATCH', '/users/me', { token: ann.token, body: { password: 'new', ...body } })
    await change({})
    assert.equal(await statusOf(key), 200)
    await change({ end_keys: true })
    assert.equal(await statusOf(key), 401)
    assert.equal(library.audit().at(-1)!.details.keys_ended, 1)

    const other = await keyOf({ scope: 'read' })
    const reset = (body?: object) =>
      library.call('POST', `/users/${ann.id}/password`, { token: root.token, body })
    await reset()
    assert.equal(await statusOf(other), 200)
    await reset({ end_keys: true })
    assert.equal(await statusOf(other), 401)
  })

  it('that end while an upload arrives add nothing', async () => {
    const key = await keyOf({ scope: 'upload' })
    const bytes = await picture()
    const stored = library.deps.decoder.deriveInTime
    library.deps.decoder.deriveInTime = async (...asked) => {
      await library.call('DELETE', '/auth/keys/1', { token: ann.token })
      return stored(...asked)
    }
    assertError(await library.upload(key, bytes), 401, 'unauthorized')
    assert.equal((await library.call('GET', '/files', { token: ann.token })).body.items.length, 0)
  })

  it('put new files into their pool as long as their user may edit it', async () => {
    const create = (token: string) =>
      library.call('POST', '/pools', { token, body: { name: 'From the phone' } })
    const pool = (await create(root.token)).body.id
    assertError(await make({ scope: 'upload', pool_id: pool }), 403, 'forbidden')
    const permissions = [{ user_id: ann.id, can_view: true, can_edit: true }]
    const allow = (body: object) =>
      library.call('PUT', `/acl/pool/${pool}`, { token: root.token, body })
    await allow({ permissions })
    const read = await make({ scope: 'read', pool_id: pool })
    assertError(read, 400, 'validation_error', ['pool_id'])
    const tag = await make({ scope: 'tag', folder_tags: true })
    assertError(tag, 400, 'validation_error', ['folder_tags'])
    const { body } = await make({ scope: 'upload', pool_id: pool })
    assert.equal(body.pool_id, pool)

    const upload = async (seed: number): Promise<string> => {
      const answer = await library.upload(body.key, await picture(seed))
      assert.equal(answer.status, 201)
      return answer.body.id
    }
    const held = async () => {
      const path = `/pools/${pool}/files`
      const { body } = await library.call('GET', path, { token: root.token })
      return body.items.map((file: { id: string }) => file.id)
    }
    const files = [await upload(1), await upload(2)]
    assert.deepEqual(await held(), files)
    await allow({ permissions: [] })
    await upload(3)
    assert.deepEqual(await held(), files)
    await library.call('DELETE', `/pools/${pool}`, { token: root.token })
    await upload(4)
    const { items } = (await library.call('GET', '/auth/keys', { token: ann.token })).body
    assert.equal(items[0].pool_id, null)

    const smart = { name: 'Smart', filter: '{r=1}' }
    const made = await library.call('POST', '/pools', { token: ann.token, body: smart })
    assertError(await make({ scope: 'upload', pool_id: made.body.id }), 409, 'conflict')
    const own = (await create(ann.token)).body.id
    const key = await keyOf({ scope: 'upload', pool_id: own })
    const update = { token: ann.token, body: { filter: '{r=1}' } }
    assert.equal((await library.call('PATCH', `/pools/${own}`, update)).status, 200)
    assert.equal((await library.upload(key, await picture(5))).status, 201)
  })

  it('are a hundred for a user at most', async () => {
    const { db } = library.deps
    db.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
       INSERT INTO api_keys (user_id, name, scope, digest, created_at)
       SELECT ?, 'old', 'read', randomblob(32), 0 FROM n`,
      ann.id,
    )
    assert.equal((await make({ scope: 'read' })).status, 201)
    assertError(await make({ scope: 'read' }), 409, 'conflict')
    assert.equal((await make({ scope: 'read' }, root.token)).status, 201)
  })
})

describe('the log', () => {
  let library: Library
  before(async () => {
    library = await openLibrary()
  })
  after(() => library.close())

  it('holds no key, neither of the server nor of the audit', async () => {
    const { token } = await library.join('Root', { is_admin: true })
    const body = { name: 'Phone', scope: 'admin' }
    const { key } = (await library.call('POST', '/auth/keys', { token, body })).body
    const basic = `Basic ${Buffer.from(`x:${key}`).toString('base64')}`
    await library.call('GET', '/files', { token: key })
    await library.call('GET', `/files?access_token=${key}`)
    await library.call('GET', '/auth/keys', { token: key })
    await library.call('GET', '/files', { headers: { Authorization: basic } })
    await library.call('GET', '/files', { headers: { Authorization: `Bearer ${key}0` } })
    await library.call('GET', '/audit', { token: key })
    await library.call('DELETE', '/auth/keys/1', { token })
    await library.call('GET', '/files', { token: key })
    const written = JSON.stringify([library.logged, library.audit()])
    assert.ok(library.logged.length >= 8)
    assert.ok(!written.includes(key.slice(4)))
    assert.ok(!written.includes(Buffer.from(`x:${key}`).toString('base64').slice(0, 40)))
  })
})
