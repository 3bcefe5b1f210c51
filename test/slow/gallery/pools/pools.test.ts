import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import { drop } from '../../../web/support/drop.ts'
import { holdAnswer } from '../../../web/support/hold.ts'
import { press } from '../../../web/support/keys.ts'
import {
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import {
  carry,
  cellOf,
  makePool,
  openPool,
  orderOf,
  put,
  select,
  showsTruth,
} from '../../../web/support/pool.ts'

const FILES = 24

let gallery: OpenGallery
let page: Page
let ids: string[]
/** The id of Anna, and of a pool with all files. */
let anna: number
let walks: string

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: FILES })
  page = gallery.page
  ids = gallery.ids
  await gallery.call('POST', '/tags', { name: 'holiday' })
  const account = { name: 'Anna', password: 'a password of Anna' }
  anna = (await gallery.call<{ id: number }>('POST', '/users', account)).id
  await gallery.call('POST', '/files/bulk/update', { file_ids: ids, set: { is_public: true } })
})

after(() => gallery?.close())

const toast = (text: string) => page.locator('.toast', { hasText: text })

/** Takes back what the page did last. */
async function undo(): Promise<void> {
  const undone = page.waitForResponse(/operations\/\d+\/undo$/)
  await press(page, 'Control+z')
  assert.ok((await undone).ok())
}

/** Notes what a page stores of orders. */
function watchOrders(own: Page): { count: number } {
  const orders = { count: 0 }
  own.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().endsWith('/files/reorder')) orders.count++
  })
  return orders
}

describe('the list of pools', { skip: withoutChromium }, () => {
  it('says what a pool is when there is none, and makes one by its name', async () => {
    await page.goto('/albums')
    await page.getByText('No albums yet').waitFor()
    await page.getByRole('button', { name: 'New album' }).click()
    await press(page, ...'Norway', 'Enter')
    await page.getByRole('heading', { name: 'This album is empty' }).waitFor()
    await assertAccessible(page, 'an empty pool')
    assert.equal(await page.title(), 'Norway – Tagstead')
  })

  it('has a pool that was made before the list had come', async () => {
    // The page as it is before any list of pools was asked for.
    await page.goto('/about')
    await page.locator('main h1').waitFor()
    const { held, letGo } = await holdAnswer(page, { method: 'GET', path: '/api/v1/pools' })
    await page.getByRole('link', { name: 'Albums' }).click()
    await held
    await page.getByRole('button', { name: 'New album' }).click()
    await press(page, ...'Early', 'Enter')
    await page.getByRole('heading', { name: 'This album is empty' }).waitFor()
    await letGo()
    await page.getByRole('link', { name: 'Photos', exact: true }).click()
    await cellOf(page, ids[0]!).waitFor()
    await select(page, ids[0]!)
    await press(page, 'p', ...'Ear')
    await page.getByRole('option', { name: 'Early' }).first().waitFor()
    assert.deepEqual(await page.locator('[role=option] .marked').allTextContents(), ['Early'])
    await gallery.call('DELETE', `/pools/${(await pools()).Early}`)
  })

  it('shows covers, how many files there are, and who sees them', async () => {
    walks = await makePool(gallery, 'Walks', ids)
    const doors = await makePool(gallery, 'Doors', ids.slice(0, 1))
    await gallery.call('PUT', `/acl/pool/${doors}`, { permissions: [{ user_id: anna }] })
    await gallery.call('PATCH', `/pools/${walks}`, { is_public: true })
    await page.goto('/albums')
    const card = (name: string) => page.locator('.pools li', { hasText: name })
    await card('Walks').getByText('Everybody').waitFor()
    await card('Doors').getByText('Anna').waitFor()
    await card('Norway').getByText('Only you').waitFor()
    for (const name of ['Walks', 'Doors']) await card(name).locator('.cover img').waitFor()
    assert.equal(await card('Norway').locator('.cover img').count(), 0)
    await assertAccessible(page, 'pools')
    const names = () => page.locator('.pools b').allTextContents()
    assert.deepEqual(await names(), ['Doors', 'Walks', 'Norway'])
    const first = (name: string) => page.locator('.pools li:first-child b', { hasText: name })
    await page.getByLabel('Size').check()
    await first('Walks').waitFor()
    assert.deepEqual(await names(), ['Walks', 'Doors', 'Norway'])
    await press(page, '/', ...'oor')
    await first('Doors').waitFor()
    assert.deepEqual(await names(), ['Doors'])
    await press(page, 'Enter')
    await page.waitForURL(`**/albums/${doors}`)
  })
})

describe('putting files into a pool', { skip: withoutChromium }, () => {
  it('takes four keys from the grid, and is taken back by one', async () => {
    const norway = (await pools()).Norway!
    await page.goto('/')
    await cellOf(page, ids[0]!).waitFor()
    await select(page, ids[0]!, ids[2]!)
    assert.equal(await press(page, 'p', ...'no', 'Enter'), 4)
    await toast('2 photos are in “Norway”').waitFor()
    assert.deepEqual(await orderOf(gallery, norway), [ids[0], ids[2]])
    await undo()
    assert.deepEqual(await orderOf(gallery, norway), [])
  })

  it('makes one, from the viewer', async () => {
    await page.goto(`/f/${ids[3]}`)
    await page.locator('.viewer .facts').waitFor()
    await press(page, 'p', ...'Snow')
    await page.getByText('Create “Snow”').waitFor()
    await assertAccessible(page, 'choosing a pool')
    await press(page, 'Enter')
    await toast('1 photo is in “Snow”').waitFor()
    assert.deepEqual(await orderOf(gallery, (await pools()).Snow!), [ids[3]])
  })

  it('takes eight keys for a folder that is dropped, with a tag', async () => {
    await page.goto('/')
    await cellOf(page, ids[0]!).waitFor()
    await drop(page, [{ name: 'ski.jpg' }, { name: 'sledge.jpg' }])
    await page.getByRole('heading', { name: '2 of 2' }).waitFor()
    const stored = page.waitForResponse(/\/pools\/.+\/files$/)
    assert.equal(await press(page, ...'hol', 'Enter', 'p', ...'sn', 'Enter'), 8)
    assert.equal((await stored).status(), 201)
    const snow = (await pools()).Snow!
    const { items } = await gallery.call<{ items: { original_name: string; tags: unknown[] }[] }>(
      'GET',
      `/pools/${snow}/files`,
    )
    const arrived = items.slice(1).map(({ original_name, tags }) => [original_name, tags.length])
    assert.deepEqual(arrived.sort(), [
      ['ski.jpg', 1],
      ['sledge.jpg', 1],
    ])
    // What arrives later follows.
    const storedToo = page.waitForResponse(/\/pools\/.+\/files$/)
    await drop(page, [{ name: 'tea.jpg' }])
    assert.equal((await storedToo).status(), 201)
    assert.equal((await orderOf(gallery, snow)).length, 4)
    await undo()
    await page.getByRole('button', { name: 'Add to an album' }).waitFor()
    assert.equal((await orderOf(gallery, snow)).length, 2)
  })
})

describe('the order of a pool', { skip: withoutChromium }, () => {
  it('is changed by dragging several at once, with one request, and taken back', async () => {
    await openPool(page, walks)
    const orders = watchOrders(page)
    const chosen = [ids[1]!, ids[5]!, ids[6]!]
    await select(page, ...chosen)
    await carry(page, cellOf(page, ids[5]!), cellOf(page, ids[3]!))
    assert.equal(await page.locator('.held b').textContent(), '3')
    await assertAccessible(page, 'dragging')
    const told = page.locator('.arranged [aria-live]')
    assert.equal(await told.textContent(), '3 photos, between 3 and 4 of 24')
    await page.mouse.up()
    await toast('3 photos moved').waitFor()
    assert.deepEqual(await orderOf(gallery, walks), put(ids, chosen, 2))
    await showsTruth(gallery, page, walks)
    assert.equal(orders.count, 1)
    await undo()
    assert.deepEqual(await orderOf(gallery, walks), ids)
    await showsTruth(gallery, page, walks)
    await press(page, 'Escape')
  })

  it('stays as it is when what is held is let go by Escape', async () => {
    const orders = watchOrders(page)
    await carry(page, cellOf(page, ids[7]!), cellOf(page, ids[2]!))
    await press(page, 'Escape')
    await page.locator('.held').waitFor({ state: 'detached' })
    await page.mouse.up()
    await showsTruth(gallery, page, walks)
    assert.equal(orders.count, 0)
    assert.equal(await page.getByText('selected').count(), 0)
  })

  it('is changed by keys, with one request when they are let go', async () => {
    const orders = watchOrders(page)
    await cellOf(page, ids[2]!).locator('a').focus()
    await page.keyboard.down('Control')
    await page.keyboard.down('Shift')
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight')
    await page.locator(`.cell[data-position="5"] a[data-id="${ids[2]}"]:focus`).waitFor()
    assert.equal(orders.count, 0)
    await page.keyboard.up('Shift')
    await page.keyboard.up('Control')
    await toast('1 photo moved').waitFor()
    assert.deepEqual(await orderOf(gallery, walks), put(ids, [ids[2]!], 5))
    assert.equal(orders.count, 1)
    await undo()
  })

  it('is changed by a menu, for those who can neither drag nor hold keys', async () => {
    await select(page, ids[4]!, ids[8]!)
    const menu = page.getByRole('button', { name: 'In this album' })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Move before number …' }).click()
    await press(page, '2', 'Enter')
    await toast('2 photos moved').waitFor()
    const order = put(ids, [ids[4]!, ids[8]!], 1)
    assert.deepEqual(await orderOf(gallery, walks), order)
    await showsTruth(gallery, page, walks)
    await menu.click()
    await page.getByRole('menuitem', { name: 'Remove from the album' }).click()
    await toast('2 photos removed from “Walks”').waitFor()
    assert.equal((await orderOf(gallery, walks)).length, FILES - 2)
    await undo()
    assert.deepEqual(await orderOf(gallery, walks), order)
    await undo()
    assert.deepEqual(await orderOf(gallery, walks), ids)
    await showsTruth(gallery, page, walks)
    await press(page, 'Escape')
  })

  it('counts places without what has just gone to the trash', async () => {
    await select(page, ids[0]!, ids[1]!)
    const read = page.waitForResponse(/files\/ids\?pool/)
    await press(page, 'Delete')
    await page.getByText('22 photos').waitFor()
    await read
    await showsTruth(gallery, page, walks)
    await carry(page, cellOf(page, ids[7]!), cellOf(page, ids[4]!))
    await page.mouse.up()
    await toast('1 photo moved').waitFor()
    assert.deepEqual(await orderOf(gallery, walks), put(ids.slice(2), [ids[7]!], 2))
    await undo()
    await undo()
    assert.deepEqual(await orderOf(gallery, walks), ids)
    await showsTruth(gallery, page, walks)
  })

  it('is that of the files when one of those is chosen', async () => {
    await page.getByLabel('Date added').check()
    await page.locator('.day').first().waitFor()
    const { sort_key } = await gallery.call<{ sort_key: string }>('GET', `/pools/${walks}`)
    assert.equal(sort_key, 'created')
    await press(page, 'Control+z')
    await page.getByRole('radio', { name: 'By hand', checked: true }).waitFor()
    assert.deepEqual(await orderOf(gallery, walks), ids)
  })

  it('is kept within a filter', async () => {
    await press(page, '/', ...'picture 1')
    await press(page, 'Enter')
    // picture 1, and 10 to 19
    await page.getByText('11 photos').first().waitFor()
    assert.equal(new URL(page.url()).pathname, `/albums/${walks}`)
    await carry(page, cellOf(page, ids[14]!), cellOf(page, ids[9]!))
    await page.mouse.up()
    await toast('1 photo moved').waitFor()
    assert.deepEqual(await orderOf(gallery, walks), put(ids, [ids[14]!], 9))
    await undo()
  })
})

describe('a pool as a whole', { skip: withoutChromium }, () => {
  it('runs as a slideshow from its beginning, and is come back to', async () => {
    const [first] = await orderOf(gallery, walks)
    await openPool(page, walks)
    await page.getByRole('button', { name: 'Slideshow', exact: true }).click()
    await page.locator(`.slideshow .slide[data-id="${first}"]`).waitFor()
    assert.equal(new URL(page.url()).pathname, `/f/${first}`)
    await press(page, 'Escape')
    await page.locator('.viewer').waitFor()
    await press(page, 'Escape')
    await page.waitForURL(`**/albums/${walks}?*`)
    await page.locator(`a[data-id="${first}"]:focus`).waitFor()
  })

  it('is renamed, and deleted, and comes back with its files', async () => {
    const more = page.getByRole('button', { name: 'More about this album' })
    await more.click()
    await page.getByRole('menuitem', { name: 'Name and description' }).click()
    await press(page, ...'Hikes', 'Enter')
    await page.locator('.album h1', { hasText: 'Hikes' }).waitFor()
    const [first] = await orderOf(gallery, walks)
    await gallery.call('POST', `/pools/${walks}/files/remove`, { file_ids: [first] })
    const order = await orderOf(gallery, walks)
    await more.click()
    await page.getByRole('menuitem', { name: 'Delete the album' }).click()
    // As many as there are by now.
    await page.getByText(`Its ${order.length} photos stay`).waitFor()
    await assertAccessible(page, 'deleting a pool')
    await page.getByRole('button', { name: 'Delete the album' }).click()
    await page.waitForURL('**/albums')
    await toast('“Hikes” is deleted').waitFor()
    assert.equal((await pools()).Hikes, undefined)
    await press(page, 'Control+z')
    await page.locator('.pools li', { hasText: 'Hikes' }).waitFor()
    assert.deepEqual(await orderOf(gallery, walks), order)
  })

  it('is said to be gone when it is', async () => {
    await page.goto('/albums/01a206d3-9ab2-7cf0-95af-da66e30fb332')
    await page.getByRole('heading', { name: 'This album is gone' }).waitFor()
    await page.getByRole('link', { name: 'All albums' }).click()
    await page.locator('.pools li', { hasText: 'Hikes' }).waitFor()
  })
})

/** Returns the ids of all pools by their names. */
async function pools(): Promise<Record<string, string>> {
  const { items } = await gallery.call<{ items: { id: string; name: string }[] }>('GET', '/pools')
  return Object.fromEntries(items.map(({ id, name }) => [name, id]))
}
