import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, describe, it } from '../../support/test.ts'
import { assertAccessible } from '../../web/support/axe.ts'
import { hold } from '../../web/support/hold.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../web/support/open-gallery.ts'

/** More than may be deleted for good without typing how many. */
const FILES = 24

let gallery: OpenGallery
let page: Page

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: FILES, env: { TRASH_KEEP: '30d' } })
  page = gallery.page
  for (const id of gallery.ids) await gallery.call('DELETE', `/files/${id}`)
})

after(() => gallery?.close())

const countIs = (words: string) => page.locator('.bar').getByText(words, { exact: true }).waitFor()
const cell = (id: string) => page.locator(`.cell:has(a[data-id="${id}"])`)

async function trashed(): Promise<number> {
  const { total } = await gallery.call<{ total: number }>('GET', '/files/ids?trash=true&limit=1')
  return total
}

describe('the trash', { skip: withoutChromium }, () => {
  it('shows what is in it', async () => {
    await page.goto('/trash')
    await countIs('24 photos')
    await cell(gallery.ids[0]!).locator('img[src]').waitFor()
    await page.getByText('deleted for good after 30 days in the trash').waitFor()
    await assertAccessible(page, 'trash')
  })

  it('shows a file of it, which can go nowhere, and closes to it', async () => {
    const [first] = gallery.ids
    await cell(first!).locator('a').click()
    await page.locator('.viewer .facts').waitFor()
    const { leaves_trash_at } = await gallery.call<{ leaves_trash_at: string }>(
      'GET',
      `/files/${first}`,
    )
    const day = page.locator('dt', { hasText: 'Deleted for good on' }).locator('+ dd')
    // The page is in another time zone than the test.
    const wanted = { timeZone: 'Europe/Berlin', day: 'numeric' } as const
    const date = new Date(leaves_trash_at).toLocaleDateString('en', wanted)
    assert.match(await day.innerText(), new RegExp(`\\b${date}\\b`))
    assert.equal(new URL(page.url()).search, '?trash=true')
    assert.equal(await page.getByRole('button', { name: 'Move to the trash' }).count(), 0)
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => url.pathname === '/trash')
    await countIs('24 photos')
  })

  it('restores what is selected, and takes that back', async () => {
    const [first, second] = gallery.ids
    await cell(first!).locator('.tick').click()
    await cell(second!).locator('.tick').click()
    await page.getByText('2 selected').waitFor()
    await assertAccessible(page, 'a selection of the trash')
    await page.keyboard.press('r')
    await page.getByText('2 photos are back').waitFor()
    await countIs('22 photos')
    assert.equal(await trashed(), FILES - 2)
    await page.keyboard.press('Control+z')
    await countIs('24 photos')
    await cell(first!).waitFor()
    assert.equal(await trashed(), FILES)
  })

  it('tells of those that could not be restored, because they are gone', async () => {
    const [first, second] = gallery.ids.slice(2, 4)
    await cell(first!).locator('.tick').click()
    await cell(second!).locator('.tick').click()
    await gallery.call('POST', '/files/bulk/permanent', { file_ids: [first] })
    await page.keyboard.press('r')
    await page.getByText('1 of 2; 1 could not be changed', { exact: true }).waitFor()
    await cell(second!).waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    // The one that is gone counted until now: there were 23 before, too.
    await cell(second!).waitFor()
    await countIs('23 photos')
    assert.equal(await trashed(), FILES - 1)
    await page.keyboard.press('Escape')
  })

  it('asks only about those that its viewer may delete', async () => {
    const anna = { name: 'Anna', password: 'a password of Anna', can_create: true }
    const { id: user_id } = await gallery.call<{ id: number }>('POST', '/users', anna)
    const [edited, seen] = gallery.ids
    for (const [id, can_edit] of [
      [edited, true],
      [seen, false],
    ]) {
      const permissions = [{ user_id, can_view: true, can_edit }]
      await gallery.call('PUT', `/acl/file/${id}`, { permissions })
    }
    const other = await gallery.stranger()
    await other.goto('/trash')
    await enter(other, anna.name, anna.password)
    await other.getByRole('button', { name: 'Empty the trash' }).click()
    await other.getByRole('alertdialog', { name: 'Delete 1 photo for good?' }).waitFor()
    await other.keyboard.press('Escape')
    await other.keyboard.press('Escape')
    // Nor about what is no longer selected when it is known which she may.
    const { held, letGo } = await hold(other, { method: 'GET', path: '/files/cells' })
    await other.getByRole('button', { name: 'Empty the trash' }).click()
    await held
    await other.keyboard.press('Escape')
    const told = other.waitForResponse(/files\/cells/)
    await letGo()
    await told
    await other.locator(`.cell:has(a[data-id="${seen}"]) .tick`).click()
    await other.getByText('1 selected').waitFor()
    await other.keyboard.press('Delete')
    await other.getByText('You are not allowed to do that').waitFor()
    assert.equal(await other.getByRole('alertdialog').count(), 0)
  })

  it('deletes few files for good when that is confirmed', async () => {
    await cell(gallery.ids[0]!).locator('.tick').click()
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('Delete')
    const dialog = page.getByRole('alertdialog', { name: 'Delete 1 photo for good?' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await trashed(), FILES - 1)
    await page.keyboard.press('Delete')
    await dialog.getByRole('button', { name: 'Delete 1 photo' }).click()
    await countIs('22 photos')
    assert.equal(await trashed(), FILES - 2)
  })

  it('deletes many only when their number is typed', async () => {
    await page.getByRole('button', { name: 'Empty the trash' }).click()
    const dialog = page.getByRole('alertdialog')
    const sure = dialog.getByRole('button', { name: 'Delete 22 photos' })
    await sure.waitFor()
    await assertAccessible(page, 'deleting for good')
    assert.equal(await sure.isDisabled(), true)
    await page.keyboard.type('23')
    await page.keyboard.press('Enter')
    assert.equal(await sure.isDisabled(), true)
    await page.keyboard.press('Backspace')
    await page.keyboard.type('2')
    await page.keyboard.press('Enter')
    await page.getByText('The trash is empty').waitFor()
    assert.equal(await trashed(), 0)
    await countIs('0 photos')
  })
})

describe('a trash that nothing leaves by itself', { skip: withoutChromium }, () => {
  it('says so', async () => {
    const own = await openGallery({ files: 1 })
    const [id] = own.ids
    await own.call('DELETE', `/files/${id}`)
    await own.page.goto('/trash')
    await own.page.getByText('Nothing is deleted by itself.').waitFor()
    await own.close()
  })
})
