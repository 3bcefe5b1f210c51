import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Schemas } from '../../../../src/client/index.ts'
import { eventually } from '../../../support/eventually.ts'
import { after, before, describe, it } from '../../../support/test.ts'
import { drop } from '../../../web/support/drop.ts'
import {
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { type GalleryProxy, startProxy } from '../../../web/support/proxy.ts'

// As much as a holiday brings: too long for each run of the suite.
const COUNT = 500

type Listed = { items: Schemas['File'][]; next_cursor: string | null }

let gallery: OpenGallery
let page: Page
let proxy: GalleryProxy

before(async () => {
  if (withoutChromium) return
  const before = async (url: string) => {
    proxy = await startProxy(url)
    return proxy
  }
  gallery = await openGallery({ files: 1, before })
  page = gallery.page
  await page.locator('.grid a[data-id]').waitFor()
})

after(() => gallery?.close())

const panel = () => page.getByRole('region', { name: 'Upload' })
const row = (name: string) => panel().getByRole('listitem').filter({ hasText: name })

/** Returns the names of all files, in the order of the alphabet. */
async function names(): Promise<string[]> {
  const found: string[] = []
  for (let cursor = ''; ; ) {
    const path = `/files?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
    const { items, next_cursor } = await gallery.call<Listed>('GET', path)
    found.push(...items.map(({ original_name }) => original_name!))
    if (next_cursor === null) return found.sort()
    cursor = next_cursor
  }
}

describe('uploading many files', { skip: withoutChromium }, () => {
  it(`brings ${COUNT} at once, one refused, and one cut off half-way and sent again`, {
    timeout: 600_000,
  }, async () => {
    const heading = panel().getByRole('heading')
    const sent = ['cut off.jpg', ...Array.from({ length: COUNT }, (_, n) => `many ${n}.jpg`)]
    const mend = proxy.cut('filename="cut off.jpg"', 300_000)
    await drop(page, [
      { name: 'cut off.jpg', more: 900_000 },
      { name: 'letter.docx', type: 'application/msword' },
      ...sent.slice(1).map((name) => ({ name })),
    ])
    await row('cut off.jpg')
      .getByText(/try \d+ in/)
      .waitFor()
    assert.ok(mend() > 0)
    // A busy machine takes more than a minute for all of them, but not for one.
    for (let there = 0; there <= COUNT; ) {
      there = await eventually(async () => {
        const now = Number.parseInt(await heading.innerText(), 10)
        return now > there && now
      })
    }
    await row('letter.docx').getByText('not a photo or video').waitFor()
    assert.deepEqual(await names(), [...sent, 'picture 1.jpg'].sort())
  })
})
