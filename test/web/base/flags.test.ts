import assert from 'node:assert/strict'
import { it } from 'node:test'
import { FLAGS as sent } from '../../../src/files/overview/cell-queries.ts'
import { FLAGS } from '../../../src/gallery/base/listing.ts'

it('the gallery reads the flags of cells as the server sends them', () => {
  assert.deepEqual(FLAGS, sent)
})
