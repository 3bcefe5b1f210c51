import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { addTag, assertError, grant } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'

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
  library.deps.db.run('DELETE FROM tags')
  library.deps.db.run('DELETE FROM categories')
})

const call = (user: User, method: string, path = '', body?: unknown) =>
  library.call(method, `/categories${path}`, { token: user.token, body })
const create = async (name: string, fields = {}, user = ann) => {
  const answer = await call(user, 'POST', '', { name, ...fields })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const lastEntry = () => {
  const { user_name, action, details } = library.audit().at(-1)!
  return { user_name, action, details }
}
const names = async (user: User, query = '', path = '') =>
  (await call(user, 'GET', `${path}${query}`)).body.items.map((item: { name: string }) => item.name)

describe('a category', () => {
  it('is created with what is given, and defaults', async () => {
    const body = {
      name: '  Cafe\u0301 ',
      notes: 'a\r\nb',
      color: 'Ff00aA',
      metadata: { 'k"': [1, null] },
      is_public: true,
      id: UNKNOWN,
      creator_id: 99,
    }
    const full = await create(body.name, body)
    const category = {
      id: full.id,
      name: 'Caf\u00e9',
      notes: 'a\nb',
      color: 'Ff00aA',
      metadata: { 'k"': [1, null] },
      creator_id: ann.id,
      creator_name: 'Ann',
      is_public: true,
      created_at: new Date(library.time.now).toISOString(),
    }
    assert.deepEqual(full, category)
    const { id: _, creator_id, creator_name, created_at, ...fields } = category
    assert.match(full.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.deepEqual(lastEntry(), {
      user_name: 'Ann',
      action: 'category_create',
      details: { name: full.name, is_public: true, fields, tag_count: 0 },
    })
    assert.deepEqual((await call(ann, 'GET', `/${full.id.toUpperCase()}`)).body, category)
    const bare = await create('bare')
    const nothing = { notes: null, color: null, metadata: null, is_public: false }
    assert.deepEqual(bare, { ...category, ...nothing, id: bare.id, name: 'bare' })
  })

  it('needs valid fields and the right to create', async () => {
    const wrong = {
      name: ' ',
      notes: 'a\u0000',
      color: '#ff00aa',
      metadata: [],
      is_public: 'true',
    }
    assertError(await call(ann, 'POST', '', wrong), 400, 'validation_error', Object.keys(wrong))
    assertError(await call(ann, 'POST', '', {}), 400, 'validation_error', ['name'])
    for (const name of ['x'.repeat(257), 'a\nb', '\ud800', 7, null]) {
      assertError(await call(ann, 'POST', '', { name }), 400, 'validation_error', ['name'])
    }
    for (const color of ['ff00a', 'ff00aaa', 'gg0000', '']) {
      const answer = await call(ann, 'POST', '', { name: 'x', color })
      assertError(answer, 400, 'validation_error', ['color'])
    }
    assertError(await call(bob, 'POST', '', wrong), 403, 'forbidden')
    assert.equal((await create('x'.repeat(256), {}, root)).creator_name, 'Root')
    assert.deepEqual((await call(ann, 'GET')).body.total, 0)
  })

  it('has a name of its own, compared in its stored form', async () => {
    const first = await create('Caf\u00e9')
    const second = await create('caf\u00e9')
    const entries = library.audit().length
    assertError(await call(ann, 'POST', '', { name: ' Cafe\u0301' }), 409, 'conflict')
    assertError(await call(root, 'POST', '', { name: 'Caf\u00e9' }), 409, 'conflict')
    assertError(await call(ann, 'PATCH', `/${second.id}`, { name: first.name }), 409, 'conflict')
    assert.equal(library.audit().length, entries)
    assert.deepEqual((await call(ann, 'GET', `/${second.id}`)).body, second)
    assert.equal((await call(ann, 'PATCH', `/${first.id}`, { name: first.name })).status, 200)
  })

  it('is edited field by field; null clears, and what changes nothing is not recorded', async () => {
    const fields = { notes: 'n', color: 'aabbcc', metadata: { a: 1 }, is_public: true }
    const category = await create('Places', fields)
    const patch = async (body: unknown) => {
      const answer = await call(ann, 'PATCH', `/${category.id}`, body)
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    }
    const entries = library.audit().length
    assert.deepEqual(await patch({}), category)
    assert.deepEqual(await patch(category), category)
    assert.equal(library.audit().length, entries)
    const renamed = await patch({ name: 'Where', color: null })
    assert.deepEqual(renamed, { ...category, name: 'Where', color: null })
    assert.deepEqual(lastEntry(), {
      user_name: 'Ann',
      action: 'category_edit',
      details: {
        changes: {
          name: { from: 'Places', to: 'Where' },
          color: { from: 'aabbcc', to: null },
        },
      },
    })
    const cleared = { notes: null, metadata: null, is_public: false }
    assert.deepEqual(await patch(cleared), { ...renamed, ...cleared })
    const answer = await call(ann, 'PATCH', `/${category.id}`, { name: null, is_public: null })
    assertError(answer, 400, 'validation_error', ['name', 'is_public'])
  })

  it('is deleted alone: its tags stay, without one', async () => {
    const { id } = await create('Places')
    const tag = await addTag(library, ann.token, 'beach', { category_id: id })
    assert.equal(tag.category_name, 'Places')
    const file = (await library.upload(ann.token, await picture(), 'a.jpg', { tag_ids: tag.id }))
      .body
    assert.equal(file.tags[0].category_id, id)
    grant(library, bob.id, 'category', id)
    assert.equal((await call(ann, 'DELETE', `/${id}`)).status, 204)
    const { action, details } = lastEntry()!
    assert.deepEqual([action, details.name, details.tag_count], ['category_delete', 'Places', 1])
    const uncategorised = { category_id: null, category_name: null, category_color: null }
    const left = await library.call('GET', `/files/${file.id}`, ann)
    assert.deepEqual(left.body.tags, [{ ...tag, ...uncategorised, by_rule: false }])
    assertError(await call(ann, 'GET', `/${id}`), 404, 'not_found')
    assertError(await call(ann, 'DELETE', `/${id}`), 404, 'not_found')
    const { db } = library.deps
    assert.deepEqual(db.all("SELECT * FROM acl WHERE object_type = 'category'"), [])
  })

  it('is seen and changed by those who have the right', async () => {
    const { id } = await create('Places')
    const statuses = async (user: User, path = `/${id}`) => {
      const answers = [
        await call(user, 'GET', path),
        await call(user, 'GET', `${path}/tags`),
        await call(user, 'PATCH', path, { notes: `by ${user.id}` }),
      ]
      return answers.map((answer) => answer.status)
    }
    assert.deepEqual(await statuses(bob), [403, 403, 403])
    assertError(await call(bob, 'DELETE', `/${id}`), 403, 'forbidden')
    assert.deepEqual(await statuses(ann), [200, 200, 200])
    await call(ann, 'PATCH', `/${id}`, { is_public: true })
    assert.deepEqual(await statuses(bob), [200, 200, 403])
    await call(ann, 'PATCH', `/${id}`, { is_public: false })
    grant(library, bob.id, 'category', id)
    assert.deepEqual(await statuses(bob), [200, 200, 403])
    library.deps.db.run('UPDATE acl SET can_edit = 1')
    assert.deepEqual(await statuses(bob), [200, 200, 200])
    assert.deepEqual(await statuses(root), [200, 200, 200])
    assert.deepEqual(await statuses(root, `/${UNKNOWN}`), [404, 404, 404])
    assert.deepEqual(await statuses(root, '/x'), [400, 400, 400])
    assert.equal((await call(bob, 'DELETE', `/${id}`)).status, 204)
  })
})

describe('the list of categories', () => {
  it('is by creation, newest first, or by name, with ties by id in the same direction', async () => {
    for (const name of ['b', 'B', 'a', '\u00c4', 'a\u0308', '\u{1F600}', '\uff5e'])
      await create(name)
    const created = ['b', 'B', 'a', '\u00c4', '\u00e4', '\u{1F600}', '\uff5e']
    assert.deepEqual(await names(ann, '?order=asc'), created)
    assert.deepEqual(await names(ann), created.toReversed())
    assert.deepEqual(await names(ann, '?sort=created&order=desc'), created.toReversed())
    const byName = ['a', 'b', 'B', '\u00c4', '\u00e4', '\uff5e', '\u{1F600}']
    assert.deepEqual(await names(ann, '?sort=name&order=asc'), byName)
    assert.deepEqual(await names(ann, '?sort=name'), byName.toReversed())
  })

  it('is searched by any part of the name, whatever its case', async () => {
    for (const name of ['\u0416\u0430\u0440', '50%', 'a_b', 'axb', 'Stra\u00dfe'])
      await create(name)
    const found = (search: string) => names(ann, `?order=asc&search=${encodeURIComponent(search)}`)
    assert.deepEqual(await found('\u0436\u0410'), ['\u0416\u0430\u0440'])
    assert.deepEqual(await found('%'), ['50%'])
    assert.deepEqual(await found('_'), ['a_b'])
    assert.deepEqual(await found('stra\u00dfE'), ['Stra\u00dfe'])
    assert.equal((await found('')).length, 5)
    assert.deepEqual(await found('nothing'), [])
  })

  it('comes by page, with what the viewer may see in items and total', async () => {
    for (const name of ['1', '2', '3', '4']) await create(name, { is_public: name !== '3' })
    await create('5', {}, root)
    const page = (user: User, query: string) => call(user, 'GET', query)
    const { body } = await page(bob, '?offset=1&limit=1')
    assert.deepEqual(
      { ...body, items: body.items.map((item: { name: string }) => item.name) },
      { items: ['2'], total: 3, offset: 1, limit: 1 },
    )
    assert.deepEqual((await page(bob, '?offset=3')).body, {
      items: [],
      total: 3,
      offset: 3,
      limit: 50,
    })
    assert.deepEqual(await names(ann), ['4', '3', '2', '1'])
    assert.equal((await page(root, '?search=5')).body.total, 1)
    assert.equal((await page(ann, '?search=5')).body.total, 0)
    const wrong = '?offset=-1&limit=201&sort=color&order=up'
    const fields = ['offset', 'limit', 'sort', 'order']
    assertError(await page(ann, wrong), 400, 'validation_error', fields)
    assertError(await page(ann, '?limit=0'), 400, 'validation_error', ['limit'])
    assertError(await page(ann, '?limit=1&limit=2'), 400, 'validation_error', ['limit'])
  })
})

describe('the tags of a category', () => {
  it('are those that the viewer may view, newest first, by page', async () => {
    const { id } = await create('Places', { is_public: true, color: 'c0ffee' })
    const other = await create('People')
    const add = (name: string, fields: object) => addTag(library, ann.token, name, fields)
    const first = await add('first', { category_id: id, is_public: true })
    await add('hidden', { category_id: id })
    await add('elsewhere', { category_id: other.id, is_public: true })
    await add('nowhere', { is_public: true })
    await add('last', { category_id: id, is_public: true })
    const path = `/${id}/tags`
    assert.deepEqual(await names(ann, '', path), ['last', 'hidden', 'first'])
    assert.deepEqual((await call(bob, 'GET', `${path}?offset=1&limit=1`)).body, {
      items: [{ ...first, category_id: id, category_name: 'Places', category_color: 'c0ffee' }],
      total: 2,
      offset: 1,
      limit: 1,
    })
    assertError(await call(bob, 'GET', `${path}?limit=x`), 400, 'validation_error', ['limit'])
  })

  it('show no category to those who may not view it', async () => {
    const { id } = await create('Places', { color: 'c0ffee' })
    const tag = await addTag(library, ann.token, 'beach', { category_id: id, is_public: true })
    const shown = async (user: User) => {
      const { body } = await library.call('GET', `/tags/${tag.id}`, user)
      return [body.category_id, body.category_name, body.category_color]
    }
    assert.deepEqual(await shown(ann), [id, 'Places', 'c0ffee'])
    assert.deepEqual(await shown(root), [id, 'Places', 'c0ffee'])
    assert.deepEqual(await shown(bob), [null, null, null])
    grant(library, bob.id, 'category', id)
    assert.deepEqual(await shown(bob), [id, 'Places', 'c0ffee'])
    await call(ann, 'PATCH', `/${id}`, { name: 'Where', color: null })
    assert.deepEqual(await shown(bob), [id, 'Where', null], 'a change is seen at once')
    library.deps.db.run('DELETE FROM acl')
    assert.deepEqual(await shown(bob), [null, null, null])
  })
})
