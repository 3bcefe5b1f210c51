import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, beforeEach, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import {
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'

const FILES = 75

let gallery: OpenGallery
let page: Page

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: FILES })
  page = gallery.page
})

after(() => gallery?.close())

beforeEach(async () => {
  if (withoutChromium) return
  await page.goto('/')
  await page.locator('.cell img[src]').first().waitFor()
})

const cells = () => page.locator('.cell')
const selected = () => page.locator('.cell[aria-selected="true"]')
/** The id of the file that has the focus. */
const focused = () => page.evaluate(() => (document.activeElement as HTMLElement).dataset.id)
/** Waits until each picture in view has come. */
const settled = () =>
  page.waitForFunction(() => {
    const { top, bottom } = document.querySelector('.grid')!.getBoundingClientRect()
    const images = [...document.querySelectorAll<HTMLImageElement>('.cell img')].filter((image) => {
      const own = image.getBoundingClientRect()
      return own.bottom > top && own.top < bottom
    })
    return (
      images.length > 0 && images.every(({ complete, naturalWidth }) => complete && naturalWidth)
    )
  })

describe('the grid', { skip: withoutChromium }, () => {
  it('shows days with their files, the newest first', async () => {
    await settled()
    const days = await page.locator('.day').allInnerTexts()
    assert.deepEqual(
      days.slice(0, 2).map((text) => text.replaceAll('\n', ' ')),
      ['Saturday, 14 July 2018 5 photos', 'Friday, 13 July 2018 5 photos'],
    )
    const first = cells().first().getByRole('link')
    assert.equal(await first.getAttribute('href'), `/f/${gallery.ids[0]}`)
    assert.match((await first.getAttribute('aria-label'))!, /^Photo, 14 July 2018/)
    await assertAccessible(page, 'grid')
  })

  it('asks for five things before the first picture, the last of which are two at once', async () => {
    const own = await gallery.context.newPage()
    const asked: string[] = []
    let answered: string[] | undefined
    own.on('request', (request) => {
      const { origin, pathname } = new URL(request.url())
      if (origin === gallery.url) asked.push(pathname.replace(/[-\w]+\.(css|js)$/, '*.$1'))
    })
    own.on('response', (response) => {
      if (/\/files\/(timeline|cells)/.test(response.url())) answered ??= [...asked]
    })
    const first = own.waitForRequest(/\/thumbnail/)
    await own.goto('/')
    await first
    const before = asked.slice(
      0,
      asked.findIndex((path) => path.endsWith('/thumbnail')),
    )
    const files = ['/api/v1/files/cells', '/api/v1/files/timeline']
    const others = ['/', '/web/assets/*.css', '/web/assets/*.js', '/web/session/refresh']
    assert.deepEqual(before.sort(), [...others, ...files].sort())
    assert.deepEqual(
      files.filter((path) => answered!.includes(path)),
      files,
    )
    await own.close()
  })

  it('fills the width with each row but the last one of a day', async () => {
    const [first, last] = [page.locator('.row').nth(0), page.locator('.row').nth(1)]
    const width = (await page.locator('.canvas').boundingBox())!.width
    const ends = async (row: typeof first) => {
      const cell = (await row.locator('.cell').last().boundingBox())!
      return cell.x + cell.width - (await page.locator('.canvas').boundingBox())!.x
    }
    assert.equal(await ends(first), width)
    assert.ok((await ends(last)) <= width)
  })

  it('selects by ticks, by Shift across days, by days, and everything', async () => {
    await cells().nth(2).hover()
    await cells().nth(2).locator('.tick').click()
    assert.equal(await selected().count(), 1)
    await cells()
      .nth(7)
      .click({ modifiers: ['Shift'] })
    await selected().nth(5).waitFor()
    assert.equal(await selected().count(), 6)
    await cells().nth(3).click()
    assert.equal(await selected().count(), 5)
    await page.keyboard.press('Escape')
    assert.equal(await selected().count(), 0)
    await page.getByRole('button', { name: /^Friday, 13 July/ }).click()
    await selected().nth(4).waitFor()
    const ids = await selected()
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => (link as HTMLElement).dataset.id))
    assert.deepEqual(ids, gallery.ids.slice(5, 10))
    await page.keyboard.press('Control+A')
    assert.equal(await selected().count(), await cells().count())
    assert.equal(page.url(), `${gallery.url}/`)
  })

  it('keeps what is selected while a menu closes, and while a key is held', async () => {
    await cells().first().locator('.tick').click()
    await page.locator('.me').click()
    await page.getByRole('menuitem', { name: 'About' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menuitem', { name: 'About' }).waitFor({ state: 'hidden' })
    assert.equal(await selected().count(), 1)
    for (const _ of [1, 2]) await page.keyboard.press('ArrowRight')
    await page.waitForFunction(
      (id) => (document.activeElement as HTMLElement).dataset.id === id,
      gallery.ids[1]!,
    )
    for (const _ of [1, 2, 3, 4]) await page.keyboard.down('Space')
    await page.keyboard.up('Space')
    assert.equal(await selected().count(), 2)
    await page.keyboard.press('Escape')
    assert.equal(await selected().count(), 0)
  })

  it('loses nothing by one Delete too many in the box for tags', async () => {
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.method()} ${request.url()}`))
    await cells().first().locator('.tick').click()
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('t')
    const box = page.locator('.above input')
    await page.keyboard.type('h')
    assert.equal(await box.inputValue(), 'h')
    for (const key of ['Backspace', 'Delete', 'Space']) await page.keyboard.press(key)
    await page.reload()
    await page.locator('.cell img[src]').first().waitFor()
    assert.deepEqual(
      sent.filter((one) => /bulk\/(?!tags\b)/.test(one)),
      [],
    )
  })

  it('selects by a rectangle of the mouse, and opens nothing', async () => {
    const [from, to] = [
      (await cells().nth(0).boundingBox())!,
      (await cells().nth(6).boundingBox())!,
    ]
    await page.mouse.move(from.x - 12, from.y + 20)
    await page.mouse.down()
    await page.mouse.move(from.x + 20, from.y + 40)
    await page.mouse.move(to.x + to.width - 5, to.y + 30)
    await page.mouse.up()
    assert.ok((await selected().count()) >= 4)
    assert.equal(page.url(), `${gallery.url}/`)
  })

  it('is walked by the keyboard, across days', async () => {
    const at = async (key: string) => {
      const before = await focused()
      await page.keyboard.press(key)
      await page.waitForFunction(
        (id) => (document.activeElement as HTMLElement).dataset.id !== id,
        before,
      )
      return gallery.ids.indexOf((await focused())!)
    }
    assert.equal(await at('ArrowRight'), 0)
    for (const place of [1, 2, 3, 4, 5]) assert.equal(await at('ArrowRight'), place)
    const above = await at('ArrowUp')
    assert.ok(above < 5)
    assert.equal(await at('Control+End'), FILES - 1)
    assert.equal(await at('ArrowLeft'), FILES - 2)
    await page.keyboard.press('Space')
    assert.equal(await selected().count(), 1)
    await page.keyboard.press('Shift+ArrowLeft')
    await selected().nth(1).waitFor()
    assert.equal(await at('Control+Home'), 0)
  })

  it('keeps what is selected through a reload, and nowhere else', async () => {
    await cells()
      .nth(1)
      .click({ modifiers: ['Shift'] })
    await cells().nth(3).click()
    await page.reload()
    await page.getByText('2 selected').waitFor()
    assert.deepEqual(
      await selected()
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => (link as HTMLElement).dataset.id)),
      [gallery.ids[1], gallery.ids[3]],
    )
    await page.keyboard.press('Control+A')
    await cells().nth(2).click()
    await page.reload()
    await page.getByText(`${FILES - 1} selected`).waitFor()
    assert.equal(await cells().nth(2).getAttribute('aria-selected'), 'false')

    await page.goto('/')
    await cells().first().waitFor()
    assert.equal(await selected().count(), 0)
  })

  it('is read anew when somebody comes back to it after a while', async () => {
    const body = { file_ids: [gallery.ids[4]] }
    const later = await gallery.context.newPage()
    await later.clock.install()
    await later.goto('/')
    const gone = later.locator(`.cell a[data-id="${gallery.ids[4]}"]`)
    await gone.waitFor()
    await gallery.call('POST', '/files/bulk/delete', body)
    await later.clock.fastForward('03:01')
    await later.evaluate(() => ['blur', 'focus'].map((name) => dispatchEvent(new Event(name))))
    await gone.waitFor({ state: 'detached' })
    await later.close()
    await gallery.call('POST', '/files/bulk/restore', body)
  })

  it('keeps its place through a reload, in the address', async () => {
    await page.keyboard.press('Control+End')
    await page.waitForURL(/\?at=/)
    const place = new URL(page.url()).searchParams.get('at')
    await page.reload()
    await page.locator(`.cell a[data-id="${place}"]`).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('at'), place)
    const { y } = (await page.locator('.grid').boundingBox())!
    await page.waitForFunction(
      ([id, top]) => {
        const row = document.querySelector(`.cell a[data-id="${id}"]`)?.closest('.row')
        return row && row.getBoundingClientRect().bottom > Number(top)
      },
      [place, y],
    )
  })

  it('stays where it is when a file of it was open', async () => {
    // The second day: it is in view, but not the first there.
    const id = gallery.ids[7]!
    const link = page.locator(`.cell a[data-id="${id}"]`)
    const before = await link.boundingBox()
    await link.click()
    await page.waitForURL(`**/f/${id}`)
    await page.locator('dialog.viewer').waitFor()
    await page.keyboard.press('Escape')
    await page.waitForFunction((own) => document.activeElement?.getAttribute('data-id') === own, id)
    assert.deepEqual(await link.boundingBox(), before)
  })

  it('goes by months with the scrubber', async () => {
    const scrubber = page.getByRole('slider', { name: 'Date' })
    assert.equal(await scrubber.getAttribute('aria-valuetext'), 'July 2018')
    await scrubber.focus()
    await page.keyboard.press('ArrowDown')
    await page.waitForFunction(
      () => document.querySelector('.scrub')!.getAttribute('aria-valuetext') === 'June 2018',
    )
    await page.locator('.day h2').filter({ hasText: 'Saturday, 30 June 2018' }).waitFor()
    await page.keyboard.press('Home')
    await page.waitForFunction(
      () => document.querySelector('.scrub')!.getAttribute('aria-valuetext') === 'July 2018',
    )
  })

  it('has more pictures when it is denser, by Ctrl and the wheel', async () => {
    const count = await cells().count()
    await cells().nth(1).hover()
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, 120)
    await page.keyboard.up('Control')
    await page.waitForFunction(
      (before) => document.querySelectorAll('.cell').length > before,
      count,
    )
    await page.evaluate(() => localStorage.clear())
  })

  it('offers to try a picture again that did not come', async () => {
    const [id] = gallery.ids
    await page.route(`**/${id}/thumbnail*`, (route) => route.abort())
    await page.reload()
    const retry = cells().first().getByRole('button', { name: 'Try again' })
    await retry.waitFor()
    await page.unroute(`**/${id}/thumbnail*`)
    await retry.click()
    await settled()
    assert.equal(await retry.count(), 0)
  })

  it('sorts by name as a plain list, without days and scrubber', async () => {
    await page.goto('/?sort=original_name&order=asc')
    await page.locator('.cell img[src]').first().waitFor()
    assert.equal(await page.locator('.day').count(), 0)
    assert.equal(await page.getByRole('slider').count(), 0)
  })

  it('says when nothing matches', async () => {
    await page.goto('/?search=there-is-none')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  })
})

describe('the grid on a phone', { skip: withoutChromium }, () => {
  it('selects by a long press, and on by dragging from there', async () => {
    const context = await gallery.context.browser()!.newContext({
      baseURL: gallery.url,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      storageState: await gallery.context.storageState(),
    })
    const phone = await context.newPage()
    await phone.goto('/')
    await phone.locator('.cell img[src]').first().waitFor()
    const client = await context.newCDPSession(phone)
    const touch = (
      type: 'touchStart' | 'touchMove' | 'touchEnd',
      points: { x: number; y: number }[],
    ) => client.send('Input.dispatchTouchEvent', { type, touchPoints: points })
    const middle = async (place: number) => {
      const { x, y, width, height } = (await phone.locator('.cell').nth(place).boundingBox())!
      return { x: x + width / 2, y: y + height / 2 }
    }
    const chosen = phone.locator('.cell[aria-selected="true"]')
    await touch('touchStart', [await middle(1)])
    await chosen.first().waitFor()
    await touch('touchMove', [await middle(4)])
    await chosen.nth(3).waitFor()
    await touch('touchEnd', [])
    assert.equal(await chosen.count(), 4)
    assert.equal(new URL(phone.url()).pathname, '/')
    await context.close()
  })
})
