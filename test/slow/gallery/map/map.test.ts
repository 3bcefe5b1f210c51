import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import { drawn } from '../../../web/support/drawn.ts'
import { watchRequests } from '../../../web/support/drive.ts'
import {
  type BrowserOptions,
  enter,
  type OpenGallery,
  openGallery,
  PASSWORD,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { missedByFingers } from '../../../web/support/touch.ts'

const DESKTOP: BrowserOptions = { size: { width: 1600, height: 1000 } }
const PHONE: BrowserOptions = { size: { width: 390, height: 844 }, isTouch: true }

/** Where pictures are taken, in degrees and minutes, and how many. */
const NICE = { latitude: '43/1 42/1 0/1 N', longitude: '7/1 16/1 0/1 E', count: 7 }
/** About 20 m north of it, in the next of the smallest cells. */
const BESIDE = { ...NICE, latitude: '43/1 42/1 65/100 N' }
const MUNICH = { latitude: '48/1 8/1 0/1 N', longitude: '11/1 34/1 0/1 E', count: 3 }
const SYDNEY = { latitude: '33/1 52/1 0/1 S', longitude: '151/1 12/1 0/1 E', count: 1 }

let gallery: OpenGallery

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: 4, isSignedIn: false })
  let number = 50
  for (const { latitude, longitude, count } of [NICE, BESIDE, MUNICH, SYDNEY]) {
    const [[north, GPSLatitudeRef], [east, GPSLongitudeRef]] = [latitude, longitude].map((text) => [
      text.slice(0, -2),
      text.slice(-1),
    ]) as [[string, string], [string, string]]
    for (let n = 0; n < count; n++) {
      const picture = await drawn(number++, 480, 360)
        .withExif({
          IFD3: { GPSLatitude: north, GPSLatitudeRef, GPSLongitude: east, GPSLongitudeRef },
        })
        .jpeg()
        .toBuffer()
      const form = new FormData()
      form.set('file', new Blob([Uint8Array.from(picture)]), `place ${number}.jpg`)
      await gallery.call('POST', '/files', form)
    }
  }
})
after(() => gallery?.close())

/** Opens the map in a browser of its own. */
async function visit(browser: BrowserOptions, path = '/map'): Promise<Page> {
  const page = await gallery.stranger(browser)
  await page.goto(path)
  if (browser.language) {
    await page.locator('input').first().fill('admin')
    await page.locator('input[type=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
  } else await enter(page)
  await page.locator('.world li').first().waitFor()
  return page
}

const placeOf = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const show = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

/** Whether the canvas has land and sea. */
function colours(page: Page): Promise<number> {
  return page.locator('.world canvas').evaluate((canvas) => {
    const { width, height } = canvas as HTMLCanvasElement
    const { data } = (canvas as HTMLCanvasElement)
      .getContext('2d')!
      .getImageData(0, 0, width, height)
    return new Set(new Uint32Array(data.buffer)).size
  })
}

describe('the map', { skip: withoutChromium }, () => {
  it('shows where photos were taken, and what is in sight as a filter', async () => {
    const page = await visit(DESKTOP)
    await placeOf(page, '14 photos near Jean-Médecin, France').waitFor()
    await placeOf(page, '3 photos near Munich, Germany').waitFor()
    await placeOf(page, '1 photo near Pyrmont, Australia').waitFor()
    await show(page, 'Show these 18 photos').waitFor()
    assert.ok((await colours(page)) > 2)
    await assertAccessible(page, 'the map')
  })
  it('comes nearer to many, opens few, and leads back to where it was', async () => {
    const page = await visit(DESKTOP)
    await placeOf(page, '14 photos near Jean-Médecin, France').click()
    await show(page, 'Show these 14 photos').waitFor()
    await show(page, 'Show these 14 photos').click()
    await page.locator('.cell').first().waitFor()
    const { pathname, searchParams } = new URL(page.url())
    assert.equal(pathname, '/')
    assert.match(searchParams.get('filter')!, /^\{g~[0-9a-z]+(,\|,g~[0-9a-z]+)*\}$/)
    const { total } = await gallery.call<{ total: number }>(
      'GET',
      `/files/ids?filter=${encodeURIComponent(searchParams.get('filter')!)}`,
    )
    assert.equal(total, 14)
    await page.goBack()
    await show(page, 'Show these 14 photos').waitFor()
    await page.getByRole('button', { name: 'Show all places' }).click()
    await show(page, 'Show these 18 photos').waitFor()
    await placeOf(page, '17 photos near Jean-Médecin, France').click()
    await placeOf(page, '3 photos near Munich, Germany').click()
    await page.locator('.cell').first().waitFor()
    assert.equal(await page.locator('.cell').count(), 3)
  })

  it('opens many as well where it comes no nearer, though they are in two cells', async () => {
    const filter = encodeURIComponent('{g~spv0t776,|,g~spv0t77k}')
    const page = await visit(DESKTOP, `/map?filter=${filter}`)
    await show(page, 'Show these 14 photos').waitFor()
    await placeOf(page, '14 photos near Jean-Médecin, France').click()
    await page.locator('.cell').first().waitFor()
    assert.equal(await page.locator('.cell').count(), 14)
  })

  it('lets go of a mouse that is released beside it', async () => {
    const page = await visit(DESKTOP)
    const place = placeOf(page, '3 photos near Munich, Germany')
    const { x, y } = (await page.locator('.world').boundingBox())!
    await page.mouse.move(x + 2, y + 300)
    await page.mouse.down()
    await page.mouse.move(x - 2, y + 300)
    await page.mouse.up()
    const before = (await place.boundingBox())!
    await page.mouse.move(x + 300, y + 300)
    await page.mouse.move(x + 400, y + 300)
    assert.deepEqual(await place.boundingBox(), before)
  })

  it('goes where a filter is that is set while it is open', async () => {
    const page = await visit(DESKTOP)
    await show(page, 'Show these 18 photos').waitFor()
    await page.getByRole('combobox').fill('{g~u2,&,m~image/%}')
    await page.keyboard.press('Enter')
    await show(page, 'Show these 3 photos').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('filter'), '{m~image/%}')
    await show(page, 'Show these 3 photos').click()
    await page.locator('.cell').first().waitFor()
    assert.match(new URL(page.url()).searchParams.get('filter')!, /^\{m~image\/%,&,g~u2\w*\}$/)
  })

  it('is limited by the filter, opens where that is, and adds to it', async () => {
    const filter = encodeURIComponent('{k~none,|,!,t=00000000-0000-0000-0000-000000000000}')
    const page = await visit(DESKTOP, '/map?filter=%7Bg~u2%2C%26%2Cm~image%2F%25%7D')
    await show(page, 'Show these 3 photos').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('filter'), '{m~image/%}')
    await show(page, 'Show these 3 photos').click()
    await page.locator('.cell').first().waitFor()
    assert.match(new URL(page.url()).searchParams.get('filter')!, /^\{m~image\/%,&,g~u2\w*\}$/)
    await page.goto(`/map?filter=${filter}`)
    await page.getByText('None of these photos says where it was taken').waitFor()
  })

  it('follows keys, the wheel and the mouse, and asks no more than it needs', async () => {
    const page = await visit(DESKTOP)
    await show(page, 'Show these 18 photos').waitFor()
    const requests = watchRequests(page)
    const place = placeOf(page, '3 photos near Munich, Germany')
    const at = async () => (await place.boundingBox())!
    const start = await at()
    await page.mouse.move(700, 450)
    await page.mouse.down()
    await page.mouse.move(900, 600)
    await page.mouse.move(1100, 700)
    await page.mouse.up()
    const dragged = await at()
    assert.deepEqual(
      [dragged.x - start.x, dragged.y - start.y].map(Math.round),
      [400, 250],
      'it goes with the mouse',
    )
    await page.keyboard.press('+')
    await page.keyboard.press('+')
    await requests.idle()
    assert.ok(requests.take().filter((path) => path.startsWith('/api/v1/files/map')).length <= 3)
    const before = await at()
    await page.keyboard.press('ArrowRight')
    assert.equal(Math.round(before.x - (await at()).x), 120)
    await page.keyboard.press('ArrowDown')
    assert.equal(Math.round(before.y - (await at()).y), 120)
    await page.keyboard.press('0')
    await show(page, 'Show these 18 photos').waitFor()
    const sydney = placeOf(page, '1 photo near Pyrmont, Australia')
    await sydney.hover()
    await page.mouse.wheel(0, -1500)
    await show(page, 'Show this photo').waitFor()
    await sydney.waitFor()
  })

  it('is for fingers, in the other language and in the dark', async () => {
    const page = await visit({ ...PHONE, language: 'de-DE', theme: 'dark' })
    const both = placeOf(page, '17 Fotos bei Jean-Médecin, Frankreich')
    await both.waitFor()
    assert.deepEqual(await missedByFingers(page, '.world > .btns'), [])
    await assertAccessible(page, 'the map on a phone')
    const { x, y } = (await both.boundingBox())!
    const session = await page.context().newCDPSession(page)
    const touch = (type: string, ...points: [number, number][]) =>
      session.send('Input.dispatchTouchEvent', {
        type: type as 'touchStart',
        touchPoints: points.map(([x, y], id) => ({ x, y, id })),
      })
    await touch('touchStart', [x + 12, y + 22], [x + 32, y + 22])
    for (const far of [20, 60, 100, 130]) {
      await touch('touchMove', [x + 12 - far, y + 22], [x + 32 + far, y + 22])
    }
    await touch('touchEnd')
    await placeOf(page, '14 Fotos bei Jean-Médecin, Frankreich').waitFor()
    await show(page, 'Diese 17 Fotos zeigen').waitFor()
  })
})
