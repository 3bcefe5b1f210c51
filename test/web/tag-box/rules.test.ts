import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { alsoAdded, followsOf } from '../../../src/gallery/tag-box/edits.ts'

const rules = (...pairs: string[]) =>
  followsOf(
    pairs.map((pair) => {
      const [when, then] = pair.replace('?', '').split('>')
      return { when_tag_id: when!, then_tag_id: then!, is_active: !pair.endsWith('?') }
    }),
  )

describe('what follows from a tag', () => {
  it('is what its rules add, and theirs, the nearest first', () => {
    const follows = rules('Arezzo>trip', 'trip>holiday', 'Arezzo>Italy', 'Italy>Europe', 'x>y')
    assert.deepEqual(alsoAdded(follows, ['Arezzo']), ['trip', 'Italy', 'holiday', 'Europe'])
    assert.deepEqual(alsoAdded(follows, ['Europe']), [])
  })

  it('ends in a circle', () => {
    assert.deepEqual(alsoAdded(rules('a>b', 'b>c', 'c>a'), ['b']), ['c', 'a'])
  })

  it('leaves out rules that are switched off, and what stands behind them', () => {
    assert.deepEqual(alsoAdded(rules('a>b?', 'b>c', 'a>d'), ['a']), ['d'])
  })

  it('leaves out what the file has, but not what follows from that', () => {
    assert.deepEqual(alsoAdded(rules('a>b', 'b>c'), ['a'], new Set(['b'])), ['c'])
  })

  it('counts what follows from several once', () => {
    assert.deepEqual(alsoAdded(rules('a>c', 'b>c', 'a>b'), ['a', 'b']), ['c'])
  })
})
