import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Answer, picture } from '../support/harness.ts'
import { allow } from '../support/object-rows.ts'
import {
  CATEGORY,
  file,
  files,
  kept as is,
  operationOf,
  POOL,
  TAG,
  type User,
  useUndoing,
} from '../support/undo/undoing.ts'

const undoing = useUndoing()

const ask = (method: string, path: string, body?: unknown, by?: User) =>
  undoing.ask(method, path, body, by)
const get = async (path: string) => (await ask('GET', path)).body
const inBulk = (action: 'add' | 'remove', numbers: number[], tag_ids: string[]) =>
  ask('POST', '/files/bulk/tags', { ...files(...numbers), action, tag_ids })
const purge = (n: number) => ask('DELETE', `/files/${file(n)}/permanent`, undefined, undoing.root)

/** Undoes what was done, after something else, and returns what became of it. */
async function undoneAfter(
  act: () => Promise<Answer>,
  since: () => unknown,
  by = undoing.ann,
): Promise<{ undone: number; kept: unknown[] }> {
  const operation = operationOf(await act())
  await since()
  const { undone, kept, kept_total } = await undoing.undone(operation, by)
  assert.equal(kept_total, kept.length)
  return { undone, kept }
}

const PATHS: [type: string, id: string, path: string][] = [
  ['file', file(1), `/files/${file(1)}`],
  ['tag', TAG.sand, `/tags/${TAG.sand}`],
  ['category', CATEGORY.people, `/categories/${CATEGORY.people}`],
  ['pool', POOL.box, `/pools/${POOL.box}`],
]

describe('fields that have changed since stay, and the others are taken back', () => {
  for (const [type, id, path] of PATHS) {
    it(`of a ${type}`, async () => {
      const patch = (body: object) => ask('PATCH', path, body)
      const former = await get(path)
      const both = () => patch({ notes: 'first', is_public: true })

      const partly = await undoneAfter(both, () => patch({ notes: 'second' }))
      assert.deepEqual(partly, { undone: 1, kept: [is(type, id, 'changed')] })
      assert.deepEqual(await get(path), { ...former, notes: 'second' })

      const one = () => patch({ notes: 'third' })
      const none = await undoneAfter(one, () => patch({ notes: 'fourth', is_public: true }))
      assert.deepEqual(none, { undone: 0, kept: [is(type, id, 'changed')] })
      assert.deepEqual(await get(path), { ...former, notes: 'fourth', is_public: true })

      const again = await undoneAfter(one, async () => {
        await patch({ notes: 'fifth' })
        await patch({ notes: 'third' })
      })
      assert.deepEqual(again, { undone: 1, kept: [] })
      assert.equal((await get(path)).notes, 'fourth')
    })
  }
})

describe('what no longer stands as it was left is kept: changed', () => {
  const changed = (n: number) => is('file', file(n), 'changed')
  const rows: {
    what: string
    act: () => Promise<Answer>
    since: () => Promise<unknown>
    undone: number
    kept: unknown[]
  }[] = [
    {
      what: 'a tag that was taken off again',
      act: () => inBulk('add', [4, 5], [TAG.sand]),
      since: () => inBulk('remove', [4], [TAG.sand]),
      undone: 1,
      kept: [changed(4)],
    },
    {
      what: 'one of two tags that was taken off again',
      act: () => inBulk('add', [8], [TAG.sand, TAG.sea]),
      since: () => inBulk('remove', [8], [TAG.sand]),
      undone: 1,
      kept: [changed(8)],
    },
    {
      what: 'a tag that came by a rule and was put on by hand since',
      act: () => inBulk('add', [8], [TAG.sun]),
      since: () => inBulk('add', [8], [TAG.sea]),
      undone: 1,
      kept: [changed(8)],
    },
    {
      what: 'a tag that was put on again',
      act: () => inBulk('remove', [1, 3], [TAG.sun]),
      since: () => inBulk('add', [3], [TAG.sun]),
      undone: 1,
      kept: [changed(3)],
    },
    {
      what: 'a tag that was deleted',
      act: () => inBulk('add', [4], [TAG.sand]),
      since: () => ask('DELETE', `/tags/${TAG.sand}`),
      undone: 0,
      kept: [changed(4)],
    },
    {
      what: 'a file that was taken out of the trash again',
      act: () => ask('POST', '/files/bulk/delete', files(1, 2)),
      since: () => ask('POST', `/files/${file(2)}/restore`),
      undone: 1,
      kept: [changed(2)],
    },
    {
      what: 'a file that is in the trash again',
      act: () => ask('POST', `/files/${file(7)}/restore`),
      since: () => ask('DELETE', `/files/${file(7)}`),
      undone: 0,
      kept: [changed(7)],
    },
    {
      what: 'a review',
      act: () => ask('POST', '/files/bulk/review', { ...files(1, 2), needs_review: false }),
      since: () => ask('POST', '/files/bulk/review', { ...files(1), needs_review: true }),
      undone: 1,
      kept: [changed(1)],
    },
    {
      what: 'a rule that was switched again',
      act: () => ask('PATCH', `/tags/${TAG.sun}/rules/${TAG.sea}`, { is_active: false }),
      since: () => ask('PATCH', `/tags/${TAG.sun}/rules/${TAG.sea}`, { is_active: true }),
      undone: 0,
      kept: [is('tag', TAG.sun, 'changed')],
    },
  ]
  for (const { what, act, since, undone, kept } of rows) {
    it(what, async () => {
      assert.deepEqual(await undoneAfter(act, since), { undone, kept })
    })
  }
})

describe('what is gone for good is kept: gone', () => {
  const gone = (...numbers: number[]) => numbers.map((n) => is('file', file(n), 'gone'))
  const rows: {
    what: string
    act: () => Promise<Answer>
    undone: number
    kept: unknown[]
  }[] = [
    {
      what: 'tags put on',
      act: () => inBulk('add', [4, 7, 8], [TAG.sand]),
      undone: 1,
      kept: gone(7, 8),
    },
    {
      what: 'tags taken off',
      act: () => inBulk('remove', [1, 7], [TAG.sun]),
      undone: 1,
      kept: gone(7),
    },
    {
      what: 'fields',
      act: () => ask('PATCH', `/files/${file(8)}`, { notes: 'n' }),
      undone: 0,
      kept: gone(8),
    },
    {
      what: 'reviews',
      act: () => ask('POST', '/files/bulk/review', { ...files(3, 7, 8), needs_review: false }),
      undone: 1,
      kept: gone(7, 8),
    },
  ]
  for (const { what, act, undone, kept } of rows) {
    it(what, async () => {
      const result = await undoneAfter(act, async () => {
        for (const n of [7, 8]) await purge(n)
      })
      const inOrder = (result.kept as { object_id: string }[]).toSorted((a, b) =>
        a.object_id < b.object_id ? -1 : 1,
      )
      assert.deepEqual({ undone: result.undone, kept: inOrder }, { undone, kept })
    })
  }

  it('but of files of others no more than that some are not allowed', async () => {
    const { ann, db, root } = undoing
    allow(db, ann.id, 'file', file(9), 'edit')
    const edit = () => ask('POST', '/files/bulk/review', { ...files(8, 9), needs_review: false })
    const result = await undoneAfter(edit, async () => {
      await ask('DELETE', `/files/${file(9)}`, undefined, root)
      for (const n of [8, 9]) await purge(n)
    })
    assert.deepEqual(result, {
      undone: 0,
      kept: [is('file', null, 'forbidden'), is('file', file(8), 'gone')],
    })
    const own = await undoneAfter(
      () => ask('PATCH', `/files/${file(3)}`, { notes: 'n' }, root),
      () => ask('DELETE', `/files/${file(3)}`, undefined, root).then(() => purge(3)),
      root,
    )
    assert.deepEqual(own, { undone: 0, kept: [is('file', file(3), 'gone')] })
  })

  it('an upload', async () => {
    const { ann, library, root } = undoing
    let id = ''
    const upload = async () => {
      const answer = await library.upload(ann.token, await picture())
      id = answer.body.id
      return answer
    }
    const result = await undoneAfter(upload, async () => {
      await ask('DELETE', `/files/${id}`)
      await ask('DELETE', `/files/${id}/permanent`, undefined, root)
    })
    assert.deepEqual(result, { undone: 0, kept: [is('file', id, 'gone')] })
  })

  it('what is done to a tag, a category or a pool that was deleted', async () => {
    for (const [type, id, path] of PATHS) {
      if (type === 'file') continue
      const edit = () => ask('PATCH', path, { notes: 'n' })
      const result = await undoneAfter(edit, () => ask('DELETE', path))
      assert.deepEqual(result, { undone: 0, kept: [is(type, id, 'gone')] })
    }
  })
})

describe('a former value that is longer than it may be now', () => {
  it('stays away: conflict', async () => {
    const path = `/categories/${CATEGORY.people}`
    undoing.db.run("UPDATE categories SET notes = ? WHERE name = 'people'", 'x'.repeat(5000))
    const edit = () => ask('PATCH', path, { notes: 'short' })
    const found = await undoneAfter(edit, () => {})
    assert.deepEqual(found, {
      undone: 0,
      kept: [is('category', CATEGORY.people, 'conflict')],
    })
    assert.equal((await get(path)).notes, 'short')
  })
})
