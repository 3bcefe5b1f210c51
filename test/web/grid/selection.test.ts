import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signal } from '@preact/signals'
import {
  afterLoss,
  countOf,
  createSelection,
  isSelected,
  NOTHING,
  rangeOf,
  readSelected,
  type Selected,
  toggled,
  withFiles,
  writeSelected,
} from '../../../src/gallery/grid/selection.ts'

const ALL: Selected = { kind: 'all', except: new Set() }
/** A listing of files with names of one letter. */
function listingOf(letters: string) {
  let ids = [...letters]
  const positionOf = (id: string) => (ids.includes(id) ? ids.indexOf(id) : null)
  return {
    total: signal(ids.length),
    positionOf,
    locate: async (id: string) => positionOf(id),
    ids: async (from: number, end?: number) => ids.slice(from, end),
    become: (now: string) => {
      ids = [...now]
    },
  }
}
const of = (...ids: string[]): Selected => ({ kind: 'files', ids: new Set(ids) })

describe('selection', () => {
  test('files are added and taken out, and what was is left as it was', () => {
    const two = withFiles(NOTHING, ['a', 'b'], true)
    assert.deepEqual(two, of('a', 'b'))
    assert.deepEqual(withFiles(two, ['a', 'x'], false), of('b'))
    assert.deepEqual(two, of('a', 'b'))
    assert.deepEqual(NOTHING, of())
  })

  test('everything of a listing is everything but what was taken out since', () => {
    const most = withFiles(ALL, ['a', 'b'], false)
    assert.deepEqual(
      ['a', 'b', 'c'].map((id) => isSelected(most, id)),
      [false, false, true],
    )
    assert.equal(countOf(most, 1_000_000), 999_998)
    assert.deepEqual(withFiles(most, ['a', 'b'], true), ALL)
  })

  test('toggling selects what is not selected, and clears only when all were', () => {
    assert.deepEqual(toggled(of('a'), ['a', 'b']), of('a', 'b'))
    assert.deepEqual(toggled(of('a', 'b', 'c'), ['a', 'b']), of('c'))
    assert.deepEqual(toggled(ALL, ['a']), { kind: 'all', except: new Set(['a']) })
  })

  test('a range is the same from both ends', () => {
    assert.deepEqual(rangeOf(3, 7), [3, 8])
    assert.deepEqual(rangeOf(7, 3), [3, 8])
    assert.deepEqual(rangeOf(5, 5), [5, 6])
  })

  test('what is gone is taken out of what is selected by now, and nothing else', () => {
    const loss = { gone: ['a', 'b'], before: of('a', 'b'), left: [] }
    assert.deepEqual(afterLoss(of('a', 'b', 'later'), loss), of('later'))
    assert.deepEqual(afterLoss(ALL, loss), ALL)
  })

  test('of everything, what is left is selected by name, but for what was taken out since', () => {
    const loss = { gone: ['a'], before: ALL, left: ['b', 'c'] }
    const now: Selected = { kind: 'all', except: new Set(['c']) }
    assert.deepEqual(afterLoss(now, loss), of('b'))
  })

  test('everything that was chosen meanwhile stays everything', () => {
    const selection = createSelection(listingOf('abcd'))
    selection.all()
    const before = selection.selected.value
    selection.clear()
    selection.all()
    selection.toggle(['a'])
    selection.toggle(['d'])
    selection.lose(['a', 'b'], before, ['c', 'd'])
    const { selected } = selection
    assert.equal(selected.value.kind, 'all')
    assert.deepEqual(
      [...'cde'].map((id) => isSelected(selected.value, id)),
      [true, false, true],
    )
    // What is gone is no longer one of those that were left out.
    assert.equal(countOf(selected.value, 2), 1)
  })

  test('files that come late change nothing that was selected since', async () => {
    const selection = createSelection(listingOf('abcdef'))
    let come = (_: string[]) => {}
    const day = selection.toggleLater(new Promise<string[]>((resolve) => (come = resolve)))
    selection.toggle(['x'], 0)
    come(['a', 'b'])
    await day
    assert.deepEqual(selection.selected.value, of('x'))
    await selection.toggleLater(Promise.resolve(['a', 'b']))
    assert.deepEqual(selection.selected.value, of('x', 'a', 'b'))
  })

  test('a range goes from the file chosen last, wherever it is by then', async () => {
    const files = listingOf('abcdef')
    const selection = createSelection(files)
    selection.toggle(['b'], 1)
    files.become('newabcdef')
    await selection.extend(6)
    assert.deepEqual(selection.selected.value, of('b', 'c', 'd'))
    files.become('fedcba')
    await selection.extend(5)
    assert.deepEqual(selection.selected.value, of('b', 'a'))
  })

  test('a range goes from where the file was when that is gone', async () => {
    const files = listingOf('abcdef')
    const selection = createSelection(files)
    selection.toggle(['b'], 1)
    files.become('acdef')
    selection.lose(['b'], of('b'), [])
    await selection.extend(2)
    assert.deepEqual(selection.selected.value, of('c', 'd'))
  })

  test('the count is that of the files, whatever the listing', () => {
    assert.equal(countOf(of('a', 'b'), 1), 2)
    assert.equal(countOf(ALL, 0), 0)
  })
})

describe('a selection that is kept', () => {
  const owner = { k: 'a session', listing: 'filter=x' }

  test('comes back as it was', () => {
    const some = { kind: 'files', ids: new Set(['a', 'b']) } as const
    const most = { kind: 'all', except: new Set(['c']) } as const
    assert.deepEqual(readSelected(writeSelected(some, owner), owner), some)
    assert.deepEqual(readSelected(writeSelected(most, owner), owner), most)
  })

  test('is not shown to anybody else, nor for another listing', () => {
    const text = writeSelected({ kind: 'files', ids: new Set(['a']) }, owner)
    assert.equal(readSelected(text, { ...owner, k: 'another session' }), null)
    assert.equal(readSelected(text, { ...owner, listing: '' }), null)
  })
})
