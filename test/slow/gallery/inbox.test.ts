import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Schemas } from '../../../src/client/index.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { assertAccessible } from '../../web/support/axe.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../web/support/open-gallery.ts'
import { garble, refuse } from '../../web/support/refuse.ts'
import { join } from '../../web/support/somebody.ts'

let gallery: OpenGallery
let page: Page

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: 4 })
  page = gallery.page
  for (const name of ['holiday', 'holly', 'beach']) await gallery.call('POST', '/tags', { name })
})

after(() => gallery?.close())

const fileOf = (id: string) => gallery.call<Schemas['File']>('GET', `/files/${id}`)
const left = (words: string) =>
  page.locator('.title .left').getByText(words, { exact: true }).waitFor()
const shows = (name: string) => page.locator(`.layers img[alt="${name}"]`).waitFor()

/** Presses keys, and waits until as many changes are answered. */
async function change(count: number, ...keys: string[]): Promise<void> {
  let answered = 0
  const answers = page.waitForResponse(
    (response) => response.request().method() !== 'GET' && response.ok() && ++answered === count,
  )
  for (const key of keys) await page.keyboard.press(key)
  await answers
}

describe('the inbox', { skip: withoutChromium }, () => {
  it('tells how many files are to be reviewed', async () => {
    await page.goto('/inbox')
    await left('1 of 4 to review')
    await shows('picture 1.jpg')
    await page.locator('.facts').waitFor()
    await assertAccessible(page, 'inbox')
  })

  it('reviews and goes on by one key, and goes back', async () => {
    const [first] = gallery.ids
    await change(1, 'Space')
    await left('2 of 4 to review')
    await shows('picture 2.jpg')
    assert.equal(await page.locator('.title progress').getAttribute('value'), '1')
    assert.equal((await fileOf(first!)).needs_review, false)
    await change(1, 'Control+z')
    await left('1 of 4 to review')
    await shows('picture 1.jpg')
    assert.equal((await fileOf(first!)).needs_review, true)
  })

  it('says what goes wrong, and loses nothing by it', async () => {
    const path = '/files/bulk/review'
    await refuse(page, { method: 'POST', path, status: 500, code: 'internal' })
    await page.keyboard.press('Space')
    await page.getByRole('alert').filter({ hasText: /./ }).waitFor()
    await shows('picture 1.jpg')
    await left('1 of 4 to review')
    const mend = await garble(page, { method: 'POST', path })
    const mistake = page.waitForEvent('pageerror')
    await page.keyboard.press('Space')
    assert.equal((await mistake).name, 'SyntaxError')
    gallery.problems.pop()
    await page.getByText('Something went wrong on this page.').waitFor()
    await shows('picture 1.jpg')
    await left('1 of 4 to review')
    await mend()
    const failed = { status: 500, json: { code: 'internal' } }
    await page.route('**/files/timeline*', (route) => route.fulfill(failed))
    await page.reload()
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await page.unroute('**/files/timeline*')
    await again.click()
    await left('1 of 4 to review')
    await shows('picture 1.jpg')
  })

  it('tags and goes on by six keys, or by two', async () => {
    const [first, second] = gallery.ids
    await page.keyboard.press('t')
    await change(2, 'h', 'o', 'l', 'Enter', 'Space')
    await shows('picture 2.jpg')
    await change(2, '1', 'Space')
    await shows('picture 3.jpg')
    for (const id of [first!, second!]) {
      const { tags, needs_review } = await fileOf(id)
      assert.deepEqual([tags.map(({ name }) => name), needs_review], [['holiday'], false])
    }
    await left('3 of 4 to review')
  })

  it('says when all is done', async () => {
    await change(2, 'Delete', 'Space')
    await page.getByRole('heading', { name: 'All reviewed' }).waitFor()
    await assertAccessible(page, 'all reviewed')
    await change(1, 'Control+z')
    await left('3 of 3 to review')
    await shows('picture 4.jpg')
  })

  it('is counted at the side, as long as there is something in it', async () => {
    await page.goto('/')
    const count = page.getByRole('link', { name: 'Inbox' }).locator('.n')
    await count.getByText('1', { exact: true }).waitFor()
    await page.locator('.cell').first().waitFor()
    await page.keyboard.press('Control+A')
    await change(1, 'r')
    await count.waitFor({ state: 'detached' })
    await change(1, 'Control+z')
    await count.getByText('1', { exact: true }).waitFor()
  })

  it('leaves no mark on what was reviewed when the grid is shown again', async () => {
    const last = page.locator(`.grid a[data-id="${gallery.ids[3]}"]`)
    await page.goto('/')
    await last.and(page.getByLabel('not reviewed')).waitFor()
    await page.getByRole('link', { name: 'Inbox' }).click()
    await shows('picture 4.jpg')
    await change(1, 'Space')
    await page.getByRole('heading', { name: 'All reviewed' }).waitFor()
    await page.getByRole('link', { name: 'Photos', exact: true }).click()
    await last.and(page.locator(':not([aria-label*="not reviewed"])')).waitFor()
  })

  it('offers no change of what belongs to others, and claims none', async () => {
    const anna = await join(gallery, 'Anna')
    const file_ids = gallery.ids.slice(0, 2)
    await gallery.call('POST', '/files/bulk/review', { file_ids, needs_review: true })
    await gallery.call('POST', '/files/bulk/share', { file_ids, add: [{ user_id: anna.id }] })
    const other = await gallery.stranger()
    await other.goto('/inbox')
    await enter(other, 'Anna')
    await other.getByText('This belongs to admin. You can’t change it.').waitFor()
    await assertAccessible(other, 'a file of others')
    assert.equal(await other.getByRole('combobox', { name: 'Add a tag' }).count(), 0)
    const asked: string[] = []
    other.on('request', (request) => {
      if (request.method() !== 'GET') asked.push(request.url())
    })
    await other.getByRole('button', { name: /^Next ␣/ }).waitFor()
    await other.keyboard.press('Space')
    await other.getByText('2 of 2 to review').waitFor()
    await other.keyboard.press('Shift+F')
    await other.keyboard.press('Space')
    await other.getByRole('heading', { name: 'All reviewed' }).waitFor()
    assert.deepEqual(asked, [])
    await other.close()
  })
})
