import assert from 'node:assert/strict'
import type { Page, Request } from 'playwright-core'
import { after, before, describe, it } from '../../support/test.ts'
import { assertAccessible } from '../../web/support/axe.ts'
import { type Requests, watchRequests } from '../../web/support/drive.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  PASSWORD,
  withoutChromium,
} from '../../web/support/open-gallery.ts'
import { garble } from '../../web/support/refuse.ts'

let gallery: OpenGallery
let page: Page
// From before the first one: what is answered late is still under way when a test begins.
let requests: Requests

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: 1, env: { AUTH_RATE_LIMIT: '3' }, isSignedIn: false })
  page = gallery.page
  requests = watchRequests(page)
  await page.goto('/')
})

after(() => gallery?.close())

const complaint = () => page.getByRole('alert').filter({ hasText: /./ }).innerText()

async function submit(password: string): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

/** Ends the sessions of the page elsewhere, and leaves that of the test. */
async function endSessions(): Promise<void> {
  const { items } = await gallery.call<{ items: { id: number; is_current: boolean }[] }>(
    'GET',
    '/auth/sessions',
  )
  for (const { id, is_current } of items) {
    if (!is_current) await gallery.call('DELETE', `/auth/sessions/${id}`)
  }
}

describe('signing in', { skip: withoutChromium }, () => {
  it('takes the right name and password only', async () => {
    await page.getByLabel('Name', { exact: true }).fill('admin')
    await assertAccessible(page, 'sign-in')
    const mend = await garble(page, { method: 'POST', path: '/web/session' })
    await submit('any')
    assert.equal(await complaint(), 'Something went wrong on this page.')
    assert.match(gallery.problems.pop()!, /JSON/)
    await mend()
    await submit('wrong')
    await page.getByText('Name or password is wrong.').waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'admin')
    await enter(page)
    assert.equal(await page.title(), 'Photos – Tagstead')
  })

  it('lasts beyond a reload, in every tab', async () => {
    // Asked for a while after the page, and nothing more then until somebody does something.
    const settings = page.waitForResponse(/users\/me\/settings$/)
    await page.reload()
    await page.locator('.shell').waitFor()
    await settings
    const other = await gallery.context.newPage()
    await other.goto('/settings')
    await other.getByRole('heading', { name: 'Settings' }).waitFor()
    await other.close()
  })

  it('asks for the password in place when the session has ended elsewhere', async () => {
    const isDrawn = () =>
      page.waitForFunction(
        () => document.querySelector<HTMLImageElement>('.cell img')?.naturalWidth,
      )
    await isDrawn()
    // What is asked for after the pictures would bring the dialog before the menu.
    await requests.idle()
    // From here on a browser looks at its requests, and drops the pictures that it has kept.
    await page.route('**/web/media/**', (route) => route.continue())
    await page.evaluate('globalThis.kept = true')
    await endSessions()
    await page.locator('.me').click()
    await page.getByRole('menuitem', { name: 'About' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.waitFor()
    await assertAccessible(page, 'the password in place')
    await page.goBack()
    await page.locator('.cell .retry').waitFor()
    // Nothing can keep a browser from closing it at the second Escape in a row.
    for (const _ of [1, 2, 3]) await page.keyboard.press('Escape')
    await submit('wrong')
    assert.equal(await dialog.getByRole('alert').innerText(), 'That is not your password.')
    await submit(PASSWORD)
    await isDrawn()
    await page.goForward()
    await page.getByText('Runs on').waitFor()
    assert.equal(await dialog.count(), 0)
    assert.equal(await page.evaluate('globalThis.kept'), true)
  })

  it('sends nothing as somebody else who has signed in here meanwhile', async () => {
    const [id] = gallery.ids
    await gallery.call('POST', '/users', { name: 'bob', password: PASSWORD })
    await page.goto(`/f/${id}`)
    await page.getByRole('button', { name: 'Move to the trash' }).waitFor()
    // What is asked for later would find the other one before the key does.
    await requests.idle()
    // By another program with the browser's cookies, so that no tab hears of it.
    const headers = { 'X-Tagstead': '1' }
    const data = { name: 'bob', password: PASSWORD }
    assert.ok((await gallery.context.request.post('/web/session', { headers, data })).ok())
    await endSessions()
    const sent: string[] = []
    const note = (request: Request) => {
      if (request.method() === 'DELETE') sent.push(request.url())
    }
    page.on('request', note)
    await page.keyboard.press('Delete')
    await page.locator('.me').getByText('bob').waitFor()
    page.off('request', note)
    assert.deepEqual(sent, [`${gallery.url}/api/v1/files/${id}`])
    await gallery.context.request.delete('/web/session', { headers, data: {} })
    await page.reload()
    await enter(page)
  })

  it('is undone in all tabs by signing out', async () => {
    const other = await gallery.context.newPage()
    await other.goto('/about')
    await other.getByRole('heading', { name: 'About' }).waitFor()
    await page.locator('.me').click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    for (const tab of [page, other]) {
      await tab.getByRole('button', { name: 'Sign in' }).waitFor()
      assert.equal(new URL(tab.url()).pathname, '/')
    }
    await page.reload()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await other.close()
  })

  it('tells after how many seconds another attempt makes sense', async () => {
    await page.getByLabel('Name', { exact: true }).fill('admin')
    for (const _ of [1, 2, 3, 4]) {
      await submit('wrong')
      await page.getByRole('button', { name: 'Sign in', disabled: false }).waitFor()
    }
    assert.match(await complaint(), /^Too many attempts\. Try again in \d+ s\.$/)
  })
})
