import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, beforeEach, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import {
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'

/** When pictures were taken, the newest first: only one day has more than four. */
const TAKEN = [
  ...Array<string>(6).fill('2023-09-09'),
  '2023-08-02',
  '2023-08-01',
  '2023-07-31',
  '2023-07-30',
  '2023-07-30',
  ...Array<string>(40).fill('2022-05-01'),
  ...Array<string>(40).fill('2021-05-01'),
]

let gallery: OpenGallery
let page: Page

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: TAKEN.length, size: { width: 1920, height: 900 } })
  page = gallery.page
  for (const [at, day] of TAKEN.entries()) {
    const minute = String(59 - (at % 60)).padStart(2, '0')
    const content_datetime = `${day}T${12 - Math.floor(at / 60)}:${minute}:00+00:00`
    await gallery.call('PATCH', `/files/${gallery.ids[at]}`, { content_datetime })
  }
})

after(() => gallery?.close())

beforeEach(async () => {
  if (withoutChromium) return
  await page.goto('/')
  await page.locator('.cell img[src]').first().waitFor()
})

const shared = () => page.getByRole('button', { name: /^30 July\s–\s2 August 2023$/ })
const selected = () => page.locator('.cell[aria-selected="true"] a')
const place = () => new URL(page.url()).searchParams.get('at')
const month = (name: string) =>
  page.waitForFunction(
    (own) => document.querySelector('.scrub')?.getAttribute('aria-valuetext') === own,
    name,
  )

describe('days of one to four pictures', { skip: withoutChromium }, () => {
  it('share a row under one heading, which selects all of it', async () => {
    const headings = await page.locator('.day').allInnerTexts()
    assert.deepEqual(
      headings.slice(0, 3).map((text) => text.replaceAll(/\s+/g, ' ')),
      [
        'Saturday, 9 September 2023 6 photos',
        '30 July – 2 August 2023 5 photos',
        'Sunday, 1 May 2022 40 photos',
      ],
    )
    const row = page.locator(`.row:has([data-id="${gallery.ids[6]}"])`)
    assert.equal(await row.locator('.cell').count(), 5)
    await shared().click()
    await selected().nth(4).waitFor()
    assert.deepEqual(
      await selected().evaluateAll((links) => links.map((link) => link.getAttribute('data-id'))),
      gallery.ids.slice(6, 11),
    )
    await assertAccessible(page, 'short days')
    await shared().click()
    await page.waitForFunction(() => !document.querySelector('.cell[aria-selected="true"]'))
  })

  it('are walked by months, though two of them share a row', async () => {
    await page.getByRole('slider').focus()
    for (const name of ['August 2023', 'July 2023', 'May 2022', 'May 2021']) {
      await page.keyboard.press('ArrowDown')
      await month(name)
    }
    for (const name of ['May 2022', 'July 2023', 'August 2023']) {
      await page.keyboard.press('ArrowUp')
      await month(name)
    }
  })

  it('have addresses of their own in a row that they share', async () => {
    const id = gallery.ids[9]!
    await page.goto(`/?at=${id}`)
    await month('July 2023')
    assert.equal(place(), id)
    const top = (await page.locator('.grid').boundingBox())!.y
    const heading = (await shared().boundingBox())!
    assert.ok(heading.y >= top && heading.y < top + 48, 'the row with its heading is on top')
  })
})

describe('the scrubber', { skip: withoutChromium }, () => {
  const outline = () =>
    page.locator('.scrub .now').evaluate((handle) => getComputedStyle(handle).outlineStyle)

  it('shows that it has the focus to those who use keys alone', async () => {
    const { x, y, height } = (await page.locator('.scrub').boundingBox())!
    await page.mouse.move(x + 50, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + 50, y + height / 3)
    await page.mouse.up()
    await month('May 2022')
    assert.equal(await outline(), 'none')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Tab')
    assert.equal(await outline(), 'solid')
  })

  it('names the month beside the years, not over them', async () => {
    const years = page.locator('.scrub .year')
    await years.nth(1).waitFor()
    const bubble = (await page.locator('.scrub .bubble').boundingBox())!
    for (const year of await years.all()) {
      assert.ok(bubble.x + bubble.width <= (await year.boundingBox())!.x)
    }
  })
})
