import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { insertTag, ridOf, storedPool } from '../support/object-rows.ts'
import {
  CATEGORY,
  file,
  files,
  operationOf,
  POOL,
  reset,
  TAG,
  type User,
  useUndoing,
} from '../support/undo/undoing.ts'

const undoing = useUndoing()

const ask = (method: string, path: string, body?: unknown, by?: User) =>
  undoing.ask(method, path, body, by)
const get = async (path: string) => (await ask('GET', path)).body
const purge = (n: number) => ask('DELETE', `/files/${file(n)}/permanent`, undefined, undoing.root)

/** The numbers of the files that carry a tag, each with 1 when it is there by hand. */
const carriers = (tag: string) =>
  undoing.db
    .all<{ name: string; by_hand: number }>(
      `SELECT original_name AS name, by_hand FROM file_tags JOIN files ON rid = file_rid
       WHERE tag_rid = ? ORDER BY file_rid`,
      ridOf(undoing.db, 'tag', tag),
    )
    .map(({ name, by_hand }) => [Number.parseInt(name, 10), by_hand])

const rules = () =>
  undoing.db
    .all<{ rule: string }>(
      `SELECT w.name || ' ' || t.name || ' ' || is_active AS rule FROM tag_rules
       JOIN tags w ON w.rid = when_tag_rid JOIN tags t ON t.rid = then_tag_rid`,
    )
    .map((row) => row.rule)
    .toSorted()

describe('what was created stays once it has more than it had', () => {
  const rows: { what: string; path: string; since: (id: string) => Promise<unknown> }[] = [
    {
      what: 'a tag with a file',
      path: 'tags',
      since: (id) => ask('PUT', `/files/${file(1)}/tags/${id}`),
    },
    {
      what: 'a tag with a rule',
      path: 'tags',
      since: (id) => ask('POST', `/tags/${id}/rules`, { then_tag_id: TAG.sun }),
    },
    {
      what: 'a tag that follows by a rule',
      path: 'tags',
      since: (id) => ask('POST', `/tags/${TAG.sun}/rules`, { then_tag_id: id, is_active: false }),
    },
    {
      what: 'a tag with notes',
      path: 'tags',
      since: (id) => ask('PATCH', `/tags/${id}`, { notes: 'n' }),
    },
    {
      what: 'a category with a tag',
      path: 'categories',
      since: (id) => ask('PATCH', `/tags/${TAG.sand}`, { category_id: id }),
    },
    {
      what: 'a category with notes',
      path: 'categories',
      since: (id) => ask('PATCH', `/categories/${id}`, { notes: 'n' }),
    },
    {
      what: 'a pool with a file',
      path: 'pools',
      since: (id) => ask('POST', `/pools/${id}/files`, files(1)),
    },
    {
      what: 'a pool with notes',
      path: 'pools',
      since: (id) => ask('PATCH', `/pools/${id}`, { notes: 'n' }),
    },
  ]
  for (const { what, path, since } of rows) {
    it(what, async () => {
      const answer = await ask('POST', `/${path}`, { name: 'new' })
      await since(answer.body.id)
      const state = await undoing.state()
      const { undone, kept } = await undoing.undone(operationOf(answer))
      const object_type = { tags: 'tag', categories: 'category', pools: 'pool' }[path]
      const expected = [{ object_type, object_id: answer.body.id, reason: 'changed' }]
      assert.deepEqual([undone, kept], [0, expected])
      assert.deepEqual(await undoing.state(), state)
    })
  }
})

describe('what was made again goes again, unless it has more than it had then', () => {
  const rows: { what: string; path: string; less: () => unknown; more: () => unknown }[] = [
    {
      what: 'a tag',
      path: `/tags/${TAG.sun}`,
      less: () => ask('DELETE', `/files/${file(1)}/tags/${TAG.sun}`),
      more: () => ask('PUT', `/files/${file(8)}/tags/${TAG.sun}`),
    },
    {
      what: 'a tag, by its rules',
      path: `/tags/${TAG.sun}`,
      less: () => ask('DELETE', `/tags/${TAG.sun}/rules/${TAG.sea}`),
      more: () => ask('POST', `/tags/${TAG.sun}/rules`, { then_tag_id: TAG.sand }),
    },
    {
      what: 'a category',
      path: `/categories/${CATEGORY.places}`,
      less: () => ask('PATCH', `/tags/${TAG.sun}`, { category_id: null }),
      more: () => ask('PATCH', `/tags/${TAG.sand}`, { category_id: CATEGORY.places }),
    },
    {
      what: 'a pool',
      path: `/pools/${POOL.box}`,
      less: () => ask('POST', `/pools/${POOL.box}/files/remove`, files(1)),
      more: () => ask('POST', `/pools/${POOL.box}/files`, files(8)),
    },
  ]
  for (const { what, path, less, more } of rows) {
    it(what, async () => {
      for (const [change, expected] of [
        [less, 1],
        [more, 0],
      ] as const) {
        reset(undoing)
        const first = await undoing.undone(operationOf(await ask('DELETE', path)))
        await change()
        const { undone } = await undoing.undone(first.operation)
        assert.equal(undone, expected, `with ${change === less ? 'less' : 'more'}`)
      }
    })
  }
})

describe('what is made again has of what it had all that still exists', () => {
  it('a tag: its files, rules, rights and category', async () => {
    const { db, library } = undoing
    const eve = await library.addUser('Eve')
    const rights = [eve, undoing.ben.id].map((user_id) => ({ user_id, can_edit: false }))
    await ask('PUT', `/acl/tag/${TAG.sun}`, { permissions: rights })
    const operation = operationOf(await ask('DELETE', `/tags/${TAG.sun}`))
    await purge(7)
    await ask('DELETE', `/tags/${TAG.sea}`)
    await ask('DELETE', `/categories/${CATEGORY.places}`)
    await ask('DELETE', `/users/${eve}`, undefined, undoing.root)
    assert.equal((await undoing.undone(operation)).undone, 1)
    assert.deepEqual(carriers(TAG.sun), [
      [1, 1],
      [2, 0],
      [3, 1],
    ])
    assert.deepEqual(rules(), ['beach sun 1'])
    const tag = await get(`/tags/${TAG.sun}`)
    assert.deepEqual([tag.name, tag.category_id, tag.creator_id], ['sun', null, undoing.ann.id])
    const users = db.all('SELECT user_id FROM acl WHERE object_type = ?', 'tag')
    assert.deepEqual(users, [{ user_id: undoing.ben.id }])
  })

  it('a tag whose creator is gone belongs to whoever brings it back', async () => {
    const { db, library, root } = undoing
    const eve = await library.addUser('Eve')
    insertTag(db, { id: POOL.box, name: 'of Eve', owner: eve })
    const operation = operationOf(await ask('DELETE', `/tags/${POOL.box}`, undefined, root))
    await ask('DELETE', `/users/${eve}`, undefined, root)
    assert.equal((await undoing.undone(operation, root)).undone, 1)
    const { body } = await ask('GET', `/tags/${POOL.box}`, undefined, root)
    assert.deepEqual([body.name, body.creator_id], ['of Eve', root.id])
  })

  it('a category: those of its tags that have none now', async () => {
    const { places, people } = CATEGORY
    const operation = operationOf(await ask('DELETE', `/categories/${places}`))
    await ask('PATCH', `/tags/${TAG.sun}`, { category_id: people })
    const { undone } = await undoing.undone(operation)
    const categories = [TAG.sun, TAG.sea].map(async (id) => (await get(`/tags/${id}`)).category_id)
    assert.deepEqual([undone, ...(await Promise.all(categories))], [1, people, places])
  })

  it('a pool: its files', async () => {
    await ask('DELETE', `/files/${file(1)}`)
    const operation = operationOf(await ask('DELETE', `/pools/${POOL.box}`))
    await purge(1)
    assert.equal((await undoing.undone(operation)).undone, 1)
    assert.deepEqual(storedPool(undoing.db, POOL.box), [
      [file(4), 0],
      [file(2), 1],
    ])
  })
})

describe('a tag that was put into a category', () => {
  it('is taken out of it, or kept, also when the caller may not see that category any more', async () => {
    const { db, ben } = undoing
    db.run('UPDATE categories SET creator_id = ?, is_public = 1 WHERE name = ?', ben.id, 'people')
    const body = { category_id: CATEGORY.people }
    const operation = operationOf(await ask('PATCH', `/tags/${TAG.sand}`, body))
    db.run("UPDATE categories SET is_public = 0 WHERE name = 'people'")
    // An undo's entries must tell of what it says that it took back.
    const { undone, kept } = await undoing.undone(operation)
    const rid = db.get('SELECT category_rid AS rid FROM tags WHERE name = ?', 'sand')
    if (undone === 1) assert.deepEqual([rid, kept], [{ rid: null }, []])
    else assert.equal(kept.length, 1)
  })
})
