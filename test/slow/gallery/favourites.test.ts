import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { assertAccessible } from '../../web/support/axe.ts'
import { holdAnswer } from '../../web/support/hold.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  PASSWORD,
  withoutChromium,
} from '../../web/support/open-gallery.ts'
import { cellOf, select } from '../../web/support/pool.ts'
import { missedByFingers } from '../../web/support/touch.ts'

let gallery: OpenGallery
let page: Page
let ids: string[]

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: 9 })
  ;({ page, ids } = gallery)
})

after(() => gallery?.close())

const undo = () => page.getByRole('button', { name: 'Undo', exact: true }).last()
const room = () => page.getByRole('link', { name: 'Favourites' })
const heartOf = (id: string) => cellOf(page, id).locator('.heart')
const nameOf = (id: string) => page.locator(`.cell a[data-id="${id}"]`)

const isSame = (a: unknown[], b: string[]) => String(a.toSorted()) === String(b.toSorted())

/** Waits until exactly these files are favourites of the admin, on the server. */
async function known(...wanted: string[]): Promise<void> {
  await eventually(async () => {
    const query = encodeURIComponent('{f=1}')
    const answer = await gallery.call<{ ids: string[] }>('GET', `/files/ids?filter=${query}`)
    return isSame(answer.ids, wanted)
  })
}

/** Waits until a page shows exactly these files. */
async function shows(of: Page, ...wanted: string[]): Promise<void> {
  await eventually(async () => {
    const shown = await of.locator('.cell a').evaluateAll((all) => all.map((a) => a.dataset.id))
    return isSame(shown, wanted)
  })
}

describe('favourites', { skip: withoutChromium }, () => {
  it('say how to make one', async () => {
    await room().click()
    await page.getByRole('heading', { name: 'No favourites yet' }).waitFor()
    await page.getByText('or press F').waitFor()
    assert.equal(await page.title(), 'Favourites – Tagstead')
    assert.equal(await room().getAttribute('aria-current'), 'page')
    await assertAccessible(page, 'no favourites')
  })

  it('are made in the grid by the heart or F, and are shown before the server knows', async () => {
    await page.getByRole('link', { name: 'Photos', exact: true }).click()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/bulk/favourite', (route) => held.then(() => route.continue()))
    await cellOf(page, ids[0]!).hover()
    await heartOf(ids[0]!).click()
    await page
      .locator(`.cell:has(.heart.on) a[data-id="${ids[0]}"][aria-label$="favourite"]`)
      .waitFor()
    await nameOf(ids[1]!).focus()
    await page.keyboard.press('f')
    await cellOf(page, ids[1]!).locator('.heart.on').waitFor()
    release()
    await known(ids[0]!, ids[1]!)
    await page.unroute('**/bulk/favourite')
  })

  it('are taken back where the server refuses', async () => {
    await page.route('**/bulk/favourite', (route) => route.fulfill({ status: 500, body: '{}' }))
    await nameOf(ids[2]!).focus()
    await page.keyboard.press('f')
    await page.getByRole('alert').locator('.toast').waitFor()
    assert.equal(await page.locator('.heart.on').count(), 2)
    // Of a selection, those stay that were favourites before.
    await select(page, ids[1]!, ids[2]!)
    await page.keyboard.press('f')
    await page.getByRole('alert').locator('.toast').nth(1).waitFor()
    assert.equal(await page.locator('.heart.on').count(), 2)
    await page.keyboard.press('Escape')
    await page.unroute('**/bulk/favourite')
  })

  it('are made of a selection, and all taken from it', async () => {
    await select(page, ids[1]!, ids[2]!)
    await page.keyboard.press('f')
    await known(ids[0]!, ids[1]!, ids[2]!)
    await page.getByText('2 photos are favourites').waitFor()
    const bar = page.getByRole('region', { name: 'Selected photos' })
    await bar.getByRole('button', { name: /^Favourite/ }).click()
    await known(ids[0]!)
    await undo().click()
    await known(ids[0]!, ids[1]!, ids[2]!)
    await page.keyboard.press('Escape')
  })

  it('leave their room at once, with a way back', async () => {
    await room().click()
    await shows(page, ids[0]!, ids[1]!, ids[2]!)
    await cellOf(page, ids[0]!).hover()
    await heartOf(ids[0]!).click()
    await shows(page, ids[1]!, ids[2]!)
    await undo().click()
    await shows(page, ids[0]!, ids[1]!, ids[2]!)
    await known(ids[0]!, ids[1]!, ids[2]!)

    await select(page, ids[1]!, ids[2]!)
    await page.keyboard.press('f')
    await shows(page, ids[0]!)
    await undo().click()
    await shows(page, ids[0]!, ids[1]!, ids[2]!)
  })

  it('stay open in the viewer when they are none any longer, and leave when it is closed', async () => {
    await nameOf(ids[1]!).click()
    const heart = page.getByRole('button', { name: 'Favourite', exact: true, pressed: true })
    await heart.waitFor()
    await page.keyboard.press('f')
    await known(ids[0]!, ids[2]!)
    // What is read after the heart was set again still has it when it has been taken once more.
    const elsewhere = { file_ids: [ids[4]], is_favourite: true }
    await gallery.call('POST', '/files/bulk/favourite', elsewhere)
    const { held, letGo } = await holdAnswer(page, { method: 'GET', path: '/files/timeline' })
    await page.keyboard.press('f')
    await heart.waitFor()
    await held
    await heart.click()
    await page.getByRole('button', { name: 'Favourite', exact: true, pressed: false }).waitFor()
    await page.keyboard.press('Escape')
    await shows(page, ids[0]!, ids[2]!)
    await known(ids[0]!, ids[2]!, ids[4]!)
    await letGo()
    await shows(page, ids[0]!, ids[2]!, ids[4]!)
  })

  it('are each one’s own, on a phone of somebody who only looks', async () => {
    const { call } = gallery
    const account = { name: 'grandmother', password: PASSWORD }
    const { id } = await call<{ id: number }>('POST', '/users', account)
    await call('POST', '/files/bulk/share', { file_ids: ids, add: [{ user_id: id }] })
    const phone = await gallery.stranger({ size: { width: 390, height: 844 }, isTouch: true })
    await phone.goto('/')
    await enter(phone, 'grandmother')
    await phone.locator('.tabs').getByRole('link', { name: 'Favourites' }).tap()
    await phone.getByText('Open a photo and tap its heart.').waitFor()
    await phone.locator('.tabs').getByRole('link', { name: 'Photos' }).tap()
    await phone.locator(`.cell a[data-id="${ids[3]}"]`).tap()
    const heart = (pressed: boolean) =>
      phone.getByRole('button', { name: 'Favourite', exact: true, pressed })
    await heart(false).tap()
    await heart(true).waitFor()
    assert.deepEqual(await missedByFingers(phone, 'dialog'), [])
    await phone.getByRole('button', { name: 'Back to the grid' }).tap()
    await phone.locator('.tabs').getByRole('link', { name: 'Favourites' }).tap()
    await shows(phone, ids[3]!)
    await phone.reload()
    await phone.locator('.cell .heart.on').waitFor()
    await shows(phone, ids[3]!)
    await known(ids[0]!, ids[2]!, ids[4]!)
    await phone.close()
  })
})
