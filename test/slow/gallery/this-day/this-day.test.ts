import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../../../support/eventually.ts'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
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

const DESKTOP: BrowserOptions = { size: { width: 1440, height: 900 }, hasThisDay: true }
const PHONE: BrowserOptions = {
  size: { width: 390, height: 844 },
  isTouch: true,
  hasThisDay: true,
}
const TODAY = '2026-07-14T10:00:00'

let gallery: OpenGallery
/** Pictures of 14 July: five of 2018, the latest first, and two of 2016. */
let ofDay: string[]

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: 40, isSignedIn: false })
  const { call, ids } = gallery
  ofDay = [...ids.slice(0, 5), ...ids.slice(-2)]
  for (const [n, id] of ids.slice(-2).entries()) {
    await call('PATCH', `/files/${id}`, { content_datetime: `2016-07-14T1${n}:00:00Z` })
  }
  for (const name of ['Ann', 'Grandma', 'Kim']) {
    const { id } = await call<{ id: number }>('POST', '/users', { name, password: PASSWORD })
    const add = [{ user_id: id }]
    await call('POST', '/files/bulk/share', { file_ids: ids, add })
  }
})
after(() => gallery?.close())

/** Opens the photos on 14 July 2026, in a browser of their own. */
async function visit(name: string, browser: BrowserOptions): Promise<Page> {
  const page = await gallery.stranger(browser)
  await page.clock.install({ time: TODAY })
  await page.goto('/')
  await enter(page, name)
  return page
}

const rowOf = (page: Page) => page.getByRole('region', { name: 'On this day' })

/** Does what loads a page, and checks that it shows no row; `isAsked` if the server has to say that there is none. */
async function hasNoRow(page: Page, load: () => Promise<unknown>, isAsked: boolean): Promise<void> {
  const requests = watchRequests(page)
  const answered = (path: string) => page.waitForResponse((answer) => answer.url().includes(path))
  const settings = answered('/users/me/settings')
  const files = isAsked ? answered('/files/this-day') : undefined
  await load()
  await settings
  await files
  await page.locator('.cell img[src]').first().waitFor()
  await requests.idle()
  const isOfDay = (path: string) => path.startsWith('/api/v1/files/this-day')
  assert.equal(requests.take().some(isOfDay), isAsked)
  assert.equal(await rowOf(page).count(), 0)
}

const opened = (page: Page) => page.locator('.layers img').first()

describe('this day', { skip: withoutChromium }, () => {
  it('stands above the photos with its years, and opens among the photos of its day', async () => {
    const page = await visit('Ann', DESKTOP)
    const row = rowOf(page)
    await row.getByText('8 years ago · 5', { exact: true }).waitFor()
    assert.deepEqual(await row.locator('.ago').allTextContents(), [
      '8 years ago · 5',
      '10 years ago',
    ])
    await assertAccessible(page, 'photos with this day')
    const [above, below] = await Promise.all([
      row.boundingBox(),
      page.locator('.part').first().boundingBox(),
    ])
    assert.ok(above!.y + above!.height <= below!.y + 1, 'above the first day')

    const links = row.getByRole('link')
    const ids = await links.evaluateAll((all) =>
      all.map((one) => new URL((one as HTMLAnchorElement).href).pathname.slice(3)),
    )
    assert.deepEqual(new Set(ids.slice(3)), new Set(ofDay.slice(5)))
    await row.getByRole('link', { name: 'Open photo 1 from 10 years ago' }).click()
    await opened(page).waitFor()
    assert.equal(new URL(page.url()).pathname, `/f/${ids[3]}`)
    // There are two photos of that day.
    const seen = [ids[3]!]
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowRight', 'ArrowRight']) {
      await page.keyboard.press(key)
      seen.push(new URL(page.url()).pathname.slice(3))
    }
    assert.deepEqual(new Set(seen), new Set(ofDay.slice(5)))

    await page.keyboard.press('Escape')
    await row.waitFor()
    await page.locator(`.thisday a[href*="/f/${ids[3]}"]:focus`).waitFor()
    assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, '/')
    await page.close()
  })

  it('is not there under a filter, nor in albums', async () => {
    const page = await visit('Ann', DESKTOP)
    await rowOf(page).waitFor()
    await hasNoRow(page, () => page.goto('/?search=picture'), false)
    const first = await page.locator('.part').first().boundingBox()
    const grid = await page.locator('.grid').boundingBox()
    assert.equal(first!.y, grid!.y)
    await page.close()
  })

  it('comes without moving anything at once, and scrolls away with the photos', async () => {
    const page = await gallery.stranger(DESKTOP)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.clock.install({ time: TODAY })
    await page.goto('/')
    await enter(page, 'Ann')
    await page.locator('.cell img[src]').first().waitFor()
    await page.evaluate(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          shifts.push((entry as unknown as { value: number }).value)
      }).observe({ type: 'layout-shift' })
    })
    await rowOf(page)
      .getByRole('link')
      .first()
      .locator('img')
      .evaluate((image) => (image as HTMLImageElement).decode())
    const top = () => rowOf(page).evaluate((row) => row.getBoundingClientRect().top)
    const start = async () => (await page.locator('.grid').boundingBox())!.y
    await eventually(async () => (await top()) === (await start()))
    const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
    assert.deepEqual(shifts, [])

    await page.locator('.grid').evaluate((grid) => grid.scrollTo(0, 600))
    const place = () => rowOf(page).evaluate((row) => row.getBoundingClientRect().bottom)
    assert.ok((await place()) < 0, 'above the window')
    await page.close()
  })

  it('is gone for the day by one tap, and there again tomorrow', async () => {
    const page = await visit('Kim', PHONE)
    const row = rowOf(page)
    await row.waitFor()
    assert.deepEqual(await missedByFingers(page, '.thisday .day'), [])
    const list = row.locator('ul')
    assert.equal(await list.evaluate((ul) => getComputedStyle(ul).overflowX), 'auto')
    assert.ok(await list.evaluate((ul) => ul.scrollWidth > ul.clientWidth), 'scrolls sideways')
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    const kept = page.waitForResponse(
      (answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/me/settings'),
    )
    await row.getByRole('button', { name: 'Hide until tomorrow' }).tap()
    await row.waitFor({ state: 'detached' })
    await kept
    await page.close()

    // On another device as well.
    const other = await visit('Kim', DESKTOP)
    await hasNoRow(other, () => other.reload(), false)
    await other.clock.setSystemTime('2026-07-15T07:00:00')
    // Nothing was taken on 15 July.
    await hasNoRow(other, () => other.reload(), true)
    await other.clock.setSystemTime('2027-07-14T07:00:00')
    await other.reload()
    await rowOf(other).getByText('9 years ago · 5', { exact: true }).waitFor()
    await other.close()
  })

  it('is there for those who only look, with what they see', async () => {
    const [, second] = gallery.ids
    await gallery.call('PUT', `/acl/file/${second}`, { permissions: [] })
    const page = await visit('Grandma', PHONE)
    await rowOf(page).getByText('8 years ago · 4', { exact: true }).waitFor()
    const tile = rowOf(page).getByRole('link').first()
    const id = (await tile.getAttribute('href'))!.slice(3, 39)
    await tile.tap()
    await opened(page).waitFor()
    assert.equal(new URL(page.url()).pathname, `/f/${id}`)
    await page.goBack()
    await rowOf(page).waitFor()
    await page.close()
  })
})
