import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ownName } from '../../../src/gallery/tag-box/match.ts'

const own = (name: string, ...taken: string[]) => ownName(name, 'kid', new Set(taken))

describe('a name of one’s own', () => {
  it('has the user’s name, and a number where that is taken as well', () => {
    assert.equal(own('holiday'), 'holiday (kid)')
    assert.equal(own(' holiday ', 'holiday'), 'holiday (kid)')
    assert.equal(own('holiday', 'holiday (kid)'), 'holiday (kid) 2')
    assert.equal(own('holiday', 'holiday (kid)', 'holiday (kid) 2'), 'holiday (kid) 3')
  })

  it('has the user’s name once', () => {
    assert.equal(own('holiday (kid)', 'holiday (kid)'), 'holiday (kid) 2')
    assert.equal(own('holiday (kid) 2', 'holiday (kid)', 'holiday (kid) 2'), 'holiday (kid) 3')
    assert.equal(own('holiday (kid) at sea'), 'holiday (kid) at sea (kid)')
    assert.equal(own(' (kid)'), '(kid) (kid)')
  })

  it('has at most 256 letters, and no half of one', () => {
    assert.equal(own('é'.repeat(256)), `${'é'.repeat(250)} (kid)`)
    const waves = own('🌊'.repeat(256), `${'🌊'.repeat(250)} (kid)`)
    assert.equal(waves, `${'🌊'.repeat(248)} (kid) 2`)
    assert.equal([...waves].length, 256)
    assert.equal(own(`${'a'.repeat(249)} b${'c'.repeat(20)}`), `${'a'.repeat(249)} (kid)`)
  })
})
