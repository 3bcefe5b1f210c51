import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { openDatabase } from '../../../src/db/client.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { assertAccessible } from '../../web/support/axe.ts'
import { type OpenGallery, openGallery, withoutChromium } from '../../web/support/open-gallery.ts'
import { makePool } from '../../web/support/pool.ts'

const FILES = 40
/** How often all files are reviewed, or not: 10,000 entries. */
const ROUNDS = 250

let gallery: OpenGallery
let page: Page
let tag: string

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: FILES })
  page = gallery.page
  const { call, ids } = gallery
  for (let round = 0; round < ROUNDS; round++) {
    const needs_review = round % 2 === 1
    await call('POST', '/files/bulk/review', { file_ids: ids, needs_review })
  }
  // Each of them an operation of its own, and a line of the first page.
  for (let turn = 0; turn < 100; turn++) {
    const body = { notes: `note ${turn}` }
    await call('PATCH', `/files/${ids[turn % FILES]}`, body)
  }
  tag = (await call<{ id: string }>('POST', '/tags', { name: 'holiday' })).id
  const file_ids = ids.slice(0, 20)
  await call('POST', '/files/bulk/tags', { action: 'add', file_ids, tag_ids: [tag] })
  await call('POST', '/users', { name: 'Anna', password: 'a password of Anna' })
})

after(() => gallery?.close())

interface Entry {
  operation: number
}
const entries = (query = '') =>
  gallery.call<{ total: number; items: Entry[] }>('GET', `/audit?limit=1${query}`)
const who = () => page.locator('main').getByRole('combobox', { name: 'Who' })
const nodes = () => page.evaluate(() => document.querySelectorAll('*').length)
const line = (text: string | RegExp) => page.locator('.deeds > li').filter({ hasText: text })
const tagged = async () => {
  const filter = encodeURIComponent(`{t=${tag}}`)
  return (await gallery.call<{ total: number }>('GET', `/files/ids?limit=1&filter=${filter}`)).total
}

describe('the audit', { skip: withoutChromium }, () => {
  it('pages through 10,000 entries with few nodes', async () => {
    const { total } = await entries()
    assert.ok(total > 10_000)
    await page.goto('/keep/audit')
    const count = total.toLocaleString('en-GB')
    await page.getByText(`1–100 of ${count}`).waitFor()
    await assertAccessible(page, 'audit')
    assert.ok((await nodes()) < 2500, `${await nodes()} nodes`)
    await page.getByRole('link', { name: 'Older' }).click()
    await page.getByText(`101–200 of ${count}`).waitFor()
    assert.ok((await nodes()) < 2500, `${await nodes()} nodes`)
    await page.getByRole('link', { name: 'Older' }).click()
    await page.getByText(`201–300 of ${count}`).waitFor()
    // What one request did is one line, until somebody wants to see each.
    const reviews = line('Review status changed: 40')
    assert.ok((await reviews.count()) >= 1)
    await reviews.first().locator('summary').click()
    await reviews.first().locator('li').nth(39).waitFor()
    assert.ok((await nodes()) < 2500, `${await nodes()} nodes`)
    await page.goBack()
    await page.getByText(`101–200 of ${count}`).waitFor()
  })

  it('shows whose and which entries are asked for, as the address says', async () => {
    await page.goto('/keep/audit?page=3')
    await page.getByLabel('What').selectOption({ label: 'Changed' })
    await page.getByText('1–100 of 100').waitFor()
    assert.equal(new URL(page.url()).search, '?action=file_edit')
    await line('note: note 59 → note 99').waitFor()
    await who().click()
    await page.keyboard.type('Ann')
    await page.keyboard.press('Enter')
    await page.getByText('No entries match.').waitFor()
    assert.equal(await who().inputValue(), 'Anna')
    await page.goBack()
    await page.getByText('1–100 of 100').waitFor()
    assert.equal(await who().inputValue(), 'everybody')
    await page.getByLabel('To', { exact: true }).fill('2020-01-01')
    await page.getByText('No entries match.').waitFor()
  })

  it('is asked for the entries of anybody, whoever came first', async () => {
    const db = openDatabase(dataFolder(gallery.dataDir).database)
    for (let number = 1; number <= 300; number++) {
      db.run(
        `INSERT INTO users (name, password_hash, is_admin, can_create, is_blocked)
         VALUES (?, '', 0, 0, 1)`,
        `person ${number}`,
      )
    }
    db.close()
    await page.goto('/keep/audit')
    await who().focus()
    await page.getByRole('option', { name: 'everybody' }).waitFor()
    await assertAccessible(page, 'choosing whose entries')
    await page.keyboard.type('person 300')
    await page.getByRole('option', { name: 'person 300' }).click()
    await page.getByText('No entries match.').waitFor()
    const { items } = await gallery.call<{ items: { id: number }[] }>('GET', '/users?offset=301')
    assert.equal(new URL(page.url()).search, `?user=${items[0]!.id}`)
    await page.reload()
    await page.waitForFunction(
      () =>
        document.querySelector<HTMLInputElement>('main [role=combobox]')?.value === 'person 300',
    )
  })

  it('takes back what an operation did, once, and that back', async () => {
    await page.goto('/keep/audit')
    const tags = line('Tagged: 20')
    await tags.getByRole('button', { name: 'Undo' }).click()
    await tags.getByText('Undone', { exact: true }).waitFor()
    assert.equal(await tagged(), 0)
    assert.equal(await tags.getByRole('button').count(), 0)
    await page.keyboard.press('Control+z')
    await line('Undone').nth(1).waitFor()
    assert.equal(await tagged(), 20)
    // What has no undo offers none.
    assert.equal(await line('User added').getByRole('button').count(), 0)
  })

  it('says that somebody else took it back already', async () => {
    await page.goto('/keep/audit?action=file_edit')
    const { items } = await entries('&action=file_edit')
    const newest = line('note: note 59 → note 99')
    await newest.waitFor()
    await gallery.call('POST', `/operations/${items[0]!.operation}/undo`)
    await newest.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('It was already undone, is still running').waitFor()
  })

  it('takes back a merge of files, and offers no undo of that that would fail', async () => {
    const [keep, discard] = gallery.ids
    await gallery.call('POST', '/files/duplicates/resolve', { keep, discard })
    await page.goto('/keep/audit')
    const merge = line('Duplicate merged')
    await merge.getByRole('button', { name: 'Undo' }).click()
    await merge.getByText('Undone', { exact: true }).waitFor()
    const told = page.locator('.toast')
    await told.getByText('Undone').waitFor()
    assert.equal(await told.getByRole('button', { name: 'Undo' }).count(), 0)
    // The list can't tell what an operation took back.
    await line('Undone').first().getByRole('button', { name: 'Undo' }).click()
    await page.getByText('took back a merge of files').waitFor()
  })

  it('shows which file was meant, as long as it is there, and names the pool', async () => {
    const [kept, gone] = gallery.ids.slice(-2)
    const pool = await makePool(gallery, 'Snow', [kept!])
    for (const id of [kept, gone]) {
      await gallery.call('POST', '/files/bulk/review', { file_ids: [id], needs_review: false })
    }
    await gallery.call('POST', '/files/bulk/delete', { file_ids: [gone] })
    await gallery.call('POST', '/files/bulk/permanent', { file_ids: [gone] })
    await page.goto('/keep/audit')
    const put = page.locator('.deeds a', { hasText: 'Snow' })
    assert.equal(await put.first().getAttribute('href'), `/albums/${pool}`)
    await line('Added to album').getByText('Snow').waitFor()
    const reviewed = line('Review status changed')
    await reviewed.locator(`a[href="/f/${gone}"]`).getByText('a file').waitFor()
    const picture = reviewed.locator(`a[href="/f/${kept}"] img`).first()
    await picture.waitFor()
    await page.waitForLoadState('networkidle')
    assert.ok(await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth > 0))
    await assertAccessible(page, 'audit with pictures')
  })
})

describe("a file's past", { skip: withoutChromium }, () => {
  it('is told above its viewer', async () => {
    await page.goto(`/f/${gallery.ids[0]}`)
    await page.getByRole('button', { name: 'Show the history' }).click()
    const past = page.getByRole('dialog', { name: 'History' })
    await past.getByText('note: note 40 → note 80').waitFor()
    await past.getByText('holiday', { exact: true }).first().waitFor()
    await assertAccessible(page, "a file's past")
    const before = await past.getByRole('listitem').count()
    await past.getByRole('button', { name: 'Older' }).click()
    await past.getByRole('listitem').nth(before).waitFor()
    await page.keyboard.press('Escape')
    await past.waitFor({ state: 'detached' })
    await page.locator('.viewer .facts').waitFor()
  })
})
