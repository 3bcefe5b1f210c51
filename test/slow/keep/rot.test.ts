import assert from 'node:assert/strict'
import { it } from 'node:test'
import { flipBits } from '../../torture/rot.ts'

it('a flipped bit of a backup or content is named, healed where there is a copy, and never restored', {
  timeout: 180_000,
}, async () => {
  const { flipped } = await flipBits({ rounds: 5, seed: 1 })
  assert.equal(Object.values(flipped).length, 5)
})
