import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { leftOutOf, reachedBy } from '../../../src/gallery/bulk/left-out.ts'

const FILES = [...'abcdefgh']
const NONE = new Set<string>()
/** An answer that left files out, of which it names so many. */
const answer = (skipped: string, named = skipped.length) => ({
  changed: FILES.length - skipped.length,
  skipped: skipped.length,
  skipped_ids: [...skipped].slice(0, named),
})

describe('files that a change leaves out', () => {
  it('belong to others, or are left out for another reason, as that they are gone', () => {
    const left = leftOutOf(FILES, new Set('bc'), [answer('abc')])
    assert.deepEqual(left, { locked: ['b', 'c'], skipped: ['a'], unnamed: 0 })
    assert.deepEqual(leftOutOf(FILES, NONE, [answer('')]), { locked: [], skipped: [], unnamed: 0 })
  })

  it('are counted where the server names no more of them', () => {
    const left = leftOutOf(FILES, NONE, [answer('abcdef', 2)])
    assert.deepEqual(left, { locked: [], skipped: ['a', 'b'], unnamed: 4 })
  })

  it('are, of those that it does not name, the ones that belong to others first', () => {
    const left = leftOutOf(FILES, new Set('adg'), [answer('abdeg', 2)])
    assert.deepEqual(left, { locked: ['a', 'd', 'g'], skipped: ['b'], unnamed: 1 })
  })

  it('are not those that somebody was given the right to change since', () => {
    const left = leftOutOf(FILES, new Set('ab'), [answer('a')])
    assert.deepEqual(left, { locked: ['a'], skipped: [], unnamed: 0 })
  })

  it('are those that belong to others where the server tells nothing', () => {
    assert.deepEqual(leftOutOf(FILES, new Set('ax'), []), {
      locked: ['a'],
      skipped: [],
      unnamed: 0,
    })
  })

  it('are those of all requests that the change took', () => {
    const left = leftOutOf(FILES, new Set('a'), [answer('ab'), answer('c'), answer('')])
    assert.deepEqual(left, { locked: ['a'], skipped: ['b', 'c'], unnamed: 0 })
  })
})

describe('files that a change has reached before it failed', () => {
  it('are those that none of its requests left out', () => {
    assert.equal(reachedBy(FILES, [answer('')]), 8)
    assert.equal(reachedBy(FILES, [answer('abc', 1), answer('d')]), 5)
  })

  it('are none before the first answer', () => {
    assert.equal(reachedBy(FILES, []), 0)
  })
})
