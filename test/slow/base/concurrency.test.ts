import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Db, openDatabase } from '../../../src/db/client.ts'
import { storedContents } from '../../support/contents.ts'
import { eventually } from '../../support/eventually.ts'
import { form, picture } from '../../support/harness.ts'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect to find in it
  body: any
}

let server: SpawnedServer
let dataDir: string
let db: Db
let root: string
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tagstead-at-once-'))
  server = await spawnServer({ dataDir, env: { AUTH_RATE_LIMIT: '0' } })
  db = openDatabase(join(dataDir, 'tagstead.sqlite'))
  root = (await signIn('admin', server.adminPassword)).access_token
})
after(async () => {
  db.close()
  await server.stop()
  await rm(dataDir, { recursive: true })
})

async function call(token: string, method: string, path: string, body?: unknown): Promise<Answer> {
  const headers = new Headers({ Authorization: `Bearer ${token}` })
  if (body !== undefined && !(body instanceof FormData)) {
    headers.set('Content-Type', 'application/json')
  }
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers,
    body: body instanceof FormData ? body : body === undefined ? null : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

const signIn = async (name: string, password = 'a password') =>
  (await call('', 'POST', '/auth/login', { name, password })).body as Record<
    'access_token' | 'refresh_token',
    string
  >

/** Adds a user and returns its id and an access token. */
async function newUser(name: string, rights = {}): Promise<{ id: number; token: string }> {
  const created = await call(root, 'POST', '/users', { name, password: 'a password', ...rights })
  assert.equal(created.status, 201)
  return { id: created.body.id, token: (await signIn(name)).access_token }
}

const upload = async (token: string, seed: number) =>
  call(token, 'POST', '/files', form(await picture(seed), `${seed}.jpg`))
const create = async (token: string, what: string, name: string): Promise<string> =>
  (await call(token, 'POST', `/${what}`, { name, is_public: true })).body.id
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const statuses = (answers: Answer[]) => answers.map((answer) => answer.status).toSorted()
const count = (sql: string) => db.get<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`)!.n

/** What holds in every library at every moment. */
function assertSound(): void {
  const wrong = {
    foreign_keys: db.all('PRAGMA foreign_key_check').length,
    tag_counts: count(
      'files WHERE tag_count <> (SELECT count(*) FROM file_tags WHERE file_rid = rid)',
    ),
    file_counts: count(
      'tags WHERE file_count <> (SELECT count(*) FROM file_tags WHERE tag_rid = rid)',
    ),
    files_without_place: count('pool_files WHERE order_key >= 1 << 60'),
    files_without_details: count('files WHERE rid NOT IN (SELECT file_rid FROM file_details)'),
  }
  assert.deepEqual(wrong, {
    foreign_keys: 0,
    tag_counts: 0,
    file_counts: 0,
    files_without_place: 0,
    files_without_details: 0,
  })
  assert.ok(count('users WHERE is_admin = 1 AND is_blocked = 0') > 0)
}

describe('clients at once', () => {
  it('add the same tag to a file: it is there once, and recorded once', async () => {
    const ann = await newUser('Ann', { can_create: true })
    const tag = await create(ann.token, 'tags', 'beach')
    const file = (await upload(ann.token, 1)).body.id
    const answers = await times(24, (index) => {
      const token = index % 2 ? root : ann.token
      if (index % 3 === 0) return call(token, 'PUT', `/files/${file}/tags/${tag}`)
      if (index % 3 === 1) return call(token, 'PUT', `/files/${file}/tags`, { tag_ids: [tag] })
      const body = { file_ids: [file], action: 'add', tag_ids: [tag] }
      return call(token, 'POST', '/files/bulk/tags', body)
    })
    assert.deepEqual(new Set(statuses(answers)), new Set([200]))
    const carried = await call(ann.token, 'GET', `/files/${file}/tags`)
    assert.deepEqual(
      carried.body.map((one: { id: string }) => one.id),
      [tag],
    )
    assert.equal(count("audit_log WHERE action = 'file_tag_add'"), 1)
    assertSound()
  })

  it('add and remove different tags: none is lost', async () => {
    const file = (await upload(root, 2)).body.id
    const tags = await times(12, (index) => create(root, 'tags', `tag ${index}`))
    await times(12, (index) => call(root, 'PUT', `/files/${file}/tags/${tags[index]}`))
    await times(12, (index) => {
      const method = index < 6 ? 'DELETE' : 'PUT'
      return call(root, method, `/files/${file}/tags/${tags[index]}`)
    })
    const carried = await call(root, 'GET', `/files/${file}/tags`)
    const ids = carried.body.map((one: { id: string }) => one.id)
    assert.deepEqual(new Set(ids), new Set(tags.slice(6)))
    assertSound()
  })

  it('put a tag on files while it is deleted: each is told that it is on them, or gone', async () => {
    const file = (await upload(root, 3)).body.id
    const tag = await create(root, 'tags', 'short-lived')
    const answers = await times(24, async (index) => {
      if (index === 12) return call(root, 'DELETE', `/tags/${tag}`)
      if (index % 3 === 0) return call(root, 'PUT', `/files/${file}/tags/${tag}`)
      if (index % 3 === 1) {
        const body = form(await picture(index), `${index}.jpg`, { tag_ids: tag })
        return call(root, 'POST', '/files', body)
      }
      const body = { file_ids: [file], action: 'add', tag_ids: [tag] }
      return call(root, 'POST', '/files/bulk/tags', body)
    })
    for (const status of statuses(answers)) assert.ok([200, 201, 204, 404].includes(status))
    assert.equal((await call(root, 'PUT', `/files/${file}/tags/${tag}`)).status, 404)
    assert.deepEqual((await call(root, 'GET', `/files/${file}/tags`)).body, [])
    assert.equal(count('file_tags WHERE tag_rid NOT IN (SELECT rid FROM tags)'), 0)
    assert.equal(storedContents(dataDir).length, count('files'))
    assertSound()
  })

  it('wait for another process that has the lock for writing', async () => {
    db.run('BEGIN IMMEDIATE')
    const creating = call(root, 'POST', '/tags', { name: 'waits' })
    // As long as SQLite waits, nobody is answered; on a busy machine it may seem so a little earlier.
    await eventually(() =>
      fetch(`${server.url}/api/v1/health`, { signal: AbortSignal.timeout(1000) }).then(
        () => false,
        () => true,
      ),
    )
    db.run('ROLLBACK')
    assert.equal((await creating).status, 201)
    assertSound()
  })

  it('create a tag of one name: one does, the others are told', async () => {
    const answers = await times(12, () => call(root, 'POST', '/tags', { name: 'the same' }))
    assert.deepEqual(statuses(answers), [201, ...Array(11).fill(409)])
    assert.equal(count("tags WHERE name = 'the same'"), 1)
    const categories = await times(12, () =>
      call(root, 'POST', '/categories', { name: 'the same' }),
    )
    assert.deepEqual(statuses(categories), [201, ...Array(11).fill(409)])
    const user = { name: 'the same', password: 'x' }
    const users = await times(6, () => call(root, 'POST', '/users', user))
    assert.deepEqual(statuses(users), [201, ...Array(5).fill(409)])
  })

  it('arrange one pool: the order is that of one of them', async () => {
    const pool = await create(root, 'pools', 'Trip')
    const files = (await times(6, (index) => upload(root, 10 + index))).map(({ body }) => body.id)
    await call(root, 'POST', `/pools/${pool}/files`, { file_ids: files })
    const orders = files.map((_, index) => [...files.slice(index), ...files.slice(0, index)])
    const answers = await times(12, (index) =>
      call(root, 'PUT', `/pools/${pool}/files/reorder`, { file_ids: orders[index % 6] }),
    )
    assert.deepEqual(new Set(statuses(answers)), new Set([204]))
    const shown = (await call(root, 'GET', `/pools/${pool}/files`)).body.items
    const ids = shown.map((one: { id: string }) => one.id)
    assert.ok(orders.some((order) => order.join() === ids.join()))
    const positions = shown.map((one: { position: number }) => one.position)
    assert.deepEqual(positions, [0, 1, 2, 3, 4, 5])

    const mixed = await times(18, (index) => {
      const file_ids = [files[index % 6]]
      const path = `/pools/${pool}/files`
      if (index % 3 === 0) return call(root, 'POST', `${path}/remove`, { file_ids })
      if (index % 3 === 1) return call(root, 'POST', path, { file_ids, position: 0 })
      return call(root, 'DELETE', `/files/${file_ids[0]}`)
    })
    assert.ok(mixed.every(({ status }) => status < 300))
    assertSound()
  })

  it('refresh one token: each gets the same live one', async () => {
    await newUser('Bob')
    const { refresh_token } = await signIn('Bob')
    const answers = await times(10, () => call('', 'POST', '/auth/refresh', { refresh_token }))
    assert.deepEqual(new Set(statuses(answers)), new Set([200]))
    const live = new Set(answers.map(({ body }) => body.refresh_token))
    assert.equal(live.size, 1)
    const [next] = live
    const again = await call('', 'POST', '/auth/refresh', { refresh_token: next })
    assert.equal(again.status, 200)
    assert.equal((await call(again.body.access_token, 'GET', '/users/me')).body.name, 'Bob')
    assert.equal(count("audit_log WHERE action = 'token_reuse'"), 0)
  })

  it('demote each other: an admin stays', async () => {
    const cat = await newUser('Cat', { is_admin: true })
    for (let round = 0; round < 5; round++) {
      const [mine, hers] = await Promise.all([
        call(root, 'PATCH', `/users/${cat.id}`, { is_admin: false }),
        call(cat.token, 'PATCH', '/users/1', { is_admin: false }),
      ])
      assert.deepEqual(statuses([mine, hers]), [200, 403])
      assert.equal(count('users WHERE is_admin = 1'), 1)
      const [token, id] = mine.status === 200 ? [root, cat.id] : [cat.token, 1]
      assert.equal((await call(token, 'PATCH', `/users/${id}`, { is_admin: true })).status, 200)
    }
    const selves = await Promise.all([
      call(root, 'PATCH', '/users/1', { is_admin: false }),
      call(cat.token, 'PATCH', `/users/${cat.id}`, { is_admin: false }),
    ])
    assert.deepEqual(statuses(selves), [200, 409])
    const token = selves[0].status === 409 ? root : cat.token
    await call(token, 'PATCH', '/users/1', { is_admin: true })
    assertSound()
  })

  it('delete a user who uploads: what was answered stays, the rest leaves nothing', async () => {
    const dan = await newUser('Dan', { can_create: true })
    const running = times(12, async (index) => {
      // Not all at the same moment, so that some are there and others on their way.
      if (index > 3) await upload(dan.token, 20 + index)
      return upload(dan.token, 40 + index)
    })
    await upload(dan.token, 60)
    assert.equal((await call(root, 'DELETE', `/users/${dan.id}`)).status, 204)
    const answers = await running
    assert.ok(
      answers.every(({ status }) => status === 201 || status === 401),
      statuses(answers).join(),
    )
    for (const { status, body } of answers) {
      if (status === 401) continue
      const file = await call(root, 'GET', `/files/${body.id}`)
      assert.deepEqual([file.status, file.body.creator_name], [200, 'admin'])
    }
    assert.equal((await upload(dan.token, 61)).status, 401)
    assertSound()
    const blobs = db.all<{ blob: string }>('SELECT blob FROM file_details').length
    assert.equal(storedContents(dataDir).length, blobs)
    const temporary = await readdir(join(dataDir, 'tmp'), { recursive: true, withFileTypes: true })
    assert.equal(temporary.filter((entry) => entry.isFile()).length, 0)
  })
})
