import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readSelected, writeSelected } from '../../../src/web/app/grid/kept.ts'
import {
  countOf,
  isSelected,
  NOTHING,
  rangeOf,
  type Selected,
  toggled,
  withFiles,
} from '../../../src/web/app/grid/selection.ts'

const ALL: Selected = { kind: 'all', except: new Set() }
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
