import assert from 'node:assert/strict'
import { it } from 'node:test'
import { drill } from '../../torture/drill.ts'

it('a backup that is made under load is restored as the library was at one moment, and the next one reads only what is new', {
  timeout: 180_000,
}, async (t) => {
  const { before, after, counts, again } = await drill({ files: 120, seed: 1 })
  assert.ok(before > 0)
  assert.ok(after > 0)
  assert.ok(counts.file!.changed > 0)
  assert.equal(again.result.copied, 100)
  if (again.unread === null) t.diagnostic('the file system keeps no times of access')
})
