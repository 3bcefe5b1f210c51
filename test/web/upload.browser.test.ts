import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import type { Schemas } from '../../src/client/index.ts'
import { assertAccessible } from './support/axe.ts'
import { enter, type OpenGallery, openGallery, withoutChromium } from './support/open-gallery.ts'

/** More than the panel has rows for. */
const COUNT = 120
/** When the files were written, by the disk that they come from. */
const WRITTEN = Date.UTC(2015, 4, 3, 10, 20, 30)

interface Dropped {
  name: string
  type?: string
}

let gallery: OpenGallery
let page: Page
let picture: number[]

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: 1 })
  page = gallery.page
  for (const name of ['holiday', 'beach']) await gallery.call('POST', '/tags', { name })
  await page.reload()
  await page.locator('.grid a[data-id]').waitFor()
  const small = { create: { width: 24, height: 16, channels: 3, background: '#4a9d5b' } } as const
  picture = [...(await sharp(small).jpeg().toBuffer())]
})

after(() => gallery?.close())

/** Drops files on the page, each with a picture's bytes and an end of its own. */
async function drop(files: Dropped[]): Promise<void> {
  // What takes them is loaded on demand.
  await page.waitForFunction(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([], 'over.jpg'))
    const over = new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true })
    return !document.body.dispatchEvent(over)
  })
  await page.evaluate(
    ({ files, picture, lastModified }) => {
      const dataTransfer = new DataTransfer()
      for (const { name, type = 'image/jpeg' } of files) {
        const bytes = type === 'image/jpeg' ? [new Uint8Array(picture), name] : [name]
        dataTransfer.items.add(new File(bytes, name, { type, lastModified }))
      }
      document.body.dispatchEvent(
        new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }),
      )
    },
    { files, picture, lastModified: WRITTEN },
  )
}

const panel = () => page.getByRole('region', { name: 'Upload' })
const heading = (words: string) => panel().getByRole('heading', { name: words, exact: true })
const row = (name: string) => panel().getByRole('listitem').filter({ hasText: name })
const total = async () => (await gallery.call<{ total: number }>('GET', '/files/ids?limit=1')).total

/** Returns how many files the browser knows to have arrived, also after a reload. */
async function kept(): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opened = indexedDB.open('tagstead-uploads')
        opened.onsuccess = () => {
          const store = opened.result.transaction('arrived').objectStore('arrived')
          const all = store.getAll()
          all.onsuccess = () => resolve(all.result.flat().length)
        }
      }),
  )
}

async function clear(): Promise<void> {
  await panel().getByRole('button', { name: 'Clear the list' }).click()
  await panel().waitFor({ state: 'detached' })
}

describe('uploading', { skip: withoutChromium }, () => {
  it('gives a batch its tags, the files that have arrived too', async () => {
    await drop([{ name: 'first.jpg' }, { name: 'second.jpg' }])
    await heading('2 of 2').waitFor()
    const tagged = page.waitForResponse((response) => /bulk\/tags$/.test(response.url()))
    for (const key of ['h', 'o', 'l', 'Enter']) await page.keyboard.press(key)
    assert.ok((await tagged).ok())
    await drop([{ name: 'third.jpg' }])
    await heading('3 of 3').waitFor()
    await assertAccessible(page, 'uploads')
    await clear()
    const { items } = await gallery.call<{ items: Schemas['File'][] }>('GET', '/files?limit=10')
    const tagsOf = (name: string) =>
      items.find(({ original_name }) => original_name === name)?.tags.map((tag) => tag.name)
    for (const name of ['first.jpg', 'second.jpg', 'third.jpg']) {
      assert.deepEqual(tagsOf(name), ['holiday'], name)
    }
    const first = items.find(({ original_name }) => original_name === 'first.jpg')!
    assert.equal(Date.parse(first.content_datetime), WRITTEN)
    assert.equal(first.date_source, 'mtime')
  })

  it('says what is refused, and tries again what was cut off', async () => {
    await page.route('**/api/v1/files', (route) => route.abort('connectionreset'), { times: 1 })
    await drop([{ name: 'cut off.jpg' }])
    await row('cut off.jpg').getByText('try 2 in').waitFor()
    await drop([{ name: 'letter.docx', type: 'application/msword' }])
    await row('letter.docx').getByText('no picture and no film').waitFor()
    await assertAccessible(page, 'a refused upload')
    await heading('1 of 1').waitFor()
    assert.equal(await total(), 5)
    await clear()
  })

  it(`takes ${COUNT} files at once, and skips them when they are dropped again`, async () => {
    const files = Array.from({ length: COUNT }, (_, n) => ({ name: `many ${n}.jpg` }))
    await drop(files)
    await heading(`${COUNT} of ${COUNT}`).waitFor({ timeout: 60_000 })
    assert.equal(await total(), COUNT + 5)
    while ((await kept()) < COUNT + 4);
    await page.reload()
    await page.locator('.shell').waitFor()
    await drop(files)
    await panel().getByText(`${COUNT} files are here already`).waitFor()
    await heading('Upload').waitFor()
    assert.equal(await total(), COUNT + 5)
  })

  it('is not offered to those who may not add files', async () => {
    const body = { name: 'vera', password: 'a password of hers', can_create: false }
    await gallery.call('POST', '/users', body)
    const other = await gallery.stranger()
    await other.goto('/')
    await enter(other, 'vera', body.password)
    await other.getByText('Nothing has been shared with you yet.').waitFor()
    assert.equal(await other.getByRole('button', { name: 'Upload' }).count(), 0)
  })
})
