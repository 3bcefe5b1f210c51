import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Schemas } from '../../../src/client/index.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { assertAccessible } from '../../web/support/axe.ts'
import { drop, WRITTEN } from '../../web/support/drop.ts'
import { asksAtLeaving } from '../../web/support/leaving.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../web/support/open-gallery.ts'
import { type GalleryProxy, startProxy } from '../../web/support/proxy.ts'

type File = Schemas['File']

const FEW = Array.from({ length: 5 }, (_, n) => ({ name: `few ${n}.jpg` }))

let gallery: OpenGallery
let page: Page
let proxy: GalleryProxy
const tagIds: Record<string, string> = {}

before(async () => {
  if (withoutChromium) return
  const before = async (url: string) => {
    proxy = await startProxy(url)
    return proxy
  }
  gallery = await openGallery({ files: 1, env: { USER_QUOTA: '20MiB' }, before })
  page = gallery.page
  for (const name of ['holiday', 'beach']) {
    tagIds[name] = (await gallery.call<{ id: string }>('POST', '/tags', { name })).id
  }
  await page.reload()
  await page.locator('.grid a[data-id]').waitFor()
})

after(() => gallery?.close())

/** The selector of a tag at the side. */
const on = (name: string) => `.tags [data-tag="${tagIds[name]}"]`
const panel = () => page.getByRole('region', { name: 'Upload' })
const heading = (words: string) => panel().getByRole('heading', { name: words, exact: true })
const row = (name: string) => panel().getByRole('listitem').filter({ hasText: name })
const total = async () => (await files()).length

async function files(): Promise<File[]> {
  return (await gallery.call<{ items: File[] }>('GET', '/files?limit=100')).items
}

async function tagsByName(names: string[]): Promise<Record<string, string[]>> {
  const found = await files()
  const tagsOf = (name: string) =>
    found.find(({ original_name }) => original_name === name)!.tags.map((tag) => tag.name)
  return Object.fromEntries(names.map((name) => [name, tagsOf(name).sort()]))
}

/** Loads the page anew in the very moment in which a heading tells that all has arrived. */
async function reloadAt(words: string): Promise<void> {
  const reloaded = page.waitForEvent('load')
  await page.evaluate((words) => {
    new MutationObserver(() => {
      if (document.querySelector('.ups h2')?.textContent === words) location.reload()
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  }, words)
  await drop(page, FEW)
  await reloaded
  await page.locator('.shell').waitFor()
}

/** Drops files, and waits until all of the list has arrived, as its heading then says. */
async function send(words: string, names: string[], selector?: string): Promise<void> {
  const files = names.map((name) => ({ name }))
  await drop(page, files, selector)
  await heading(words).waitFor()
}

async function clear(): Promise<void> {
  await panel().getByRole('button', { name: 'Clear the list' }).click()
  await panel().waitFor({ state: 'detached' })
}

describe('uploading', { skip: withoutChromium }, () => {
  it('gives a batch its tags, the files that have arrived too', async () => {
    await send('2 of 2', ['first.jpg', 'second.jpg'])
    const tagged = page.waitForResponse(/bulk\/tags$/)
    for (const key of ['h', 'o', 'l', 'Enter']) await page.keyboard.press(key)
    assert.ok((await tagged).ok())
    await send('3 of 3', ['third.jpg'])
    await assertAccessible(page, 'uploads')
    // Once it is over and out of sight, the next one is a batch of its own.
    await panel().getByRole('button', { name: 'Minimize' }).click()
    await send('1 of 1', ['fourth.jpg'])
    await clear()
    assert.deepEqual(await tagsByName(['first.jpg', 'second.jpg', 'third.jpg', 'fourth.jpg']), {
      'first.jpg': ['holiday'],
      'second.jpg': ['holiday'],
      'third.jpg': ['holiday'],
      'fourth.jpg': [],
    })
    const first = (await files()).find(({ original_name }) => original_name === 'first.jpg')!
    assert.equal(Date.parse(first.content_datetime), WRITTEN)
    assert.equal(first.date_source, 'mtime')
  })

  it('gives files the tag that they fall on', async () => {
    await send('1 of 1', ['sand.jpg'], on('beach'))
    await panel().locator('.chip', { hasText: 'beach' }).waitFor()
    await send('2 of 2', ['street.jpg'])
    assert.equal(await panel().locator('.chip').count(), 0)
    await row('sand.jpg').getByText('beach').waitFor()
    const put = () => page.waitForResponse((response) => response.request().method() === 'PUT')
    const tagged = put()
    await drop(page, [{ name: 'shell.jpg' }, { name: 'sand.jpg' }], on('holiday'))
    assert.ok((await tagged).ok())
    await heading('3 of 3').waitFor()
    await row('shell.jpg').getByText('holiday').waitFor()
    await clear()
    // Of one that is skipped, nothing is left for the next.
    const taggedToo = put()
    await drop(page, [{ name: 'street.jpg' }], on('beach'))
    assert.ok((await taggedToo).ok())
    await panel().getByText('1 photo is already here').waitFor()
    await send('1 of 1', ['plain.jpg'])
    await clear()
    assert.deepEqual(await tagsByName(['plain.jpg', 'sand.jpg', 'shell.jpg', 'street.jpg']), {
      'plain.jpg': [],
      'sand.jpg': ['beach', 'holiday'],
      'shell.jpg': ['holiday'],
      'street.jpg': ['beach'],
    })
  })

  it('keeps a tag that was chosen before files fell on it, as those of another list had', async () => {
    await send('1 of 1', ['cliff.jpg'], on('beach'))
    await clear()
    await drop(page, [{ name: 'cliff.jpg' }])
    await panel().getByText('1 photo is already here').waitFor()
    for (const key of ['b', 'e', 'a', 'Enter']) await page.keyboard.press(key)
    await drop(page, [{ name: 'dune.jpg' }], on('beach'))
    await send('2 of 2', ['tide.jpg'])
    await clear()
    const tags = Object.values(await tagsByName(['dune.jpg', 'tide.jpg']))
    assert.deepEqual(tags, [['beach'], ['beach']])
  })

  it('sends a file again that was deleted for good', async () => {
    const sent = () => page.waitForResponse(/api\/v1\/files$/)
    const first = sent()
    await drop(page, [{ name: 'again.jpg' }])
    const { id } = (await (await first).json()) as File
    await heading('1 of 1').waitFor()
    await gallery.call('DELETE', `/files/${id}`)
    await drop(page, [{ name: 'again.jpg' }])
    await panel().getByText('1 photo is already here').waitFor()
    await gallery.call('DELETE', `/files/${id}/permanent`)
    const second = sent()
    await drop(page, [{ name: 'again.jpg' }])
    const anew = (await (await second).json()) as File
    assert.notEqual(anew.id, id)
    await heading('1 of 1').waitFor()
    await clear()
    await gallery.call('DELETE', `/files/${anew.id}`)
  })

  it('takes the tags of a batch back', async () => {
    await send('1 of 1', ['undone.jpg'])
    const tagged = page.waitForResponse(/bulk\/tags$/)
    for (const key of ['h', 'o', 'l', 'Enter']) await page.keyboard.press(key)
    assert.ok((await tagged).ok())
    assert.deepEqual(await tagsByName(['undone.jpg']), { 'undone.jpg': ['holiday'] })
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+z')
    await page.getByText('Undone', { exact: true }).waitFor()
    assert.deepEqual(await tagsByName(['undone.jpg']), { 'undone.jpg': [] })
    assert.equal(await panel().locator('.chip').count(), 0)
    await send('2 of 2', ['after undo.jpg'])
    assert.deepEqual(await tagsByName(['after undo.jpg']), { 'after undo.jpg': [] })
    await clear()
    for (const { id, original_name } of await files()) {
      if (/undo/.test(original_name!)) await gallery.call('DELETE', `/files/${id}`)
    }
  })

  it('takes what is pasted, but for text into a text', async () => {
    await page.evaluate(() => {
      const paste = (selector: string, name: string, text: string) => {
        const clipboardData = new DataTransfer()
        clipboardData.items.add(new File([name], name, { type: 'image/jpeg' }))
        if (text) clipboardData.setData('text/plain', text)
        const event = new ClipboardEvent('paste', { clipboardData, bubbles: true })
        document.querySelector(selector)!.dispatchEvent(event)
      }
      paste('.filter input', 'beside text.jpg', 'a name')
      paste('.filter input', 'alone.jpg', '')
      paste('body', 'anywhere.jpg', 'a name')
    })
    // No pictures but by their names, so that none stays here.
    for (const name of ['alone.jpg', 'anywhere.jpg']) {
      await row(name).getByText('not a photo or video').waitFor()
    }
    assert.equal(await row('beside text.jpg').count(), 0)
    await clear()
  })

  it('offers all endings of RAW files, by which systems hide what they seldom know', async () => {
    const accepted = await page.getByLabel('Choose photos').first().getAttribute('accept')
    const endings = '.dng,.cr2,.cr3,.nef,.nrw,.arw,.orf,.raf,.rw2,.raw,.rwl,.pef,.jxl'
    assert.equal(accepted, `image/*,video/*,${endings}`)
  })

  it('takes what is chosen by its button, also before what sends it has come', async () => {
    let letCome = () => {}
    const mayCome = new Promise<void>((resolve) => {
      letCome = resolve
    })
    await page.route('**/web/assets/*.js', async (route) => {
      const response = await route.fetch()
      if ((await response.text()).includes('ups-pill')) await mayCome
      await route.fulfill({ response })
    })
    await page.reload()
    const buffer = Buffer.from('no picture')
    const chosen = { name: 'chosen.jpg', mimeType: 'image/jpeg', buffer }
    await page.getByLabel('Choose photos').setInputFiles(chosen)
    assert.equal(await panel().count(), 0)
    assert.equal(await asksAtLeaving(page), true)
    letCome()
    await row('chosen.jpg').getByText('not a photo or video').waitFor()
    assert.equal(await asksAtLeaving(page), false)
    await page.unroute('**/web/assets/*.js')
    await clear()
  })

  it('says what is refused, and tries again what was cut off half-way', async () => {
    const mend = proxy.cut('filename="cut off.jpg"', 300_000)
    await drop(page, [{ name: 'cut off.jpg', more: 900_000 }])
    await row('cut off.jpg')
      .getByText(/try \d+ in/)
      .waitFor()
    assert.ok(mend() > 0)
    // First, because there is no room for it while the other one takes all that is left.
    await heading('1 of 1').waitFor()
    await drop(page, [{ name: 'letter.docx', type: 'application/msword' }])
    await row('letter.docx').getByText('not a photo or video').waitFor()
    await drop(page, [{ name: 'huge.jpg', more: 21e6 }])
    await row('huge.jpg').getByText('no space left for your photos').waitFor()
    await assertAccessible(page, 'a refused upload')
    await heading('1 arrived, 2 refused').waitFor()
    assert.equal(await panel().getByRole('button', { name: 'Send letter.docx again' }).count(), 0)
    assert.equal(await panel().getByRole('button', { name: 'Retry all failed' }).count(), 0)
    // Held until it is seen to be sent: else the words of before would be taken for those of now.
    const held = proxy.hold('POST /api/v1/files ')
    const again = page.waitForResponse(/api\/v1\/files$/)
    await panel().getByRole('button', { name: 'Send huge.jpg again' }).click()
    await row('huge.jpg').locator('progress').waitFor()
    const letGo = await held
    letGo()
    assert.equal((await again).status(), 507)
    await row('huge.jpg').getByText('no space left for your photos').waitFor()
    assert.equal(await total(), 13)
    await clear()
  })

  it('skips what has arrived in the moment before the page was loaded anew', async () => {
    await reloadAt('5 of 5')
    await drop(page, FEW)
    await panel().getByText('5 photos are already here').waitFor()
    await heading('Upload').waitFor()
    assert.equal(await total(), 18)
  })

  it('takes what is dropped before it is known who is there', async () => {
    const held = proxy.hold('POST /web/session/refresh')
    await page.goto('/', { waitUntil: 'domcontentloaded' })
    const letGo = await held
    await drop(page, [{ name: 'early.jpg' }])
    letGo()
    await heading('1 of 1').waitFor()
    assert.equal(await total(), 19)
    await clear()
  })

  it('is not offered to those who may not add files', async () => {
    const body = { name: 'vera', password: 'a password of hers', can_create: false }
    await gallery.call('POST', '/users', body)
    const other = await gallery.stranger()
    await other.goto('/')
    await enter(other, 'vera', body.password)
    await other.getByText('Nothing has been shared with you yet.').waitFor()
    assert.equal(await other.getByRole('button', { name: 'Upload' }).count(), 0)
    await drop(other, [{ name: 'of vera.jpg' }])
    const held = proxy.hold('POST /web/session/refresh')
    await other.reload({ waitUntil: 'domcontentloaded' })
    const letGo = await held
    await drop(other, [{ name: 'early of vera.jpg' }])
    letGo()
    await other.getByText('Nothing has been shared with you yet.').waitFor()
    assert.equal(await asksAtLeaving(other), false)
    assert.equal(await total(), 19)
  })

  it('sends nothing that was dropped when nobody was signed in', async () => {
    const other = await gallery.stranger()
    await other.goto('/')
    await other.getByRole('button', { name: 'Sign in' }).waitFor()
    await drop(other, [{ name: 'of nobody.jpg' }])
    await enter(other)
    await drop(other, [{ name: 'of the admin.jpg' }])
    await other.getByRole('heading', { name: '1 of 1', exact: true }).waitFor()
    assert.equal(await total(), 20)
  })
})
