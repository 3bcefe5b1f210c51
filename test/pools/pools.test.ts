import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { fileSeed, idAt, idsOf, insertFiles } from '../support/file-rows.ts'
import { assertError } from '../support/files.ts'
import { type Answer, type Library, openLibrary } from '../support/harness.ts'
import { allow, insertPool, storedPool } from '../support/object-rows.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

type User = { id: number; token: string }

let library: Library
let root: User
let ann: User
let bob: User
before(async () => {
  library = await openLibrary()
  root = await library.join('Root', { is_admin: true })
  ann = await library.join('Ann', { can_create: true })
  bob = await library.join('Bob')
})
after(() => library.close())
beforeEach(() => {
  library.deps.db.run('DELETE FROM pools')
  library.deps.db.run('DELETE FROM files')
})

const call = (user: User, method: string, path = '', body?: unknown) =>
  library.call(method, `/pools${path}`, { token: user.token, body })
const create = async (name: string, fields = {}, user = ann) => {
  const answer = await call(user, 'POST', '', { name, ...fields })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const names = async (user: User, query = '') =>
  (await call(user, 'GET', query)).body.items.map((item: { name: string }) => item.name)
const lastEntry = () => {
  const { user_name, action, details } = library.audit().at(-1)!
  return { user_name, action, details }
}

describe('a pool', () => {
  it('is created with what is given, in manual order and empty', async () => {
    const body = {
      name: '  Cafe\u0301 ',
      notes: 'a\r\nb',
      metadata: { 'k"': [1, null] },
      is_public: true,
      id: UNKNOWN,
      creator_id: 99,
      sort_key: 'created',
      file_count: 7,
    }
    const full = await create(body.name, body)
    const pool = {
      id: full.id,
      name: 'Caf\u00e9',
      notes: 'a\nb',
      metadata: { 'k"': [1, null] },
      creator_id: ann.id,
      creator_name: 'Ann',
      is_public: true,
      sort_key: 'manual',
      sort_order: 'asc',
      shares_files: false,
      is_smart: false,
      filter: null,
      may_edit: true,
      file_count: 0,
      created_at: new Date(library.time.now).toISOString(),
    }
    assert.deepEqual(full, pool)
    assert.match(full.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.deepEqual((await call(ann, 'GET', `/${full.id.toUpperCase()}`)).body, pool)
    const bare = await create('bare')
    const nothing = { notes: null, metadata: null, is_public: false }
    assert.deepEqual(bare, { ...pool, ...nothing, id: bare.id, name: 'bare' })
  })

  it('needs valid fields and the right to create, but no name of its own', async () => {
    const wrong = { name: ' ', notes: 'a\u0000', metadata: [], is_public: 'true' }
    assertError(await call(ann, 'POST', '', wrong), 400, 'validation_error', Object.keys(wrong))
    assertError(await call(ann, 'POST', '', {}), 400, 'validation_error', ['name'])
    for (const name of ['x'.repeat(257), 'a\nb', '\ud800', 7, null]) {
      assertError(await call(ann, 'POST', '', { name }), 400, 'validation_error', ['name'])
    }
    assertError(await call(bob, 'POST', '', wrong), 403, 'forbidden')
    assert.equal((await call(ann, 'GET')).body.total, 0)
    const [first, second] = [await create('same'), await create('same', {}, root)]
    assert.notEqual(first.id, second.id)
    assert.equal((await call(ann, 'PATCH', `/${first.id}`, { name: 'same' })).status, 200)
  })

  it('is edited field by field; null clears, and what changes nothing is not recorded', async () => {
    const pool = await create('Trip', { notes: 'n', metadata: { a: 1 }, is_public: true })
    const patch = async (body: unknown) => {
      const answer = await call(ann, 'PATCH', `/${pool.id}`, body)
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    }
    const entries = library.audit().length
    assert.deepEqual(await patch({}), pool)
    assert.deepEqual(await patch({ ...pool, file_count: 3, creator_id: 1 }), pool)
    assert.equal(library.audit().length, entries)
    const sorted = await patch({ sort_key: 'original_name', sort_order: 'desc' })
    assert.deepEqual(sorted, { ...pool, sort_key: 'original_name', sort_order: 'desc' })
    const changes = {
      sort_key: { from: 'manual', to: 'original_name' },
      sort_order: { from: 'asc', to: 'desc' },
    }
    const edit = { user_name: 'Ann', action: 'pool_edit', details: { changes } }
    assert.deepEqual(lastEntry(), edit)
    const cleared = { notes: null, metadata: null, is_public: false, name: 'Away' }
    assert.deepEqual(await patch(cleared), { ...sorted, ...cleared })
    assert.deepEqual((await call(ann, 'GET', `/${pool.id}`)).body, { ...sorted, ...cleared })
    const wrong = { name: null, is_public: null, sort_key: 'mime', sort_order: 'up' }
    const answer = await call(ann, 'PATCH', `/${pool.id}`, wrong)
    assertError(answer, 400, 'validation_error', Object.keys(wrong))
  })

  it('is deleted alone: its files stay, its entries and views go', async () => {
    const file = fileSeed(idAt(1, 1), { owner: ann.id })
    insertFiles(library.deps.db, [file])
    const { id } = await create('Trip')
    await call(ann, 'POST', `/${id}/files`, { file_ids: [file.id] })
    allow(library.deps.db, bob.id, 'pool', id)
    assert.equal((await call(bob, 'POST', `/${id}/views`)).status, 204)
    assert.equal((await call(ann, 'DELETE', `/${id}`)).status, 204)
    const { db } = library.deps
    for (const table of ['pool_files', 'pool_view_days', 'acl']) {
      assert.deepEqual(db.all(`SELECT * FROM ${table}`), [], table)
    }
    assert.equal((await library.call('GET', `/files/${file.id}`, ann)).status, 200)
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? {} : undefined
      assertError(await call(ann, method, `/${id}`, body), 404, 'not_found')
    }
  })

  it('records who viewed it on a day, and when last', async () => {
    const { db } = library.deps
    const { id } = await create('Trip', { is_public: true })
    const views = () =>
      db.all('SELECT user_id, viewed_at FROM pool_view_days ORDER BY day, user_id')
    const first = library.time.now
    for (const user of [ann, bob])
      assert.equal((await call(user, 'POST', `/${id}/views`)).status, 204)
    library.time.now += 1500
    assert.equal((await call(bob, 'POST', `/${id}/views`)).text, '')
    await call(ann, 'PATCH', `/${id}`, { is_public: false })
    assertError(await call(bob, 'POST', `/${id}/views`), 403, 'forbidden')
    assertError(await call(bob, 'POST', `/${UNKNOWN}/views`), 404, 'not_found')
    assertError(await call(bob, 'POST', '/x/views'), 400, 'validation_error', ['pool_id'])
    assert.deepEqual(views(), [
      { user_id: ann.id, viewed_at: first },
      { user_id: bob.id, viewed_at: first + 1500 },
    ])
  })
})

describe('the number of files of a pool', () => {
  it('counts for each viewer what the list of its files shows to them', async () => {
    const { db } = library.deps
    const seed = (n: number, fields: Parameters<typeof fileSeed>[1]) => fileSeed(idAt(1, n), fields)
    const files = [
      seed(1, { owner: ann.id }),
      seed(2, { owner: ann.id, isPublic: true }),
      seed(3, { owner: ann.id, viewers: [bob.id] }),
      seed(4, { owner: bob.id }),
      seed(5, { owner: ann.id, isPublic: true, trashed: true }),
      seed(6, { owner: root.id }),
    ]
    insertFiles(db, files)
    const id = idAt(1, 99)
    insertPool(db, { id, name: 'Trip', owner: ann.id, isPublic: true, files: idsOf(files) })
    insertPool(db, { id: idAt(1, 98), name: 'empty', owner: ann.id, isPublic: true, files: [] })
    const seen: [User, number[]][] = [
      [ann, [1, 2, 3]],
      [bob, [2, 3, 4]],
      [root, [1, 2, 3, 4, 6]],
    ]
    for (const [user, expected] of seen) {
      const listed = (await call(user, 'GET', `/${id}/files`)).body.items
      assert.deepEqual(
        listed.map((file: { id: string; position: number }) => [file.id, file.position]),
        expected.map((n) => [idAt(1, n), n - 1]),
      )
      assert.equal((await call(user, 'GET', `/${id}`)).body.file_count, expected.length)
      const { items } = (await call(user, 'GET', '?sort=name&order=asc')).body
      assert.deepEqual(counts(items), { empty: 0, Trip: expected.length })
    }
  })

  it('follows trash, restore and permanent deletion at once', async () => {
    const files = [1, 2, 3].map((n) => fileSeed(idAt(1, n), { owner: ann.id }))
    const [first, second, third] = idsOf(files)
    insertFiles(library.deps.db, files)
    const { id } = await create('Trip')
    await call(ann, 'POST', `/${id}/files`, { file_ids: idsOf(files) })
    const count = async () => (await call(ann, 'GET', `/${id}`)).body.file_count
    assert.equal(await count(), 3)
    await library.call('DELETE', `/files/${first}`, ann)
    assert.equal(await count(), 2)
    assert.equal((await call(ann, 'PATCH', `/${id}`, { name: 'Away' })).body.file_count, 2)
    await library.call('POST', `/files/${first}/restore`, ann)
    assert.equal(await count(), 3)
    await library.call('DELETE', `/files/${second}`, ann)
    await library.call('DELETE', `/files/${second}/permanent`, ann)
    assert.equal(await count(), 2)
    assert.deepEqual(storedPool(library.deps.db, id), [
      [first, 0],
      [third, 1],
    ])
  })
})

describe('the list of pools', () => {
  it('is by creation, newest first, or by name, with ties by id in the same direction', async () => {
    const made = ['b', 'B', 'a', '\u00c4', 'a', '\u{1F600}', '\uff5e']
    const ids: string[] = []
    for (const name of made) ids.push((await create(name)).id)
    assert.deepEqual(await names(ann, '?order=asc'), made)
    assert.deepEqual(await names(ann), made.toReversed())
    const byName = ['a', 'a', 'b', 'B', '\u00c4', '\uff5e', '\u{1F600}']
    assert.deepEqual(await names(ann, '?sort=name&order=asc'), byName)
    assert.deepEqual(await names(ann, '?sort=name'), byName.toReversed())
    const same = (await call(ann, 'GET', '?sort=name&order=asc&limit=2')).body.items
    assert.deepEqual(idsIn(same), [ids[2], ids[4]])
  })

  it('is searched by any part of the name, whatever its case', async () => {
    for (const name of ['\u0416\u0430\u0440', '50%', 'a_b', 'axb']) await create(name)
    const found = (search: string) => names(ann, `?order=asc&search=${encodeURIComponent(search)}`)
    assert.deepEqual(await found('\u0436\u0410'), ['\u0416\u0430\u0440'])
    assert.deepEqual(await found('%'), ['50%'])
    assert.deepEqual(await found('A_'), ['a_b'])
    assert.equal((await found('')).length, 4)
    assert.deepEqual(await found('nothing'), [])
  })

  it('comes by page, with what the viewer may see in items and total', async () => {
    for (const name of ['1', '2', '3', '4']) await create(name, { is_public: name !== '3' })
    await create('5', {}, root)
    const page = async (user: User, query: string) => {
      const { body } = await call(user, 'GET', query)
      return { ...body, items: body.items.map((pool: { name: string }) => pool.name) }
    }
    const window = { offset: 1, limit: 1 }
    assert.deepEqual(await page(bob, '?offset=1&limit=1'), { items: ['2'], total: 3, ...window })
    const beyond = { items: [], total: 3, offset: 3, limit: 50 }
    assert.deepEqual(await page(bob, '?offset=3'), beyond)
    assert.deepEqual(await names(ann), ['4', '3', '2', '1'])
    assert.equal((await page(root, '?search=5')).total, 1)
    assert.equal((await page(ann, '?search=5')).total, 0)
    const fields = ['offset', 'limit', 'sort', 'order']
    const wrong: Answer = await call(ann, 'GET', '?offset=-1&limit=201&sort=color&order=up')
    assertError(wrong, 400, 'validation_error', fields)
  })
})

function idsIn(items: { id: string }[]): string[] {
  return items.map((item) => item.id)
}

function counts(pools: { name: string; file_count: number }[]): Record<string, number> {
  return Object.fromEntries(pools.map((pool) => [pool.name, pool.file_count]))
}
