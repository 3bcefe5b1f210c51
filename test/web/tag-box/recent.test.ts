import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  afterAdding,
  afterRemoving,
  NOTHING_RECENT,
  tagsOfLast,
  withoutGone,
} from '../../../src/gallery/tag-box/recent.ts'

const add = (...steps: [string, ...string[]][]) =>
  steps.reduce((recent, [file, ...tags]) => afterAdding(recent, file, tags), NOTHING_RECENT)

describe('recent tags', () => {
  it('keep their digits when they are used again', () => {
    const recent = add(['1', 'a', 'b', 'c'], ['2', 'c'], ['3', 'a'])
    assert.deepEqual(recent.slots, ['a', 'b', 'c'])
  })

  it('give up the digit of the one not used for longest', () => {
    const recent = add(['1', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'], ['2', 'a'], ['3', 'new'])
    assert.deepEqual(recent.slots, ['a', 'new', 'c', 'd', 'e', 'f', 'g', 'h', 'i'])
    assert.deepEqual(afterAdding(recent, '4', ['b']).slots[2], 'b')
  })

  it('are repeated as the last file got them, however they came', () => {
    const recent = add(['1', 'a'], ['1', 'b'])
    assert.deepEqual(tagsOfLast(recent, '2'), ['a', 'b'])
    const next = afterAdding(recent, '2', tagsOfLast(recent, '2'))
    assert.deepEqual(tagsOfLast(next, '3'), ['a', 'b'])
  })

  it('are repeated from the file before while one is being tagged', () => {
    const recent = add(['1', 'a', 'b'], ['2', 'c'])
    assert.deepEqual(tagsOfLast(recent, '2'), ['a', 'b'])
    assert.deepEqual(tagsOfLast(recent, '3'), ['c'])
  })

  it('are not repeated once they were taken off', () => {
    const recent = afterRemoving(add(['1', 'a', 'b']), '1', ['a'])
    assert.deepEqual(tagsOfLast(recent, '2'), ['b'])
    assert.deepEqual(tagsOfLast(afterRemoving(recent, '9', ['b']), '2'), ['b'])
  })

  it('are without those that are gone', () => {
    const recent = withoutGone(add(['1', 'a', 'b', 'c']), (tag) => tag !== 'b')
    assert.deepEqual(
      [recent.slots, recent.used],
      [
        ['a', 'c'],
        ['a', 'c'],
      ],
    )
    const rounds = add(['1', 'a', 'b'], ['2', 'b', 'c'])
    const left = withoutGone(rounds, (tag) => tag !== 'b')
    assert.deepEqual([tagsOfLast(left, '2'), tagsOfLast(left, '3')], [['a'], ['c']])
    // One that lost its digit long ago may be gone, too.
    const early = { ...rounds, slots: ['a'], used: ['a'] }
    assert.deepEqual(
      tagsOfLast(
        withoutGone(early, (tag) => tag !== 'c'),
        '3',
      ),
      ['b'],
    )
    assert.equal(
      withoutGone(recent, () => true),
      recent,
    )
  })
})
