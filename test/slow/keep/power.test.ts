import assert from 'node:assert/strict'
import { it } from '../../support/test.ts'
import { withoutLoopDisk } from '../../torture/power/disk.ts'
import { cutPower } from '../../torture/power.ts'

const skip = withoutLoopDisk()

it('a power cut under load loses nothing that was acknowledged, and leaves nothing half', {
  skip,
  timeout: 180_000,
}, async () => {
  const { acknowledged } = await cutPower({ rounds: 2, seed: 1 })
  assert.ok(acknowledged > 0)
})
