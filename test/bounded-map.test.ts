import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createBoundedMap, createBudget } from '../src/bounded-map.ts'

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
    assert.deepEqual([map.has('b'), map.has('c'), map.get('d')], [false, false, 'xxxxxx'])
    map.set('e', 'x')
    assert.deepEqual([map.has('d'), map.weight()], [false, 1])
  })

  it('weighs an entry again when it is used', () => {
    const map = createBoundedMap<string, string[]>(5, (items) => items.length)
    const grows = ['x']
    map.set('a', grows)
    map.set('b', ['x', 'x'])
    grows.push('x', 'x', 'x')
    assert.equal(map.get('a'), grows)
    assert.deepEqual([map.has('a'), map.has('b'), map.weight()], [true, false, 4])
    grows.push('x', 'x')
    assert.equal(map.get('a'), grows)
    assert.deepEqual([map.has('a'), map.weight()], [true, 6])
  })
})

describe('a budget', () => {
  it('lets go what was not used for longest, in whatever map it is', () => {
    const budget = createBudget(5)
    const texts = budget.map<string, string>((text) => text.length)
    const lists = budget.map<string, number[]>((list) => list.length)
    texts.set('a', 'xx')
    lists.set('a', [1, 2])
    assert.equal(texts.get('a'), 'xx')
    lists.set('b', [3, 4])
    assert.deepEqual([texts.has('a'), lists.has('a'), lists.has('b')], [true, false, true])
    assert.deepEqual([texts.weight(), lists.weight(), budget.weight()], [2, 2, 4])
    assert.deepEqual(lists.oldest(), ['b', [3, 4]])
    texts.set('b', 'xxxx')
    assert.deepEqual([texts.has('a'), texts.has('b'), lists.has('b')], [false, true, false])
    assert.deepEqual([lists.weight(), budget.weight()], [0, 4])
  })
})
