import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../../support/eventually.ts'
import { openSmallS3, type SmallS3 } from '../../support/s3/small-s3.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { assertAccessible } from '../../web/support/axe.ts'
import { type OpenGallery, openGallery, withoutChromium } from '../../web/support/open-gallery.ts'

describe('the page about the server', { skip: withoutChromium }, () => {
  let gallery: OpenGallery
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tagstead-about-'))
    const env = { BACKUP_DIR: folder }
    gallery = await openGallery({ files: 1, isSignedIn: true, env })
  })
  after(async () => {
    await gallery?.close()
    if (folder) await rm(folder, { recursive: true })
  })

  it('tells when the last backup was, and what it is worth', async () => {
    const { page, call } = gallery
    await eventually(async () => {
      const { last_backup } = await call<{ last_backup: string | null }>('GET', '/status')
      return last_backup !== null
    })
    await page.goto('/about')
    const told = page.getByText('It is on the same disk, so it protects only against deletion.')
    await told.waitFor()
    const fact = page.locator('dd', { has: told })
    assert.match(await fact.innerText(), /today|just now|minute|\d{4}|\d\d:\d\d/i)
    assert.equal(await page.locator('dt', { hasText: 'Last backup' }).count(), 1)
    await assertAccessible(page, 'about')
  })
})

describe('the page about a server whose contents are in a store', { skip: withoutChromium }, () => {
  let gallery: OpenGallery
  let store: SmallS3
  before(async () => {
    store = await openSmallS3()
    gallery = await openGallery({ files: 1, isSignedIn: true, env: store.env })
  })
  after(async () => {
    await gallery?.close()
    await store.close()
  })

  it('names the store, and tells since when it does not answer', async () => {
    const { page } = gallery
    const fact = page.locator('dd', { hasText: 's3://family/photos/files' })
    await page.goto('/about')
    await fact.waitFor()
    assert.equal(await fact.innerText(), 's3://family/photos/files')
    store.trouble = () => 503
    await page.reload()
    await page
      .getByText(/It has not answered since .+\. Photos can’t be opened or added\./)
      .waitFor()
    await assertAccessible(page, 'about')
    store.trouble = () => undefined
  })
})
