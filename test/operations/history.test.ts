import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addTag, assertError, grant } from '../support/files.ts'
import { form, type Library, openLibrary, picture } from '../support/harness.ts'

type User = { id: number; token: string }
type Item = {
  id: number
  action: string
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it expects in there
  details: any
  operation: number
  performed_at: string
}

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

const call = (user: User, method: string, path: string, body?: unknown) =>
  library.call(method, path, { token: user.token, body })
const upload = async (name = 'a.jpg', fields = {}) =>
  (await library.upload(ann.token, await picture(), name, fields)).body.id as string
const history = async (user: User, file: string, query = '') => {
  const answer = await call(user, 'GET', `/files/${file}/history${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body as { items: Item[]; next_cursor: string | null }
}
const told = async (user: User, file: string) =>
  (await history(user, file)).items.map(({ action, details }) => [action, details])

describe('the history of a file', () => {
  it('tells what was done to it, by whom and when, newest first', async () => {
    const file = await upload()
    const other = await upload()
    await call(ann, 'PATCH', `/files/${other}`, { notes: 'of another one' })
    library.time.now += 60_000
    const edited = await call(ann, 'PATCH', `/files/${file}`, { notes: 'n' })
    library.time.now += 60_000
    await call(root, 'POST', '/files/bulk/delete', { file_ids: [file, other] })
    const { items, next_cursor } = await history(ann, file)
    assert.deepEqual(
      items.map((item) => item.action),
      ['file_delete', 'file_edit', 'file_create'],
    )
    assert.equal(next_cursor, null)
    const { id, ...edit } = items[1]!
    assert.deepEqual(
      items.map((item) => Math.floor(item.id / 1000)),
      items.map((item) => Date.parse(item.performed_at)),
    )
    assert.deepEqual(edit, {
      action: 'file_edit',
      user_id: ann.id,
      user_name: 'Ann',
      details: { changes: { notes: { from: null, to: 'n' } } },
      performed_at: new Date(library.time.now - 60_000).toISOString(),
      operation: Number(edited.headers.get('Operation')),
    })
  })

  it('is read by page, and goes on where it ended though more is done meanwhile', async () => {
    const file = await upload()
    const other = await upload()
    for (let n = 0; n < 6; n++) {
      await call(ann, 'PATCH', `/files/${file}`, { notes: `${n}` })
      await call(root, 'PATCH', `/files/${other}`, { notes: `${n}` })
    }
    const notes: unknown[] = []
    const ids: number[] = []
    let cursor = ''
    for (let page = 0; page < 4; page++) {
      const { items, next_cursor } = await history(ann, file, `?limit=2${cursor}`)
      notes.push(...items.map((item) => item.details.changes?.notes.to))
      ids.push(...items.map(({ id }) => id))
      assert.equal(next_cursor === null, page === 3)
      cursor = `&cursor=${next_cursor}`
      await call(ann, 'PATCH', `/files/${file}`, { notes: `later ${page}` })
    }
    assert.deepEqual(notes, ['5', '4', '3', '2', '1', '0', undefined])
    // All of one moment, of which they tell the rank, and not what others have done meanwhile.
    const first = ids.at(-1)!
    assert.deepEqual(
      ids.map((id) => id - first),
      [6, 5, 4, 3, 2, 1, 0],
    )
  })

  it('is without tags and pools that the viewer may not view', async () => {
    const seen = await addTag(library, ann.token, 'seen', { is_public: true })
    const hidden = await addTag(library, ann.token, 'hidden')
    const [keep, discard] = [await upload(), await upload()]
    const open = (await call(ann, 'POST', '/pools', { name: 'open', is_public: true })).body.id
    const closed = (await call(ann, 'POST', '/pools', { name: 'closed' })).body.id
    for (const pool of [open, closed]) {
      await call(ann, 'POST', `/pools/${pool}/files`, { file_ids: [discard] })
    }
    const both = [seen.id, hidden.id]
    const tagged = await upload('b.jpg', { tag_ids: both.join(',') })
    await call(ann, 'PUT', `/files/${keep}/tags/${hidden.id}`)
    await call(ann, 'DELETE', `/files/${keep}/tags/${hidden.id}`)
    await call(ann, 'PUT', `/files/${keep}/tags`, { tag_ids: both })
    await call(ann, 'PUT', `/files/${keep}/tags`, { tag_ids: [] })
    await call(ann, 'PUT', `/files/${discard}/tags`, { tag_ids: both })
    const resolved = { keep, discard, fields: { tags: 'both', pools: 'both' } }
    await call(ann, 'POST', '/files/duplicates/resolve', resolved)
    for (const file of [keep, tagged]) grant(library, bob.id, 'file', file)

    const merge = { fields: [], tag_ids: [seen.id], by_rule: [] }
    const some = await told(bob, keep)
    assert.deepEqual(some.slice(0, -1), [
      ['file_merge', { ...merge, pools_joined: 1, pool_ids: [open] }],
      ['file_tag_remove', { tag_ids: [seen.id], by_rule: [] }],
      ['file_tag_add', { tag_ids: [seen.id], by_rule: [] }],
    ])
    assert.deepEqual(await told(bob, tagged), [['file_create', { tag_ids: [seen.id] }]])
    const all = await told(ann, keep)
    assert.equal(all.length, 6)
    const { tag_ids, pool_ids, ...rest } = all[0]![1] as { tag_ids: string[]; pool_ids: string[] }
    assert.deepEqual(rest, {
      ...{ discard, delete_discarded: true, changes: {} },
      ...{ by_rule: [], named: [], pools_joined: 2 },
    })
    assert.deepEqual([tag_ids.sort(), pool_ids.sort()], [both.sort(), [open, closed].sort()])
    assert.deepEqual(await told(root, keep), all)
    assert.doesNotMatch(JSON.stringify(some), new RegExp(`${hidden.id}|${closed}|${discard}`))
  })

  it('tells who may view the file to its creator and admins alone', async () => {
    const file = await upload()
    const permissions = [{ user_id: bob.id }, { user_id: cat.id, can_edit: true }]
    await call(ann, 'PUT', `/acl/file/${file}`, { permissions })
    const actions = async (user: User) => (await told(user, file)).map(([action]) => action)
    for (const user of [ann, root]) {
      assert.deepEqual(await actions(user), ['acl_change', 'file_create'])
    }
    for (const user of [bob, cat]) assert.deepEqual(await actions(user), ['file_create'])
  })

  it('tells former values to those who may edit the file, and to others what changed', async () => {
    const file = await upload()
    grant(library, bob.id, 'file', file)
    grant(library, cat.id, 'file', file, 'edit')
    await call(ann, 'PATCH', `/files/${file}`, { notes: 'for us alone', original_name: 'old.jpg' })
    await call(ann, 'PATCH', `/files/${file}`, { notes: null, original_name: 'new.jpg' })
    await call(ann, 'PUT', `/files/${file}/content`, form(await picture(), 'newer.jpg'))
    await call(ann, 'POST', '/files/bulk/review', { file_ids: [file], needs_review: false })
    await call(ann, 'DELETE', `/files/${file}`)
    const fields = ['original_name', 'notes']
    assert.deepEqual(await told(bob, file), [
      ['file_delete', {}],
      ['file_review', { needs_review: { from: true, to: false } }],
      ['file_replace', {}],
      ['file_edit', { fields }],
      ['file_edit', { fields }],
      ['file_create', { tag_ids: [] }],
    ])
    assert.deepEqual(await told(cat, file), await told(root, file))
    assert.match(JSON.stringify(await told(cat, file)), /for us alone/)
  })

  it('ends a page after many entries that the viewer is not shown, and goes on', async () => {
    const file = await upload()
    grant(library, bob.id, 'file', file)
    const hidden = await addTag(library, ann.token, 'hidden for long')
    const { db } = library.deps
    db.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
       INSERT INTO audit_log (user_id, user_name, action, object_type, object_id, details, performed_at)
       SELECT 2, 'Ann', 'file_tag_add', 'file', unhex(?), ?, ? + i FROM n`,
      file.replaceAll('-', ''),
      JSON.stringify({ tag_ids: [hidden.id] }),
      library.time.now,
    )
    let pages = 0
    let cursor: string | null = ''
    const items: Item[] = []
    for (; cursor !== null; pages++) {
      const page = await history(bob, file, `?limit=200${cursor && `&cursor=${cursor}`}`)
      items.push(...page.items)
      cursor = page.next_cursor
    }
    assert.equal(pages, 3)
    assert.deepEqual(
      items.map((item) => item.action),
      ['file_create'],
    )
  })

  it('reads entries that were written before operations had numbers', async () => {
    const file = await upload()
    library.deps.db.run(
      `INSERT INTO audit_log (user_id, user_name, action, object_type, object_id, details, performed_at)
       VALUES (2, 'Ann', 'file_merge', 'file', unhex(?), ?, 0), (2, 'Ann', 'file_restore', 'file', unhex(?), NULL, 1)`,
      file.replaceAll('-', ''),
      JSON.stringify({ discard: file, changes: {}, tag_ids: [], pools_joined: 3 }),
      file.replaceAll('-', ''),
    )
    grant(library, bob.id, 'file', file)
    const { items } = await history(bob, file)
    assert.deepEqual(
      items.slice(1).map(({ operation, details }) => [operation, details]),
      [
        [null, {}],
        [null, { discard: file, fields: [], tag_ids: [], pool_ids: [], pools_joined: 0 }],
      ],
    )
  })

  it('is for those who may view the file, with a cursor of its own', async () => {
    const [file, other] = [await upload(), await upload()]
    const path = `/files/${file}/history`
    assertError(await call(cat, 'GET', path), 403, 'forbidden')
    assertError(await library.call('GET', path), 401, 'unauthorized')
    const unknown = path.replace(file, '018bcfe5-6800-7000-8000-000000000000')
    assertError(await call(ann, 'GET', unknown), 404, 'not_found')
    library.time.now += 1000
    await call(ann, 'PATCH', `/files/${other}`, { notes: 'n' })
    const [entry] = (await history(ann, other)).items
    for (const cursor of [entry!.id, 0, 'x', -1]) {
      const answer = await call(ann, 'GET', `${path}?cursor=${cursor}`)
      assertError(answer, 400, 'validation_error', ['cursor'])
    }
    assertError(await call(ann, 'GET', `${path}?limit=201`), 400, 'validation_error', ['limit'])
  })
})
