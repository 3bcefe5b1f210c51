import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { assertAccessible } from '../../web/support/axe.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../web/support/open-gallery.ts'

let gallery: OpenGallery
let page: Page

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery()
  page = gallery.page
  await page.goto('/settings')
})

after(() => gallery?.close())

const choose = (label: string) => page.getByLabel(label, { exact: true }).check({ force: true })
const kept = () => page.waitForResponse((response) => response.request().method() === 'PUT')
const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

describe('the settings', { skip: withoutChromium }, () => {
  it('change the colours at once, and keep them in this browser', async () => {
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    await assertAccessible(page, 'settings')
    assert.equal(await ground(), 'rgb(250, 249, 246)')
    await choose('Dark')
    assert.equal(await ground(), 'rgb(19, 19, 18)')
    await assertAccessible(page, 'settings, dark')
    await page.reload()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    assert.equal(await ground(), 'rgb(19, 19, 18)')
  })

  it('switch keys by themselves off, but not those with Ctrl', async () => {
    const sheet = page.getByRole('dialog')
    await page.keyboard.press('?')
    await sheet.getByText('Undo the last change').waitFor()
    await assertAccessible(page, 'keys')
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    const off = kept()
    const keys = page.getByRole('group', { name: 'Single-key shortcuts' })
    await keys.getByLabel('Off').check({ force: true })
    await page.keyboard.press('?')
    await page.locator('.me').click()
    await page.getByRole('menuitem', { name: 'Keys' }).click()
    await sheet.getByText('Undo the last change').waitFor()
    assert.equal(await sheet.getByText('Show all keys').count(), 0)
    await sheet.getByRole('button', { name: 'Close' }).click()
    assert.equal((await off).status(), 200)
  })

  it('take the language along to another device', async () => {
    const german = kept()
    await choose('Deutsch')
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor()
    await page.waitForFunction(`document.title === 'Einstellungen – Tagstead'`)
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'de')
    assert.equal((await german).status(), 200)
    type Choices = Record<'keys' | 'language', string>
    const { keys, language } = await gallery.call<Choices>('GET', '/users/me/settings')
    assert.deepEqual([keys, language], ['off', 'de'])

    const other = await gallery.stranger()
    await other.goto('/settings')
    await enter(other)
    await other.getByRole('heading', { name: 'Einstellungen' }).waitFor()
    const own = other.getByRole('group', { name: 'Einzelne Tasten' })
    await own.getByLabel('Aus').and(own.locator(':checked')).waitFor()
    await other.close()
  })
})

describe('an account', { skip: withoutChromium }, () => {
  const anna = { name: 'Anna', password: 'a password of Anna' }
  let own: Page
  let other: Page
  const section = () => own.locator('section').filter({ hasText: 'Where you are signed in' })

  before(async () => {
    if (withoutChromium) return
    await gallery.call('POST', '/users', anna)
    own = await gallery.stranger()
    other = await gallery.stranger()
    for (const one of [other, own]) {
      await one.goto('/settings')
      await enter(one, anna.name, anna.password)
    }
  })

  it('ends another session of its own, which asks for the password there', async () => {
    await section().getByText('this one, since').waitFor()
    assert.deepEqual(
      await section().getByRole('button', { name: 'Sign out there', exact: true }).count(),
      1,
    )
    await assertAccessible(own, 'the account')
    await section().getByRole('button', { name: 'Sign out there', exact: true }).click()
    await own.getByText('Signed out there. This can’t be undone.').waitFor()
    await eventually(async () => (await section().getByRole('listitem').count()) === 1)
    await other.reload()
    await other.getByRole('button', { name: 'Sign in' }).waitFor()
    await enter(other, anna.name, anna.password)
  })

  it('ends all other sessions at once, and keeps its own', async () => {
    const { name, password } = anna
    for (let turn = 0; turn < 24; turn++) {
      await gallery.call('POST', '/auth/login', { name, password })
    }
    await own.reload()
    await section().getByRole('button', { name: 'End all other sessions' }).click()
    await own.getByText('You are signed out everywhere else.').waitFor()
    await eventually(async () => (await section().getByRole('listitem').count()) === 1)
    await section().getByText('this one, since').waitFor()
    assert.equal(await section().getByRole('button', { name: 'End all' }).count(), 0)
    await other.reload()
    await other.getByRole('button', { name: 'Sign in' }).waitFor()
    await enter(other, name, password)
  })

  it('gets another password, for which the one so far has to be right', async () => {
    await own.reload()
    await section().getByRole('listitem').nth(1).waitFor()
    await own.getByRole('button', { name: 'Change the password' }).click()
    const dialog = own.getByRole('dialog', { name: 'Change the password' })
    await dialog.getByLabel('New password').fill('another password of Anna')
    await dialog.getByLabel('Current password').fill('wrong')
    await assertAccessible(own, 'another password')
    await own.keyboard.press('Enter')
    await dialog.getByText('That is not your password.').waitFor()
    await dialog.getByLabel('Current password').fill(anna.password)
    await dialog.getByRole('button', { name: 'Show password' }).click()
    assert.equal(await dialog.getByLabel('New password').getAttribute('type'), 'text')
    await dialog.getByLabel('Current password').press('Enter')
    await own.getByText('Password changed. You are signed out everywhere else.').waitFor()
    await section().getByRole('listitem').nth(1).waitFor({ state: 'detached' })
    await other.reload()
    await other.getByRole('button', { name: 'Sign in' }).waitFor()
    await enter(other, anna.name, 'another password of Anna')
    await other.close()
    await own.close()
  })
})

describe('the keyboard', { skip: withoutChromium }, () => {
  it('leads past all tags, to the screen', async () => {
    await page.goto('/settings')
    await page.locator('main h1').waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'An den Schlagwörtern vorbei' }).waitFor()
    await assertAccessible(page, 'past the tags')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'MAIN')
  })
})

describe('the menu of the account', { skip: withoutChromium }, () => {
  it('is used by keys alone', async () => {
    await page.locator('.me').focus()
    await page.keyboard.press('Enter')
    const items = page.getByRole('menuitem')
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    assert.deepEqual(await items.allInnerTexts(), [
      'Import',
      'Personen',
      'Protokoll',
      'Einstellungen',
      'Tasten',
      'Über Tagstead',
      'Abmelden',
    ])
    // It is focused once it is shown.
    await page.locator('[role="menuitem"]:focus').waitFor()
    assert.equal(await focused(), 'Import')
    await page.keyboard.press('ArrowUp')
    assert.equal(await focused(), 'Abmelden')
    await page.keyboard.press('t')
    assert.equal(await focused(), 'Tasten')
    await assertAccessible(page, 'menu')
    await page.keyboard.press('Escape')
    await items.first().waitFor({ state: 'hidden' })
    assert.match((await focused())!, /admin/)
  })
})
