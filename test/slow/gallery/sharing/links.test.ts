import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Schemas } from '../../../../src/client/index.ts'
import { eventually } from '../../../support/eventually.ts'
import { filmBytes } from '../../../support/media/film.ts'
import { withoutEncoder } from '../../../support/media/media.ts'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import {
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { madeUpPictures } from '../../../web/support/pictures.ts'
import { makePool } from '../../../web/support/pool.ts'
import { missedByFingers } from '../../../web/support/touch.ts'

const COUNT = 12
const withoutTools = withoutChromium || withoutEncoder('libvpx')

let gallery: OpenGallery
let page: Page
let film: string

const make = async (body: object) =>
  (await gallery.call<Schemas['ShareMade']>('POST', '/shares', body)).url

before(async () => {
  if (withoutTools) return
  gallery = await openGallery({ files: COUNT, isSignedIn: false })
  page = gallery.page
  const bytes = await filmBytes('a.webm', ['-c:v', 'libvpx'])
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), 'film.webm')
  film = (await gallery.call<{ id: string }>('POST', '/files', form)).id
})

after(() => gallery?.close())

/** The pictures that are there, not only their places. */
const tiles = (on: Page) => on.locator('.wall img.loaded')
const picture = (on: Page) => on.locator('.layers img.loaded[alt]:not([alt=""])')

/** Opens a link, and waits for its first picture. */
async function visit(on: Page, url: string): Promise<void> {
  await on.goto(url)
  await tiles(on).first().waitFor()
}

describe('the page of a link', { skip: withoutTools }, () => {
  it('shows pictures and films by keys, and the browser leads back', async () => {
    const url = await make({ file_ids: [film, ...gallery.ids], title: 'At the <b>lake</b>' })
    await visit(page, url)
    await page.getByRole('heading', { name: 'At the <b>lake</b>' }).waitFor()
    assert.equal(await page.title(), 'At the <b>lake</b>')
    const all = page.locator('.wall a')
    assert.equal(await all.count(), COUNT + 1)
    const isFilm = (label: string | null) => label?.startsWith('Video')
    const labels = await all.evaluateAll((links) => links.map((a) => a.getAttribute('aria-label')))
    const place = labels.findIndex(isFilm)
    await all.nth(place).click()
    await page.locator('video').waitFor()
    await page.keyboard.press('Space')
    await page.getByText(`${place + 1} of ${COUNT + 1}`).waitFor()
    const way = place === 0 ? ['ArrowRight', 2] : ['ArrowLeft', place]
    await page.keyboard.press(String(way[0]))
    await picture(page).waitFor()
    await page.getByText(`${way[1]} of ${COUNT + 1}`).waitFor()
    const seen = page.url()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).hash, '')
    await page.goto(seen)
    await page.reload()
    await picture(page).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await all.first().click()
    await page.getByRole('dialog').waitFor()
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('shows one file after the other by itself, until Escape', async () => {
    await visit(page, await make({ file_ids: gallery.ids.slice(0, 2) }))
    await page.getByRole('button', { name: 'Slideshow' }).click()
    await page.getByText('1 of 2').waitFor({ state: 'attached' })
    await page.getByText('2 of 2').waitFor({ state: 'attached' })
    await page.getByText('1 of 2').waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    await eventually(() => page.evaluate(() => document.fullscreenElement === null))
  })

  it('lets one file and all of them be saved, or none', async () => {
    const one = gallery.ids.slice(0, 1)
    const url = await make({ file_ids: one, shows_names: true, downloads: 'as_they_are' })
    await visit(page, url)
    const zip = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download all' }).click()
    assert.match((await zip).suggestedFilename(), /\.zip$/)
    await page.locator('.wall a').click()
    await page.getByText('picture 1.jpg').waitFor()
    const file = page.waitForEvent('download')
    await page.keyboard.press('d')
    assert.equal((await file).suggestedFilename(), 'picture 1.jpg')
    await visit(page, await make({ file_ids: one, downloads: 'none' }))
    assert.equal(await page.getByRole('link', { name: 'Download all' }).count(), 0)
    await page.locator('.wall a').click()
    await picture(page).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Download' }).count(), 0)
  })

  it('asks for a password, and says nothing more where nothing is', async () => {
    const url = await make({ file_ids: gallery.ids, password: 'a secret' })
    await page.goto(url)
    await page.getByLabel('Password').fill('another one')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('That is not the password.').waitFor()
    await assertAccessible(page, 'the password')
    await page.getByLabel('Password').fill('a secret')
    await page.keyboard.press('Enter')
    await tiles(page).first().waitFor()
    await page.reload()
    await tiles(page).first().waitFor()
    await page.goto(`/s/${'A'.repeat(22)}`)
    await page.getByText('There is nothing behind this link').waitFor()
    await assertAccessible(page, 'nothing')
  })

  it('takes what guests add, with their name', async () => {
    await visit(page, await make({ file_ids: gallery.ids, may_upload: true }))
    await page.getByRole('button', { name: 'Add photos' }).click()
    await page.getByLabel('Your name').fill('Aunt Mary')
    const added = (await madeUpPictures(COUNT + 2)).slice(COUNT)
    const chosen = added.map(({ name, bytes }) => ({ name, buffer: Buffer.from(bytes) }))
    await page
      .locator('input[type=file]')
      .setInputFiles([
        ...chosen.map((file) => ({ ...file, mimeType: 'image/jpeg' })),
        { name: 'text.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') },
      ])
    await page.getByRole('status').getByText('2 of 3 arrived').waitFor()
    await page.getByText('Not a photo or video.').waitFor()
    await assertAccessible(page, 'what is added')
    const { items } = await gallery.call<Schemas['FileCursorPage']>(
      'GET',
      '/files?sort=created&order=desc&limit=2',
    )
    assert.deepEqual(
      items.map(({ original_name, needs_review }) => [original_name, needs_review]),
      [...added].reverse().map(({ name }) => [name, true]),
    )
  })

  it('is usable with fingers, and by everybody, in both themes and languages', async () => {
    const url = await make({ file_ids: [film, ...gallery.ids], may_upload: true })
    for (const theme of ['light', 'dark'] as const) {
      for (const width of [390, 1280]) {
        const isTouch = width === 390
        const size = { width, height: 844 }
        const guest = await gallery.stranger({ size, theme, isTouch, language: 'de-DE' })
        await visit(guest, url)
        assert.equal(await guest.locator('html').getAttribute('lang'), 'de')
        const what = `${theme} ${width}`
        await assertAccessible(guest, `the wall, ${what}`)
        if (isTouch) assert.deepEqual(await missedByFingers(guest, 'header'), [])
        await guest.locator('.wall a[aria-label^=Foto]').first().click()
        await picture(guest).waitFor()
        await assertAccessible(guest, `a picture, ${what}`)
        if (isTouch) assert.deepEqual(await missedByFingers(guest, '.top'), [])
        const isWide = await guest.evaluate(
          () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
        )
        assert.equal(isWide, false, what)
        await guest.close()
      }
    }
  })
})

describe('links in the gallery', { skip: withoutTools }, () => {
  it('are made at an album, shown once, listed and ended', async () => {
    const id = await makePool(gallery, 'Summer', gallery.ids)
    await page.goto(`/albums/${id}`)
    await page.getByLabel('Name', { exact: true }).fill('admin')
    await page.getByLabel('Password', { exact: true }).fill('a password for tests')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('button', { name: 'Share by link' }).click()
    const dialog = page.getByRole('dialog', { name: 'Link for people without an account' })
    await dialog.getByText(`will see ${COUNT} photos`).waitFor()
    await assertAccessible(page, 'the dialog of a link')
    await dialog.getByLabel('What visitors read').fill('Our summer')
    await dialog.getByText('Later photos too').click()
    await dialog.getByLabel('As they are').check()
    const ends = dialog.getByLabel('Ends after')
    await ends.fill('2001-01-01')
    await dialog.getByRole('button', { name: 'Make the link' }).click()
    assert.equal(
      await ends.evaluate((input: HTMLInputElement) => input.validity.rangeUnderflow),
      true,
    )
    await ends.fill('2099-12-31')
    await dialog.getByRole('button', { name: 'Make the link' }).click()
    const url = await page.getByLabel('Link', { exact: true }).inputValue()
    await assertAccessible(page, 'the link')
    // As over http.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    const guest = await gallery.stranger()
    await visit(guest, url)
    await guest.getByRole('heading', { name: 'Our summer' }).waitFor()
    await page.goto('/settings')
    const line = page.getByRole('listitem').filter({ hasText: 'Our summer' })
    await line.getByText(/12 photos, made .+last used .+ends 31 December 2099/).waitFor()
    await assertAccessible(page, 'the list of links')
    const later = await page.context().newPage()
    await later.clock.setFixedTime('2100-02-01T12:00:00Z')
    await later.goto('/settings')
    await later.getByText(/12 photos, made .+ended 31 December 2099/).waitFor()
    await later.close()
    const end = line.getByRole('button', { name: 'End the link to Our summer' })
    await end.click()
    const question = page.getByRole('alertdialog', { name: 'End the link to Our summer?' })
    await assertAccessible(page, 'ending a link')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await guest.reload()
    await guest.getByRole('heading', { name: 'Our summer' }).waitFor()
    await end.click()
    await question.getByRole('button', { name: 'End', exact: true }).click()
    await line.waitFor({ state: 'detached' })
    await guest.reload()
    await guest.getByText('There is nothing behind this link').waitFor()
  })

  it('are all listed, also more than one answer holds', async () => {
    for (let number = 0; number <= 200; number++) {
      await make({ file_ids: gallery.ids.slice(0, 1), title: `Link ${number}` })
    }
    await page.goto('/settings')
    for (const name of ['Link 0', 'Link 200']) {
      await page.getByRole('button', { name: `End the link to ${name}`, exact: true }).waitFor()
    }
  })
})
