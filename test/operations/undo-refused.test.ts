import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { write } from '../../src/db/write.ts'
import { type Answer, form, picture } from '../support/harness.ts'
import { addManyFiles } from '../support/many-files.ts'
import { allow, ridOf } from '../support/object-rows.ts'
import {
  CATEGORY,
  file,
  files,
  kept as is,
  operationOf,
  POOL,
  reset,
  TAG,
  type User,
  useUndoing,
} from '../support/undo/undoing.ts'

/** More numbers than the lists of one entry may have, whatever they are. */
const TOO_MANY = 49_153

const undoing = useUndoing()

const ask = (method: string, path: string, body?: unknown, by?: User) =>
  undoing.ask(method, path, body, by)
const tagged = (body: object, by?: User) => ask('POST', '/files/bulk/tags', body, by)

/** Undoes what was done, of which nothing must come back. */
async function assertKept(
  act: () => Promise<Answer>,
  since: () => unknown,
  { kept, by = undoing.ann }: { kept: unknown; by?: User },
): Promise<void> {
  const operation = operationOf(await act())
  await since()
  const state = await undoing.state()
  const result = await undoing.undone(operation, by)
  assert.deepEqual([result.undone, result.kept, result.kept_total], [0, [kept], 1])
  assert.deepEqual(result.actions, [])
  assert.deepEqual(await undoing.state(), state)
}

describe('what the caller may not edit any more is kept: forbidden', () => {
  const disallow = (id: string, type: 'file' | 'tag' | 'category' | 'pool') =>
    undoing.db.run(
      'DELETE FROM acl WHERE object_type = ? AND object_rid = ?',
      type,
      ridOf(undoing.db, type, id),
    )
  const rows: {
    what: string
    type: 'file' | 'tag' | 'category' | 'pool'
    id: string
    act: (by: User) => Promise<Answer>
  }[] = [
    {
      what: 'fields of a file',
      type: 'file',
      id: file(1),
      act: (by) => ask('PATCH', `/files/${file(1)}`, { notes: 'n' }, by),
    },
    {
      what: 'the trash',
      type: 'file',
      id: file(1),
      act: (by) => ask('DELETE', `/files/${file(1)}`, undefined, by),
    },
    {
      what: 'tags that were put on',
      type: 'file',
      id: file(8),
      act: (by) => tagged({ ...files(8), action: 'add', tag_ids: [TAG.sea] }, by),
    },
    {
      what: 'tags that were taken off',
      type: 'file',
      id: file(1),
      act: (by) => tagged({ ...files(1), action: 'remove', tag_ids: [TAG.sea] }, by),
    },
    {
      what: 'fields of a tag',
      type: 'tag',
      id: TAG.sun,
      act: (by) => ask('PATCH', `/tags/${TAG.sun}`, { notes: 'n' }, by),
    },
    {
      what: 'a rule',
      type: 'tag',
      id: TAG.sun,
      act: (by) => ask('DELETE', `/tags/${TAG.sun}/rules/${TAG.sea}`, undefined, by),
    },
    {
      what: 'fields of a category',
      type: 'category',
      id: CATEGORY.people,
      act: (by) => ask('PATCH', `/categories/${CATEGORY.people}`, { notes: 'n' }, by),
    },
    {
      what: 'fields of a pool',
      type: 'pool',
      id: POOL.box,
      act: (by) => ask('PATCH', `/pools/${POOL.box}`, { notes: 'n' }, by),
    },
    {
      what: 'files of a pool',
      type: 'pool',
      id: POOL.box,
      act: (by) => ask('POST', `/pools/${POOL.box}/files`, files(9), by),
    },
  ]
  for (const { what, type, id, act } of rows) {
    it(what, async () => {
      const { db, ben } = undoing
      db.run('DELETE FROM acl')
      allow(db, ben.id, type, id, 'edit')
      const since = () => {
        disallow(id, type)
        allow(db, ben.id, type, id, 'view')
      }
      await assertKept(() => act(ben), since, { kept: is(type, id, 'forbidden'), by: ben })
    })
  }

  it('as one, and without an id, what they may not even view', async () => {
    const { db, ben } = undoing
    for (const n of [4, 5, 8]) allow(db, ben.id, 'file', file(n), 'edit')
    const answer = await tagged({ ...files(4, 5, 8), action: 'add', tag_ids: [TAG.sea] }, ben)
    for (const n of [5, 8]) disallow(file(n), 'file')
    const { undone, kept, kept_total } = await undoing.undone(operationOf(answer), ben)
    const hidden = { object_type: 'file', object_id: null, reason: 'forbidden' }
    assert.deepEqual([undone, kept, kept_total], [1, [hidden], 1])
  })

  it('one file of several, while the others are taken back', async () => {
    const { db, ben } = undoing
    for (const n of [4, 5, 8]) allow(db, ben.id, 'file', file(n), 'edit')
    const answer = await tagged({ ...files(4, 5, 8), action: 'add', tag_ids: [TAG.sea] }, ben)
    disallow(file(5), 'file')
    allow(db, ben.id, 'file', file(5))
    const { undone, kept } = await undoing.undone(operationOf(answer), ben)
    assert.deepEqual([undone, kept], [2, [is('file', file(5), 'forbidden')]])
    const sea = ridOf(db, 'tag', TAG.sea)
    const left = db.all(
      'SELECT f.id FROM file_tags JOIN files f ON rid = file_rid WHERE tag_rid = ?',
      sea,
    )
    assert.equal(left.length, 2)
  })
})

describe('what the library does not allow any more is kept: conflict', () => {
  it('a name that another one has now', async () => {
    for (const [type, id, path] of [
      ['tag', TAG.sand, 'tags'],
      ['category', CATEGORY.people, 'categories'],
    ] as const) {
      for (const act of [
        () => ask('DELETE', `/${path}/${id}`),
        () => ask('PATCH', `/${path}/${id}`, { name: 'renamed' }),
      ]) {
        reset(undoing)
        const { name } = (await ask('GET', `/${path}?search=${type === 'tag' ? 'sand' : 'people'}`))
          .body.items[0]
        const since = () => ask('POST', `/${path}`, { name })
        await assertKept(act, since, { kept: is(type, id, 'conflict') })
      }
    }
  })

  it('what needs another object that is gone, while its own is not', async () => {
    const rules = `/tags/${TAG.sand}/rules`
    for (const [id, act, since] of [
      [
        TAG.sun,
        () => ask('PATCH', `/tags/${TAG.sun}`, { category_id: null }),
        () => ask('DELETE', `/categories/${CATEGORY.places}`),
      ],
      [
        TAG.sand,
        () => ask('POST', rules, { then_tag_id: TAG.beach, apply_to_existing: false }),
        () => ask('DELETE', `/tags/${TAG.beach}`),
      ],
    ] as const) {
      reset(undoing)
      const operation = operationOf(await act())
      await since()
      const { undone, kept } = await undoing.undone(operation)
      assert.deepEqual([undone, kept.length, kept[0]?.object_id], [0, 1, id])
      assert.notEqual(kept[0]?.reason, 'gone', `the tag ${id} is there`)
    }
  })
})

describe('what is never taken back is kept: not_undoable', () => {
  it('a new content', async () => {
    const { ann, library } = undoing
    const { id } = (await library.upload(ann.token, await picture(1))).body
    const bytes = await picture(2)
    const act = () => ask('PUT', `/files/${id}/content`, form(bytes, 'b.jpg'))
    await assertKept(act, () => {}, { kept: is('file', id, 'not_undoable') })
  })

  it('a deletion for good', () => {
    const act = () => ask('DELETE', `/files/${file(7)}/permanent`, undefined, undoing.root)
    const kept = is('file', file(7), 'not_undoable')
    return assertKept(act, () => {}, { kept, by: undoing.root })
  })

  it('who may see and edit something', () => {
    const permissions = [{ user_id: undoing.ben.id, can_edit: true }]
    const act = () => ask('PUT', `/acl/pool/${POOL.box}`, { permissions })
    return assertKept(act, () => {}, { kept: is('pool', POOL.box, 'not_undoable') })
  })

  it('what is done to accounts', () => {
    const { root, ben } = undoing
    const act = () => ask('PATCH', `/users/${ben.id}`, { can_create: true }, root)
    return assertKept(act, () => {}, { kept: is(null, null, 'not_undoable'), by: root })
  })
})

describe('what was too much to keep is not made again: incomplete', () => {
  it('a tag, a category and a pool', async () => {
    const { db, ann } = undoing
    const [tag, pool, category] = [
      ridOf(db, 'tag', TAG.sand),
      ridOf(db, 'pool', POOL.box),
      ridOf(db, 'category', CATEGORY.people),
    ]
    write(db, { now: 0 }, () => {
      const { last } = db.get<{ last: number }>('SELECT max(rid) AS last FROM files')!
      addManyFiles(db, TOO_MANY, { owner: ann.id, tags: [tag] })
      db.run('INSERT INTO pool_files SELECT ?, rid, rid << 20 FROM files WHERE rid > ?', pool, last)
      db.run(
        `INSERT INTO tags (id, name, name_key, category_rid, creator_id, is_public)
         SELECT randomblob(16), 'tag ' || rid, 'tag ' || rid, ?, creator_id, 0
         FROM files WHERE rid > ?`,
        category,
        last,
      )
    })
    for (const [type, id, path] of [
      ['tag', TAG.sand, 'tags'],
      ['category', CATEGORY.people, 'categories'],
      ['pool', POOL.box, 'pools'],
    ] as const) {
      const operation = operationOf(await ask('DELETE', `/${path}/${id}`))
      const { undone, kept } = await undoing.undone(operation)
      assert.deepEqual([undone, kept], [0, [is(type, id, 'incomplete')]])
      assert.equal((await undoing.library.call('GET', `/${path}/${id}`, ann)).status, 404)
    }
  })

  it('but a tag of nearly as many files is, and files know at once that they carry it', async () => {
    const { db, ann } = undoing
    write(db, { now: 0 }, () =>
      addManyFiles(db, 40_000, { owner: ann.id, tags: [ridOf(db, 'tag', TAG.sand)] }),
    )
    const filter = `/files?limit=3&filter=${encodeURIComponent(`{t=${TAG.sand}}`)}`
    const first = (await ask('GET', filter)).body
    const operation = operationOf(await ask('DELETE', `/tags/${TAG.sand}`))
    assert.deepEqual((await ask('GET', filter)).body.items, [])
    const { undone, kept } = await undoing.undone(operation)
    assert.deepEqual([undone, kept], [1, []])
    assert.deepEqual((await ask('GET', filter)).body, first)
  })
})
