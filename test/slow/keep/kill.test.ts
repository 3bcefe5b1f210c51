import assert from 'node:assert/strict'
import { it } from 'node:test'
import { killUnderLoad } from '../../torture/kill.ts'

it('kill -9 under all kinds of changes at once loses nothing that was acknowledged, and leaves nothing half', {
  timeout: 180_000,
}, async () => {
  const found = await killUnderLoad({ rounds: 2, seed: 1, oldFiles: 400 })
  const { acknowledged, imported, restores } = found
  assert.ok(acknowledged.get('upload')! > 0)
  assert.ok(imported > 0)
  assert.ok(restores.made > 0)
})
