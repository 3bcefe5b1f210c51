import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  PASSWORD,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { madeUpPictures } from '../../../web/support/pictures.ts'

let gallery: OpenGallery
let page: Page

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery()
  page = gallery.page
})

after(() => gallery?.close())

const sent = () => page.waitForResponse((response) => response.request().method() === 'PUT')
const step = (name: string) => page.locator('.steps li', { hasText: name })

describe('the first hour of an empty library', { skip: withoutChromium }, () => {
  it('greets with three steps, each of which is done or skipped', async () => {
    await page.getByRole('heading', { name: 'Welcome, admin' }).waitFor()
    await assertAccessible(page, 'first hour')
    assert.equal(await page.locator('.steps li').count(), 3)
    // They begin where the words above them do, and are told in one line each.
    const left = async (selector: string) => (await page.locator(selector).first().boundingBox())!.x
    const size = page.viewportSize()!
    for (const width of [390, size.width]) {
      await page.setViewportSize({ ...size, width })
      assert.equal(await left('.steps .face'), await left('.hello h2'))
      const heights = await page
        .locator('.steps .rest > *')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
      assert.ok(Math.max(...heights) < 30, `${width}: ${heights}`)
      const rights = await page
        .getByRole('button', { name: /^Skip:/ })
        .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)))
      assert.equal(new Set(rights).size, 1, `${width}: ${rights}`)
    }

    // The side and the steps lead to the first tag in one way.
    const toFirstTag = page.getByRole('link', { name: 'New tag' })
    assert.deepEqual(
      await toFirstTag.evaluateAll((all) => all.map((one) => one.getAttribute('href'))),
      ['/tags', '/tags'],
    )

    const [picture] = await madeUpPictures(1)
    const chooser = page.waitForEvent('filechooser')
    await step('Add photos').getByRole('button', { name: 'Upload' }).click()
    await page.getByRole('menuitem', { name: 'Choose photos' }).click()
    const file = { name: 'one.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(picture!.bytes) }
    await (await chooser).setFiles([file])
    // The pictures are what counts now: the rest is one line, which opens again.
    const line = page.getByRole('button', { name: '2 steps left' })
    await line.waitFor()
    assert.equal(await page.locator('.steps').count(), 0)
    assert.ok((await page.locator('.hello').boundingBox())!.height < 70)
    await line.click()
    await step('Add photos').getByText('1 added').waitFor()

    const skipped = sent()
    await page.getByRole('button', { name: 'Skip: Create a few tags' }).click()
    await step('Create a few tags').waitFor({ state: 'detached' })
    await skipped
    await page.reload()
    await page.getByRole('button', { name: '1 step left' }).click()
    await step('Invite somebody').waitFor()
    assert.equal(await step('Create a few tags').count(), 0)

    await gallery.call('POST', '/users', { name: 'Jonas', password: PASSWORD })
    const over = sent()
    await page.reload()
    await page.locator('.cell').first().waitFor()
    await page.locator('.hello').waitFor({ state: 'detached' })
    // So that it is over on other devices, too.
    await over
    const settings = await gallery.call<{ first_hour: string }>('GET', '/users/me/settings')
    assert.equal(settings.first_hour, 'done')
  })

  it('says nothing of dropping on a phone', async () => {
    const phone = await gallery.stranger({ size: { width: 390, height: 844 }, isTouch: true })
    await gallery.call('PUT', '/users/me/settings', { first_hour: 'open' })
    const { ids } = await gallery.call<{ ids: string[] }>('GET', '/files/ids')
    await gallery.call('POST', '/files/bulk/delete', { file_ids: ids })
    await phone.goto('/')
    await enter(phone)
    await phone.getByText('Choose them, or take one now').waitFor()
    assert.equal(await phone.locator('.hello').getByText('drop').count(), 0)
    await phone.close()
    await gallery.call('POST', '/files/bulk/restore', { file_ids: ids })
    await gallery.call('PUT', '/users/me/settings', { first_hour: 'done' })
  })

  it('greets nobody who could not do these steps', async () => {
    const { ids } = await gallery.call<{ ids: string[] }>('GET', '/files/ids')
    await gallery.call('POST', '/files/bulk/delete', { file_ids: ids })
    const other = await gallery.stranger()
    await other.goto('/')
    await enter(other, 'Jonas')
    await other.getByText('Nothing has been shared with you yet.').waitFor()
    assert.equal(await other.locator('.hello').count(), 0)
    await other.close()
  })
})
