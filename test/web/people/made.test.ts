import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { made } from '../../../src/gallery/people/made.ts'

describe('a password that is made up', () => {
  it('has 20 characters that nobody mistakes, and is another one each time', () => {
    const all = Array.from({ length: 200 }, made)
    for (const one of all) assert.match(one, /^[a-km-np-z2-9]{20}$/)
    assert.equal(new Set(all).size, 200)
    // Each of the 32 characters comes about 125 times.
    assert.equal(new Set(all.join('')).size, 32)
  })
})
