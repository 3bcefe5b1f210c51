import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import { whatRunsOut } from '../../../web/support/boxes.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  PASSWORD,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { cellOf, makePool, select } from '../../../web/support/pool.ts'

let gallery: OpenGallery
let page: Page
let ids: string[]
let beach: string
let grandma: number

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: 6 })
  page = gallery.page
  ids = gallery.ids
  const tag = { name: 'beach', is_public: true }
  beach = (await gallery.call<{ id: string }>('POST', '/tags', tag)).id
  for (const id of ids.slice(0, 4)) await gallery.call('PUT', `/files/${id}/tags/${beach}`)
  await makePool(gallery, 'By hand', ids.slice(0, 1))
  const user = { name: 'Grandma', password: PASSWORD }
  grandma = (await gallery.call<{ id: number }>('POST', '/users', user)).id
  const permissions = [{ user_id: grandma }]
  await gallery.call('PUT', `/acl/file/${ids[1]}`, { permissions })
})

after(() => gallery?.close())

const strip = (of: Page) => of.locator('.gap')
const toast = (of: Page, text: string) => of.locator('.toast', { hasText: text })
const search = () => `/?filter=${encodeURIComponent(`{t=${beach}}`)}`

/** Waits until a page shows these files and no others. */
async function shows(of: Page, ...shown: string[]): Promise<void> {
  for (const id of shown) await cellOf(of, id).locator('img[src]').waitFor()
  for (const id of ids) if (!shown.includes(id)) await cellOf(of, id).waitFor({ state: 'detached' })
}

async function keep(of: Page, name: string): Promise<string> {
  await of.goto(search())
  await shows(of, ...ids.slice(0, 4))
  await of.getByRole('button', { name: 'Filter menu' }).click()
  await of.getByRole('menuitem', { name: 'Keep this search' }).click()
  const dialog = of.getByRole('dialog', { name: 'Keep this search as an album' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await assertAccessible(of, 'a search that is kept')
  await dialog.getByRole('button', { name: 'Create the album' }).click()
  await of.locator('.album').getByRole('heading', { name }).waitFor()
  return new URL(of.url()).pathname.split('/').at(-1)!
}

describe('an album that fills itself', { skip: withoutChromium }, () => {
  let album: string

  it('is made of a search, says with what it fills itself, and has no order by hand', async () => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Filter menu' }).click()
    assert.equal(await page.getByRole('menuitem', { name: 'Keep this search' }).count(), 0)
    await page.keyboard.press('Escape')
    album = await keep(page, 'At the sea')
    await strip(page).getByText('Fills itself with').waitFor()
    await strip(page).locator('.chip', { hasText: 'beach' }).waitFor()
    await page.locator('.album').getByText('4 photos').waitFor()
    await shows(page, ...ids.slice(0, 4))
    const order = page.locator('.poolbar .order')
    await order.getByText('Date taken').waitFor()
    assert.equal(await order.getByText('By hand').count(), 0)
    await assertAccessible(page, 'an album that fills itself')
    assert.deepEqual(await whatRunsOut(page), [])
  })

  it('lets nobody take photos out of it, and is offered for none', async () => {
    await select(page, ids[0]!, ids[1]!)
    assert.equal(await page.getByRole('button', { name: 'In this album' }).count(), 0)
    await page.getByRole('button', { name: 'Album', exact: true }).click()
    const list = page.getByRole('dialog').getByRole('listbox')
    await list.getByText('By hand').waitFor()
    assert.equal(await list.getByText('At the sea').count(), 0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  })

  it('lets its search be changed among all photos, and undone', async () => {
    await page.getByRole('button', { name: 'Change the search' }).click()
    await strip(page).getByText('Choose what “At the sea” fills itself with.').waitFor()
    await assertAccessible(page, 'a search that is changed')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await strip(page).getByText('Fills itself with').waitFor()
    await page.getByRole('button', { name: 'Change the search' }).click()
    await page.locator('.sentence').getByRole('button', { name: 'beach', exact: true }).click()
    await page.getByRole('menuitemradio', { name: 'Not: beach' }).click()
    await shows(page, ...ids.slice(4))
    await page.getByRole('button', { name: 'Save the search' }).click()
    await toast(page, '“At the sea” fills itself with this now').waitFor()
    await page.locator('.album').getByText('2 photos').waitFor()
    await shows(page, ...ids.slice(4))
    await toast(page, 'fills itself').getByRole('button', { name: 'Undo' }).click()
    await shows(page, ...ids.slice(0, 4))
    await page.goBack()
    await page.locator('.cell').first().waitFor()
    assert.equal(await strip(page).count(), 0)
  })

  it('is changed as it is, whatever limits what is shown of it', async () => {
    const limits = { search: 'none', from: '1990-01-01T00:00:00Z' }
    const shown = new URLSearchParams({ ...limits, sort: 'original_name', order: 'asc' })
    await page.goto(`/albums/${album}?${shown}`)
    await page.getByRole('button', { name: 'Change the search' }).click()
    await shows(page, ...ids.slice(0, 4))
    const query = new URL(page.url()).searchParams
    assert.deepEqual([...query.keys()], ['filter'])
    await page.getByRole('combobox', { name: 'Filter' }).fill('"picture"')
    await page.keyboard.press('Enter')
    await strip(page).getByText('The name “picture” is left out.').waitFor()
  })

  it('says to who shares it that each sees their own part, which then is so', async () => {
    await page.goto(`/albums/${album}`)
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('This album shares no photos').waitFor()
    assert.equal(await dialog.getByRole('switch').count(), 1)
    await dialog.getByRole('combobox').fill('Grand')
    await dialog.getByRole('option', { name: 'Grandma' }).click()
    await dialog.getByRole('button', { name: /Share with Grandma/ }).click()
    await dialog.waitFor({ state: 'detached' })
    const { is_public, shares_files } = await gallery.call<Record<string, boolean>>(
      'GET',
      `/pools/${album}`,
    )
    assert.deepEqual([is_public, shares_files], [false, false])

    const hers = await gallery.stranger({ language: 'de-DE' })
    await hers.goto('/')
    await hers.getByLabel('Name', { exact: true }).fill('Grandma')
    await hers.getByLabel('Passwort', { exact: true }).fill(PASSWORD)
    await hers.keyboard.press('Enter')
    await hers.locator('.shell').waitFor()
    await hers.goto(`/albums/${album}`)
    await strip(hers).getByText('Dieses Album füllt sich selbst.').waitFor()
    assert.equal(await strip(hers).getByRole('button').count(), 0)
    await shows(hers, ids[1]!)
    await hers.goto('/albums')
    await hers.locator('.pools li', { hasText: 'At the sea' }).getByText('1 Foto').waitFor()
  })

  it('is named before the tag is deleted that it asks for', async () => {
    await page.goto(`/tags?at=${beach}`)
    await page.getByText('The album “At the sea” fills itself by it and will find less.').waitFor()
  })

  it('is kept, shown and changed by thumb', async () => {
    const phone = await gallery.stranger({ size: { width: 390, height: 844 }, isTouch: true })
    await phone.goto('/')
    await enter(phone)
    await keep(phone, 'By thumb')
    await strip(phone).locator('.chip', { hasText: 'beach' }).waitFor()
    assert.deepEqual(await whatRunsOut(phone), [])
    await assertAccessible(phone, 'an album that fills itself, on a phone')
    await phone.getByRole('button', { name: 'Change the search' }).tap()
    await strip(phone).getByText('Choose what “By thumb” fills itself with.').waitFor()
    assert.deepEqual(await whatRunsOut(phone), [])
    await assertAccessible(phone, 'a search that is changed, on a phone')
    await phone.locator('.sentence').getByRole('button', { name: 'beach', exact: true }).tap()
    await phone.getByRole('menuitemradio', { name: 'Not: beach' }).tap()
    await shows(phone, ...ids.slice(4))
    await phone.getByRole('button', { name: 'Save the search' }).tap()
    await phone.locator('.album').getByText('2 photos').waitFor()
  })
})
