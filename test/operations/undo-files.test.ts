import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, it } from 'node:test'
import { rescanAll } from '../support/duplicates/clusters.ts'
import { assertError } from '../support/files.ts'
import { type Answer, picture } from '../support/harness.ts'
import { putFile, runImport } from '../support/imports.ts'
import { allow, ridOf, storedPool } from '../support/object-rows.ts'
import { file, files, operationOf, POOL, TAG, useUndoing } from '../support/undo/undoing.ts'

const undoing = useUndoing()

const ask = (method: string, path: string, body?: unknown) => undoing.ask(method, path, body)
const FILE = `/files/${file(1)}`
const review = (needs_review: boolean, ...numbers: number[]) =>
  ask('POST', '/files/bulk/review', { ...files(...numbers), needs_review })
const EDITED = {
  original_name: 'Renamed.JPG',
  content_datetime: '0001-01-01T00:00:00.001Z',
  notes: 'new',
  metadata: { a: { b: [1, null] } },
  is_public: true,
}
const EMPTIED = {
  original_name: null,
  content_datetime: '9999-12-31T23:59:59.999Z',
  notes: null,
  metadata: null,
  is_public: false,
}

describe('what is done to files is taken back, and so is that', () => {
  const rows: {
    kind: string
    first?: () => Promise<Answer>
    act: () => Promise<Answer>
    undone: number
    actions: string[]
  }[] = [
    {
      kind: 'all fields, from empty ones',
      act: () => ask('PATCH', FILE, EDITED),
      undone: 1,
      actions: ['file_edit'],
    },
    {
      kind: 'all fields, to empty ones',
      first: () => ask('PATCH', FILE, EDITED),
      act: () => ask('PATCH', FILE, EMPTIED),
      undone: 1,
      actions: ['file_edit'],
    },
    {
      kind: 'the trash',
      act: () => ask('DELETE', FILE),
      undone: 1,
      actions: ['file_restore'],
    },
    {
      kind: 'a restoration',
      act: () => ask('POST', `/files/${file(7)}/restore`),
      undone: 1,
      actions: ['file_delete'],
    },
    {
      kind: 'the trash in bulk, of those that were not there yet',
      act: () => ask('POST', '/files/bulk/delete', files(2, 7, 1, 5)),
      undone: 3,
      actions: ['file_restore', 'file_restore', 'file_restore'],
    },
    {
      kind: 'a review, of those that needed one',
      first: () => review(false, 3),
      act: () => review(false, 1, 3, 8),
      undone: 2,
      actions: ['file_review', 'file_review'],
    },
    {
      kind: 'the need of a review',
      first: () => review(false, 1, 2),
      act: () => review(true, 1, 2, 3),
      undone: 2,
      actions: ['file_review', 'file_review'],
    },
  ]
  for (const { kind, first, act, undone, actions } of rows) {
    it(kind, async () => {
      await first?.()
      await undoing.thereAndBack(act, { undone, actions })
    })
  }
})

describe('what arrived goes to the trash, and comes out of it', () => {
  it('an upload with its tags', async () => {
    const { db } = undoing
    await undoing.thereAndBack(
      async () => {
        const bytes = await picture(1)
        const fields = { tag_ids: TAG.sun, notes: 'n' }
        return undoing.library.upload(undoing.ann.token, bytes, 'new.jpg', fields)
      },
      {
        undone: 1,
        actions: ['file_delete'],
        taken: async () => {
          const newest = 'rid = (SELECT max(rid) FROM files)'
          db.run(`UPDATE files SET is_deleted = 1 WHERE ${newest}`)
          const trashed = await undoing.state()
          db.run(`UPDATE files SET is_deleted = 0 WHERE ${newest}`)
          return trashed
        },
      },
    )
  })

  it('all that one import brought', async () => {
    const { db, library, root } = undoing
    const folder = join(library.folder, 'import')
    mkdirSync(folder, { recursive: true })
    for (const n of [1, 2, 3]) putFile(folder, `imported ${n}.jpg`, await picture(n), n)
    await runImport(library, root.token)
    const { operation } = db.get<{ operation: number }>(
      "SELECT operation FROM audit_log WHERE action = 'file_create' ORDER BY id DESC LIMIT 1",
    )!
    const isTrashed = () =>
      db
        .all<{ is_deleted: number }>(
          "SELECT is_deleted FROM files WHERE original_name LIKE 'imported%'",
        )
        .map((row) => row.is_deleted)
    assert.deepEqual(isTrashed(), [0, 0, 0])
    const first = await undoing.undone(operation, root)
    assert.deepEqual([first.undone, first.kept, isTrashed()], [3, [], [1, 1, 1]])
    const second = await undoing.undone(first.operation, root)
    assert.deepEqual([second.undone, second.kept, isTrashed()], [3, [], [0, 0, 0]])
  })
})

describe('a merge of duplicates is taken back, and that is not', () => {
  /** File 5 is kept: it has another tag than file 1 and is in one pool less. */
  const merge = (body: object) =>
    ask('POST', '/files/duplicates/resolve', { keep: file(5), discard: file(1), ...body })
  const duplicates = async () => (await ask('GET', '/files/duplicates')).body
  const DISCARDED = {
    original_name: 'discard',
    notes: 'discard',
    content_datetime: 'discard',
    is_public: 'discard',
    tags: 'both',
    pools: 'both',
  }
  beforeEach(async () => {
    await ask('PATCH', FILE, { ...EDITED, metadata: { a: 1, both: 1 } })
    await ask('PATCH', `/files/${file(5)}`, { metadata: { both: 5, e: 5 } })
    for (const n of [1, 5]) {
      undoing.db.run('UPDATE files SET phash = 7 WHERE rid = ?', ridOf(undoing.db, 'file', file(n)))
    }
    await rescanAll(undoing.library)
  })

  const rows: { kind: string; body: object; undone: number; actions: string[] }[] = [
    {
      kind: 'with all that the other one has',
      body: { fields: { ...DISCARDED, metadata: 'merge' } },
      undone: 3,
      actions: ['file_edit', 'file_tag_remove', 'file_pool_remove', 'file_restore'],
    },
    {
      kind: 'with the metadata of the other one, which stays',
      body: { fields: { ...DISCARDED, metadata: 'discard' }, delete_discarded: false },
      undone: 2,
      actions: ['file_edit', 'file_tag_remove', 'file_pool_remove'],
    },
    {
      kind: 'with tags only',
      body: { fields: { tags: 'both' }, delete_discarded: false },
      undone: 1,
      actions: ['file_tag_remove'],
    },
    {
      kind: 'with pools only',
      body: { fields: { pools: 'both' }, delete_discarded: false },
      undone: 1,
      actions: ['file_pool_remove'],
    },
    { kind: 'with nothing but the trash', body: {}, undone: 1, actions: ['file_restore'] },
  ]
  for (const { kind, body, undone, actions } of rows) {
    it(kind, async () => {
      const pairs = await duplicates()
      assert.equal(pairs.total, 1)
      await undoing.thereAndBack(() => merge(body), { undone, actions, isMerge: true })
      assert.deepEqual(await duplicates(), pairs)
    })
  }

  it('with a tag by hand that the kept one has by a rule', async () => {
    const { db } = undoing
    const rids = [ridOf(db, 'file', file(5)), ridOf(db, 'tag', TAG.sun)]
    db.run('INSERT INTO file_tags (file_rid, tag_rid, by_hand) VALUES (?, ?, 0)', ...rids)
    await undoing.thereAndBack(() => merge({ fields: { tags: 'both' }, delete_discarded: false }), {
      undone: 1,
      actions: ['file_tag_remove', 'file_tag_replace'],
      isMerge: true,
    })
  })

  it('out of the pool that the caller may not know of, without a word', async () => {
    const { db, ben, library } = undoing
    for (const n of [1, 5]) allow(db, ben.id, 'file', file(n), 'edit')
    const mergeAsBen = async (fields: object, delete_discarded: boolean) => {
      const body = { keep: file(5), discard: file(1), fields, delete_discarded }
      const path = '/files/duplicates/resolve'
      return operationOf(await library.call('POST', path, { ...ben, body }))
    }
    for (const [fields, isTrashed, count] of [
      [{ ...DISCARDED, metadata: 'merge' }, true, 2],
      [{ pools: 'both' }, false, 0],
    ] as const) {
      const apart = await undoing.state()
      const operation = await mergeAsBen(fields, isTrashed)
      assert.ok(storedPool(db, POOL.box).some(([id]) => id === file(5)))
      const { body } = await undoing.undo(operation, ben)
      assert.deepEqual([body.undone, body.kept], [count, []])
      assert.deepEqual(await undoing.state(), apart)
      for (const again of [operation, body.operation]) {
        assertError(await undoing.undo(again, ben), 409, 'conflict')
      }
    }
  })
})
