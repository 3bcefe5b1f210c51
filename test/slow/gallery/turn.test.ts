import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { Schemas } from '../../../src/client/index.ts'
import { eventually } from '../../support/eventually.ts'
import { corners, shown } from '../../support/media/corners.ts'
import { filmBytes } from '../../support/media/film.ts'
import { withoutEncoder } from '../../support/media/media.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { assertAccessible } from '../../web/support/axe.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../web/support/open-gallery.ts'
import { refuse } from '../../web/support/refuse.ts'

type File = Schemas['File']

let gallery: OpenGallery
let page: Page
before(async () => {
  if (withoutChromium) return
  gallery = await openGallery()
  page = gallery.page
})
after(() => gallery?.close())

let days = 0

async function send(name: string, bytes: Uint8Array): Promise<string> {
  const form = new FormData()
  // Photos of one moment would be a series.
  form.set('content_datetime', new Date(Date.UTC(2020, 0, ++days)).toISOString())
  form.set('file', new Blob([Uint8Array.from(bytes)]), name)
  return (await gallery.call<File>('POST', '/files', form)).id
}
const photo = async () => send('lying.jpg', await corners(2400, 1600))
const rotationOf = async (id: string) => (await gallery.call<File>('GET', `/files/${id}`)).rotation

async function open(id: string, at: Page = page): Promise<void> {
  await at.goto(`/f/${id}`)
  await at.locator('.layers img.loaded, .film').first().waitFor()
}

/** Waits until a part of the page shows these corners, clockwise from the upper left one, and has a ratio. */
async function looks(part: Locator, colours: string, ratio?: number): Promise<void> {
  await eventually(async () => {
    const [width, height, corners] = await shown(await part.screenshot())
    const isSo = ratio === undefined || Math.abs(width / height - ratio) < 0.02
    return corners === colours && isSo
  })
}

const layers = (at: Page = page) => at.locator('.layers')
const isUpright = (part: Locator, colours: string) => looks(part, colours, 2 / 3)
const isLying = (part: Locator, colours: string) => looks(part, colours, 3 / 2)

describe('a photo that lies on its side', { skip: withoutChromium }, () => {
  it('is turned by ] and [, stays so, in all pixels too, and is turned back', async () => {
    const id = await photo()
    await open(id)
    await page.getByRole('button', { name: 'Turn right' }).waitFor()
    await isLying(layers(), 'rgbw')
    await page.keyboard.press(']')
    await isUpright(layers(), 'wrgb')
    await page.getByText('Turned').waitFor()
    await eventually(async () => (await rotationOf(id)) === 90)
    await page.reload()
    await page.locator('.layers img.loaded[alt="lying.jpg"]').waitFor()
    await isUpright(layers(), 'wrgb')
    await page.keyboard.press('z')
    await page.keyboard.press('+')
    await page.keyboard.press('+')
    await page.locator('.layers img.loaded[data-turn="90"]').waitFor()
    await looks(page.locator('.photo'), 'wrgb')
    await page.keyboard.press('z')
    await page.keyboard.press('[')
    await isLying(layers(), 'rgbw')
    await eventually(async () => (await rotationOf(id)) === 0)
    await page.keyboard.press('[')
    await isUpright(layers(), 'gbwr')
    await page.getByText('Turned').last().waitFor()
    await page.keyboard.press('Control+z')
    await isLying(layers(), 'rgbw')
    assert.equal(await rotationOf(id), 0)
  })

  it('is turned by each press, however quick they are', async () => {
    const id = await photo()
    await open(id)
    await page.getByRole('button', { name: 'Turn right' }).waitFor()
    for (let n = 0; n < 3; n++) await page.keyboard.press(']')
    await isUpright(layers(), 'gbwr')
    await eventually(async () => (await rotationOf(id)) === 270)
    await isUpright(layers(), 'gbwr')
  })

  it('is shown turned before the server answers, and back when it refuses', async () => {
    const id = await photo()
    await open(id)
    const allow = await refuse(page, {
      method: 'PATCH',
      path: `/files/${id}`,
      status: 403,
      code: 'forbidden',
    })
    await page.getByRole('button', { name: 'Turn right' }).click()
    await page.locator('.toast[role=alert], .toast.bad').first().waitFor()
    await isLying(layers(), 'rgbw')
    await allow()
    assert.equal(await rotationOf(id), 0)
  })

  it('is turned with others that are selected, and shown so in the grid', async () => {
    const ids = [await photo(), await photo()]
    await page.goto('/')
    const cell = (id: string) => page.locator(`.grid a[data-id="${id}"]`)
    for (const id of ids) await cell(id).click({ modifiers: ['Shift'] })
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('[')
    await page.getByText('2 photos are turned').waitFor()
    for (const id of ids) {
      assert.equal(await rotationOf(id), 270)
      await looks(cell(id), 'gbwr')
    }
    await page.keyboard.press('Control+z')
    for (const id of ids) await looks(cell(id), 'rgbw')
  })

  it('is turned in the menu of a phone', async () => {
    const phone = await gallery.stranger({ size: { width: 390, height: 844 }, isTouch: true })
    await phone.goto('/')
    await enter(phone)
    const id = await photo()
    await open(id, phone)
    await isLying(layers(phone), 'rgbw')
    assert.equal(await phone.getByRole('button', { name: 'Turn right' }).count(), 0)
    await phone.locator('.viewer .top').getByRole('button', { name: 'More', exact: true }).click()
    await assertAccessible(phone, 'the menu of the viewer')
    await phone.getByRole('menuitem', { name: 'Turn right' }).click()
    await isUpright(layers(phone), 'wrgb')
    await eventually(async () => (await rotationOf(id)) === 90)
    await phone.reload()
    await phone.locator('.layers img.loaded[alt="lying.jpg"]').waitFor()
    await isUpright(layers(phone), 'wrgb')
  })
})

describe('a video that lies on its side', { skip: withoutChromium }, () => {
  it('is turned while it is open, and plays on', { skip: withoutEncoder('libvpx') }, async () => {
    const options = ['-c:v', 'libvpx', '-pix_fmt', 'yuv420p']
    const film = await filmBytes('lying.webm', options, 'testsrc=size=320x160:duration=20:rate=10')
    const id = await send('lying.webm', film)
    await open(id)
    const video = page.locator('video.film')
    await page.getByRole('button', { name: 'Turn right' }).waitFor()
    await video.evaluate((element: HTMLVideoElement) => {
      element.currentTime = 7
    })
    const before = await video.boundingBox()
    await page.keyboard.press(']')
    await eventually(async () => (await rotationOf(id)) === 90)
    await page.locator('video.film[data-turn="90"]').waitFor()
    // The page has the answer then, and with it another version of the file.
    await page.locator('.photo > img.loaded:not([data-turn])').waitFor()
    const after = await video.boundingBox()
    assert.deepEqual(after, before)
    const state = await video.evaluate((element: HTMLVideoElement) => [
      element.currentTime,
      getComputedStyle(element).rotate === 'none' && getComputedStyle(element).transform !== 'none',
    ])
    assert.deepEqual(state, [7, true])
    await page.reload()
    await page.locator('video.film[data-turn="90"]').waitFor()
    await page.locator('.photo > img.loaded').waitFor()
    // Empty if the grid's cell, which knows no turn, was shown first.
    assert.ok(!(await video.getAttribute('poster')))
  })
})
