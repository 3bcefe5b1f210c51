import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Answer } from '../support/harness.ts'
import { storedPool } from '../support/object-rows.ts'
import { file, files, operationOf, POOL, useUndoing } from '../support/undo/undoing.ts'

const undoing = useUndoing()

const ask = (method: string, path: string, body?: unknown) => undoing.ask(method, path, body)
const TRIP = `/pools/${POOL.trip}`
const FIELDS = { name: 'all new', notes: 'n', metadata: { z: 1, a: [{}] }, is_public: true }
const add = (numbers: number[], position?: number) =>
  ask('POST', `${TRIP}/files`, { ...files(...numbers), position })
const remove = (numbers: number[]) => ask('POST', `${TRIP}/files/remove`, files(...numbers))
const reorder = (numbers: number[]) => ask('PUT', `${TRIP}/files/reorder`, files(...numbers))
const purge = (n: number) =>
  undoing.ask('DELETE', `/files/${file(n)}/permanent`, undefined, undoing.root)

/** The numbers of the files of the pool, which begins as 3, 1, 9, 7, 2, 6, 5: 9 is Ben's, and 7 in the trash. */
function held(): number[] {
  const stored = storedPool(undoing.db, POOL.trip)
  assert.deepEqual(
    stored.map(([, position]) => position),
    stored.map((_, index) => index),
  )
  return stored.map(([id]) => [1, 2, 3, 4, 5, 6, 7, 8, 9].find((n) => file(n) === id)!)
}

describe('pools come and go, and what is in them', () => {
  const rows: { kind: string; act: () => Promise<Answer>; actions: string[] }[] = [
    {
      kind: 'a new pool',
      act: () => ask('POST', '/pools', FIELDS),
      actions: ['pool_delete'],
    },
    {
      kind: 'all fields of a pool',
      act: () => ask('PATCH', TRIP, { ...FIELDS, sort_key: 'original_name', sort_order: 'desc' }),
      actions: ['pool_edit'],
    },
    {
      kind: 'emptied fields of a pool',
      act: () => ask('PATCH', TRIP, { notes: null, metadata: null }),
      actions: ['pool_edit'],
    },
    {
      kind: 'a deleted pool with its files in their order, hidden ones too, and its rights',
      act: () => ask('DELETE', TRIP),
      actions: ['pool_create'],
    },
    { kind: 'files at the end', act: () => add([8, 4]), actions: ['file_pool_remove'] },
    { kind: 'files at a position', act: () => add([8, 4], 2), actions: ['file_pool_remove'] },
    {
      kind: 'files in front, of which it has one',
      act: () => add([4, 6, 8], 0),
      actions: ['file_pool_remove'],
    },
    { kind: 'one file that is removed', act: () => remove([7]), actions: ['file_pool_add'] },
    {
      kind: 'scattered files that are removed, the first and the last, too',
      act: () => remove([5, 3, 7, 2]),
      actions: ['file_pool_add'],
    },
    {
      kind: 'all that Ann sees, which is removed',
      act: () => remove([1, 2, 3, 5, 6, 7]),
      actions: ['file_pool_add'],
    },
    { kind: 'a file to the front', act: () => reorder([5]), actions: ['file_pool_reorder'] },
    {
      kind: 'two files that change places',
      act: () => reorder([1, 3]),
      actions: ['file_pool_reorder'],
    },
    {
      kind: 'all files the other way round, hidden and trashed ones in their places',
      act: () => reorder([5, 6, 2, 1, 3]),
      actions: ['file_pool_reorder'],
    },
  ]
  for (const { kind, act, actions } of rows) {
    it(kind, () => undoing.thereAndBack(act, { undone: 1, actions }))
  }
})

describe('what still stands of the files of a pool is taken back', () => {
  const CHANGED = [{ object_type: 'pool', object_id: POOL.trip, reason: 'changed' }]
  const rows: {
    kind: string
    act: () => Promise<Answer>
    since: () => Promise<unknown>
    left: number[]
    undone: number
    kept: unknown[]
  }[] = [
    {
      kind: 'added files, of which one was removed since',
      act: () => add([8, 4], 1),
      since: () => remove([8]),
      left: [3, 1, 9, 7, 2, 6, 5],
      undone: 1,
      kept: CHANGED,
    },
    {
      kind: 'added files, all of which were removed since',
      act: () => add([8, 4], 1),
      since: () => remove([8, 4, 1]),
      left: [3, 9, 7, 2, 6, 5],
      undone: 0,
      kept: CHANGED,
    },
    {
      kind: 'added files that have moved since, with others',
      act: () => add([8, 4], 1),
      since: () => reorder([5, 4, 6]),
      left: [5, 6, 9, 7, 3, 1, 2],
      undone: 1,
      kept: [],
    },
    {
      kind: 'removed files, of which one was put back since, elsewhere',
      act: () => remove([3, 2]),
      since: () => add([3]),
      left: [1, 9, 7, 6, 2, 5, 3],
      undone: 1,
      kept: CHANGED,
    },
    {
      kind: 'removed files, of which one is gone for good',
      act: () => remove([3, 7]),
      since: () => purge(7),
      left: [3, 1, 9, 2, 6, 5],
      undone: 1,
      kept: CHANGED,
    },
    {
      kind: 'not an order that was changed since',
      act: () => reorder([5, 6]),
      since: () => reorder([6, 5]),
      left: [6, 5, 9, 7, 3, 1, 2],
      undone: 0,
      kept: CHANGED,
    },
    {
      kind: 'not what was gone from a pool that was emptied since',
      act: () => reorder([5, 6]),
      since: () => remove([1, 2, 3, 5, 6, 7]),
      left: [9],
      undone: 0,
      kept: CHANGED,
    },
  ]
  for (const { kind, act, since, left, undone, kept } of rows) {
    it(kind, async () => {
      const operation = operationOf(await act())
      await since()
      const result = await undoing.undone(operation)
      assert.deepEqual([held(), result.undone, result.kept], [left, undone, kept])
    })
  }

  it('a deleted pool with those of its files that still exist', async () => {
    const operation = operationOf(await ask('DELETE', TRIP))
    await purge(7)
    assert.equal((await undoing.undone(operation)).undone, 1)
    assert.deepEqual(held(), [3, 1, 9, 2, 6, 5])
  })
})
