import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { eventually } from '../../support/eventually.ts'
import { photograph } from '../../support/media/samples.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { assertAccessible } from '../../web/support/axe.ts'
import { drop } from '../../web/support/drop.ts'
import { press } from '../../web/support/keys.ts'
import { type LookAlikes, makeLookAlikes } from '../../web/support/look-alikes.ts'
import { type OpenGallery, openGallery, withoutChromium } from '../../web/support/open-gallery.ts'
import { refuse } from '../../web/support/refuse.ts'

let gallery: OpenGallery
let page: Page
let made: LookAlikes

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: 1 })
  page = gallery.page
  ;[made] = (await makeLookAlikes(gallery, { count: 1, copyings: ['smaller'] })) as [LookAlikes]
})

after(() => gallery?.close())

const alike = () => page.getByRole('region', { name: 'More like this' })
const isShown = (name: string) => page.locator('.facts').getByText(name).waitFor()

async function open(id: string): Promise<void> {
  await page.goto(`/f/${id}`)
  await page.locator('.viewer .facts').waitFor()
}

describe('what looks like a picture', { skip: withoutChromium }, () => {
  it('is shown at M, is opened, and stays shown on the way back', async () => {
    const { photo, copies } = made
    await open(photo.id)
    await page.keyboard.press('m')
    await alike().getByText('1 photo looks like this').waitFor()
    assert.equal(await page.locator('.strip [aria-current]').count(), 0)
    await assertAccessible(page, 'more like this')
    await alike().getByRole('link', { name: copies[0]!.name }).click()
    await isShown(copies[0]!.name)
    await alike().getByRole('link', { name: photo.name }).waitFor()
    await page.goBack()
    await isShown(photo.name)
    await page.getByRole('button', { name: 'More like this' }).click()
    await page.locator('.strip [aria-current]').waitFor()
  })

  it('is said to be nothing, or not to be known yet', async () => {
    await open(gallery.ids[0]!)
    const path = `/files/${gallery.ids[0]}/similar`
    const allow = await refuse(page, { method: 'GET', path, status: 500, code: 'internal' })
    await page.keyboard.press('m')
    await alike().getByRole('alert').waitFor()
    await allow()
    await alike().getByRole('button').click()
    await alike().getByText('Nothing else looks like this.').waitFor()
  })

  it('is named below an upload, unless that is here already', async () => {
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    const asked = (path: string) =>
      requests.filter((url) => url.startsWith(`${gallery.url}/api/v1${path}`)).length
    await page.goto('/')
    await page.locator('.shell').waitFor()
    const tiny = await sharp(readFileSync(await photograph(0)))
      .resize(300)
      .jpeg()
      .toBuffer()
    await drop(page, [
      { name: 'tiny.jpg', bytes: tiny },
      { name: 'twin.jpg', bytes: tiny },
    ])
    const panel = page.getByRole('region', { name: 'Upload' })
    await panel.getByRole('heading', { name: '2 of 2' }).waitFor()
    const link = panel.getByRole('link', { name: /^Looks like IMG_0001/ })
    await link.waitFor()
    await panel.getByRole('link', { name: 'already here' }).waitFor()
    assert.equal(await panel.getByRole('listitem').getByRole('link').count(), 2)
    await assertAccessible(page, 'an upload that looks like another file')
    // The row was asked about when its file came, and once more when the list was done.
    const { items } = await gallery.call<{ items: { id: string }[] }>(
      'GET',
      '/files?sort=created&order=desc&limit=1',
    )
    await eventually(() => asked(`/files/${items[0]!.id}/similar`) === 2)
    const counted = asked('/files/ids?limit=1')
    const dead = panel.locator(`a.reason[href="${await link.getAttribute('href')}"]`)
    await link.click()
    await page
      .locator('.facts')
      .getByText(/^IMG_0001/)
      .waitFor()
    await press(page, 't', 'beach', 'Enter')
    await page.getByRole('form', { name: 'Create “beach”' }).waitFor()
    await press(page, 'Enter')
    await page.locator('.tagging .chip', { hasText: 'beach' }).waitFor()
    await eventually(() => asked('/files/ids?limit=1') > counted)
    await press(page, 'Escape')
    // Once that is gone, nothing leads to it any more.
    await page.keyboard.press('Delete')
    await dead.waitFor({ state: 'detached' })
    assert.equal(asked(`/files/${items[0]!.id}/similar`), 3, 'a tag is no reason to ask')
  })
})
