import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createBoundedMap } from '../src/bounded-map.ts'

describe('a bounded map', () => {
  it('forgets what was not used for longest', () => {
    const map = createBoundedMap<string, number>(2)
    map.set('a', 1)
    map.set('b', 2)
    assert.equal(map.get('a'), 1)
    map.set('c', 3)
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => map.get(key)),
      [1, undefined, 3],
    )
    assert.deepEqual(map.oldest(), ['a', 1])
  })

  it('counts a key that is set again once', () => {
    const map = createBoundedMap<string, number>(2)
    for (const value of [1, 2, 3]) map.set('a', value)
    map.set('b', 4)
    assert.deepEqual([map.get('a'), map.get('b')], [3, 4])
    map.delete('a')
    map.delete('a')
    map.set('c', 5)
    assert.deepEqual([map.has('a'), map.has('b'), map.has('c')], [false, true, true])
  })

  it('weighs its entries', () => {
    const map = createBoundedMap<string, string>(5, (text) => text.length)
    map.set('a', 'xx')
    map.set('b', 'xxx')
    map.set('c', 'x')
    assert.deepEqual([map.has('a'), map.has('b'), map.has('c')], [false, true, true])
    map.set('d', 'xxxxxx')
    assert.equal(map.oldest(), undefined)
  })
})
