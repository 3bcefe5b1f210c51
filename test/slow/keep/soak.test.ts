import assert from 'node:assert/strict'
import { withoutInsight } from '../../support/processes.ts'
import { it } from '../../support/test.ts'
import { moveClock } from '../../torture/soak/clock.ts'
import { soak } from '../../torture/soak.ts'

it('a server at its limit, which is stopped and goes on, loses nothing and leaves nothing open', {
  skip: withoutInsight,
  timeout: 600_000,
}, async () => {
  const times = { seconds: 2, warm: 1, stopped: 1, around: 2 }
  const { steps, reads, done } = await soak({ seed: 1, ...times, long: 60, still: 12 })
  // On a busy machine there is no telling how much of what.
  for (const counts of [steps, reads]) assert.ok(Object.values(counts).some((n) => n > 0))
  for (const chore of ['imports', 'rescans', 'backups']) assert.ok(done[chore]! > 0, chore)
})

it('a clock that is set forth and back changes no order, no lifetime and no content', {
  timeout: 300_000,
}, async () => {
  const { changes, backups } = await moveClock({ seed: 1, steps: 10 })
  assert.deepEqual([changes, backups], [100, 10])
})
