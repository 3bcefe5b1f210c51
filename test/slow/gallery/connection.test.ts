import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, describe, it } from '../../support/test.ts'
import { untilLoadedAnew } from '../../web/support/leaving.ts'
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
  gallery = await openGallery({ files: 1 })
  page = gallery.page
  await page.goto('/settings')
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
})

after(() => gallery?.close())

async function openAbout(tab: Page): Promise<void> {
  await tab.locator('.me').click()
  await tab.getByRole('menuitem', { name: 'About' }).click()
}

describe('a gallery without its server', { skip: withoutChromium }, () => {
  it('says so, and goes on by itself once the server is back', async () => {
    // Its script is there before the server is gone.
    await openAbout(page)
    await page.getByText('Runs on').waitFor()
    await page.goBack()
    await page.evaluate('globalThis.kept = true')
    await gallery.stopServer()
    await page.goForward()
    const banner = page.locator('.banner')
    assert.equal(await banner.innerText(), 'No connection to the server. Trying again…')
    await gallery.startServer()
    await page.getByText('Runs on').waitFor()
    assert.equal(await banner.count(), 0)
    assert.equal(await page.evaluate('globalThis.kept'), true)
  })

  it('takes a script that it can’t load then for lost, not for one of an older version', async () => {
    const tab = await gallery.context.newPage()
    await tab.goto('/')
    await tab.locator('.cell').waitFor()
    await gallery.stopServer()
    // No test before this one has shown it, so that the browser hasn't kept its script.
    await tab.getByRole('link', { name: 'Trash' }).click()
    await tab.getByText('No connection to the server').waitFor()
    await gallery.startServer()
    await tab.getByText('The trash is empty').waitFor()
    assert.equal(await tab.getByText('The server has a new version.').count(), 0)
    await tab.close()
  })

  it('takes the page of a network for no answer of the server, and may be left for it', async () => {
    const tab = await gallery.context.newPage()
    let isHotel = false
    const welcome = { contentType: 'text/html', body: '<p>Welcome to our hotel' }
    await tab.route(/\/(api|health)/, (route) =>
      isHotel ? route.fulfill(welcome) : route.continue(),
    )
    await tab.goto('/about')
    await tab.getByText('Runs on').waitFor()
    await tab.getByRole('link', { name: 'Photos' }).click()
    await tab.locator('.cell').waitFor()
    isHotel = true
    await tab.goBack()
    await tab.getByText('Another page answered instead of the server').waitFor()
    isHotel = false
    // As when the network has let it in.
    await tab.evaluate(() => dispatchEvent(new Event('online')))
    await tab.getByText('Runs on').waitFor()
    isHotel = true
    await tab.getByRole('link', { name: 'Photos' }).click()
    await tab.route('**/', (route) => route.fulfill(welcome))
    await tab.getByRole('button', { name: 'Reload' }).click()
    await tab.getByText('Welcome to our hotel').waitFor()
    await tab.close()
  })

  it('takes the session up, also when the answer about it is lost at first', async () => {
    const tab = await gallery.context.newPage()
    await tab.addInitScript(() => {
      const whole = fetch
      const losing = async (...call: Parameters<typeof fetch>) => {
        const answer = await whole(...call)
        if (!answer.url.endsWith('/web/session/refresh')) return answer
        globalThis.fetch = whole
        throw new TypeError('Failed to fetch')
      }
      globalThis.fetch = losing as typeof fetch
    })
    await tab.goto('/settings')
    await tab.getByRole('heading', { name: 'Settings' }).waitFor()
    await tab.close()
  })
})

describe('two people in one browser', { skip: withoutChromium }, () => {
  it('never see what the other one left', async () => {
    const anna = { name: 'Anna', password: 'a password of Anna' }
    await gallery.call('POST', '/users', { ...anna, can_create: true })
    const other = await gallery.context.newPage()
    await other.goto('/settings')
    await other.locator('.me').click()
    await other.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await enter(other, anna.name, anna.password)
    // The tab of the one who was there before is now the other one's, from the beginning.
    await page.locator('.me', { hasText: 'Anna' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/')
    await other.close()
  })
})

describe('a page that an older version has made', { skip: withoutChromium }, () => {
  it('offers the new one, and loads it where it is', async () => {
    await page.route('**/web/session/refresh', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, headers: { ...response.headers(), 'tagstead-version': '9' } })
    })
    await page.goto('/settings?search=lake')
    await page.getByText('The server has a new version.').waitFor()
    await page.unroute('**/web/session/refresh')
    await page.evaluate('globalThis.kept = true')
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.waitForFunction(() => !('kept' in globalThis))
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    assert.equal(new URL(page.url()).search, '?search=lake')
    assert.equal(await page.locator('.banner').count(), 0)
  })

  it('offers it, too, when a screen of its own is no longer there, and asks again', async () => {
    await page.clock.install()
    let isGone = false
    // A route that is made when the page is there misses what follows at once.
    await page.route('**/web/assets/**', (route) =>
      isGone ? route.fulfill({ status: 404 }) : route.continue(),
    )
    await page.route(`${gallery.url}/`, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace(/part-\w+/, 'part-OFANOTHERBUILD')
      await route.fulfill({ response, body })
    })
    await page.goto('/about')
    await page.getByRole('heading', { name: 'About' }).waitFor()
    isGone = true
    await page.locator('.me').click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await page.getByText('The server has a new version.').waitFor()
    isGone = false
    await page.clock.runFor(5000)
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    await page.unrouteAll()
  })

  it('is not told from a dialog that was lost on its way, which is asked for again', async () => {
    await gallery.call('PATCH', `/files/${gallery.ids[0]}`, { is_public: true })
    let isGone = false
    await page.route('**/web/assets/**', (route) => (isGone ? route.abort() : route.continue()))
    await page.goto('/')
    await page.locator('.cell .tick').click()
    await page.getByText('1 selected').waitFor()
    isGone = true
    const told = page.getByRole('alert').getByText('Part of the page could not be loaded.')
    await page.keyboard.press('d')
    await told.waitFor()
    await page.keyboard.press('?')
    await told.nth(1).waitFor()
    assert.equal(await page.getByText('The server has a new version.').count(), 0)
    isGone = false
    for (const [key, name] of [
      ['d', 'Date of 1 photo'],
      ['?', 'Keys'],
    ]) {
      await page.keyboard.press(key!)
      const dialog = page.getByRole('dialog', { name })
      await dialog.waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    await page.unroute('**/web/assets/**')
    await page.keyboard.press('Escape')
  })

  it('loads it by itself when nobody does anything, and nothing is selected or told', async () => {
    await gallery.call('POST', '/tags', { name: 'lake', is_public: true })
    await page.route('**/web/session/refresh', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, headers: { ...response.headers(), 'tagstead-version': '8' } })
    })
    await page.evaluate('sessionStorage.clear()')
    await page.goto('/')
    await page.getByText('The server has a new version.').waitFor()
    await page.unroute('**/web/session/refresh')
    await page.evaluate('globalThis.kept = true')
    await page.locator('.cell .tick').click()
    await page.getByText('1 selected').waitFor()
    await page.clock.runFor(25_000)
    assert.equal(await page.evaluate('globalThis.kept'), true)
    // The file is not hers to be tagged.
    for (const key of ['t', 'l', 'a', 'k']) await page.keyboard.press(key)
    await page.getByRole('option', { name: 'lake' }).waitFor()
    for (const key of ['Enter', 'Escape', 'Escape']) await page.keyboard.press(key)
    await page.getByText('1 selected').waitFor({ state: 'detached' })
    const close = page.getByRole('alert').getByRole('button', { name: 'Close' })
    await close.waitFor()
    await page.clock.runFor(25_000)
    assert.equal(await page.evaluate('globalThis.kept'), true)
    await gallery.stopServer()
    await close.click()
    await page.clock.runFor(25_000)
    await page.getByText('No connection to the server').waitFor()
    assert.equal(await page.evaluate('globalThis.kept'), true)
    await gallery.startServer()
    await untilLoadedAnew(page)
  })
})
