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
const chosenName = () => who().evaluate((box: HTMLSelectElement) => box.selectedOptions[0]!.text)
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
    const reviews = line(/marked 40 photos as (not )?reviewed/)
    assert.ok((await reviews.count()) >= 1)
    await reviews.first().getByRole('button', { name: 'Show each' }).click()
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
    await who().selectOption('Anna')
    await page.getByText('No entries match.').waitFor()
    assert.equal(await chosenName(), 'Anna')
    await page.goBack()
    await page.getByText('1–100 of 100').waitFor()
    assert.equal(await chosenName(), 'Everybody')
    await page.getByLabel('To', { exact: true }).fill('2020-01-01')
    await page.getByText('No entries match.').waitFor()
    const shown = page.getByLabel('To', { exact: true })
    await shown.and(page.locator('[data-shown="1 January 2020"]')).waitFor()
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
    await who().selectOption('person 300')
    await page.getByText('No entries match.').waitFor()
    const { items } = await gallery.call<{ items: { id: number }[] }>('GET', '/users?offset=301')
    assert.equal(new URL(page.url()).search, `?user=${items[0]!.id}`)
    await page.reload()
    await who().locator('option:checked', { hasText: 'person 300' }).waitFor({ state: 'attached' })
  })

  it('takes back what an operation did, once, and that back', async () => {
    await page.goto('/keep/audit')
    const tags = line(/^admin tagged 20 photos with holiday/)
    await tags.getByRole('button', { name: 'Undo' }).click()
    await tags.getByText('Undone', { exact: true }).waitFor()
    assert.equal(await tagged(), 0)
    assert.equal(await tags.getByRole('button', { name: /Undo|Redo/ }).count(), 0)
    await page.keyboard.press('Control+z')
    await line('admin redid “admin tagged 20 photos with holiday”').waitFor()
    const undo = line('admin undid “admin tagged 20 photos with holiday”')
    await undo.getByText('Redone').waitFor()
    assert.equal(await tagged(), 20)
    await line('admin redid').getByRole('button', { name: 'Undo' }).click()
    await undo.first().getByRole('button', { name: 'Redo' }).click()
    await line('admin redid').nth(1).waitFor()
    assert.equal(await tagged(), 20)
    // What has no undo offers none.
    assert.equal(await line('added the person Anna').getByRole('button').count(), 0)
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
    const merge = line(/^admin merged a copy into/)
    await merge.getByRole('button', { name: 'Undo' }).click()
    await merge.getByText('Undone', { exact: true }).waitFor()
    const told = page.locator('.toast')
    await told.getByText('Undone').waitFor()
    assert.equal(await told.getByRole('button', { name: 'Undo' }).count(), 0)
    await line('admin undid “admin merged a copy into a photo”').waitFor()
    const buttons = line('admin undid “admin merged').getByRole('button', { name: /Undo|Redo/ })
    assert.equal(await buttons.count(), 0)
    // Filtered, the list can't tell what an operation took back.
    await page.goto('/keep/audit?action=operation_undo')
    await line('undid an earlier').first().getByRole('button', { name: 'Redo' }).click()
    await page.getByText('took back a merge of photos').waitFor()
  })

  it('fits a phone, with long names, and in German', async () => {
    const name = 'n'.repeat(255)
    await gallery.call('PATCH', `/files/${gallery.ids[0]}`, {
      original_name: `${name}.jpg`.slice(4),
    })
    await page.setViewportSize({ width: 390, height: 844 })
    await gallery.call('PUT', '/users/me/settings', { language: 'de' })
    await page.goto('/keep/audit')
    await line('admin hat').first().waitFor()
    await page.locator('[data-shown="Jeder Tag"]').first().waitFor()
    await page.locator('time', { hasText: 'heute, ' }).first().waitFor()
    const [box, ...fields] = await page
      .locator('.filters, .filters .input')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right))
    assert.equal(fields.length, 4)
    for (const right of fields) assert.ok(right <= box! + 0.5, `${right} > ${box}`)
    const isWide = () => document.documentElement.scrollWidth > 390
    assert.equal(await page.evaluate(isWide), false)
    await assertAccessible(page, 'audit on a phone')
    await gallery.call('PUT', '/users/me/settings', { language: 'en' })
    await page.setViewportSize({ width: 1280, height: 800 })
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
    await line('admin put 1 photo into the album').getByText('Snow').waitFor()
    const reviewed = line('as reviewed')
    await reviewed.locator(`a[href="/f/${gone}"]`).getByText('a photo').waitFor()
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
    await past.getByText('tagged this photo with holiday').first().waitFor()
    await assertAccessible(page, "a file's past")
    const before = await past.getByRole('listitem').count()
    await past.getByRole('button', { name: 'Older' }).click()
    await past.getByRole('listitem').nth(before).waitFor()
    await page.keyboard.press('Escape')
    await past.waitFor({ state: 'detached' })
    await page.locator('.viewer .facts').waitFor()
  })
})
