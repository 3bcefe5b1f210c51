import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { assertAccessible } from '../../web/support/axe.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  PASSWORD,
  withoutChromium,
} from '../../web/support/open-gallery.ts'
import { madeUpPictures } from '../../web/support/pictures.ts'
import { type GalleryProxy, startProxy } from '../../web/support/proxy.ts'

const NOT_THERE = 'No connection to the server. Trying again…'
const PHONE = { size: { width: 390, height: 844 }, isTouch: true, hasWorker: true }

let gallery: OpenGallery
let proxy: GalleryProxy
let page: Page
let desktop: Page

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({
    ...PHONE,
    files: 2,
    before: async (url) => {
      proxy = await startProxy(url)
      return proxy
    },
  })
  page = gallery.page
  desktop = await gallery.stranger({ hasWorker: true })
  await desktop.goto('/')
  await desktop.evaluate("caches.open('tagstead-older').then(() => {})")
  await enter(desktop)
  const anna = { name: 'Anna', password: PASSWORD }
  await gallery.call('POST', '/users', { ...anna, can_create: true })
  for (const one of [page, desktop]) {
    await one.evaluate('navigator.serviceWorker.ready.then(() => {})')
  }
})

after(() => gallery?.close())

const settings = (one: Page) => one.getByRole('heading', { name: 'Settings' })

/** Sends the form of another site, as phones send what is shared. */
async function share(one: Page): Promise<void> {
  const { name, bytes } = (await madeUpPictures(3)).at(-1)!
  await one.goto('about:blank')
  await one.setContent(
    `<form method="post" enctype="multipart/form-data" action="${gallery.url}/share">
      <input type="file" name="files"><button>Share</button>
    </form>`,
  )
  const file = { name, mimeType: 'image/jpeg', buffer: Buffer.from(bytes) }
  await one.locator('input').setInputFiles(file)
  await one.getByText('Share', { exact: true }).click()
}

async function signOut(): Promise<void> {
  await page.locator('.tabs').getByText('More').click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
}

/** Notes in a page that it has asked the worker for what was shared. */
const NOTE_ASKING = `{
  const worker = ServiceWorker.prototype
  const { postMessage } = worker
  worker.postMessage = function (...all) {
    postMessage.apply(this, all)
    window.hasAsked = true
  }
}`

const files = async () =>
  (await gallery.call<{ items: { creator_name: string }[] }>('GET', '/files')).items

describe('a gallery that is opened without its server', { skip: withoutChromium }, () => {
  it('says so on phones and desktops, for however long, and goes on once the server is back', async () => {
    const tab = await gallery.context.newPage()
    await tab.clock.install()
    await gallery.stopServer()
    for (const one of [page, desktop, tab]) {
      await one.goto('/settings')
      await one.getByText(NOT_THERE).waitFor()
    }
    await tab.clock.runFor(60_000)
    // Nobody is asked for a password meanwhile.
    assert.equal(await tab.locator('form').count(), 0)
    assert.equal(await tab.locator('.banner').innerText(), NOT_THERE)
    await gallery.startServer()
    for (const one of [page, desktop]) {
      await settings(one).waitFor()
      assert.equal(await one.locator('.banner').count(), 0)
    }
    await eventually(async () => {
      await tab.clock.runFor(1000)
      return settings(tab).isVisible()
    })
    await tab.close()
  })

  it('is shown while a server lets one wait', async () => {
    const held = proxy.hold('GET /settings')
    await page.goto('/settings')
    const open = await held
    assert.equal(await settings(page).count(), 0)
    open()
    await settings(page).waitFor()
  })

  it('is told of among the settings of phones alone', async () => {
    const told = 'The menu of your browser can add Tagstead to the home screen'
    await page.getByText(told).waitFor()
    await settings(desktop).waitFor()
    assert.equal(await desktop.getByText(told).count(), 0)
    await assertAccessible(page, 'settings of a phone')
  })

  it('has kept the page and its assets, nothing of a person, and nothing of an older build', async () => {
    await desktop.goto('/')
    await desktop.locator('.cell img[src]').first().waitFor()
    const kept = await desktop.evaluate(async () => {
      const names = await caches.keys()
      const lists = names.map(async (name) => (await caches.open(name)).keys())
      return (await Promise.all(lists)).map((list) => list.map(({ url }) => new URL(url).pathname))
    })
    assert.equal(kept.length, 1)
    const others = kept[0]!.filter((path) => !path.startsWith('/web/assets/'))
    assert.deepEqual(others, ['/'])
  })
})

describe('what another app shares', { skip: withoutChromium }, () => {
  it('is uploaded only once the user has said so', async () => {
    await share(page)
    const dialog = page.getByRole('alertdialog', { name: 'Upload 1 photo?' })
    await dialog.getByText('Another app on this device is sharing this with admin.').waitFor()
    await assertAccessible(page, 'what was shared')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL('/')
    assert.equal((await files()).length, 2)
  })

  it('waits for somebody to sign in, and is theirs', async () => {
    await signOut()
    await share(page)
    await enter(page, 'Anna')
    const dialog = page.getByRole('alertdialog', { name: 'Upload 1 photo?' })
    await dialog.getByText('is sharing this with Anna').waitFor()
    await dialog.getByRole('button', { name: 'Upload' }).click()
    await eventually(async () => (await files()).length === 3)
    assert.equal((await files()).filter((file) => file.creator_name === 'Anna').length, 1)
  })

  it('is not kept for who comes after somebody that has gone away without signing in', async () => {
    await signOut()
    await share(page)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await page.goto('/')
    await page.evaluate(NOTE_ASKING)
    await enter(page, 'Anna')
    await eventually(() => page.evaluate('window.hasAsked === true'))
    assert.equal(await page.getByRole('alertdialog').count(), 0)
    await page.goto('/?shared')
    await page.getByText('Nothing has arrived from the other app.').waitFor()
    await page.waitForURL('/')
  })
})
