import assert from 'node:assert/strict'
import type { Page, Request } from 'playwright-core'
import { after, before, describe, it } from '../../../support/test.ts'
import { addLargeLibrary } from '../../../web/support/large-library.ts'
import {
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { makePool, orderOf, put } from '../../../web/support/pool.ts'

const FILES = 5000
const MOVED = 20

let gallery: OpenGallery
let page: Page
let pool: string
let ids: string[]

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: 2 })
  page = gallery.page
  addLargeLibrary(gallery.dataDir, { count: FILES - 2 })
  const { call } = gallery
  ids = (await call<{ ids: string[] }>('GET', '/files/ids?limit=10000')).ids
  pool = await makePool(gallery, 'All of it', ids)
  await page.goto(`/albums/${pool}`)
  await page.getByText('5,000 photos').waitFor()
  await page.locator('.album .cover img').waitFor()
})

after(() => gallery?.close())

const link = (position: number) => page.locator(`.cell[data-position="${position}"] a`)
const toast = (text: string) => page.locator('.toast', { hasText: text })

/** Notes each order that the page stores from now on. */
function watchOrders(): string[] {
  const orders: string[] = []
  page.on('request', (request) => {
    if (isOrder(request)) orders.push(request.url())
  })
  return orders
}

const isOrder = (request: Request) => /\/files\/reorder$/.test(request.url())

/** Throws unless the server has an order; of 5,000 ids, only the first that differs is told. */
async function isStored(wanted: string[]): Promise<void> {
  const stored = await orderOf(gallery, pool)
  const wrong = wanted.findIndex((id, place) => stored[place] !== id)
  assert.equal(wrong, -1, `${stored.indexOf(wanted[wrong]!)} is not at ${wrong}`)
  assert.equal(stored.length, wanted.length)
}

async function undo(): Promise<void> {
  const undone = page.waitForResponse(/operations\/\d+\/undo$/)
  await page.keyboard.press('Control+z')
  assert.ok((await undone).ok())
  await isStored(ids)
  await page.locator(`.cell a[data-id="${ids[0]}"]`).or(page.locator('.unloaded')).first().waitFor()
}

/** Drags files to a place that is not loaded, which must take one request. */
async function dragged(): Promise<void> {
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Home')
  await page.locator('.cell[data-position="1"] .tick').click({ force: true })
  await link(MOVED).click({ modifiers: ['Shift'] })
  await page.getByText('20 selected').waitFor()
  const { x, y } = (await link(2).boundingBox())!
  await page.mouse.move(x + 60, y + 60)
  await page.mouse.down()
  await page.mouse.move(x + 90, y + 60, { steps: 3 })
  await page.locator('.held').waitFor()
  // Typed while it is held: there is no need to scroll through all of it.
  assert.equal(await link(2999).count(), 0)
  await page.keyboard.type('3000')
  await page.locator(`.cell[data-position="2999"] a[data-id="${ids[2999]}"]`).waitFor()
  await page.locator('.slot').waitFor()
  const orders = watchOrders()
  const answered = page.waitForResponse((response) => isOrder(response.request()))
  await page.mouse.up()
  assert.equal((await answered).status(), 204)
  await toast('20 photos moved').last().waitFor()
  await isStored(put(ids, ids.slice(1, MOVED + 1), 2999 - MOVED))
  // They are seen where they are now.
  await page.locator(`.cell[aria-selected="true"] a[data-id="${ids[MOVED]}"]`).waitFor()
  assert.equal(orders.length, 1)
}

describe(`a pool of ${FILES}`, { skip: withoutChromium }, () => {
  it(`takes ${MOVED} dragged to a place that was not loaded, by one request`, async () => {
    await dragged()
    await undo()
  })

  it(`takes ${MOVED} by keys alone, to its end and back to a number`, async () => {
    await page.keyboard.press('Escape')
    await link(0).or(page.locator('.cell a').first()).first().focus()
    await page.keyboard.press('Control+Home')
    await link(0).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Space')
    for (let step = 1; step < MOVED; step++) await page.keyboard.press('Shift+ArrowRight')
    await page.getByText('20 selected').waitFor()
    const orders = watchOrders()
    await page.keyboard.press('Control+Shift+End')
    await toast('20 photos moved').waitFor()
    const moved = ids.slice(0, MOVED)
    const atEnd = put(ids, moved, FILES - MOVED)
    await isStored(atEnd)
    await page.locator(`.cell[data-position="${FILES - MOVED}"] a[data-id="${ids[0]}"]`).waitFor()
    const menu = page.getByRole('button', { name: 'In this album' })
    await menu.focus()
    await page.keyboard.press('Enter')
    const first = page.getByRole('menuitem', { name: 'Move to the beginning' })
    await first.and(page.locator(':focus')).waitFor()
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('dialog', { name: 'Move 20 photos' }).waitFor()
    await page.keyboard.type('2000')
    await page.keyboard.press('Enter')
    await page.locator(`.cell[data-position="1999"] a[data-id="${ids[0]}"]`).waitFor()
    await toast('20 photos moved').nth(1).waitFor()
    await isStored(put(atEnd, moved, 1999))
    assert.equal(orders.length, 2)
  })
})
