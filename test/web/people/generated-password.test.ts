import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { generatePassword } from '../../../src/gallery/people/generated-password.ts'

describe('a generated password', () => {
  it('has 20 characters that nobody mistakes, and is another one each time', () => {
    const all = Array.from({ length: 200 }, generatePassword)
    for (const one of all) assert.match(one, /^[a-km-np-z2-9]{20}$/)
    assert.equal(new Set(all).size, 200)
    // Each of the 32 characters comes about 125 times.
    assert.equal(new Set(all.join('')).size, 32)
  })
})
