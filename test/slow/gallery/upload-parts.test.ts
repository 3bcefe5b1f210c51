import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Schemas } from '../../../src/client/index.ts'
import { eventually } from '../../support/eventually.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { drop } from '../../web/support/drop.ts'
import { type OpenGallery, openGallery, withoutChromium } from '../../web/support/open-gallery.ts'
import { type GalleryProxy, startProxy } from '../../web/support/proxy.ts'

/** More than one part. */
const MORE = 70_000_000
const SECOND_PART = 'Upload-Offset: 50000000'

let gallery: OpenGallery
let page: Page
let proxy: GalleryProxy
before(async () => {
  if (withoutChromium) return
  const before = async (url: string) => {
    proxy = await startProxy(url)
    return proxy
  }
  gallery = await openGallery({ files: 0, before })
  page = gallery.page
  for (const name of ['beach', 'holiday']) await gallery.call('POST', '/tags', { name })
  await page.reload()
})
after(() => gallery?.close())

const arrived = (count: number) =>
  page.getByRole('heading', { name: `${count} of ${count}`, exact: true }).waitFor()

/** Returns by name how many bytes each file has. */
async function sizes(): Promise<Record<string, number>> {
  const { items } = await gallery.call<{ items: Schemas['File'][] }>('GET', '/files')
  return Object.fromEntries(items.map(({ original_name, size }) => [original_name, size]))
}

describe('a large upload', { skip: withoutChromium }, () => {
  it('goes on where its connection was cut', async () => {
    const ended = proxy.cut(SECOND_PART, 5_000_000)
    await drop(page, [{ name: 'cut.jpg', more: MORE }])
    await arrived(1)
    assert.ok(ended() > 0)
    const found = await sizes()
    assert.deepEqual(Object.keys(found), ['cut.jpg'])
    assert.ok(found['cut.jpg']! > MORE)
  })

  it('goes on where the server was killed', async () => {
    const held = proxy.hold(SECOND_PART)
    await drop(page, [{ name: 'killed.jpg', more: MORE }])
    const goOn = await held
    await gallery.stopServer('SIGKILL')
    goOn()
    await page.getByText('No connection to the server').waitFor()
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.headers()['upload-offset']!)
    })
    await gallery.startServer()
    await arrived(2)
    assert.ok(sent.length > 0 && sent.every((offset) => Number(offset) >= 50_000_000), `${sent}`)
    assert.ok((await sizes())['killed.jpg']! > MORE)
  })

  it('goes on with other tags, and gets these in the end', async () => {
    await page.getByRole('button', { name: 'Clear the list' }).click()
    const held = proxy.hold(SECOND_PART)
    await drop(page, [{ name: 'tags.jpg', more: MORE }], '.tags [data-tag]')
    const goOn = await held
    const panel = page.getByRole('region', { name: 'Upload' })
    await panel.getByRole('button', { name: 'Pause' }).click()
    goOn()
    await panel.locator('.chip', { hasText: 'beach' }).getByRole('button').click()
    await panel.getByPlaceholder('Add a tag').fill('holiday')
    await page.keyboard.press('Enter')
    await panel.locator('.chip', { hasText: 'holiday' }).waitFor()
    const asked: string[] = []
    page.on('request', (request) => {
      if (/\/uploads\b/.test(request.url())) asked.push(request.method())
    })
    const tagged = page.waitForResponse(/bulk\/tags$/)
    await panel.getByRole('button', { name: 'Resume' }).click()
    await arrived(1)
    await tagged
    assert.deepEqual(asked, ['HEAD', 'PATCH'])
    await eventually(async () => {
      const { items } = await gallery.call<{ items: Schemas['File'][] }>('GET', '/files')
      const file = items.find(({ original_name }) => original_name === 'tags.jpg')!
      return file.tags.map(({ name }) => name).join() === 'holiday'
    })
  })

  it('leaves nothing on the server when it is given up', async () => {
    const held = proxy.hold(SECOND_PART)
    await drop(page, [{ name: 'dropped.jpg', more: MORE }])
    const goOn = await held
    const answer = page.waitForResponse((response) => response.request().method() === 'DELETE')
    await page.getByRole('button', { name: 'Leave dropped.jpg out' }).click()
    goOn()
    assert.equal((await answer).status(), 204)
    assert.match((await answer).url(), /\/api\/v1\/uploads\/[0-9a-f-]{36}$/)
  })

  it('is skipped when it is there already', async () => {
    await page.reload()
    await drop(page, [{ name: 'again.jpg', like: 'cut.jpg', more: MORE }])
    await page.locator('.ups').getByText('already here').first().waitFor()
    assert.deepEqual(Object.keys(await sizes()).sort(), ['cut.jpg', 'killed.jpg', 'tags.jpg'])
  })
})
