import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { write } from '../../src/db/write.ts'
import { addTag, assertError, inventory } from '../support/files.ts'
import { type Answer, type Library, openLibrary, picture } from '../support/harness.ts'
import { addManyFiles } from '../support/many-files.ts'

type User = { id: number; token: string }

let library: Library
let root: User
let ann: User
let bob: User
/** Bob's, hidden from Ann; the first thousand are on her first file. */
let many: { rid: number; id: string }[]
let extra: { id: string }
let full: string
let empty: string
before(async () => {
  library = await openLibrary()
  root = await library.join('Root', { is_admin: true })
  ann = await library.join('Ann', { can_create: true })
  bob = await library.join('Bob', { can_create: true })
  many = makeTags(1200, bob.id)
  extra = await addTag(library, ann.token, 'extra', { is_public: true })
})
after(() => library.close())
beforeEach(() => {
  const { db } = library.deps
  db.run('DELETE FROM files')
  db.run('DELETE FROM tag_rules')
  ;[full, empty] = write(db, { now: 0 }, () => {
    const made = addManyFiles(db, 2, { owner: ann.id })
    putOn(made[0]!, 0, 1000)
    return made
  }) as [string, string]
})

const hex = (id: string) => id.replaceAll('-', '')

/** Makes tags without a request for each. */
function makeTags(count: number, creator: number) {
  const { db } = library.deps
  db.run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO tags (id, name, name_key, creator_id, is_public)
     SELECT unhex('018bcfe5680070008' || printf('%03x%012x', u.id, i)),
     'many ' || u.id || ' ' || i, 'many', u.id, 0 FROM n CROSS JOIN users u WHERE u.id = ?`,
    count,
    creator,
  )
  return db
    .all<{ rid: number; id: string }>(
      'SELECT rid, lower(hex(id)) AS id FROM tags WHERE creator_id = ? ORDER BY rid DESC LIMIT ?',
      creator,
      count,
    )
    .map(({ rid, id }) => ({
      rid,
      id: id.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    }))
}

function putOn(file: string, from: number, to: number): void {
  library.deps.db.run(
    `INSERT INTO file_tags (file_rid, tag_rid)
     SELECT f.rid, j.value FROM files f, json_each(?) j WHERE lower(hex(f.id)) = ?`,
    JSON.stringify(many.slice(from, to).map((tag) => tag.rid)),
    hex(file),
  )
}

const tagCount = (file: string) =>
  library.deps.db.get<{ n: number }>(
    `SELECT count(*) AS n FROM file_tags JOIN files ON rid = file_rid WHERE lower(hex(id)) = ?`,
    hex(file),
  )!.n

/** Expects a 409 that names the limit, and that nothing has changed. */
async function assertRefused(request: () => Promise<Answer>, limit: RegExp): Promise<void> {
  const before = inventory(library)
  const answer = await request()
  assertError(answer, 409, 'conflict')
  assert.match(answer.body.message, limit)
  assert.deepEqual(inventory(library), before)
}

describe('a file that carries 1,000 tags', () => {
  const put = (file: string, tag: string, user = ann) =>
    library.call('PUT', `/files/${file}/tags/${tag}`, user)
  const replace = (tag_ids: string[], user = ann) =>
    library.call('PUT', `/files/${full}/tags`, { token: user.token, body: { tag_ids } })
  const bulk = (action: 'add' | 'remove', file_ids: string[], tag_ids: string[], user = ann) =>
    library.call('POST', '/files/bulk/tags', {
      token: user.token,
      body: { action, file_ids, tag_ids },
    })

  it('gets no more, hidden ones counted, one by one and in bulk', async () => {
    await assertRefused(() => put(full, extra.id), /1000/)
    await assertRefused(() => replace([extra.id]), /1000/)
    await assertRefused(() => bulk('add', [empty, full], [extra.id]), /1000/)
    assert.deepEqual([tagCount(full), tagCount(empty)], [1000, 0])
  })

  it('may have some replaced, and lose some', async () => {
    const all = many.slice(0, 999).map((tag) => tag.id)
    assert.equal((await replace([...all, extra.id], root)).status, 200)
    assert.equal((await bulk('remove', [full], [extra.id])).status, 200)
    assert.equal((await put(full, extra.id)).status, 200)
    assert.equal(tagCount(full), 1000)
  })

  it('with more of them from before keeps them, and may be given what it has', async () => {
    putOn(full, 1000, 1200)
    assert.equal((await put(full, many[0]!.id, root)).status, 200)
    assert.equal((await bulk('add', [empty, full], [many[0]!.id], root)).status, 200)
    await assertRefused(() => put(full, extra.id), /1000/)
    assert.equal((await bulk('remove', [full], [many[0]!.id], root)).status, 200)
    assert.deepEqual([tagCount(full), tagCount(empty)], [1199, 1])
  })

  it('is not uploaded with one more that follows', async () => {
    const body = { then_tag_id: extra.id, apply_to_existing: false }
    await library.call('POST', `/tags/${many[0]!.id}/rules`, { token: root.token, body })
    const all = many.slice(0, 1000).map((tag) => tag.id)
    const bytes = await picture()
    const upload = (ids: string[]) =>
      library.upload(root.token, bytes, 'a.jpg', { tag_ids: ids.join(',') })
    await assertRefused(() => upload(all), /1000/)
    assert.equal((await upload(all.slice(0, 999))).status, 201)
  })

  it('gets none from the file that it survives', async () => {
    await put(empty, extra.id)
    const body = { keep: full, discard: empty, fields: { tags: 'both' } }
    const resolve = () =>
      library.call('POST', '/files/duplicates/resolve', { token: ann.token, body })
    await assertRefused(resolve, /1000/)
  })

  it('gets none back by an undo', async () => {
    await put(empty, extra.id)
    putOn(full, 1000, 1001)
    library.deps.db.run('DELETE FROM file_tags WHERE tag_rid = ?', many[0]!.rid)
    const had = many.slice(1, 3).map((tag) => tag.id)
    const removed = await bulk('remove', [full], had, root)
    await bulk('add', [full], [extra.id])
    const undo = async (answer: Answer, user: User) => {
      const operation = answer.headers.get('Operation')
      return (await library.call('POST', `/operations/${operation}/undo`, user)).body
    }
    const kept = (object_type: string, object_id: string) => [
      { object_type, object_id, reason: 'conflict' },
    ]
    const undone = await undo(removed, root)
    assert.deepEqual([undone.undone, undone.kept], [0, kept('file', full)])
    const deleted = await library.call('DELETE', `/tags/${extra.id}`, ann)
    putOn(full, 1, 3)
    const restored = await undo(deleted, ann)
    assert.deepEqual([restored.undone, restored.kept], [1, kept('tag', extra.id)])
    assert.deepEqual([tagCount(full), tagCount(empty)], [1000, 1])
  })
})

describe('a user who has made 10,000 tags', () => {
  it('makes no more, unless they are an admin, and gets none back by an undo', async () => {
    const cat = await library.join('Cat', { can_create: true })
    const [, last] = makeTags(10_000, cat.id)
    const make = (name: string) =>
      library.call('POST', '/tags', { token: cat.token, body: { name } })
    await assertRefused(() => make('one more'), /10000/)
    const deleted = await library.call('DELETE', `/tags/${last!.id}`, cat)
    assert.equal((await make('one more')).status, 201)
    const operation = deleted.headers.get('Operation')
    const undone = await library.call('POST', `/operations/${operation}/undo`, cat)
    assert.deepEqual(undone.body.kept, [
      { object_type: 'tag', object_id: last!.id, reason: 'conflict' },
    ])
    library.deps.db.run('UPDATE users SET is_admin = 1 WHERE id = ?', cat.id)
    assert.equal((await make('as an admin')).status, 201)
    library.deps.db.run('DELETE FROM tags WHERE creator_id = ?', cat.id)
  })
})

describe('a tag from which 200 follow', () => {
  const rules = (when: string, method = 'POST', body: object = {}, then = '') =>
    library.call(method, `/tags/${when}/rules${then}`, { token: root.token, body })
  const addRule = (when: number, then: number, fields: object = {}) =>
    rules(many[when]!.id, 'POST', { then_tag_id: many[then]!.id, ...fields })
  const insert = (pairs: [number, number][]) =>
    library.deps.db.run(
      'INSERT INTO tag_rules SELECT value ->> 0, value ->> 1, 1 FROM json_each(?)',
      JSON.stringify(pairs.map(([when, then]) => [many[when]!.rid, many[then]!.rid])),
    )
  const range = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => from + index)

  it('gets no rule that makes it more, and may have one that is off', async () => {
    insert(range(1, 200).map((then) => [0, then]))
    assert.equal((await addRule(0, 200)).status, 201)
    await assertRefused(() => addRule(0, 201), /200 .* 201/)
    assert.equal((await addRule(0, 201, { is_active: false })).status, 201)
    const on = () => rules(many[0]!.id, 'PATCH', { is_active: true }, `/${many[201]!.id}`)
    await assertRefused(on, /200 .* 201/)
    // What follows already may follow in another way, and in a circle.
    assert.equal((await addRule(1, 200)).status, 201)
    assert.equal((await addRule(200, 0)).status, 201)
  })

  it('is looked for among all that lead to the rule', async () => {
    insert([[1100, 1101], [1101, 0], ...range(1, 100).map((n): [number, number] => [n - 1, n])])
    insert(range(301, 400).map((n) => [n - 1, n]))
    // From the first one 101 follow, and the rule brings 100.
    await assertRefused(() => addRule(99, 300), /200 .* 201/)
    assert.equal((await addRule(99, 301)).status, 201)
  })

  it('goes on with more of them from before', async () => {
    insert(range(1, 300).map((then) => [0, then]))
    assert.equal((await addRule(5, 6)).status, 201)
    await assertRefused(() => addRule(5, 300), /200 .* 300/)
    const removed = await rules(many[0]!.id, 'DELETE', {}, `/${many[299]!.id}`)
    const operation = removed.headers.get('Operation')
    const undone = await library.call('POST', `/operations/${operation}/undo`, root)
    const object_id = many[0]!.id
    assert.deepEqual(undone.body.kept, [{ object_type: 'tag', object_id, reason: 'conflict' }])
    const { status } = await library.call('PUT', `/files/${empty}/tags/${many[0]!.id}`, root)
    assert.deepEqual([status, tagCount(empty)], [200, 299])
  })
})
