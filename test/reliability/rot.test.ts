import assert from 'node:assert/strict'
import { it } from 'node:test'
import { flipBits } from '../torture/rot.ts'

it('a flipped bit of a backup is named by its proof, and never restored', {
  timeout: 180_000,
}, async () => {
  const { flipped } = await flipBits({ rounds: 4, seed: 1 })
  assert.equal(Object.values(flipped).length, 4)
})
