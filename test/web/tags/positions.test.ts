import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { positionsAfter } from '../../../src/gallery/tags/sections.ts'

const at = (name: string, position?: number) => ({
  name,
  metadata: position === undefined ? null : { position },
})

const told = (...given: Parameters<typeof positionsAfter<ReturnType<typeof at>>>) =>
  [...positionsAfter(...given)].map(([{ name }, position]) => [name, position])

describe('a category that is moved', () => {
  it('gives all a position when none has one', () => {
    const ordered = [at('A'), at('B'), at('C')]
    assert.deepEqual(told(ordered, 2, 0), [
      ['C', 0],
      ['A', 1],
      ['B', 2],
    ])
  })

  it('changes only those that it passes', () => {
    const ordered = [at('A', 0), at('B', 1), at('C', 2), at('D', 3)]
    assert.deepEqual(told(ordered, 1, 2), [
      ['C', 1],
      ['B', 2],
    ])
    assert.deepEqual(told(ordered, 1, 1), [])
  })
})
