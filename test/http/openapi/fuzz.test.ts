import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { walk } from '../../support/contract/walk.ts'
import { type Library, openLibrary, picture } from '../../support/harness.ts'
import { SEED } from '../../support/property.ts'

/** Of each operation; three of them are sound. */
const ROUNDS = 5

describe('made-up requests to every operation', () => {
  let library: Library

  before(async () => {
    library = await openLibrary({ MAX_UPLOAD_SIZE: '1MiB' })
  })
  after(() => library.close())

  it('are answered as the document says, and never with a failure', async () => {
    const pictures = [await picture(1), await picture(2)]
    const count = ROUNDS * library.contract.operations.length
    const tally = await walk(library, { seed: SEED, count, pictures })
    const never = [...tally].filter(([, statuses]) => ![...statuses.keys()].some((s) => s < 400))
    // Of 40 seeds, the worst left 39 of 146 without one.
    assert.ok(never.length < tally.size / 3, `no success of ${never.map(([id]) => id)}`)
  })
})
