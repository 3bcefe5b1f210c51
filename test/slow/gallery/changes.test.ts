import assert from 'node:assert/strict'
import type { Page, Response } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { press } from '../../web/support/keys.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  PASSWORD,
  withoutChromium,
} from '../../web/support/open-gallery.ts'
import { madeUpPictures } from '../../web/support/pictures.ts'
import { makeTags } from '../../web/support/tags.ts'

const PHONE = { size: { width: 390, height: 844 }, isTouch: true, hasChanges: true }

let gallery: OpenGallery
/** Windows of the admin, each in a browser of its own, and one of Anna's, who sees the first two files. */
let desktop: Page
let phone: Page
let anna: Page
let tag: Record<string, string>
/** How often each window waited for changes so far. */
const waits = new Map<Page, number>()

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: 6, hasChanges: true, isSignedIn: false })
  tag = await makeTags(gallery, 3)
  const { call, ids } = gallery
  const { id } = await call<{ id: number }>('POST', '/users', { name: 'Anna', password: PASSWORD })
  const add = [{ user_id: id, can_edit: false }]
  await call('POST', '/files/bulk/share', { file_ids: ids.slice(0, 2), add })
  desktop = gallery.page
  phone = await gallery.stranger(PHONE)
  anna = await gallery.stranger({ hasChanges: true })
  for (const page of [desktop, phone, anna]) {
    follow(page)
    await page.goto('/')
    await enter(page, page === anna ? 'Anna' : 'admin')
  }
})

after(() => gallery?.close())

/** Opens an address, and resolves once the window waits for changes. */
async function open(page: Page, path: string): Promise<void> {
  // What it has shown so far might wait once more while another address is loaded.
  await page.goto('about:blank')
  const before = waits.get(page)!
  await page.goto(path)
  await eventually(() => waits.get(page)! > before)
}

function follow(page: Page): void {
  waits.set(page, 0)
  page.on('request', (request) => {
    if (request.url().includes('/changes?since=')) waits.set(page, waits.get(page)! + 1)
  })
}

const hasCells = (page: Page, count: number) =>
  eventually(async () => (await cells(page).count()) === count)
const cells = (page: Page) => page.locator('.cell')
const chip = (page: Page, name: string) => page.locator('.viewer .chip', { hasText: name })

describe('what changes in another window', { skip: withoutChromium }, () => {
  it('stands in this one: tags of the open file, on a phone and on a desktop', async () => {
    const [file] = gallery.ids
    for (const page of [desktop, phone]) {
      await open(page, `/f/${file}`)
      await page.locator('.viewer').waitFor()
    }
    await phone.getByRole('button', { name: 'Details' }).click()
    await press(desktop, 't', 'are', 'Enter', 'Escape')
    await chip(phone, 'Arezzo').waitFor()
    await gallery.call('DELETE', `/files/${file}/tags/${tag.Arezzo}`)
    for (const page of [desktop, phone]) await chip(page, 'Arezzo').waitFor({ state: 'detached' })
  })

  it('leaves a note alone that is being typed, even if its file leaves the listing', async () => {
    const file = gallery.ids[3]!
    const tagged = { file_ids: [file], action: 'add', tag_ids: [tag.Arezzo] }
    await gallery.call('POST', '/files/bulk/tags', tagged)
    await open(desktop, `/f/${file}?filter=${encodeURIComponent(`{t=${tag.Arezzo}}`)}`)
    await chip(desktop, 'Arezzo').waitFor()
    await desktop.getByRole('button', { name: 'Add a note' }).waitFor()
    await press(desktop, 'n')
    const note = desktop.locator('.viewer textarea')
    await note.pressSequentially('At the sea')
    await gallery.call('DELETE', `/files/${file}/tags/${tag.Arezzo}`)
    await chip(desktop, 'Arezzo').waitFor({ state: 'detached' })
    await desktop.locator('.viewer .strip button').waitFor({ state: 'detached' })
    assert.equal(await note.inputValue(), 'At the sea')
    await press(desktop, 'Escape')
  })

  it('stands in the grid: what comes, and what goes', async () => {
    for (const page of [desktop, phone, anna]) await open(page, '/')
    for (const page of [desktop, phone]) await hasCells(page, 6)
    await hasCells(anna, 2)
    await gallery.call('DELETE', `/files/${gallery.ids[1]}`)
    for (const page of [desktop, phone]) await hasCells(page, 5)
    await hasCells(anna, 1)
    const { name, bytes } = (await madeUpPictures(7)).at(-1)!
    const form = new FormData()
    form.set('file', new Blob([Uint8Array.from(bytes)]), name)
    await gallery.call('POST', '/files', form)
    for (const page of [desktop, phone]) await hasCells(page, 6)
    assert.equal(await cells(anna).count(), 1)
  })

  it('reads the whole listing again for what has come, not for what was changed here', async () => {
    await open(desktop, '/')
    await hasCells(desktop, 6)
    let listed = 0
    desktop.on('request', (request) => {
      if (request.url().includes('/files/timeline')) listed++
    })
    const before = waits.get(desktop)!
    await cells(desktop).first().locator('.tick').click({ force: true })
    await desktop.getByText('1 selected').waitFor()
    await press(desktop, 'Delete')
    await hasCells(desktop, 5)
    // The server has reported it by then.
    await eventually(() => waits.get(desktop)! > before)
    assert.equal(listed, 0)
    await press(desktop, 'Control+z')
    await hasCells(desktop, 6)
    assert.ok(listed > 0)
  })

  it('goes on after the server was away', async () => {
    await gallery.stopServer()
    await desktop.getByText('No connection').first().waitFor()
    await gallery.startServer()
    const before = waits.get(desktop)!
    await eventually(() => waits.get(desktop)! > before)
    await gallery.call('PATCH', `/tags/${tag.Italy}`, { notes: 'read anew' })
  })

  it('stands in the lists: a tag with another name', async () => {
    const before = waits.get(desktop)!
    await gallery.call('PATCH', `/tags/${tag.Italy}`, { name: 'Italia' })
    await desktop.getByRole('link', { name: /^Italia/ }).waitFor()
    await eventually(() => waits.get(desktop)! > before)
  })

  it('waits in one window of a browser, the one in front', async () => {
    let refused = 0
    const count = (answer: Response) => {
      if (answer.url().includes('/changes') && answer.status() === 409) refused++
    }
    desktop.on('response', count)
    const second = await gallery.context.newPage()
    follow(second)
    await open(second, '/')
    const ended = waits.get(desktop)!
    assert.equal(refused, 0, 'ended by the lock, not by the server')
    await gallery.call('POST', `/files/${gallery.ids[1]}/restore`)
    await hasCells(second, 7)
    assert.equal(await cells(desktop).count(), 6)
    assert.equal(waits.get(desktop), ended)
    // As browsers do when a window comes to the front.
    await desktop.evaluate(() => dispatchEvent(new Event('focus')))
    await hasCells(desktop, 7)
    await second.close()
  })

  it('waits in the window that asked last where there are no locks, as without https', async () => {
    const first = await gallery.stranger({ hasChanges: true })
    await first.context().addInitScript('delete Navigator.prototype.locks')
    follow(first)
    await first.goto('/')
    await enter(first)
    await eventually(() => waits.get(first)! > 0)
    const second = await first.context().newPage()
    follow(second)
    const isEnded = (page: Page) =>
      page.waitForResponse((answer) => answer.url().includes('/changes') && answer.status() === 409)
    let ended = isEnded(first)
    await open(second, '/')
    await ended
    ended = isEnded(second)
    await first.evaluate(() => dispatchEvent(new Event('focus')))
    await ended
    await first.context().close()
  })

  it('stops when nobody is signed in any more', async () => {
    await open(anna, '/')
    await anna.getByRole('button', { name: /Anna/ }).click()
    await anna.getByRole('menuitem', { name: 'Sign out' }).click()
    await anna.getByLabel('Password', { exact: true }).waitFor()
    const ended = waits.get(anna)!
    await gallery.call('DELETE', `/files/${gallery.ids[0]}`)
    for (const page of [desktop, phone]) await hasCells(page, 6)
    assert.equal(waits.get(anna), ended)
  })
})
