import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, describe, it } from '../../../support/test.ts'
import { drop } from '../../../web/support/drop.ts'
import { hold } from '../../../web/support/hold.ts'
import {
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'

let gallery: OpenGallery
let page: Page
/** The selector of the only tag at the side. */
const BEACH = '.tags [data-tag]'

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: 1 })
  page = gallery.page
  await gallery.call('POST', '/tags', { name: 'beach' })
  await page.reload()
  await page.locator(BEACH).waitFor()
})

after(() => gallery?.close())

const panel = () => page.getByRole('region', { name: 'Upload' })

/** Drops a file, and waits until all of the list has arrived, as its heading then says. */
async function send(words: string, name: string, selector?: string): Promise<void> {
  await drop(page, [{ name }], selector)
  await panel().getByRole('heading', { name: words, exact: true }).waitFor()
}

async function clear(): Promise<void> {
  await panel().getByRole('button', { name: 'Clear the list' }).click()
  await panel().waitFor({ state: 'detached' })
}

describe('the list of uploads', { skip: withoutChromium }, () => {
  it('stays cleared when the answer about known files comes later', async () => {
    await send('1 of 1', 'known.jpg')
    const { held, letGo } = await hold(page, { method: 'POST', path: '/files/bulk/update' })
    await drop(page, [{ name: 'known.jpg' }], BEACH)
    await held
    await clear()
    // Follows the answer.
    const tagged = page.waitForResponse((response) => response.request().method() === 'PUT')
    await letGo()
    assert.ok((await tagged).ok())
    assert.equal(await panel().count(), 0)
    // Nor is it told with the next ones.
    await drop(page, [{ name: 'known.jpg' }])
    await panel().getByText('1 photo is already here and was skipped').waitFor()
    await clear()
  })

  it('keeps a tag that files fell on, and that was left out and chosen by hand', async () => {
    await send('1 of 1', 'sand.jpg', BEACH)
    const chip = panel().locator('.chip', { hasText: 'beach' })
    await chip.getByRole('button').click()
    await chip.waitFor({ state: 'detached' })
    await panel().getByRole('combobox').focus()
    for (const key of ['b', 'e', 'a', 'Enter']) await page.keyboard.press(key)
    await chip.waitFor()
    await send('2 of 2', 'street.jpg')
    assert.equal(await chip.count(), 1)
    type Files = { items: { original_name: string; tags: { name: string }[] }[] }
    const { items } = await gallery.call<Files>('GET', '/files?limit=100')
    const street = items.find(({ original_name }) => original_name === 'street.jpg')!
    assert.deepEqual(
      street.tags.map(({ name }) => name),
      ['beach'],
    )
  })
})
