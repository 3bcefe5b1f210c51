import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import sharp, { type Sharp } from 'sharp'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import { drop } from '../../../web/support/drop.ts'
import {
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'

let gallery: OpenGallery
let photo: Sharp
before(async () => {
  if (withoutChromium) return
  gallery = await openGallery()
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const create = { width: 900, height: 600, channels: 3, background: '#888', noise } as const
  photo = sharp(await sharp({ create }).png().toBuffer())
})

after(() => gallery?.close())

const panel = (page: Page) => page.locator('.ups')
const row = (page: Page, name: string) =>
  panel(page).getByRole('listitem').filter({ hasText: name })

/** Drops a whole photo, a half one, and three that the server refuses. */
async function dropAll(page: Page, quality: number): Promise<void> {
  const bytes = await photo.clone().jpeg({ quality }).toBuffer()
  await drop(page, [
    { name: 'whole.jpg', bytes },
    { name: 'half.jpg', bytes: bytes.subarray(0, bytes.length / 2) },
    { name: 'nothing.jpg', bytes: new Uint8Array() },
    { name: 'letter.docx', type: 'application/msword' },
    { name: 'junk.jpg', bytes: Buffer.from('junk from a broken card') },
  ])
}

/** Returns the texts of the panel that don't fit into their boxes. */
function cutOff(page: Page): Promise<string[]> {
  return panel(page)
    .locator('h2, header .rest, p, .reason')
    .evaluateAll((all) =>
      all
        .filter((one) => one.scrollWidth > one.clientWidth && one.clientWidth > 0)
        .map((one) => one.textContent!),
    )
}

describe('an upload of which not all is taken', { skip: withoutChromium }, () => {
  it('counts what was refused, says why, and offers no retry that can’t help', async () => {
    const { page } = gallery
    await dropAll(page, 80)
    await panel(page).getByRole('heading', { name: '2 arrived, 3 refused', exact: true }).waitFor()
    await row(page, 'nothing.jpg').getByText('The file is empty.', { exact: true }).waitFor()
    for (const name of ['letter.docx', 'junk.jpg']) {
      await row(page, name).getByText('Not a photo or video.', { exact: true }).waitFor()
    }
    assert.equal(
      await panel(page)
        .getByRole('button', { name: /again|Retry/ })
        .count(),
      0,
    )
    await assertAccessible(page, 'an upload of which some was refused')
  })

  it('says which photo seems damaged, and so does the viewer', async () => {
    const { page } = gallery
    await panel(page).getByText('1 photo seems damaged', { exact: true }).waitFor()
    await row(page, 'half.jpg').getByText('Seems damaged.').waitFor()
    assert.equal(await row(page, 'whole.jpg').getByText('damaged').count(), 0)
    type Files = { items: { id: string; original_name: string }[] }
    const { items } = await gallery.call<Files>('GET', '/files')
    for (const { id, original_name } of items) {
      await page.goto(`/f/${id}`)
      await page.locator('.facts').getByText(original_name).waitFor()
      const facts = page.locator('.viewer .facts')
      await facts.waitFor()
      const isSaid = (await facts.getByText('Seems damaged').count()) === 1
      assert.equal(isSaid, original_name === 'half.jpg', original_name)
    }
  })

  it('shows the server’s thumbnail of what the browser can’t show', async () => {
    const { page } = gallery
    const bytes = await photo.clone().negate().tiff().toBuffer()
    await drop(page, [{ name: 'scan.tif', type: 'image/tiff', bytes }])
    const picture = row(page, 'scan.tif').locator('img[src*="/thumbnail"]')
    await picture.waitFor()
    await page.waitForFunction(
      (img) => (img as HTMLImageElement).naturalWidth > 0,
      await picture.elementHandle(),
    )
  })

  it('is told in full on a phone, in German too', async () => {
    const size = { width: 390, height: 844 }
    const page = await gallery.stranger({ size, language: 'de-DE', isTouch: true })
    await page.goto('/')
    await enterInGerman(page)
    await dropAll(page, 70)
    const words = '2 angekommen, 3 abgelehnt'
    await panel(page).getByRole('heading', { name: words, exact: true }).waitFor()
    await row(page, 'nothing.jpg').getByText('Die Datei ist leer.').waitFor()
    await row(page, 'junk.jpg').getByText('Kein Foto und kein Video.').waitFor()
    await panel(page).getByText('1 Foto scheint beschädigt').waitFor()
    assert.deepEqual(await cutOff(page), [])
    const heights = await panel(page)
      .getByRole('listitem')
      .evaluateAll((rows) => rows.map((one) => one.scrollHeight <= one.clientHeight))
    assert.ok(heights.every(Boolean), 'each row has room for what it says')
    await page.close()
  })
})

async function enterInGerman(page: Page): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill('admin')
  await page.getByLabel('Passwort', { exact: true }).fill('a password for tests')
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await page.locator('.shell').waitFor()
}
