import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  auditHref,
  deedsOf,
  type Entry,
  isUndoable,
  queryOf,
  readFilter,
  undoneBy,
} from '../../../src/gallery/audit/entries.ts'

let ids = 0
function entry(action: string, operation: number | null, details: Entry['details'] = {}): Entry {
  const performed_at = '2026-11-23T05:00:00.000Z'
  return { id: ++ids, action, operation, details, user_id: 1, user_name: 'Anna', performed_at }
}

const read = (address: string) => readFilter(new URL(address, 'http://localhost').searchParams)
const EMPTY = { user: '', action: '', from: '', to: '', page: 1 }

describe('entries of the audit log', () => {
  it('are told together where one operation has made them', () => {
    const entries = [
      entry('file_tag_add', 7),
      entry('file_tag_add', 7),
      entry('file_review', 7),
      entry('file_edit', 5),
      entry('user_login', null),
      entry('user_login', null),
    ]
    assert.deepEqual(
      deedsOf(entries).map((deed) => deed.entries.length),
      [3, 1, 1, 1],
    )
  })

  it('can be taken back unless all of them are final', () => {
    const undoable = (...actions: string[]) =>
      isUndoable({ operation: 7, entries: actions.map((action) => entry(action, 7)) })
    for (const action of [
      'file_edit',
      'tag_delete',
      'file_merge',
      'operation_undo',
      'file_create',
    ]) {
      assert.equal(undoable(action), true, action)
    }
    const final = ['user_block', 'session_terminate', 'acl_change', 'file_permanent_delete']
    assert.equal(undoable(...final, 'file_replace', 'duplicate_dismiss', 'token_reuse'), false)
    assert.equal(undoable('content_damaged'), false)
    assert.equal(undoable('acl_change', 'pool_edit'), true)
    assert.equal(isUndoable({ operation: null, entries: [entry('file_edit', null)] }), false)
    const merge = { operation: 7, entries: [entry('file_merge', 7)] }
    const undo = { operation: 9, entries: [entry('operation_undo', 9, { operation: 7 })] }
    assert.deepEqual(
      [isUndoable(merge), isUndoable(undo), isUndoable(undo, merge)],
      [true, true, false],
    )
  })

  it('tell which operations were undone', () => {
    const entries = [entry('operation_undo', 9, { operation: 7 }), entry('file_edit', 7)]
    assert.deepEqual([...undoneBy(entries)], [7])
  })
})

describe('the address of the audit log', () => {
  it('says what is shown, and leaves out what is not asked', () => {
    assert.equal(auditHref(EMPTY), '/keep/audit')
    const filter = { user: '2', action: 'file_edit', from: '2026-11-01', to: '', page: 3 }
    assert.equal(auditHref(filter), '/keep/audit?user=2&action=file_edit&from=2026-11-01&page=3')
    assert.deepEqual(read(auditHref(filter)), filter)
  })

  it('is read without what makes no sense', () => {
    assert.deepEqual(read('/?user=Anna&from=yesterday&to=2026-02-31x&page=0'), EMPTY)
    assert.deepEqual(read('/?user=0&page=1.5'), EMPTY)
  })

  it('means whole days of this clock, the last one too', () => {
    const { from, to, ...rest } = queryOf(
      { ...EMPTY, user: '2', page: 3, from: '2026-11-30', to: '2026-11-30' },
      100,
    )
    assert.deepEqual(rest, { limit: 100, offset: 200, user_id: 2 })
    assert.equal(new Date(from!).toString(), new Date(2026, 10, 30).toString())
    assert.equal(Date.parse(to!) - Date.parse(from!), 86_400_000 - 1)
    assert.deepEqual(queryOf(EMPTY, 100), { limit: 100, offset: 0 })
  })
})
