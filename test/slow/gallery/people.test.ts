import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { openDatabase } from '../../../src/db/client.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { eventually } from '../../support/eventually.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { assertAccessible } from '../../web/support/axe.ts'
import { holdAnswer } from '../../web/support/hold.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  PASSWORD,
  withoutChromium,
} from '../../web/support/open-gallery.ts'
import { refuse } from '../../web/support/refuse.ts'

let gallery: OpenGallery
let page: Page
let told: string

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ env: { CONFIRM_PASSWORD: 'on' } })
  page = gallery.page
  await page.goto('/keep/users')
})

after(() => gallery?.close())

interface User {
  id: number
  name: string
  is_admin: boolean
  can_create: boolean
  is_blocked: boolean
}

async function userNamed(name: string): Promise<User | undefined> {
  const { items } = await gallery.call<{ items: User[] }>('GET', '/users')
  return items.find((user) => user.name === name)
}

/** Returns the status of signing in. */
async function signingIn(name: string, password: string): Promise<number> {
  const body = JSON.stringify({ name, password })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(`${gallery.url}/api/v1/auth/login`, { method: 'POST', headers, body })
  return answer.status
}

const row = (name: string) => page.getByRole('main').getByRole('button', { name })
const button = (name: string) => page.getByRole('dialog').getByRole('button', { name })
const role = (name: string) => page.getByRole('radio', { name, exact: true })
const toggle = (name: string) => page.getByRole('switch', { name })
const dialog = (name: string) => page.getByRole('dialog', { name, exact: true })
const question = (name: string) => page.getByRole('alertdialog', { name, exact: true })

describe('users', { skip: withoutChromium }, () => {
  it('are made with a password that is told once', async () => {
    await row('admin').waitFor()
    await assertAccessible(page, 'users')
    await page.getByRole('button', { name: 'Add person' }).press('Enter')
    await dialog('Add person').waitFor()
    await assertAccessible(page, 'a new user')
    await page.keyboard.type('Anna')
    await page.keyboard.press('Enter')
    const once = question('Password of Anna')
    await once.waitFor()
    await page.keyboard.press('Enter')
    told = await once.getByRole('textbox').inputValue()
    await assertAccessible(page, 'a password that is told')
    await once.getByRole('button', { name: 'Copy' }).click()
    await once.getByRole('button', { name: 'Copied' }).waitFor()
    await once.getByRole('button', { name: 'Done' }).press('Enter')
    await row('Anna Adds and edits').waitFor()
    assert.equal(await page.getByText(told).count(), 0)
    assert.equal(await signingIn('Anna', told), 200)
  })

  it('are asked for again when they could not be read', async () => {
    await page.goto('/about')
    await page.locator('main h1').waitFor()
    const refusal = { method: 'GET', path: '/api/v1/users', status: 500, code: 'internal' }
    const letThrough = await refuse(page, refusal)
    await page.getByRole('button', { name: 'account and more' }).click()
    await page.getByRole('menuitem', { name: 'People' }).click()
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await assertAccessible(page, 'users that could not be read')
    await letThrough()
    await again.click()
    await row('Anna Adds and edits').waitFor()
    assert.equal(await again.count(), 0)
  })

  it('have each name once', async () => {
    await page.getByRole('button', { name: 'Add person' }).click()
    await dialog('Add person').waitFor()
    await page.keyboard.type('Anna')
    await page.keyboard.press('Enter')
    await dialog('Add person').getByText('This name is already taken.').waitFor()
    await page.keyboard.press('Escape')
    await dialog('Add person').waitFor({ state: 'detached' })
  })

  it('get the role of the last of two quick keys', async () => {
    const { id } = (await userNamed('Anna'))!
    await row('Anna').click()
    await dialog('Anna').waitFor()
    const { held, letGo } = await holdAnswer(page, { method: 'PATCH', path: `/users/${id}` })
    await role('Adds and edits').press('ArrowLeft')
    await held
    await role('View only').press('ArrowRight')
    await page.getByText('Adds photos and videos').waitFor()
    await letGo()
    await page.getByText('Changed for Anna. This can’t be undone.').nth(1).waitFor()
    assert.equal(await role('Adds and edits').isChecked(), true)
    assert.equal((await userNamed('Anna'))?.can_create, true)
    await page.goto('/keep/users')
  })

  it('get rights at once, which have no undo', async () => {
    await row('Anna').click()
    await dialog('Anna').waitFor()
    await assertAccessible(page, 'a user')
    const rights = async () => {
      const { is_admin, can_create } = (await userNamed('Anna'))!
      return { is_admin, can_create }
    }
    await role('Adds and edits').press('ArrowLeft')
    await page.getByText('Changed for Anna. This can’t be undone.').waitFor()
    await page.getByText('Sees what others share.').waitFor()
    assert.deepEqual(await rights(), { is_admin: false, can_create: false })
    await role('Admin').click()
    await question('Make Anna an admin?').getByRole('button', { name: 'Make an admin' }).click()
    await page.getByText('Changed for Anna. This can’t be undone.').nth(1).waitFor()
    assert.deepEqual(await rights(), { is_admin: true, can_create: true })
    await page.keyboard.press('Escape')
  })

  it('are blocked in the middle of something, which the page asks them about', async () => {
    const other = await gallery.stranger()
    await other.goto('/keep/users')
    await enter(other, 'Anna', told)
    await other.getByRole('button', { name: 'Add person' }).click()
    await other.getByRole('dialog', { name: 'Add person' }).waitFor()
    await row('Anna').click()
    await toggle('Blocked').click()
    await eventually(async () => (await userNamed('Anna'))?.is_blocked)
    await page.keyboard.press('Escape')
    await row('Anna Blocked').waitFor()

    await other.keyboard.type('Mia')
    await other.keyboard.press('Enter')
    const asked = other.getByRole('alertdialog', { name: 'Your password, please' })
    await asked.getByLabel('Password', { exact: true }).fill(told)
    await other.keyboard.press('Enter')
    await other.getByText('This account is blocked.').waitFor()
    assert.equal(await userNamed('Mia'), undefined)
    await other.context().close()
  })

  it('can neither block themselves, nor leave nobody who is an admin', async () => {
    await row('admin (you)').click()
    assert.equal(await toggle('Blocked').isDisabled(), true)
    await page.getByText('You can’t block yourself.').waitFor()
    assert.equal(await button('Delete').count(), 0)
    await role('Adds and edits').click()
    await question('Stop being an admin?')
      .getByRole('button', { name: 'Stop being an admin' })
      .click()
    await page.getByText('There must be at least one admin.').waitFor()
    assert.equal(await role('Admin').isChecked(), true)
    assert.equal((await userNamed('admin'))?.is_admin, true)
    await page.keyboard.press('Escape')
  })

  it('get a new password, for which the server may want that of the admin', async () => {
    await gallery.stopServer()
    const db = openDatabase(dataFolder(gallery.dataDir).database)
    // The admin signed in an hour ago.
    db.run('UPDATE sessions SET started_at = started_at - 3600000')
    db.run(
      `INSERT INTO api_keys (user_id, name, scope, digest, created_at)
       SELECT id, 'phone', 'read', x'00', 0 FROM users WHERE name = 'Anna'`,
    )
    db.close()
    await gallery.startServer()
    await page.reload()
    await row('Anna').click()
    await button('New password').click()
    const asked = question('A new password for Anna?')
    await asked.getByRole('switch', { name: 'Also end the keys of Anna’s apps' }).click()
    await assertAccessible(page, 'a new password for somebody')
    await asked.getByRole('button', { name: 'New password' }).click()
    await asked.getByLabel('Your own password, to confirm').waitFor()
    await page.keyboard.type('wrong')
    await page.keyboard.press('Enter')
    await asked.getByText('That is not your password.').waitFor()
    await asked.getByLabel('Your own password, to confirm').fill(PASSWORD)
    await page.keyboard.press('Enter')
    const fresh = await question('Password of Anna').getByRole('textbox').inputValue()
    await page.getByRole('button', { name: 'Done' }).click()
    // Who is blocked is told so for the right password alone.
    assert.equal(await signingIn('Anna', told), 401)
    assert.equal(await signingIn('Anna', fresh), 403)
    const after = openDatabase(dataFolder(gallery.dataDir).database)
    assert.deepEqual(after.all('SELECT name FROM api_keys'), [])
    after.close()
  })

  it('are deleted, and what they made goes to the admin', async () => {
    await row('Anna').click()
    await button('Delete').click()
    const sure = question('Delete Anna?')
    await sure.getByText('becomes yours. This can’t be undone.').waitFor()
    await sure.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Anna is deleted. Everything they created is yours.').waitFor()
    assert.equal(await row('Anna').count(), 0)
    assert.equal(await userNamed('Anna'), undefined)
  })

  it('are seen no longer by an admin who wants to be none', async () => {
    const body = { name: 'Ben', password: 'a password of Ben', is_admin: true }
    await gallery.call('POST', '/users', body)
    await row('admin (you)').click()
    await role('Adds and edits').click()
    await question('Stop being an admin?')
      .getByRole('button', { name: 'Stop being an admin' })
      .click()
    await page.getByRole('heading', { name: 'Only admins can see this' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Add person' }).count(), 0)
    assert.equal((await gallery.call<User>('GET', '/users/me')).is_admin, false)
  })
})
