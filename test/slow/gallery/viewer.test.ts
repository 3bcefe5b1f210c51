import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import type { Schemas } from '../../../src/client/index.ts'
import { eventually } from '../../support/eventually.ts'
import { filmBytes } from '../../support/media/film.ts'
import { withoutEncoder } from '../../support/media/media.ts'
import { losslessOf, RAWS, type RawPictures } from '../../support/media/raws.ts'
import { phoneHeic } from '../../support/media/samples.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { assertAccessible } from '../../web/support/axe.ts'
import { type OpenGallery, openGallery, withoutChromium } from '../../web/support/open-gallery.ts'
import { refuse } from '../../web/support/refuse.ts'

type File = Schemas['File']

let gallery: OpenGallery
let page: Page

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: 8 })
  page = gallery.page
  for (const name of ['holiday', 'holly', 'beach']) await gallery.call('POST', '/tags', { name })
  await page.reload()
})

after(() => gallery?.close())

const cell = (id: string) => page.locator(`.grid a[data-id="${id}"]`)
const isAt = (path: string) => page.waitForURL((url) => url.pathname === path)
const isShown = (id: string) => isAt(`/f/${id}`)
const fileOf = (id: string) => gallery.call<File>('GET', `/files/${id}`)

async function open(id: string): Promise<void> {
  await page.goto(`/f/${id}`)
  await page.locator('.viewer .facts').waitFor()
}

/** Presses keys, and waits until the change that they ask for is answered. */
async function change(...keys: string[]): Promise<void> {
  const answer = page.waitForResponse((response) => {
    const isOfFiles = /\/api\/v1\/(files|operations)\//.test(response.url())
    return isOfFiles && response.request().method() !== 'GET'
  })
  for (const key of keys) await page.keyboard.press(key)
  assert.ok((await answer).ok(), String((await answer).status()))
}

async function trashed(): Promise<string[]> {
  const { items } = await gallery.call<{ items: File[] }>('GET', '/files?trash=true&limit=10')
  return items.map(({ id }) => id)
}

async function tagsOf(id: string): Promise<string[]> {
  return (await fileOf(id)).tags.map(({ name }) => name).sort()
}

const chips = () => page.locator('.tagging .chips .chip').allInnerTexts()

async function send(name: string, bytes: Uint8Array, taken: string): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([Uint8Array.from(bytes)]), name)
  form.set('content_datetime', taken)
  return (await gallery.call<File>('POST', '/files', form)).id
}

describe('the viewer', { skip: withoutChromium }, () => {
  it('opens what is clicked, goes on by arrows, and gives the focus back', async () => {
    const [first, second] = gallery.ids
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await cell(second!).click()
    await isShown(second!)
    await page.locator('.layers img.loaded[alt="picture 2.jpg"]').waitFor()
    for (const near of [first!, gallery.ids[2]!]) {
      await page.waitForFunction(
        (path) => performance.getEntriesByType('resource').some(({ name }) => name.includes(path)),
        `${near}/preview`,
      )
    }
    await page.keyboard.press('ArrowLeft')
    await isShown(first!)
    assert.equal(await page.locator('.arrow.previous').count(), 0)
    assert.equal(asked.filter((path) => path.endsWith(`${first}/preview`)).length, 1)
    await page.keyboard.press('Escape')
    await isAt('/')
    await page.waitForFunction(
      (id) => document.activeElement?.getAttribute('data-id') === id,
      first!,
    )
  })

  it('stays open when the page is loaded anew', async () => {
    await open(gallery.ids[2]!)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: '14 July 2018' }).waitFor()
    await page.locator('.facts').getByText('picture 3.jpg').waitFor()
    await page.locator('.strip [aria-current]').waitFor()
    await assertAccessible(page, 'viewer')
  })

  it('takes notes and another date in place', async () => {
    const id = gallery.ids[2]!
    await page.keyboard.press('n')
    await page.locator('.facts textarea:focus').waitFor()
    await page.keyboard.type('At the <b>sea</b>')
    await change('Control+Enter')
    assert.equal((await fileOf(id)).notes, 'At the <b>sea</b>')
    assert.match(await page.locator('.facts .notes').innerText(), /^At the <b>sea<\/b>/)
    await page.locator('.facts').getByText('14 July 2018').click()
    await page.getByLabel('Date and time').fill('2018-07-13T08:30:00')
    await change('Enter')
    assert.equal((await fileOf(id)).content_datetime, '2018-07-13T08:30:00.000Z')
    await page.locator('.facts').getByText('13 July 2018').waitFor()
    await page.locator('.facts').getByText('Set by hand').waitFor()
    await cell(id).waitFor({ state: 'attached' })
  })

  it('takes a date of which only a part is known', async () => {
    const id = gallery.ids[2]!
    const field = page.getByLabel('Date and time', { exact: true })
    const part = page.getByLabel('How much is known')
    const dateNow = async () => {
      const { content_datetime, date_precision } = await fileOf(id)
      return [content_datetime, date_precision]
    }
    await page.locator('.facts').getByText('13 July 2018').click()
    await part.selectOption('The month')
    assert.equal(await field.inputValue(), '2018-07')
    await field.fill('1987-06')
    await change('Enter')
    await page.locator('.facts').getByRole('button', { name: 'June 1987', exact: true }).click()
    assert.deepEqual(await dateNow(), ['1987-06-15T12:00:00.000Z', 'month'])
    await part.selectOption('The year')
    assert.equal(await field.inputValue(), '1987')
    await field.focus()
    await change('Enter')
    await page.locator('.facts').getByRole('button', { name: '1987', exact: true }).click()
    await page.locator('h1', { hasText: /^1987$/ }).waitFor()
    assert.deepEqual(await dateNow(), ['1987-07-02T12:00:00.000Z', 'year'])
    await part.selectOption('Date and time')
    await field.fill('2018-07-13T08:30:00')
    await change('Enter')
    await page.locator('.facts').getByText('13 July 2018').waitFor()
    assert.deepEqual(await dateNow(), ['2018-07-13T08:30:00.000Z', null])
  })

  it('gives up a text at Escape, and nothing else', async () => {
    await page.keyboard.press('n')
    await page.locator('.facts textarea:focus').waitFor()
    await page.keyboard.type(' and the sand')
    await page.keyboard.press('Escape')
    await page.locator('.facts .notes', { hasText: /^At the <b>sea<\/b>/ }).waitFor()
    await page.locator('.facts').getByText('13 July 2018').click()
    await page.getByLabel('Date and time').press('ArrowUp')
    await page.keyboard.press('Escape')
    await page.locator('.facts').getByText('13 July 2018').waitFor()
    await isShown(gallery.ids[2]!)
  })

  it('keeps a note that can’t be saved, and shows what an undo brings back', async () => {
    const path = `/files/${gallery.ids[2]}`
    const refusal = { method: 'PATCH', path, status: 507, code: 'insufficient_storage' }
    const allow = await refuse(page, refusal)
    await page.keyboard.press('n')
    await page.locator('.facts textarea:focus').waitFor()
    await page.keyboard.type(', again')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('alert').filter({ hasText: /./ }).waitFor()
    const area = page.locator('.facts textarea:focus')
    await area.waitFor()
    assert.equal(await area.inputValue(), 'At the <b>sea</b>, again')
    await allow()
    await change('Control+Enter')
    const note = (text: RegExp) => page.locator('.facts .notes', { hasText: text }).waitFor()
    await note(/again/)
    await change('Control+z')
    await note(/<\/b> *N?$/)
  })

  it('keeps a date that can’t be saved', async () => {
    const path = `/files/${gallery.ids[2]}`
    const refusal = { method: 'PATCH', path, status: 507, code: 'insufficient_storage' }
    const allow = await refuse(page, refusal)
    await page.locator('.facts').getByText('13 July 2018').click()
    const field = page.getByLabel('Date and time')
    await field.fill('2018-07-12T06:00:07')
    await page.keyboard.press('Enter')
    await page.locator('.facts').getByText('13 July 2018').waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.activeElement?.matches('.facts input'))
    assert.equal(await field.inputValue(), '2018-07-12T06:00:07')
    await allow()
    await change('Enter')
    await page.locator('.facts').getByText('12 July 2018').waitFor()
    await change('Control+z')
    await page.locator('.facts').getByText('13 July 2018').waitFor()
  })

  it('tags by few keys', async () => {
    const [, , , one, other, third] = gallery.ids
    await open(one!)
    await change('t', 'h', 'o', 'l', 'Enter')
    assert.deepEqual(await tagsOf(one!), ['holiday'])
    await change('b', 'Enter')
    await eventually(async () => String(await chips()) === 'beach,holiday')
    await change('ArrowRight', '0')
    await isShown(other!)
    assert.deepEqual(await tagsOf(other!), ['beach', 'holiday'])
    await page.keyboard.press('ArrowRight')
    await isShown(third!)
    await change('1')
    assert.deepEqual(await tagsOf(third!), ['holiday'])
    await change('Control+z')
    assert.deepEqual(await tagsOf(third!), [])
    await page.waitForFunction(() => !document.querySelector('.tagging .chips .chip'))
  })

  it('moves to the trash and takes that back', async () => {
    const [, , , , , third, fourth] = gallery.ids
    await change('Delete')
    await isShown(fourth!)
    const told = page.getByRole('status').filter({ hasText: 'In the trash' })
    await told.waitFor()
    assert.deepEqual(await trashed(), [third])
    await change('Control+z')
    assert.deepEqual(await trashed(), [])
    await page.waitForFunction((id) => document.querySelector(`.strip [src*="${id}"]`), third!)
    await page.keyboard.press('ArrowLeft')
    await isShown(third!)
  })
})

describe('a visit to the viewer', { skip: withoutChromium }, () => {
  it('says when and where on top, with a way to a map that nobody asks by itself', async () => {
    const IFD3 = {
      GPSLatitudeRef: 'N',
      GPSLatitude: '43/1 28/1 0/1',
      GPSLongitudeRef: 'E',
      GPSLongitude: '11/1 53/1 0/1',
    }
    const plain = { create: { width: 300, height: 200, channels: 3, background: '#4a9' } } as const
    const bytes = await sharp(plain).withExif({ IFD3 }).jpeg().toBuffer()
    const id = await send('IMG_0001.jpg', bytes, '2001-03-04T10:20:00Z')
    await open(id)
    const title = page.locator('.stage h1')
    await title.getByText('near Arezzo, Italy').waitFor()
    assert.equal(await title.innerText(), '4 March 2001 at 10:20 near Arezzo, Italy')
    for (const link of await page.getByRole('link', { name: 'near Arezzo' }).all()) {
      assert.match(
        (await link.getAttribute('href'))!,
        /^https:\/\/www\.openstreetmap\.org\/\?mlat=43/,
      )
      assert.equal(await link.getAttribute('rel'), 'noreferrer noopener')
    }
    // To a tab of its own, without telling which gallery it came from.
    await gallery.context.route('https://www.openstreetmap.org/**', (route) =>
      route.fulfill({ body: 'a map', contentType: 'text/plain' }),
    )
    const asked = gallery.context.waitForEvent('request', (one) => /openstreetmap/.test(one.url()))
    const opened = gallery.context.waitForEvent('page')
    await title.getByRole('link').click()
    assert.equal((await (await asked).allHeaders()).referer, undefined)
    await (await opened).close()
    if (/openstreetmap/.test(gallery.problems.at(-1) ?? '')) gallery.problems.pop()
    await isShown(id)
  })

  it('hides all but the picture at a click, but not at one that leaves a text', async () => {
    await open(gallery.ids[0]!)
    const strip = page.locator('.strip')
    await page.locator('.layers img.loaded[alt="picture 1.jpg"]').waitFor()
    await page.keyboard.press('t')
    await page.locator('.tagging input:focus').waitFor()
    await page.clock.install()
    await page.locator('.photo').click()
    await page.clock.runFor(400)
    assert.ok(await strip.isVisible())
    // Elsewhere, as two clicks in one place would zoom.
    await page.locator('.photo').click({ position: { x: 200, y: 200 } })
    for (const one of ['.strip', '.top', '.panel', '.arrow.next']) {
      await page.locator(`.viewer ${one}`).waitFor({ state: 'hidden' })
    }
    await page.keyboard.press('ArrowRight')
    await isShown(gallery.ids[1]!)
    assert.equal(await strip.isVisible(), false)
    await page.locator('.photo').click()
    await strip.waitFor()
  })

  it('leaves one entry of the history, however many pictures were seen', async () => {
    await page.goto('/albums')
    await page.getByRole('link', { name: 'Photos' }).click()
    for (const leave of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
      await cell(gallery.ids[0]!).click()
      let last = gallery.ids[0]!
      await isShown(last)
      for (const _ of [1, 2, 3, 4, 5]) {
        await page.locator('.arrow.next').click()
        await page.waitForURL((url) => !url.pathname.endsWith(last))
        last = page.url().split('at=')[1]!
      }
      await leave()
      await isAt('/')
      await cell(last).waitFor()
      await page.goBack()
      await isAt('/albums')
      await page.goForward()
      await isAt('/')
    }
  })
})

describe('the viewer of other types', { skip: withoutChromium }, () => {
  /** Asserts that a picture can be zoomed until each of its pixels is one of the screen. */
  async function assertAllPixels(id: string): Promise<void> {
    const { original_name, width, height } = await fileOf(id)
    await open(id)
    await page.locator(`.layers img.loaded[alt="${original_name}"]`).waitFor()
    await page.keyboard.press('z')
    const full = page.locator('.layers img.loaded[src*="/full"]')
    await full.waitFor()
    const pixels = await full.evaluate(({ naturalWidth, naturalHeight }: HTMLImageElement) => ({
      width: naturalWidth,
      height: naturalHeight,
    }))
    assert.deepEqual(pixels, { width, height })
    const { x: _x, y: _y, ...shown } = (await full.boundingBox())!
    assert.deepEqual(shown, pixels)
    await page.keyboard.press('z')
    await full.waitFor({ state: 'detached' })
  }

  it('shows all pixels of what browsers can’t show', async () => {
    const wide = {
      create: { width: 2400, height: 1600, channels: 3, background: '#4a9d5b' },
    } as const
    const tiff = await sharp(wide).tiff({ compression: 'lzw' }).toBuffer()
    await assertAllPixels(await send('scan.tiff', tiff, '2019-01-01T12:00:00Z'))
  })

  it('shows all pixels of a RAW’s picture, and says when it holds a small one or none', async () => {
    const jpeg = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#4a9d5b' } })
        .jpeg()
        .toBuffer()
    const [large, small] = await Promise.all([jpeg(2400, 1600), jpeg(160, 120)])
    const raw = losslessOf(large)
    const none = Buffer.from('no picture')
    const nef = (pictures: Partial<RawPictures>) =>
      RAWS['image/x-nikon-nef']!({ large, small, raw, ...pictures })
    await assertAllPixels(await send('sea.nef', nef({}), '2001-01-07T12:00:00Z'))
    const told: [bytes: Buffer, text: string][] = [
      [nef({ large: none, orientation: 6 }), 'Embedded preview of 120 × 160 only'],
      [nef({ large: none, small: none }), 'Nothing in it can be shown here'],
    ]
    for (const [bytes, text] of told) {
      const id = await send('small.nef', bytes, '2001-01-08T12:00:00Z')
      await open(id)
      await page.locator('.facts').getByText(text).waitFor()
    }
  })

  it('plays a film by Space, also when an arrow led to it', {
    skip: withoutEncoder('libx264'),
  }, async () => {
    const options = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p']
    const bytes = await filmBytes('sea.mp4', options, 'testsrc=size=320x240:duration=9:rate=10')
    const id = await send('sea.mp4', bytes, '2018-12-01T12:00:00Z')
    await page.goto('/')
    await cell(id).waitFor()
    await page.locator('.grid .cell a').first().click()
    await page.locator('.arrow.next').click()
    await isShown(id)
    await page.locator('video').waitFor()
    await page.keyboard.press('Space')
    await page.waitForFunction(() => document.querySelector('video')?.paused === false)
    await isShown(id)
  })

  it('shows all pixels of a phone’s HEIC, turned as it was held', {
    skip: withoutEncoder('libx265'),
  }, async () => {
    const id = await send('phone.heic', readFileSync(await phoneHeic()), '2019-01-04T12:00:00Z')
    const { width, height } = await fileOf(id)
    assert.deepEqual([width, height], [3024, 4032])
    await assertAllPixels(id)
  })
})
