import assert from 'node:assert/strict'
import type { CDPSession, Locator, Page } from 'playwright-core'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import {
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { cellOf, makePool, orderOf, put } from '../../../web/support/pool.ts'

let gallery: OpenGallery
let page: Page
let pool: string
let finger: CDPSession

before(async () => {
  if (withoutChromium) return
  const size = { width: 390, height: 844 }
  gallery = await openGallery({ files: 12, size, isTouch: true, theme: 'dark' })
  page = gallery.page
  pool = await makePool(gallery, 'Walks', gallery.ids)
  finger = await page.context().newCDPSession(page)
  await page.goto(`/albums/${pool}`)
  await page.locator('.album .cover img').waitFor()
  await page.locator('.cell img[src]').first().waitFor()
})

after(() => gallery?.close())

const cell = (id: string) => cellOf(page, id)

async function touch(type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) {
  await finger.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
}

/** Holds a cell until it is picked up, and moves it over the left half of another. */
async function holdOver(from: Locator, to: Locator): Promise<void> {
  const [start, end] = [(await from.boundingBox())!, (await to.boundingBox())!]
  const { x, y } = { x: start.x + start.width / 2, y: start.y + start.height / 2 }
  await touch('touchStart', { x, y })
  await page.locator('.held').waitFor()
  await touch('touchMove', { x: end.x + end.width / 4, y: end.y + end.height / 2 })
  await page.locator('.slot').waitFor()
}

describe('a pool on a phone', { skip: withoutChromium }, () => {
  it('is put in order by holding a picture and moving it', async () => {
    const { ids } = gallery
    await assertAccessible(page, 'a pool on a phone')
    await holdOver(cell(ids[4]!), cell(ids[1]!))
    await touch('touchEnd')
    await page.getByText('1 photo moved').waitFor()
    assert.deepEqual(await orderOf(gallery, pool), put(ids, [ids[4]!], 1))
    assert.equal(await page.getByText('selected').count(), 0)
  })

  it('selects what is held and let go where it is, and moves all that is selected', async () => {
    const order = await orderOf(gallery, pool)
    const chosen = [order[1]!, order[4]!]
    const { x, y } = (await cell(chosen[0]!).boundingBox())!
    await touch('touchStart', { x: x + 20, y: y + 40 })
    await page.locator('.held').waitFor()
    await touch('touchEnd')
    await page.getByText('1 selected').waitFor()
    await cell(chosen[1]!).tap()
    await page.getByText('2 selected').waitFor()
    await holdOver(cell(chosen[1]!), cell(order[0]!))
    assert.equal(await page.locator('.held b').textContent(), '2')
    await touch('touchEnd')
    await page.getByText('2 photos moved').waitFor()
    assert.deepEqual(await orderOf(gallery, pool), put(order, chosen, 0))
  })
})
