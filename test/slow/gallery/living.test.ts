import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import type { Schemas } from '../../../src/client/index.ts'
import { eventually } from '../../support/eventually.ts'
import { filmBytes } from '../../support/media/film.ts'
import { withoutEncoder } from '../../support/media/media.ts'
import { after, before, beforeEach, describe, it } from '../../support/test.ts'
import { unzippedBytes, withoutUnzip } from '../../support/zip.ts'
import { assertAccessible } from '../../web/support/axe.ts'
import { press } from '../../web/support/keys.ts'
import {
  type BrowserOptions,
  enter,
  type OpenGallery,
  openGallery,
  PASSWORD,
  withoutChromium,
} from '../../web/support/open-gallery.ts'
import { makePool, orderOf } from '../../web/support/pool.ts'
import { missedByFingers } from '../../web/support/touch.ts'

type File = Schemas['File']

const skip = withoutChromium || withoutEncoder('libvpx')
const FILES = 4
const PHONE: BrowserOptions = { size: { width: 390, height: 844 }, isTouch: true }

let gallery: OpenGallery
let page: Page
/** A picture and its film, which are the newest. */
let picture: string
let film: string
let tag: string

before(async () => {
  if (skip) return
  gallery = await openGallery({ files: FILES })
  page = gallery.page
  picture = gallery.ids[0]!
  const options = ['-c:v', 'libvpx', '-pix_fmt', 'yuv420p']
  const bytes = await filmBytes('live.webm', options, 'testsrc=size=320x240:duration=2:rate=10')
  const form = new FormData()
  form.set('content_datetime', '2018-07-14T16:00:01Z')
  form.set('file', new Blob([Uint8Array.from(bytes)]), 'picture 1.webm')
  film = (await gallery.call<File>('POST', '/files', form)).id
  tag = (await gallery.call<Schemas['Tag']>('POST', '/tags', { name: 'Arezzo' })).id
})

after(() => gallery?.close())

beforeEach(async () => {
  if (skip) return
  const { companion_of } = await read(film)
  if (companion_of === null) await pair()
  for (const id of [picture, film]) await gallery.call('PATCH', `/files/${id}`, { rotation: 0 })
})

const pair = () => gallery.call('PATCH', `/files/${film}`, { companion_of: picture })
const read = (id: string) => gallery.call<File>('GET', `/files/${id}`)
const cell = (id: string, at: Page = page) => at.locator(`.cell:has(a[data-id="${id}"])`)
async function select(id: string): Promise<void> {
  await cell(id).locator('.tick').click({ force: true })
  // What the keys do comes with the bar.
  await page.getByText(/^\d selected$/).waitFor()
}
const toast = (text: string) => page.locator('.toast', { hasText: text })
const video = (at: Page = page) => at.locator('.layers video.loaded')
const live = (at: Page = page) => at.getByRole('button', { name: 'Live: play the film' })

async function seen(at: Page = page): Promise<void> {
  await at.locator('.cell img[src]').first().waitFor()
}

async function cellsAre(count: number, at: Page = page): Promise<void> {
  await eventually(async () => (await at.locator('.cell').count()) === count)
}

/** Asserts what both the picture and its film have. */
async function assertBoth<Field extends keyof File>(field: Field, value: File[Field]) {
  const files = await Promise.all([read(picture), read(film)])
  assert.deepEqual(
    files.map((file) => file[field]),
    [value, value],
  )
}

async function areTrashed(isTrashed: boolean): Promise<void> {
  await eventually(async () => {
    const files = await Promise.all([read(picture), read(film)])
    return files.every(({ trashed_at }) => (trashed_at !== null) === isTrashed)
  })
}

async function open(at: Page = page): Promise<void> {
  await at.goto(`/f/${picture}`)
  await at.locator('.layers img.loaded').first().waitFor()
  await live(at).waitFor()
}

describe('a picture and its film in the grid', { skip }, () => {
  it('have one cell with a mark, and are counted as one', async () => {
    await page.goto('/')
    await seen()
    await cellsAre(FILES)
    assert.equal(await cell(film).count(), 0)
    assert.equal((await cell(picture).innerText()).trim(), 'Live')
    assert.match((await cell(picture).locator('a').getAttribute('aria-label'))!, /^Live photo, /)
    await page.getByText(`${FILES} photos`, { exact: true }).first().waitFor()
    await assertAccessible(page, 'a live photo in the grid')
  })

  it('are tagged, liked and turned together, as one of all', async () => {
    await page.goto('/')
    await seen()
    await press(page, 'Control+a')
    await page.getByText(`${FILES} selected`).waitFor()
    await press(page, 't', 'Arezzo')
    await page.getByRole('option', { name: 'Arezzo' }).first().waitFor()
    await press(page, 'Enter')
    await toast(`Arezzo added to ${FILES} photos`).waitFor()
    for (const id of [picture, film]) {
      assert.deepEqual(
        (await read(id)).tags.map(({ id }) => id),
        [tag],
      )
    }
    await page.goto('/')
    await seen()
    await page.getByRole('link', { name: `Arezzo ${FILES}` }).waitFor()
    await press(page, 'Control+a', 'f')
    await toast(`${FILES} photos are favourites`).waitFor()
    await assertBoth('is_favourite', true)
    await press(page, ']')
    await toast(`${FILES} photos are turned`).waitFor()
    await assertBoth('rotation', 90)
    await page.keyboard.press('Control+z')
    await eventually(async () => (await read(film)).rotation === 0)
    await assertBoth('rotation', 0)
  })

  it('are said to be turned where only the film is left out', async () => {
    await page.goto('/')
    await seen()
    await select(picture)
    const json = { changed: 1, skipped: 1, skipped_ids: [film] }
    await page.route('**/files/bulk/update', (route) => route.fulfill({ json }))
    await page.keyboard.press(']')
    await toast('1 photo is turned').waitFor()
    await page.unroute('**/files/bulk/update')
  })

  it('go to the trash together, and come back', async () => {
    await page.goto('/')
    await seen()
    await select(picture)
    await page.keyboard.press('Delete')
    await toast('1 photo is in the trash').waitFor()
    await areTrashed(true)
    await cellsAre(FILES - 1)
    await page.keyboard.press('Control+z')
    await areTrashed(false)
    await cellsAre(FILES)
  })

  it('go into an album, to another place in it, and out of it together', async () => {
    const pool = await makePool(gallery, 'A week in Arezzo', gallery.ids.slice(1))
    const order = () => orderOf(gallery, pool)
    await page.goto(`/f/${picture}`)
    await page.locator('.viewer .facts').waitFor()
    await live().waitFor()
    await page.keyboard.press('p')
    await page.getByRole('option', { name: /A week in Arezzo/ }).click()
    await toast('1 photo').waitFor()
    await eventually(async () => (await order()).length === FILES + 1)
    await page.goto(`/albums/${pool}`)
    await seen()
    await cellsAre(FILES)
    await page.locator('.album').getByText(`${FILES} photos`).waitFor()
    await select(picture)
    await page.getByRole('button', { name: 'In this album' }).click()
    await page.getByRole('menuitem', { name: 'Move to the beginning' }).click()
    await toast('1 photo moved').waitFor()
    assert.deepEqual(await order(), [picture, film, ...gallery.ids.slice(1)])
    await page.getByRole('button', { name: 'In this album' }).click()
    await page.getByRole('menuitem', { name: 'Remove from the album' }).click()
    await cellsAre(FILES - 1)
    assert.deepEqual(await order(), gallery.ids.slice(1))
  })

  it('are shared together, and counted as one there too', async () => {
    const account = { name: 'Anna', password: PASSWORD, can_create: false }
    const anna = await gallery.call<{ id: number }>('POST', '/users', account)
    await page.goto('/')
    await seen()
    await select(picture)
    await select(gallery.ids[1]!)
    await press(page, 's')
    await page.getByRole('dialog').getByRole('heading', { name: 'Share 2 photos' }).waitFor()
    await page.getByRole('combobox', { name: 'Share with' }).fill('an')
    await page.getByText('Anna sees all 2.').waitFor()
    await page.keyboard.press('Enter')
    await toast('Anna sees all 2.').waitFor()
    const body = { file_ids: [picture, film, gallery.ids[1]!], user_ids: [anna.id] }
    const { users } = await gallery.call<Schemas['Reach']>('POST', '/files/reach', body)
    assert.equal(users[0]!.seen, 3)
  })

  it('are reviewed together, by Space even after a click that plays the film', async () => {
    const file_ids = [picture, film]
    await gallery.call('POST', '/files/bulk/review', { file_ids, needs_review: true })
    await page.goto(`/inbox?at=${picture}`)
    await live().click()
    await video().waitFor()
    await page.keyboard.press('Space')
    await eventually(async () => !(await read(film)).needs_review)
    await assertBoth('needs_review', false)
  })

  it('are downloaded together, even where a filter finds the picture alone', {
    skip: withoutUnzip,
  }, async () => {
    const { id } = await gallery.call<Schemas['Tag']>('POST', '/tags', { name: 'Vasari' })
    await gallery.call('PUT', `/files/${picture}/tags/${id}`)
    await page.goto(`/?filter={t=${id}}`)
    await seen()
    await press(page, 'Control+a')
    await page.getByText(/^\d selected$/).waitFor()
    const areSaved = async (act: Promise<void>) => {
      const [saved] = await Promise.all([page.waitForEvent('download'), act])
      assert.equal(unzippedBytes(await readFile(await saved.path())).length, 2)
    }
    await page.getByRole('button', { name: 'Download' }).click()
    await areSaved(page.getByRole('menuitem', { name: 'Download', exact: true }).click())
    await open()
    await areSaved(page.keyboard.press('d'))
  })

  it('are restored together', async () => {
    await gallery.call('POST', '/files/bulk/delete', { file_ids: [picture, film] })
    await page.goto('/trash')
    await seen()
    await cellsAre(1)
    await select(picture)
    await page.keyboard.press('r')
    await toast('1 photo is back').waitFor()
    await areTrashed(false)
  })
})

describe('a live photo in the viewer', { skip }, () => {
  it('plays its film while it is held, and shows the picture again', async () => {
    await open()
    await assertAccessible(page, 'a live photo')
    const box = (await page.locator('.photo').boundingBox())!
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.mouse.down()
    await video().waitFor()
    await page.mouse.up()
    await video().waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).pathname, `/f/${picture}`)
    assert.equal(await page.locator('.viewer.bare').count(), 0, 'nor is that a tap')
  })

  it('plays it once by V and by a click, until its end, V or Escape', async () => {
    await open()
    await page.keyboard.press('v')
    await video().waitFor()
    assert.equal(await live().getAttribute('aria-pressed'), 'true')
    await video().waitFor({ state: 'detached' })
    await page.keyboard.press('v')
    await video().waitFor()
    await page.keyboard.press('v')
    await video().waitFor({ state: 'detached' })
    await page.keyboard.press('v')
    await video().waitFor()
    await page.keyboard.press('Escape')
    await video().waitFor({ state: 'detached' })
    assert.equal(await page.locator('.viewer').count(), 1)
    await live().click()
    await video().waitFor()
    await live().click()
    await video().waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByText('Play the film of a live photo').waitFor()
    await page.keyboard.press('Escape')
  })

  it('is changed with its film', async () => {
    await open()
    await page.getByRole('button', { name: 'Turn right' }).click()
    await toast('Turned').waitFor()
    await eventually(async () => (await read(film)).rotation === 90)
    await assertBoth('rotation', 90)
    await page.keyboard.press('Control+z')
    await eventually(async () => (await read(picture)).rotation === 0)
    await assertBoth('rotation', 0)
    await page.getByTitle('Change the date').click()
    await page.getByLabel('Date and time').fill('2018-07-15T12:00:00')
    await page.keyboard.press('Enter')
    await eventually(async () => (await read(film)).content_datetime.startsWith('2018-07-15'))
    await assertBoth('content_datetime', '2018-07-15T12:00:00.000Z')
    await page.keyboard.press('Control+z')
    await eventually(async () => (await read(picture)).content_datetime.startsWith('2018-07-14'))
    assert.match((await read(film)).content_datetime, /^2018-07-14/)
    await page.keyboard.press('Delete')
    await toast('In the trash').waitFor()
    await areTrashed(true)
    await page.keyboard.press('Control+z')
    await areTrashed(false)
  })

  it('is turned, and turned back by an undo, though the request for its film fails', async () => {
    await open()
    await page.route('**/files/bulk/update', (route) => route.fulfill({ status: 500 }))
    await page.getByRole('button', { name: 'Turn right' }).click()
    await toast('Turned').waitFor()
    await page.unroute('**/files/bulk/update')
    assert.equal((await read(picture)).rotation, 90)
    await page.keyboard.press('Control+z')
    await eventually(async () => (await read(picture)).rotation === 0)
    await assertBoth('rotation', 0)
  })

  it('is taken apart, and that is taken back', async () => {
    await open()
    await page.getByRole('button', { name: 'Take photo and film apart' }).click()
    await toast('Photo and film are two files now').waitFor()
    assert.equal((await read(film)).companion_of, null)
    await live().waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await cell(film).waitFor()
    await cell(picture).waitFor()
    assert.equal((await cell(picture).innerText()).trim(), '')
    await page.keyboard.press('Control+z')
    await cell(film).waitFor({ state: 'detached' })
    assert.equal((await read(film)).companion_of, picture)
  })

  it('is played by those who only look, who can’t take it apart', async () => {
    const anna = await gallery.stranger()
    await anna.goto('/')
    await enter(anna, 'Anna')
    await seen(anna)
    await cellsAre(2, anna)
    await open(anna)
    await anna.locator('.facts').waitFor()
    assert.equal(await anna.getByText('Take photo and film apart').count(), 0)
    await anna.keyboard.press('v')
    await video(anna).waitFor()
  })
})

describe('a live photo on a phone', { skip }, () => {
  it('has a mark, plays while a finger holds it, and is taken apart', async () => {
    const phone = await gallery.stranger(PHONE)
    await phone.goto('/')
    await enter(phone)
    await seen(phone)
    await cell(picture, phone).getByText('Live').waitFor()
    await open(phone)
    assert.deepEqual(await missedByFingers(phone, '.show'), [])
    const finger = await phone.context().newCDPSession(phone)
    const touchPoints = [{ x: 190, y: 400 }]
    await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await video(phone).waitFor()
    await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await video(phone).waitFor({ state: 'detached' })
    await live(phone).tap()
    await video(phone).waitFor()
    await video(phone).waitFor({ state: 'detached' })
    await phone.getByRole('button', { name: 'Tags and details' }).click()
    await phone.getByRole('button', { name: 'Take photo and film apart' }).click()
    await live(phone).waitFor({ state: 'detached' })
    assert.equal((await read(film)).companion_of, null)
    await phone.getByRole('button', { name: 'Undo' }).click()
    await live(phone).waitFor()
  })
})

describe('the last of a picture and its film', { skip }, () => {
  it('is said before both are deleted for good', async () => {
    await gallery.call('POST', '/files/bulk/delete', { file_ids: [picture, film] })
    await page.goto('/trash')
    await seen()
    await page.getByRole('button', { name: 'Empty the trash' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete 1 photo for good?' })
    await question.getByText('picture and film are both deleted').waitFor()
    await question.getByRole('button', { name: 'Delete 1 photo' }).click()
    await toast('1 photo is deleted').waitFor()
    const { total } = await gallery.call<{ total: number }>('GET', '/files/ids?trash=true')
    assert.equal(total, 0)
  })
})
