import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { buildGallery } from '../../src/web/build.ts'
import { bakedGallery, bakeGallery } from '../../src/web/routes.ts'

describe('a gallery that was baked', () => {
  it('is the one that was built, byte for byte', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tagstead-baked-'))
    try {
      assert.equal(await bakedGallery(folder), null)
      const built = await buildGallery()
      await bakeGallery(built, join(folder, 'gallery'))
      assert.deepEqual(await bakedGallery(join(folder, 'gallery')), built)
      assert.equal(await bakedGallery(join(folder, 'absent')), null)
      await rm(join(folder, 'gallery/page.html'))
      await assert.rejects(bakedGallery(join(folder, 'gallery')), { code: 'ENOENT' })
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
