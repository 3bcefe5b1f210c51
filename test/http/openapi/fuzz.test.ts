import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { walk } from '../../support/contract/walk.ts'
import { type Library, openLibrary, picture } from '../../support/harness.ts'
import { SEED } from '../../support/property.ts'

const REQUESTS = 450

describe('made-up requests to every operation', () => {
  let library: Library

  before(async () => {
    library = await openLibrary({ MAX_UPLOAD_SIZE: '1MiB' })
  })
  after(() => library.close())

  it('are answered as the document says, and never with a failure', async () => {
    const pictures = [await picture(1), await picture(2)]
    const tally = await walk(library, { seed: SEED, count: REQUESTS, pictures })
    const never = [...tally].filter(([, statuses]) => ![...statuses.keys()].some((s) => s < 400))
    // Of 24 seeds, the worst left 26 of 112 without one.
    assert.ok(never.length < tally.size / 3, `no success of ${never.map(([id]) => id)}`)
  })
})
