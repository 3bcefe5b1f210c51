import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'

/** Seconds after noon; the first and the last of them are no series. */
const TAKEN = [0, 10, 11, 12, 14, 15, 40]

let gallery: OpenGallery
/** The newest first, as the grid shows them. */
let ids: string[]

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery()
  ids = []
  for (const [at, seconds] of TAKEN.entries()) {
    const clock = `2024:05:06 12:00:${String(seconds).padStart(2, '0')}`
    const colour = { r: 30 * at, g: 120, b: 255 - 30 * at }
    const bytes = await sharp({
      create: { width: 60, height: 40, channels: 3, background: colour },
    })
      .withExif({ IFD0: { Model: 'X100' }, IFD2: { DateTimeOriginal: clock } })
      .jpeg()
      .toBuffer()
    const form = new FormData()
    form.set('file', new Blob([Uint8Array.from(bytes)]), `${at}.jpg`)
    ids.unshift((await gallery.call<{ id: string }>('POST', '/files', form)).id)
  }
})

after(() => gallery?.close())

const tiles = (page: Page) => page.locator('.grid .cell')
const series = (page: Page) => page.getByRole('link', { name: /Series of 5 photos/ })

const hasFocus = (page: Page, id: string) =>
  page.locator(`.grid a[data-id="${id}"]:focus`).waitFor()

async function left(): Promise<string[]> {
  const query = 'sort=content_datetime'
  return (await gallery.call<{ ids: string[] }>('GET', `/files/ids?${query}`)).ids
}

describe('a series', { skip: withoutChromium }, () => {
  it('is one tile, which arrows pass and a selection takes as a whole', async () => {
    const { page } = gallery
    await page.goto('/')
    await series(page).waitFor()
    assert.equal(await tiles(page).count(), 3)
    await page.keyboard.press('ArrowRight')
    await hasFocus(page, ids[0]!)
    await page.keyboard.press('ArrowRight')
    await hasFocus(page, ids[1]!)
    await page.keyboard.press('Space')
    await page.getByText('5 selected').waitFor()
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByText('6 selected').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('ArrowRight')
    await hasFocus(page, ids[6]!)
    await page.keyboard.press('ArrowLeft')
    await hasFocus(page, ids[1]!)
  })

  it('opens as a strip, of which those that are kept stay, and an undo brings back the others', async () => {
    const { page } = gallery
    await series(page).click()
    const strip = page.getByRole('region', { name: 'Series of 5 photos' })
    await strip.waitFor()
    await page.keyboard.press('k')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('k')
    await page.keyboard.press('ArrowRight')
    await assertAccessible(page, 'a series')
    await strip.getByRole('button', { name: 'Keep these 2, move 3 to the trash' }).click()
    await page.getByText('3 photos are in the trash').waitFor()
    assert.deepEqual(await left(), [ids[0], ids[1], ids[3], ids[6]])
    await page.waitForURL((url) => url.pathname === `/f/${ids[1]}`)
    await page.keyboard.press('Control+Z')
    await strip.waitFor()
    assert.deepEqual(await left(), ids)
    // From a file without a tile, the way back leads to the tile that it is behind.
    for (const key of ['ArrowRight', 'ArrowRight', 'Escape']) await page.keyboard.press(key)
    await hasFocus(page, ids[1]!)
  })

  it('is chosen from on a phone, and stands as its photos where one wants that', async () => {
    const phone = await gallery.stranger({ size: { width: 390, height: 844 }, isTouch: true })
    await phone.goto('/')
    await enter(phone)
    await series(phone).tap()
    const strip = phone.getByRole('region', { name: 'Series of 5 photos' })
    await strip.getByRole('button', { name: 'Keep photo 2' }).tap()
    await strip.getByRole('button', { name: 'Keep this one, move 4 to the trash' }).waitFor()
    await phone.goto('/settings')
    const choice = phone.getByRole('group', { name: 'Series as one tile' })
    await choice.getByLabel('Off').check({ force: true })
    await phone.goto('/')
    await tiles(phone).nth(6).waitFor()
    assert.equal(await tiles(phone).count(), 7)
  })
})
