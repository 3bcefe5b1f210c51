import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../../../support/eventually.ts'
import { picture } from '../../../support/harness.ts'
import { after, before, describe, it } from '../../../support/test.ts'
import { press } from '../../../web/support/keys.ts'
import { lookAgain, shownPair } from '../../../web/support/look-alikes.ts'
import {
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'

describe('a crowd of copies', { skip: withoutChromium }, () => {
  let gallery: OpenGallery
  let page: Page

  before(async () => {
    gallery = await openGallery()
    page = gallery.page
  })
  after(() => gallery?.close())

  /** Uploads a picture that many times, and opens the pairs of look-alikes; returns the ids of the copies. */
  async function begin(count: number): Promise<string[]> {
    const bytes = Uint8Array.from(await picture())
    const copies = []
    for (let n = 0; n < count; n++) {
      const form = new FormData()
      form.set('file', new Blob([bytes]), `${n}.jpg`)
      copies.push((await gallery.call<{ id: string }>('POST', '/files', form)).id)
    }
    await lookAgain(gallery)
    await page.goto('/duplicates?at=one-by-one')
    return copies
  }

  it('comes in parts, and is settled to its last file', async () => {
    const copies = await begin(60)
    const seen = new Set<string>()
    for (let n = 0; n < copies.length / 2; n++) {
      for (const id of await shownPair(page)) seen.add(id)
      const answered = page.waitForResponse((one) => one.url().endsWith('/bulk/delete'))
      await press(page, 'x')
      assert.ok((await answered).ok())
    }
    await page.getByText('All cleaned up').waitFor()
    assert.deepEqual([...seen].sort(), copies.sort())
  })

  it('goes on with the next part when all of one stays', async () => {
    await begin(56)
    // The first part has the pairs of 50 files.
    const pairs = new Set<string>()
    for (let n = 0; n < 52; n++) {
      const pair = (await shownPair(page)).sort()
      pairs.add(String(pair))
      await press(page, 'k')
      await eventually(async () => String((await shownPair(page)).sort()) !== String(pair))
    }
    assert.equal(pairs.size, 52)
  })
})
