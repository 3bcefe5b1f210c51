import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { losersOf, type Viewers } from '../../../src/gallery/duplicates/sides.ts'

const seenBy = (...names: string[]): Viewers => ({ isPublic: false, names, isWhole: true })
const everybody: Viewers = { isPublic: true, names: ['Jonas'], isWhole: true }

describe('who would see neither of two files any more', () => {
  const keep = (left: Viewers, right: Viewers, isPublic = false) =>
    losersOf({ left, right }, 'left', { isPublic, self: 'Anna' })

  it('is whoever saw only the other one, but the caller', () => {
    assert.deepEqual(keep(seenBy('Anna', 'Mia'), seenBy('Jonas', 'Mia', 'Anna')), {
      isEverybody: false,
      names: ['Jonas'],
      isWhole: true,
    })
  })

  it('is nobody when the kept one is public', () => {
    assert.deepEqual(keep(everybody, seenBy('Jonas'), true).names, [])
    assert.equal(keep(seenBy('Anna'), everybody, true).isEverybody, false)
  })

  it('is everybody when the other one was', () => {
    assert.equal(keep(seenBy('Anna'), everybody).isEverybody, true)
  })

  it('is not known of all while the list of one of them is unknown', () => {
    const unknown = { ...seenBy('Jonas'), isWhole: false }
    assert.equal(keep(seenBy('Anna'), unknown).isWhole, false)
    assert.equal(keep(unknown, seenBy('Anna')).isWhole, false)
  })
})
