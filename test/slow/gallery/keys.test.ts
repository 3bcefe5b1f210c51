import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { assertAccessible } from '../../web/support/axe.ts'
import {
  type OpenGallery,
  openGallery,
  PASSWORD,
  withoutChromium,
} from '../../web/support/open-gallery.ts'

let gallery: OpenGallery
let page: Page
let key: string

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery()
  page = gallery.page
  await page.goto('/settings')
})

after(() => gallery?.close())

const choose = (label: string) => page.getByLabel(label, { exact: true }).check({ force: true })
const asApp = async (path: string) => {
  const headers = { Authorization: `Bearer ${key}` }
  return (await fetch(`${new URL(page.url()).origin}/api/v1${path}`, { headers })).status
}

describe('the keys for apps', { skip: withoutChromium }, () => {
  it('are made for an app, and shown once', async () => {
    await page.getByRole('button', { name: 'Make a key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('What it is for').fill('Anna’s phone')
    await assertAccessible(page, 'making a key')
    await choose('Look')
    await dialog.getByText('It sees what you see, and changes nothing.').waitFor()
    await choose('Look and tag')
    await page.getByText('puts tags on photos, makes new tags, and changes albums, notes').waitFor()
    await choose('Add photos')
    await choose('In a year')
    await dialog.getByLabel('What it is for').press('Enter')

    const shown = page.getByRole('alertdialog', { name: 'Anna’s phone' })
    await shown.waitFor()
    await page.keyboard.press('Enter')
    key = await shown.getByLabel('Key', { exact: true }).inputValue()
    assert.match(key, /^tsk_[0-9a-v]{26}$/)
    const address = await shown.getByLabel('Address', { exact: true }).inputValue()
    assert.equal(address, `${new URL(page.url()).origin}/dav/`)
    await shown.getByRole('img', { name: 'QR code' }).waitFor()
    await assertAccessible(page, 'a new key')
    await shown.getByRole('button', { name: 'Done' }).click()
    await page.getByText(/^Add photos · not used yet · until /).waitFor()
    assert.equal((await page.content()).includes(key), false)
    assert.deepEqual([await asApp('/users/me'), await asApp('/files')], [200, 403])
    await page.reload()
    await page.getByText(/^Add photos · last used /).waitFor()
    await assertAccessible(page, 'settings with keys')
  })

  it('put what an app adds into an album, with tags of its folders', async () => {
    const { id } = await gallery.call<{ id: string }>('POST', '/pools', { name: 'Phones' })
    await page.getByRole('button', { name: 'Make a key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('What it is for').fill('PhotoSync')
    const choose = async () => {
      await dialog.getByRole('combobox', { name: 'Album' }).fill('phon')
      await page.keyboard.press('Enter')
    }
    await choose()
    await dialog.getByRole('button', { name: 'Don’t add to “Phones”' }).click()
    await choose()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Make a key' }).click()
    await dialog.getByLabel('What it is for').fill('PhotoSync')
    await dialog.getByRole('combobox', { name: 'Album' }).click()
    // The first closes the list.
    for (const _ of [1, 2]) await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Make a key' }).click()
    await dialog.getByLabel('What it is for').fill('PhotoSync')
    await choose()
    await dialog.getByRole('switch', { name: /^Tags from folders/ }).click()
    await assertAccessible(page, 'a key with an album')
    await dialog.getByRole('button', { name: 'Make a key' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Done' }).click()
    await page.getByText(/^Add photos · Album Phones · Tags from folders · not used yet$/).waitFor()
    type Keys = { items: { name: string; pool_id: string; folder_tags: boolean }[] }
    const { items } = await gallery.call<Keys>('GET', '/auth/keys')
    const { pool_id, folder_tags } = items.find(({ name }) => name === 'PhotoSync')!
    assert.deepEqual({ pool_id, folder_tags }, { pool_id: id, folder_tags: true })
  })

  it('end after a question', async () => {
    await page.getByRole('button', { name: 'End the key Anna’s phone' }).click()
    const question = page.getByRole('alertdialog', { name: 'End the key Anna’s phone?' })
    await assertAccessible(page, 'ending a key')
    await question.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await asApp('/users/me'), 200)
    await page.getByRole('button', { name: 'End the key Anna’s phone' }).click()
    await question.getByRole('button', { name: 'End', exact: true }).click()
    await page.getByText('The key Anna’s phone has ended.').waitFor()
    await eventually(
      async () => (await page.getByText('Anna’s phone', { exact: true }).count()) === 0,
    )
    assert.equal(await asApp('/users/me'), 401)
  })

  it('end with a new password where that is wanted', async () => {
    type Made = { key: string }
    const body = { name: 'rclone', scope: 'read' }
    key = (await gallery.call<Made>('POST', '/auth/keys', body)).key
    assert.equal(await asApp('/files'), 200)
    await page.getByRole('button', { name: 'Change the password' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByLabel('New password').fill('another password')
    await dialog.getByText('Also end my keys for apps').click()
    await assertAccessible(page, 'a new password')
    await dialog.getByRole('button', { name: 'Change the password' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await asApp('/files'), 401)
  })
})
