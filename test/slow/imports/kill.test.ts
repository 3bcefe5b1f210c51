import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { killDuringImport } from '../../torture/import.ts'

const KILLS = 3

describe('kill -9 during an import', () => {
  it('loses no file, and imports none twice', { timeout: 240_000 }, async () => {
    const { files, unreferenced } = await killDuringImport(KILLS, 40)
    assert.ok(files >= 40)
    // Two are prepared at once, and each kill can cut both off.
    assert.ok(unreferenced <= KILLS * 2)
  })

  it('imports none twice whose source stays', { timeout: 240_000 }, async () => {
    const { files, finished } = await killDuringImport(KILLS, 40, { leave_sources: true })
    assert.equal(files, 40)
    assert.ok(finished > 0)
  })
})
