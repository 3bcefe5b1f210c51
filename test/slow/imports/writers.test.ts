import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SEED } from '../../support/property.ts'
import { importBesideWriters } from '../../torture/writers/beside.ts'

describe('an import beside programs that write into its folder', () => {
  it('takes each file once and whole, and no source before, through kills', {
    timeout: 240_000,
  }, async () => {
    const { imports } = await importBesideWriters({
      files: 40,
      time: 12_000,
      sizes: { least: 1e4, most: 1e6 },
      pauses: { any: 1500, long: 6000 },
      settle: '1s',
      life: 1000,
      seed: SEED,
    })
    assert.ok(imports > 0)
  })
})
