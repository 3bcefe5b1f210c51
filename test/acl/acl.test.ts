import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { fileSeed, idAt, insertFiles } from '../support/file-rows.ts'
import { assertError } from '../support/files.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { insertCategory, insertPool, insertTag, type ObjectType } from '../support/object-rows.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

type User = { id: number; token: string }

let library: Library
let root: User
let ann: User
let bob: User
let cat: User
before(async () => {
  library = await openLibrary()
  root = await library.join('Root', { is_admin: true })
  ann = await library.join('Ann', { can_create: true })
  bob = await library.join('Bob')
  cat = await library.join('Cat')
})
after(() => library.close())

/** One object of each type, Ann's, with the path to it and what an editor may change. */
const OBJECTS: { type: ObjectType; id: string; path: string; change: object }[] = [
  { type: 'file', id: idAt(1, 1), path: `/files/${idAt(1, 1)}`, change: { notes: 'n' } },
  { type: 'tag', id: idAt(1, 2), path: `/tags/${idAt(1, 2)}`, change: { notes: 'n' } },
  { type: 'category', id: idAt(1, 3), path: `/categories/${idAt(1, 3)}`, change: { notes: 'n' } },
  { type: 'pool', id: idAt(1, 4), path: `/pools/${idAt(1, 4)}`, change: { notes: 'n' } },
]
const [FILE] = OBJECTS
const TABLES = ['files', 'tags', 'categories', 'pools', 'acl', 'audit_log']

beforeEach(() => {
  const { db } = library.deps
  for (const table of TABLES) db.run(`DELETE FROM ${table}`)
  const [file, tag, category, pool] = OBJECTS.map((object) => object.id) as [
    string,
    string,
    string,
    string,
  ]
  insertFiles(db, [fileSeed(file, { owner: ann.id })])
  insertTag(db, { id: tag, name: 'tag', owner: ann.id })
  insertCategory(db, { id: category, name: 'category', owner: ann.id })
  insertPool(db, { id: pool, name: 'pool', owner: ann.id, files: [file] })
})

const get = ({ type, id }: { type: string; id: string }, user = ann) =>
  library.call('GET', `/acl/${type}/${id}`, { token: user.token })
const put = ({ type, id }: { type: string; id: string }, permissions: unknown, user = ann) =>
  library.call('PUT', `/acl/${type}/${id}`, { token: user.token, body: { permissions } })
const entry = (user: User, user_name: string, can_view: boolean, can_edit: boolean) => ({
  user_id: user.id,
  user_name,
  can_view,
  can_edit,
})
const stored = () => library.deps.db.all('SELECT user_id, object_type, can_view, can_edit FROM acl')

/** What a user is answered who looks at an object, and who changes it. */
async function rights(user: User, { path, change }: { path: string; change: object }) {
  const view = await library.call('GET', path, { token: user.token })
  const edit = await library.call('PATCH', path, { token: user.token, body: change })
  return [view.status, edit.status]
}

describe('the entries of an object', () => {
  for (const object of OBJECTS) {
    it(`of the type ${object.type} are replaced as a whole, and count from the next request on`, async () => {
      assert.deepEqual((await get(object)).body, [])
      assert.deepEqual(await rights(bob, object), [403, 403])
      const first = await put(object, [{ user_id: cat.id, can_edit: true }, { user_id: bob.id }])
      const bobs = entry(bob, 'Bob', true, false)
      const both = [bobs, entry(cat, 'Cat', true, true)]
      assert.deepEqual([first.status, first.body], [200, both])
      assert.deepEqual((await get(object)).body, both)
      assert.deepEqual(await rights(bob, object), [200, 403])
      assert.deepEqual(await rights(cat, object), [200, 200])
      assert.deepEqual((await put(object, [{ user_id: bob.id }])).body, [bobs])
      assert.deepEqual(await rights(bob, object), [200, 403])
      assert.deepEqual(await rights(cat, object), [403, 403])
      assert.deepEqual((await put(object, [])).body, [])
      assert.deepEqual(await rights(bob, object), [403, 403])
    })

    it(`of the type ${object.type} are for its creator and admins alone`, async () => {
      await put(object, [{ user_id: bob.id, can_edit: true }])
      for (const user of [bob, cat]) {
        assertError(await get(object, user), 403, 'forbidden')
        assertError(await put(object, [], user), 403, 'forbidden')
      }
      const entries = [entry(bob, 'Bob', true, true)]
      assert.deepEqual((await get(object, root)).body, entries)
      const replaced = [entry(cat, 'Cat', true, false)]
      assert.deepEqual((await put(object, [{ user_id: cat.id }], root)).body, replaced)
      assert.deepEqual((await get(object)).body, replaced)
    })

    it(`of the type ${object.type} go with it, and no others do`, async () => {
      for (const each of OBJECTS) await put(each, [{ user_id: bob.id }])
      const gone = library.call('DELETE', object.path, ann)
      assert.equal((await gone).status, 204)
      if (object === FILE) {
        assert.equal(stored().length, 4, 'a trashed file keeps its entries')
        await library.call('DELETE', `${object.path}/permanent`, ann)
      }
      const left = OBJECTS.filter((each) => each !== object).map((each) => each.type)
      assert.deepEqual(
        library.deps.db
          .all<{ object_type: string }>('SELECT object_type FROM acl')
          .map(typeOf)
          .sort(),
        left.toSorted(),
      )
      assertError(await get(object), 404, 'not_found')
    })
  }

  it('are recorded with what stood and what stands; the same again is not', async () => {
    await put(FILE!, [{ user_id: bob.id }])
    await put(FILE!, [{ user_id: bob.id, can_view: true, can_edit: false }])
    await put(FILE!, [{ user_id: bob.id, can_edit: true }], root)
    const [none, view, edit] = [
      [],
      [entry(bob, 'Bob', true, false)],
      [entry(bob, 'Bob', true, true)],
    ]
    assert.deepEqual(library.audit(), [
      {
        user_id: ann.id,
        user_name: 'Ann',
        action: 'acl_change',
        details: { from: none, to: view },
      },
      {
        user_id: root.id,
        user_name: 'Root',
        action: 'acl_change',
        details: { from: view, to: edit },
      },
    ])
  })

  it('go with their user', async () => {
    const dan = await library.join('Dan')
    for (const each of OBJECTS) await put(each, [{ user_id: dan.id }, { user_id: bob.id }])
    assert.equal((await library.call('DELETE', `/users/${dan.id}`, root)).status, 204)
    for (const each of OBJECTS) {
      assert.deepEqual((await get(each)).body, [entry(bob, 'Bob', true, false)])
    }
  })

  it('stay when their object is handed over to an admin', async () => {
    const { db } = library.deps
    const dan = await library.join('Dan')
    db.run('UPDATE files SET creator_id = ?', dan.id)
    await put(FILE!, [{ user_id: bob.id }], root)
    await library.call('DELETE', `/users/${dan.id}`, root)
    assert.deepEqual((await get(FILE!, root)).body, [entry(bob, 'Bob', true, false)])
    assert.deepEqual(await rights(bob, FILE!), [200, 403])
  })
})

describe('an entry', () => {
  it('that lets edit lets view, and is stored so; one that lets nothing is kept', async () => {
    const only = { user_id: bob.id, can_view: false, can_edit: true }
    const answer = await put(FILE!, [only, { user_id: cat.id, can_view: false }])
    assert.deepEqual(answer.body, [entry(bob, 'Bob', true, true), entry(cat, 'Cat', false, false)])
    assert.deepEqual(stored(), [
      { user_id: bob.id, object_type: 'file', can_view: 1, can_edit: 1 },
      { user_id: cat.id, object_type: 'file', can_view: 0, can_edit: 0 },
    ])
    assert.deepEqual(await rights(bob, FILE!), [200, 200])
    assert.deepEqual(await rights(cat, FILE!), [403, 403])
  })

  it('that lets nothing takes no right away that comes from elsewhere', async () => {
    const nothing = [ann, root, cat].map(({ id: user_id }) => ({ user_id, can_view: false }))
    const names = ['Root', 'Ann', 'Cat']
    const answer = await put(FILE!, nothing)
    const expected = [root, ann, cat].map((user, n) => entry(user, names[n]!, false, false))
    assert.deepEqual(answer.body, expected)
    for (const user of [ann, root]) assert.deepEqual(await rights(user, FILE!), [200, 200])
    assert.deepEqual(await rights(cat, FILE!), [403, 403])
    library.deps.db.run('UPDATE files SET is_public = 1')
    assert.deepEqual(await rights(cat, FILE!), [200, 403])
  })

  it('does what it says once an admin is none any more', async () => {
    const dan = await library.join('Dan', { is_admin: true })
    await put(FILE!, [{ user_id: dan.id }])
    assert.deepEqual(await rights(dan, FILE!), [200, 200])
    const body = { is_admin: false }
    await library.call('PATCH', `/users/${dan.id}`, { token: root.token, body })
    assert.deepEqual(await rights(dan, FILE!), [200, 403])
  })
})

describe('a request for entries', () => {
  it('that is not valid changes nothing and tells where it is wrong', async () => {
    await put(FILE!, [{ user_id: bob.id }])
    const before = [stored(), library.audit()]
    const wrong: [unknown, string[]][] = [
      [undefined, ['permissions']],
      [null, ['permissions']],
      [[{}], ['permissions.0.user_id']],
      [[{ user_id: '3' }], ['permissions.0.user_id']],
      [[{ user_id: 0 }], ['permissions.0.user_id']],
      [
        [{ user_id: bob.id }, { user_id: cat.id, can_view: 1, can_edit: null }],
        ['permissions.1.can_view', 'permissions.1.can_edit'],
      ],
      [[{ user_id: cat.id }, { user_id: cat.id, can_edit: true }], ['permissions']],
      [
        [{ user_id: 998 }, { user_id: bob.id }, { user_id: 999 }],
        ['permissions.0.user_id', 'permissions.2.user_id'],
      ],
    ]
    for (const [permissions, fields] of wrong) {
      assertError(await put(FILE!, permissions), 400, 'validation_error', fields)
    }
    assert.deepEqual([stored(), library.audit()], before)
  })

  it('names a type and an object that there are; the object before the users', async () => {
    const user = { type: 'user', id: UNKNOWN }
    assertError(await get(user), 400, 'validation_error', ['object_type'])
    assertError(await put(user, []), 400, 'validation_error', ['object_type'])
    const garbled = { type: 'file', id: 'x' }
    assertError(await get(garbled), 400, 'validation_error', ['object_id'])
    for (const { type, id } of OBJECTS) {
      const other = { type: type === 'tag' ? 'pool' : 'tag', id }
      for (const missing of [{ type, id: UNKNOWN }, other]) {
        assertError(await get(missing), 404, 'not_found')
        assertError(await put(missing, [{ user_id: 999 }]), 404, 'not_found')
      }
      assertError(await put({ type, id }, [{ user_id: 999 }], bob), 403, 'forbidden')
      assert.equal((await get({ type, id: id.toUpperCase() })).status, 200)
    }
  })
})

function typeOf(row: { object_type: string }): string {
  return row.object_type
}
