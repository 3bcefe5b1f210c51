import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { addTag, assertError, grant } from '../support/files.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

let library: Library
let ann: { id: number; token: string }
let bob: { id: number; token: string }
/** Ann's own, one by Bob that everybody sees, and one that Bob keeps for himself. */
let beach: { id: string }
let city: { id: string }
let secret: { id: string }
let id: string
before(async () => {
  library = await openLibrary()
  ann = await library.join('Ann', { can_create: true })
  bob = await library.join('Bob', { can_create: true })
  beach = await addTag(library, ann.token, 'Beach')
  city = await addTag(library, bob.token, 'city', { is_public: true })
  secret = await addTag(library, bob.token, 'Secret')
})
after(() => library.close())
beforeEach(async () => {
  id = (await library.upload(ann.token, await picture())).body.id
  grant(library, bob.id, 'file', id, 'edit')
})

const call = (user: { token: string }, method: string, path = '', body?: unknown) =>
  library.call(method, `/files/${id}/tags${path}`, { token: user.token, body })
const names = async (user: { token: string }) =>
  (await call(user, 'GET')).body.map((tag: { name: string }) => tag.name)
/** The tags as a file shows those that were put on it by name. */
const byHand = (...tags: object[]) => tags.map((tag) => ({ ...tag, by_rule: false }))
const lastEntry = () => {
  const { user_name, action, details } = library.audit().at(-1)!
  return { user_name, action, details }
}

describe('the tags of a file', () => {
  it('are added one by one, and answered as the file shows them, by name', async () => {
    assert.deepEqual((await call(ann, 'GET')).body, [])
    const first = await call(ann, 'PUT', `/${city.id}`)
    assert.deepEqual([first.status, first.body], [200, byHand(city)])
    const second = await call(ann, 'PUT', `/${beach.id.toUpperCase()}`)
    assert.deepEqual(second.body, byHand(beach, city))
    assert.deepEqual(lastEntry(), {
      user_name: 'Ann',
      action: 'file_tag_add',
      details: { tag_ids: [beach.id], by_rule: [] },
    })
    assert.equal((await call(ann, 'GET')).text, second.text)
    const file = await library.call('GET', `/files/${id}`, ann)
    assert.deepEqual(file.body.tags, byHand(beach, city))
  })

  it('are not added twice, nor removed when they are not there', async () => {
    await call(ann, 'PUT', `/${beach.id}`)
    const entries = library.audit().length
    assert.deepEqual((await call(ann, 'PUT', `/${beach.id}`)).body, byHand(beach))
    assert.equal((await call(ann, 'DELETE', `/${city.id}`)).status, 204)
    assert.equal(library.audit().length, entries)
    assert.equal((await call(ann, 'DELETE', `/${beach.id}`)).status, 204)
    assert.deepEqual(lastEntry(), {
      user_name: 'Ann',
      action: 'file_tag_remove',
      details: { tag_ids: [beach.id], by_rule: [] },
    })
    assert.deepEqual(await names(ann), [])
  })

  it('are each viewer’s own: hidden ones are not shown', async () => {
    await call(bob, 'PUT', `/${city.id}`)
    assert.deepEqual((await call(bob, 'PUT', `/${secret.id}`)).body, byHand(city, secret))
    assert.deepEqual(await names(ann), ['city'])
    const { items } = (await library.call('GET', '/files?limit=1', ann)).body
    assert.deepEqual([items[0].id, items[0].tags], [id, byHand(city)])
    grant(library, ann.id, 'tag', secret.id)
    assert.deepEqual(await names(ann), ['city', 'Secret'])
    library.deps.db.run("DELETE FROM acl WHERE object_type = 'tag'")
  })

  it('are told apart by how they came: by rule alone, or because somebody named them', async () => {
    const rules = `/tags/${beach.id}/rules`
    const rule = { token: ann.token, body: { then_tag_id: city.id } }
    assert.equal((await library.call('POST', rules, rule)).status, 201)
    const followed = [...byHand(beach), { ...city, by_rule: true }]
    assert.deepEqual((await call(ann, 'PUT', `/${beach.id}`)).body, followed)
    assert.deepEqual((await call(ann, 'GET')).body, followed)
    assert.deepEqual((await library.call('GET', `/files/${id}`, ann)).body.tags, followed)
    const { items } = (await library.call('GET', '/files?limit=1', ann)).body
    assert.deepEqual(items[0].tags, followed)
    assert.deepEqual((await call(ann, 'PUT', `/${city.id}`)).body, byHand(beach, city))
    assert.deepEqual((await call(ann, 'GET')).body, byHand(beach, city))
    await library.call('DELETE', `${rules}/${city.id}`, ann)
  })

  it('are replaced as a whole, but those that the caller can not see stay', async () => {
    await call(bob, 'PUT', '', { tag_ids: [city.id, secret.id, secret.id] })
    assert.deepEqual(lastEntry().details, { tag_ids: [city.id, secret.id], by_rule: [] })
    const answer = await call(ann, 'PUT', '', { tag_ids: [beach.id.toUpperCase()] })
    assert.deepEqual([answer.status, answer.body], [200, byHand(beach)])
    const [removed, added] = library.audit().slice(-2)
    assert.deepEqual(
      [removed?.action, removed?.details, added?.action, added?.details],
      [
        'file_tag_remove',
        { tag_ids: [city.id], by_rule: [] },
        'file_tag_add',
        { tag_ids: [beach.id], by_rule: [] },
      ],
    )
    assert.deepEqual(await names(bob), ['Secret'])
    assert.deepEqual((await call(ann, 'PUT', '', { tag_ids: [] })).body, [])
    assert.deepEqual(await names(bob), ['Secret'])
  })

  it('need edit on the file and view on the tag, in the order of checks', async () => {
    const carl = await library.join('Carl')
    const on = (file: string, tag: string, user = carl, method = 'PUT') =>
      library.call(method, `/files/${file}/tags/${tag}`, { token: user.token })
    for (const method of ['PUT', 'DELETE']) {
      assertError(await on('x', 'y', carl, method), 400, 'validation_error', ['file_id', 'tag_id'])
      assertError(await on(UNKNOWN, city.id, carl, method), 404, 'not_found')
      assertError(await on(id, city.id, carl, method), 403, 'forbidden')
      assertError(await on(id, UNKNOWN, ann, method), 404, 'not_found')
      assertError(await on(id, secret.id, ann, method), 403, 'forbidden')
    }
    assertError(await call(carl, 'GET'), 403, 'forbidden')
    grant(library, carl.id, 'file', id)
    assert.equal((await call(carl, 'GET')).status, 200)
    assertError(await on(id, city.id), 403, 'forbidden')
    assertError(await call(carl, 'PUT', '', { tag_ids: [] }), 403, 'forbidden')
  })

  it('are all put on or none', async () => {
    await call(ann, 'PUT', `/${beach.id}`)
    const entries = library.audit().length
    const put = (tag_ids: unknown) => call(ann, 'PUT', '', { tag_ids })
    assertError(await put([city.id, UNKNOWN]), 404, 'not_found')
    assertError(await put([city.id, secret.id]), 403, 'forbidden')
    assertError(await put(undefined), 400, 'validation_error', ['tag_ids'])
    assertError(await put(city.id), 400, 'validation_error', ['tag_ids'])
    assertError(await put([city.id, 'x', 1]), 400, 'validation_error', ['tag_ids.1', 'tag_ids.2'])
    const many = Array.from({ length: 1001 }, (_, i) => UNKNOWN.slice(0, -4) + (1000 + i))
    assertError(await put(many), 400, 'validation_error', ['tag_ids'])
    assert.deepEqual(await names(ann), ['Beach'])
    assert.equal(library.audit().length, entries)
  })

  it('go with the tag', async () => {
    const passing = await addTag(library, ann.token, 'Passing')
    await call(ann, 'PUT', `/${passing.id}`)
    await library.call('DELETE', `/tags/${passing.id}`, ann)
    const { action, details } = lastEntry()!
    assert.deepEqual([action, details.name, details.file_count], ['tag_delete', 'Passing', 1])
    assert.deepEqual(await names(ann), [])
  })
})

describe('the files of a tag', () => {
  it('are those that the caller may view, newest first, without the trash', async () => {
    const tag = await addTag(library, bob.token, 'Trip', { is_public: true })
    const add = async (user: { token: string }) => {
      const file = (await library.upload(user.token, await picture())).body.id
      await library.call('PUT', `/files/${file}/tags/${tag.id}`, user)
      return file as string
    }
    const files: string[] = []
    for (const user of [ann, bob, ann, ann]) files.push(await add(user))
    const [first, bobs, second, trashed] = files
    await library.call('DELETE', `/files/${trashed}`, ann)
    const page = async (user: { token: string }, query = '') => {
      const { body } = await library.call('GET', `/tags/${tag.id}/files${query}`, user)
      const ids = body.items.map((file: { id: string }) => file.id)
      return { ids, next: body.next_cursor, prev: body.prev_cursor }
    }
    assert.deepEqual(await page(ann), { ids: [second, first], next: null, prev: null })
    assert.deepEqual((await page(bob)).ids, [bobs])
    const one = await page(ann, '?limit=1')
    assert.deepEqual([one.ids, one.prev], [[second], null])
    const two = await page(ann, `?limit=1&cursor=${one.next}`)
    assert.deepEqual([two.ids, two.next], [[first], null])
    const back = await page(ann, `?limit=1&direction=backward&cursor=${two.prev}`)
    assert.deepEqual(back, one)
  })

  it('need view on the tag, and whole parameters', async () => {
    const list = (path: string) => library.call('GET', `/tags/${path}`, ann)
    assertError(await list(`${UNKNOWN}/files`), 404, 'not_found')
    assertError(await list(`${secret.id}/files`), 403, 'forbidden')
    assertError(await list('x/files'), 400, 'validation_error', ['tag_id'])
    for (const limit of ['0', '201', '-1', '1.5', '', 'x']) {
      const answer = await list(`${city.id}/files?limit=${limit}`)
      assertError(answer, 400, 'validation_error', ['limit'])
    }
    assertError(await list(`${city.id}/files?cursor=x`), 400, 'validation_error', ['cursor'])
  })
})
