import assert from 'node:assert/strict'
import { after, before, describe, it } from '../../../support/test.ts'
import {
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'

/** What is known of six pictures, in the order of the grid. */
const DATES = [
  ['1988-01-03T12:00:00+00:00', null],
  ['1987-01-01T12:00:00+00:00', 'year'],
  ['1987-12-31T12:00:00+00:00', null],
  ['1987-06-02T12:00:00+00:00', 'month'],
  ['1987-06-30T12:00:00+00:00', 'day'],
  ['1987-06-29T12:00:00+00:00', null],
] as const

let gallery: OpenGallery

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: DATES.length, size: { width: 1280, height: 1600 } })
  for (const [at, [content_datetime, date_precision]] of DATES.entries()) {
    const update = { content_datetime, date_precision }
    await gallery.call('PATCH', `/files/${gallery.ids[at]}`, update)
  }
})
after(() => gallery?.close())

describe('pictures of which only a part of the date is known', { skip: withoutChromium }, () => {
  it('have headings of their own, a year after its December and a month at its end', async () => {
    const { page } = gallery
    await page.goto('/')
    await page.locator('.cell img[src]').first().waitFor()
    const headings = await page.locator('.day h2').allInnerTexts()
    assert.deepEqual(
      headings.map((text) => text.replaceAll(/\s+/g, ' ')),
      [
        'Sunday, 3 January 1988',
        '1987',
        'Thursday, 31 December 1987',
        'June 1987',
        '29–30 June 1987',
      ],
    )
    const cells = page.locator('.cell a')
    const ids = await cells.evaluateAll((all) => all.map((one) => one.getAttribute('data-id')))
    assert.deepEqual(ids, gallery.ids)
    const names = await cells.evaluateAll((all) =>
      all.map((one) => one.getAttribute('aria-label') ?? ''),
    )
    assert.match(names[1]!, /^Photo, 1987\b/)
    assert.match(names[3]!, /^Photo, June 1987\b/)
    assert.match(names[4]!, /^Photo, 30 June 1987(?!, \d\d:)/)
  })

  it('are neighbours of what is beside them in the grid', async () => {
    const { page, ids } = gallery
    await page.goto(`/f/${ids[1]}`)
    await page.locator('h1', { hasText: /^1987$/ }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.waitForURL((url) => url.pathname === `/f/${ids[2]}`)
    await page.keyboard.press('ArrowRight')
    await page.locator('h1', { hasText: /^June 1987$/ }).waitFor()
  })
})
