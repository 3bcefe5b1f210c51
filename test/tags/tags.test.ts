import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openDatabase } from '../../src/db/client.ts'
import { uuidToBlob } from '../../src/db/columns.ts'
import { newId } from '../../src/db/ids.ts'
import { write } from '../../src/db/write.ts'
import { addTag, assertError, grant } from '../support/files.ts'
import { type Library, openLibrary } from '../support/harness.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

let library: Library
let root: { id: number; token: string }
let ann: { id: number; token: string }
let bob: { id: number; token: string }
before(async () => {
  library = await openLibrary()
  root = await library.join('Root', { is_admin: true })
  ann = await library.join('Ann', { can_create: true })
  bob = await library.join('Bob')
})
after(() => library.close())

const call = (user: { token: string }, method: string, path = '', body?: unknown) =>
  library.call(method, `/tags${path}`, { token: user.token, body })
const lastEntry = () => library.audit().at(-1)
const clean = () => library.deps.db.run('DELETE FROM tags')

function addCategory(name: string, creator: { id: number }, is_public = 0): string {
  const { db } = library.deps
  const id = write(db, { now: library.time.now }, (tx) => newId(tx, 'categories'))
  library.deps.db.run(
    `INSERT INTO categories (id, name, name_key, color, creator_id, is_public)
     VALUES (?, ?, ?, 'c0ffee', ?, ?)`,
    uuidToBlob(id),
    name,
    name.toLowerCase(),
    creator.id,
    is_public,
  )
  return id
}

describe('a tag', () => {
  it('is created with what is given, and defaults', async () => {
    const category_id = addCategory('Places', ann)
    const body = {
      name: '  Cafe\u0301 ',
      notes: 'a\r\nb',
      color: 'Ff00aA',
      category_id: category_id.toUpperCase(),
      metadata: { 'k"': [1, null] },
      is_public: true,
      id: UNKNOWN,
      creator_id: 99,
    }
    const answer = await call(ann, 'POST', '', body)
    const { id } = answer.body
    const created_at = new Date(library.time.now).toISOString()
    const tag = {
      id,
      name: 'Caf\u00e9',
      notes: 'a\nb',
      color: 'Ff00aA',
      category_id,
      category_name: 'Places',
      category_color: 'c0ffee',
      metadata: { 'k"': [1, null] },
      creator_id: ann.id,
      creator_name: 'Ann',
      is_public: true,
      created_at,
    }
    assert.deepEqual([answer.status, answer.body], [201, tag])
    assert.deepEqual((await call(ann, 'GET', `/${id}`)).body, tag)
    assert.deepEqual(lastEntry(), {
      user_id: ann.id,
      user_name: 'Ann',
      action: 'tag_create',
      details: {
        ...{ name: tag.name, is_public: true, file_count: 0, rule_count: 0 },
        fields: {
          ...{ name: tag.name, notes: tag.notes, color: tag.color, metadata: tag.metadata },
          ...{ category_id, category_name: 'Places', is_public: true },
        },
      },
    })
    const { notes, color, metadata, is_public, ...plain } = await addTag(
      library,
      ann.token,
      'Plain',
    )
    assert.deepEqual([notes, color, metadata, is_public], [null, null, null, false])
    assert.deepEqual(
      [plain.category_id, plain.category_name, plain.category_color],
      [null, null, null],
    )
  })

  it('has a name that no other has, by exact comparison', async () => {
    await addTag(library, ann.token, 'Unique')
    assertError(await call(ann, 'POST', '', { name: ' Unique ' }), 409, 'conflict')
    const lower = await addTag(library, ann.token, 'unique')
    assertError(await call(ann, 'PATCH', `/${lower.id}`, { name: 'Unique' }), 409, 'conflict')
    assert.equal((await call(ann, 'PATCH', `/${lower.id}`, { name: 'unique' })).status, 200)
  })

  it('is created by those who may create, from a valid body', async () => {
    assertError(await call(bob, 'POST', '', { name: 1 }), 403, 'forbidden')
    const before = library.audit().length
    const bad: Record<string, unknown[]> = {
      name: [undefined, null, '', ' ', 'a\tb', 'x'.repeat(257), '\ud800', 1],
      notes: [1, '\u0001'],
      color: ['#ff0000', 'ff000', 'gg0000', '', 'ff0000\n', 1],
      category_id: ['', 'x', 1],
      metadata: ['{}', [], 1],
      is_public: [null, 'true', 0],
    }
    for (const [field, values] of Object.entries(bad)) {
      for (const value of values) {
        const answer = await call(ann, 'POST', '', { name: 'Bad', [field]: value })
        assertError(answer, 400, 'validation_error', [field])
      }
    }
    assertError(
      await call(ann, 'POST', '', { name: 'Bad', category_id: UNKNOWN }),
      404,
      'not_found',
    )
    const hidden = addCategory('Hidden', root)
    assertError(await call(ann, 'POST', '', { name: 'Bad', category_id: hidden }), 403, 'forbidden')
    assert.equal(library.audit().length, before)
    assert.equal((await addTag(library, ann.token, '\u{1F600}'.repeat(256))).name.length, 512)
  })

  it('changes by what is named, and null clears', async () => {
    const fields = { notes: 'n', color: '00ff00', metadata: { a: 1 }, is_public: true }
    const tag = await addTag(library, ann.token, 'Before', fields)
    const entries = library.audit().length
    const path = `/${tag.id}`
    for (const update of [{}, tag, { creator_id: 99, created_at: 'x' }]) {
      assert.deepEqual((await call(ann, 'PATCH', path, update)).body, tag)
    }
    assert.equal(library.audit().length, entries)
    const cleared = { notes: null, color: null, metadata: null }
    const answer = await call(ann, 'PATCH', path, { ...cleared, name: 'After' })
    assert.deepEqual([answer.status, answer.body], [200, { ...tag, ...cleared, name: 'After' }])
    assert.deepEqual(lastEntry()?.details, {
      changes: {
        name: { from: 'Before', to: 'After' },
        notes: { from: 'n', to: null },
        color: { from: '00ff00', to: null },
        metadata: { from: { a: 1 }, to: null },
      },
    })
    for (const body of [{ name: null }, { name: '' }]) {
      assertError(await call(ann, 'PATCH', path, body), 400, 'validation_error', ['name'])
    }
    assertError(await call(ann, 'PATCH', path, { is_public: null }), 400, 'validation_error', [
      'is_public',
    ])
  })

  it('is seen and changed by those who have the right', async () => {
    const tag = await addTag(library, ann.token, 'Private')
    const path = `/${tag.id}`
    const edit = { notes: 'x' }
    const answers = async () => [
      (await call(bob, 'GET', path)).status,
      (await call(bob, 'PATCH', path, edit)).status,
    ]
    assert.deepEqual(await answers(), [403, 403])
    assertError(await call(bob, 'DELETE', path), 403, 'forbidden')
    assertError(await call(bob, 'GET', `/${UNKNOWN}`), 404, 'not_found')
    assertError(await call(bob, 'DELETE', `/${UNKNOWN}`), 404, 'not_found')
    assertError(await call(bob, 'PATCH', '/x', {}), 400, 'validation_error', ['tag_id'])
    await call(ann, 'PATCH', path, { is_public: true })
    assert.deepEqual(await answers(), [200, 403])
    grant(library, bob.id, 'tag', tag.id, 'edit')
    assert.deepEqual(await answers(), [200, 200])
    assert.equal((await call(bob, 'DELETE', path)).status, 204)
    assertError(await call(bob, 'GET', path), 404, 'not_found')
  })
})

describe('the category of a tag', () => {
  it('is shown to those who may view it, and stays when others send null back', async () => {
    const category_id = addCategory('Family', ann)
    const tag = await addTag(library, ann.token, 'Gran', { category_id, is_public: true })
    grant(library, bob.id, 'tag', tag.id, 'edit')
    const none = { category_id: null, category_name: null, category_color: null }
    const path = `/${tag.id}`
    const seen = (await call(bob, 'GET', path)).body
    assert.deepEqual(seen, { ...tag, ...none })
    const edited = await call(bob, 'PATCH', path, { ...seen, notes: 'x' })
    assert.deepEqual(edited.body, { ...seen, notes: 'x' })
    assert.deepEqual((await call(ann, 'GET', path)).body, { ...tag, notes: 'x' })
    assertError(await call(bob, 'PATCH', path, { category_id }), 403, 'forbidden')
    assertError(await call(bob, 'PATCH', path, { category_id: UNKNOWN }), 404, 'not_found')
    grant(library, bob.id, 'category', category_id)
    assert.deepEqual((await call(bob, 'GET', path)).body, { ...tag, notes: 'x' })
    const cleared = await call(bob, 'PATCH', path, { category_id: null })
    assert.deepEqual(cleared.body, { ...tag, ...none, notes: 'x' })
    assert.deepEqual(lastEntry()?.details, {
      changes: {
        category_id: { from: category_id, to: null },
        category_name: { from: 'Family', to: null },
      },
    })
  })
})

describe('the list of tags', () => {
  const names = async (query: string, user = ann) => {
    const { status, body } = await call(user, 'GET', query)
    assert.equal(status, 200)
    return body.items.map((tag: { name: string }) => tag.name).join(' ')
  }
  before(async () => {
    clean()
    const [shown, hidden] = [addCategory('zoo', ann), addCategory('art', root)]
    const rows: [string, object][] = [
      ['beta', { color: 'BBBBBB', category_id: shown }],
      ['Alpha', { color: 'aaaaaa' }],
      ['alpha', {}],
      ['émile', { color: 'bbbbbb', category_id: hidden }],
      ['\u{1F600}', { category_id: shown }],
      ['\uffee', { color: 'AAAAAA', category_id: hidden }],
    ]
    for (const [name, fields] of rows)
      await addTag(library, root.token, name, { ...fields, is_public: true })
    await addTag(library, root.token, 'hidden')
  })
  // Names by code point of their lower case; ties by name, then age; what has no key is last.
  const expected: Record<string, string> = {
    '': '\uffee \u{1F600} émile alpha Alpha beta',
    '?order=asc': 'beta Alpha alpha émile \u{1F600} \uffee',
    '?sort=name&order=asc': 'Alpha alpha beta émile \uffee \u{1F600}',
    '?sort=name': '\u{1F600} \uffee émile beta Alpha alpha',
    '?sort=color&order=asc': 'Alpha \uffee beta émile alpha \u{1F600}',
    '?sort=color': 'beta émile Alpha \uffee alpha \u{1F600}',
    '?sort=category_name&order=asc': 'beta \u{1F600} Alpha alpha émile \uffee',
    '?sort=category_name': 'beta \u{1F600} Alpha alpha émile \uffee',
    '?search=ALPHA&sort=name': 'Alpha alpha',
    '?search=Et': 'beta',
    '?search=E%CC%81': 'émile',
    '?search=%25': '',
    '?offset=1&limit=2&order=asc': 'Alpha alpha',
    '?offset=6': '',
  }
  for (const [query, list] of Object.entries(expected)) {
    it(`answers ${query || 'the newest first'}`, async () => assert.equal(await names(query), list))
  }

  it('sorts by the categories that the viewer sees', async () => {
    const sorted = await names('?sort=category_name&order=asc', root)
    assert.equal(sorted, 'émile \uffee beta \u{1F600} Alpha alpha hidden')
  })

  it('tells the whole number with each page', async () => {
    const { items, ...page } = (await call(ann, 'GET', '?offset=4&limit=2')).body
    assert.deepEqual([items.length, page], [2, { total: 6, offset: 4, limit: 2 }])
    const found = (await call(ann, 'GET', '?search=alpha&limit=1')).body
    assert.deepEqual([found.items.length, found.total, found.offset, found.limit], [1, 2, 0, 1])
  })

  it('refuses each bad parameter with its field', async () => {
    for (const [field, values] of Object.entries({
      offset: ['-1', 'x', '', '1e3', '1&offset=2'],
      limit: ['0', '201', '+1', ''],
      sort: ['names', ''],
      order: ['up', ''],
    })) {
      for (const value of values) {
        const answer = await call(ann, 'GET', `?${field}=${value}`)
        assertError(answer, 400, 'validation_error', [field])
      }
    }
    const several = await call(ann, 'GET', '?offset=x&limit=x&sort=x&order=x')
    assertError(several, 400, 'validation_error', ['offset', 'limit', 'sort', 'order'])
  })

  it('shows at once what another process changed', async () => {
    const other = openDatabase(join(library.folder, 'tagstead.sqlite'))
    other.run("UPDATE tags SET name = 'gamma', name_key = 'gamma' WHERE name = 'beta'")
    assert.equal(await names('?search=gamma'), 'gamma')
    other.run("UPDATE categories SET name = 'park' WHERE name = 'zoo'")
    other.run("UPDATE users SET name = 'Boss' WHERE name = 'Root'")
    const [tag] = (await call(ann, 'GET', '?search=gamma')).body.items
    assert.deepEqual([tag.category_name, tag.creator_name], ['park', 'Boss'])
    other.run("DELETE FROM categories WHERE name = 'park'")
    assert.equal((await call(ann, 'GET', `/${tag.id}`)).body.category_id, null)
    other.run("DELETE FROM tags WHERE name = 'gamma'")
    assertError(await call(ann, 'GET', `/${tag.id}`), 404, 'not_found')
    other.close()
  })
})
