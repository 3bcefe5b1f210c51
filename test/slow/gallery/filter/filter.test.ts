import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { filmBytes } from '../../../support/media/film.ts'
import { without } from '../../../support/media/media.ts'
import { after, before, beforeEach, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import { click, press } from '../../../web/support/keys.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { makeTags } from '../../../web/support/tags.ts'

const FILES = 30

let gallery: OpenGallery
let page: Page
let tag: Record<string, string>

before(async () => {
  if (withoutChromium) return
  // Numbers of files are kept for half a minute, so the page asks for them when all is there.
  gallery = await openGallery({ files: FILES, isSignedIn: false })
  page = gallery.page
  tag = await makeTags(gallery, 2000)
  const { ids, call } = gallery
  const put = (name: string, files: string[]) =>
    call('POST', '/files/bulk/tags', { file_ids: files, action: 'add', tag_ids: [tag[name]] })
  await put('Arezzo', ids.slice(0, 8))
  await put('holiday', ids.slice(4, 14))
  await put('work', ids.slice(12, 20))
  // Those of the first two days are from three years later.
  await call('POST', '/files/bulk/update', {
    file_ids: ids.slice(0, 10),
    shift_minutes: 3 * 366 * 1440,
  })
  await page.goto('/')
  await enter(page)
})

after(() => gallery?.close())

beforeEach(async () => {
  if (withoutChromium) return
  await page.goto('/')
  await page.locator('.cell img[src]').first().waitFor()
  await page.getByRole('link', { name: /^Arezzo/ }).waitFor()
  // What understands words is loaded with the first look into the box.
  await box().focus()
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Escape')
})

const box = () => page.getByRole('combobox', { name: 'Filter' })
const sentence = async () => (await page.locator('.sentence').innerText()).replaceAll('\n', ' ')
const heading = (words: string) => page.getByRole('heading', { level: 1, name: words, exact: true })
const files = (count: string) => page.getByText(count, { exact: true }).first()

describe('the filter bar', { skip: withoutChromium }, () => {
  it('makes a sentence of chips, which the address keeps', async () => {
    await press(page, '/', 'are', 'Enter', '|hol', 'Enter', '-wor', 'Enter')
    await heading('Photos: Arezzo or holiday and not work').waitFor()
    assert.equal(await sentence(), 'Arezzo or holiday and not work')
    await files('12 photos').waitFor()
    assert.equal(
      new URL(page.url()).searchParams.get('filter'),
      `{(,t=${tag.Arezzo},|,t=${tag.holiday},),&,!,t=${tag.work}}`,
    )
    await assertAccessible(page, 'filter bar')
    await page.reload()
    await heading('Photos: Arezzo or holiday and not work').waitFor()
    await page.goBack()
    await heading('Photos: Arezzo or holiday').waitFor()
  })

  it('shows what was added last and what nobody has reviewed by one click, apart from filters', async () => {
    const { ids, call } = gallery
    await call('POST', '/files/bulk/review', { file_ids: ids.slice(3), needs_review: false })
    await press(page, '/', 'are', 'Enter')
    await files('8 photos').waitFor()
    await page.getByRole('link', { name: 'Not reviewed', exact: true }).click()
    await heading('Photos: not reviewed').waitFor()
    await files('3 photos').waitFor()
    const recent = page.getByRole('link', { name: 'Recently added' })
    await recent.click()
    await heading('Photos').waitFor()
    await files(`${FILES} photos`).waitFor()
    assert.equal(await recent.getAttribute('aria-current'), 'page')
    // Those that were taken first were sent last.
    await page
      .locator('.cell')
      .first()
      .locator(`css=a[href*="/f/${ids.at(-1)}"]`)
      .waitFor()
    await call('POST', '/files/bulk/review', { file_ids: ids, needs_review: true })
  })

  it('takes out the last chip by Backspace, and turns one round by a click', async () => {
    await press(page, '/', 'are', 'Enter', 'is:n', 'Enter', '"pict', 'Enter')
    await heading('Photos: Arezzo and not reviewed, named “pict”').waitFor()
    await press(page, 'Backspace')
    await heading('Photos: Arezzo and not reviewed').waitFor()
    await page.getByRole('button', { name: 'Arezzo', exact: true }).click()
    await page.getByRole('menuitemradio', { name: 'Not: Arezzo' }).click()
    await heading('Photos: not Arezzo and not reviewed').waitFor()
    await files('22 photos').waitFor()
    await page.getByRole('button', { name: 'Arezzo', exact: true }).click()
    await assertAccessible(page, 'the menu of a condition')
    await page.getByRole('menuitemradio', { name: 'Is: Arezzo' }).click()
    await heading('Photos: Arezzo and not reviewed').waitFor()
    await page.getByRole('button', { name: 'not reviewed', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await heading('Photos: Arezzo').waitFor()
    await press(page, '/', 'is:n', 'Enter')
    await heading('Photos: Arezzo and not reviewed').waitFor()
    await page.getByRole('button', { name: 'Remove Arezzo from the filter' }).click()
    await heading('Photos: not reviewed').waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await heading('Photos').waitFor()
  })

  it('shows the filter as text, marks where it breaks, and takes what is mended', async () => {
    await press(page, '/', 'are', 'Enter')
    await heading('Photos: Arezzo').waitFor()
    await page.getByRole('button', { name: 'Filter menu' }).click()
    await page.getByRole('menuitem', { name: 'Filter as text' }).click()
    const written = `{t=${tag.Arezzo}}`
    assert.equal(await box().inputValue(), '{t=<Arezzo>}')
    const meaning = page.locator('.meaning')
    assert.equal(await meaning.innerText(), 'Photos: Arezzo')
    assert.equal(await meaning.evaluate((element) => getComputedStyle(element).fontSize), '14px')
    await box().fill(`{t=${tag.Arezzo},&,!t=${tag.holiday}}`)
    assert.equal(await page.locator('.broken-text mark').innerText(), `!t=${tag.holiday}`)
    await press(page, 'Enter')
    assert.equal(new URL(page.url()).searchParams.get('filter'), written)
    await box().fill(`{t=<Arezzo>,&,!,t=${tag.holiday}}`)
    await page.getByText('Photos: Arezzo and not holiday', { exact: true }).last().waitFor()
    await press(page, 'Enter')
    await files('4 photos').waitFor()
    assert.equal(await sentence(), 'Arezzo and not holiday')
  })

  it('takes out what is typed after a word for it', async () => {
    await press(page, '/', 'are', 'Enter', 'without hol')
    const first = page.getByRole('option').first()
    await first.getByText('not', { exact: true }).waitFor()
    assert.equal(await first.getAttribute('aria-selected'), 'true')
    // A file may be named like that.
    await page.getByRole('option', { name: 'Names with “without hol”' }).waitFor()
    await press(page, 'Enter', 'or wor', 'Enter')
    await heading('Photos: Arezzo and not holiday or work').waitFor()
  })

  it('shows the results after a choice, and not the next choices over them', async () => {
    await box().click()
    await page.getByRole('option', { name: 'videos' }).waitFor()
    await box().fill('are')
    await page.getByRole('option', { name: /^Arezzo/ }).click()
    await heading('Photos: Arezzo').waitFor()
    assert.equal(await page.getByRole('option').count(), 0)
    await box().click()
    await page.getByRole('option', { name: 'videos' }).waitFor()
    await page.keyboard.press('Escape')
  })

  it('says that a filter of the address is broken, and clears it', async () => {
    await page.goto(`/?filter=${encodeURIComponent('{t=beach}')}`)
    await page.getByRole('heading', { name: 'This filter is broken.' }).waitFor()
    await assertAccessible(page, 'a broken filter')
    await page.getByRole('button', { name: 'Clear it' }).click()
    await files(`${FILES} photos`).waitFor()
  })

  it('goes to July 2018 with 8 keys', async () => {
    const slider = page.getByRole('slider', { name: 'Date' })
    assert.equal(await slider.getAttribute('aria-valuetext'), 'July 2021')
    assert.equal(await press(page, '/', '2018-07'), 8)
    await page.locator('[role=slider][aria-valuetext="July 2018"]').waitFor()
    await files('30 photos').waitFor()
    // Enter shows nothing else.
    await press(page, 'Enter')
    await heading('Photos: July 2018').waitFor()
    await files('20 photos').waitFor()
  })

  it('shows the films of one person without work with 16 keys, or 3 clicks', {
    skip: without('ffmpeg', '-version'),
  }, async () => {
    const form = new FormData()
    const film = await filmBytes('film.mp4', ['-c:v', 'mpeg4'])
    form.set('file', new Blob([Uint8Array.from(film)]), 'film.mp4')
    const { id } = await gallery.call<{ id: string }>('POST', '/files', form)
    await gallery.call('PUT', `/files/${id}/tags/${tag.Jonas}`)
    const keys = await press(page, '/', 'jon', 'Enter', 'type:v', 'Enter', '-wo', 'Enter')
    assert.equal(keys, 16)
    await heading('Photos: Jonas and videos and not work').waitFor()
    await files('1 photo').waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await heading('Photos').waitFor()
    const side = page.getByRole('navigation', { name: 'Tags' })
    let clicks = await click(side.getByRole('link', { name: /^Jonas/ }))
    clicks += await click(page.getByRole('button', { name: 'Only videos' }))
    // It stands behind the 2,000 others.
    await side.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await side.getByRole('link', { name: /^work/ }).hover()
    clicks += await click(side.getByRole('button', { name: 'Without work' }))
    assert.equal(clicks, 3)
    await heading('Photos: Jonas and videos and not work').waitFor()
    await files('1 photo').waitFor()
    await assertAccessible(page, 'films of one person without work')
    await page.getByRole('button', { name: 'Only videos' }).click()
    await heading('Photos: Jonas and not work').waitFor()
    await gallery.call('DELETE', `/files/${id}`)
  })

  it('says what to take out when nothing matches', async () => {
    await press(page, '/', 'are', 'Enter', 'work', 'Enter')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await page.getByRole('button', { name: 'without “work” 8' }).waitFor()
    await page.getByRole('button', { name: 'without “Arezzo” 8' }).click()
    await heading('Photos: work').waitFor()
    const from = '1990-01-01T00:00:00Z'
    const address = new URLSearchParams({ filter: `{t=${tag.work}}`, search: 'none', from })
    await page.goto(`/?${address}`)
    await page.getByRole('button', { name: 'without “work” 0' }).waitFor()
    await page.getByRole('button', { name: 'from any time 0' }).waitFor()
    await page.getByRole('button', { name: 'with any name 8' }).click()
    await heading('Photos: work, from 1 January 1990 on').waitFor()
    await files('8 photos').waitFor()
  })
})

describe('the tags at the side', { skip: withoutChromium }, () => {
  it('are there as far as they are seen, by category, with the numbers of their files', async () => {
    const side = page.getByRole('navigation', { name: 'Tags' })
    assert.deepEqual(await side.getByRole('heading').allInnerTexts(), [
      'Occasions',
      'People',
      'No category',
    ])
    await side.getByRole('link', { name: 'holiday 10' }).waitFor()
    const drawn = await page.evaluate(() => document.querySelectorAll('*').length)
    assert.ok(drawn < 1500, `${drawn} elements for 2,000 tags`)
    await side.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await side.getByRole('link', { name: 'tag 1990 0' }).waitFor()
  })

  it('filter: one alone, one more with Shift, none of one with Alt', async () => {
    const link = (name: string) => page.getByRole('link', { name: new RegExp(`^${name} `) })
    await link('Arezzo').click()
    await heading('Photos: Arezzo').waitFor()
    await link('holiday').click({ modifiers: ['Shift'] })
    await heading('Photos: Arezzo and holiday').waitFor()
    await link('holiday').click({ modifiers: ['Alt'] })
    await heading('Photos: Arezzo and not holiday').waitFor()
    assert.equal(await link('Arezzo').getAttribute('aria-current'), 'true')
    // Without the keys, a plus beside the tag adds it.
    await link('birthday').hover()
    await page.getByRole('button', { name: 'birthday as well' }).click()
    await heading('Photos: Arezzo and not holiday and birthday').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Arezzo as well' }).count(), 0)
    await link('holiday').click()
    await heading('Photos: holiday').waitFor()
    await link('holiday').click()
    await heading('Photos').waitFor()
    // Then a click does the same.
    assert.equal(await page.getByRole('button', { name: / as well$/ }).count(), 0)
  })

  it('are put on the files that are dropped on them', async () => {
    await page.locator('.cell .tick').first().click({ force: true })
    const put = page.waitForResponse((response) => response.request().method() === 'PUT')
    await page
      .locator('.cell[aria-selected="true"]')
      .dragTo(page.getByRole('link', { name: /^birthday / }))
    await page.getByRole('link', { name: 'birthday 1' }).waitFor()
    await put
    const file = await gallery.call<{ tags: { name: string }[] }>('GET', `/files/${gallery.ids[0]}`)
    assert.ok(file.tags.some(({ name }) => name === 'birthday'))
  })
})
