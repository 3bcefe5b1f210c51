import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Schemas } from '../../../src/client/index.ts'
import { eventually } from '../../support/eventually.ts'
import { filmBytes } from '../../support/media/film.ts'
import { withoutEncoder } from '../../support/media/media.ts'
import { after, before, beforeEach, describe, it } from '../../support/test.ts'
import { assertAccessible } from '../../web/support/axe.ts'
import { hold } from '../../web/support/hold.ts'
import { addLargeLibrary } from '../../web/support/large-library.ts'
import { type OpenGallery, openGallery, withoutChromium } from '../../web/support/open-gallery.ts'
import { makePool } from '../../web/support/pool.ts'
import { makeTags } from '../../web/support/tags.ts'
import { missedByFingers } from '../../web/support/touch.ts'

let gallery: OpenGallery
let page: Page

const slideshow = () => page.getByRole('dialog', { name: 'Slideshow' })
const tool = (name: string) => slideshow().getByRole('button', { name, exact: true })
/** The one on top: the one before it is still there while it fades in. */
const slide = (id: string) =>
  page.locator(`.slide:last-child[data-id="${id}"] :is(img, video)`).first()
const isAt = (path: string) => page.waitForURL((url) => url.pathname === path)
const isFull = () => page.evaluate(() => document.fullscreenElement !== null)

/** Waits until only one file is shown, and returns its id. */
async function shown(): Promise<string> {
  return eventually(async () => {
    const ids = await page.locator('.slide').evaluateAll(idsOf)
    return ids.length === 1 && ids[0]
  })
}

const idsOf = (slides: Element[]) => slides.map((one) => (one as HTMLElement).dataset.id!)

/** Steps by a key as often as there are other files, and returns the ids that were shown. */
async function walk(count: number): Promise<string[]> {
  const ids = [await shown()]
  while (ids.length < count) {
    await page.keyboard.press('ArrowRight')
    ids.push(
      await eventually(async () => {
        const id = await shown()
        return id !== ids.at(-1) && id
      }),
    )
  }
  return ids
}

/** Opens a file in the viewer, and starts a slideshow with it by a key. */
async function start(id: string): Promise<void> {
  await page.goto(`/f/${id}`)
  await page.locator('.layers img.loaded[alt]:not([alt=""])').waitFor()
  await page.keyboard.press('Shift+Space')
  await slide(id).waitFor()
}

async function end(): Promise<void> {
  await page.keyboard.press('Escape')
  await slideshow().waitFor({ state: 'detached' })
}

async function sendFilm(name: string, codec: string): Promise<string> {
  const options = ['-c:v', codec, '-pix_fmt', 'yuv420p']
  const bytes = await filmBytes(name, options, 'testsrc=size=320x240:duration=2:rate=10')
  const form = new FormData()
  form.set('file', new Blob([Uint8Array.from(bytes)]), name)
  return (await gallery.call<Schemas['File']>('POST', '/files', form)).id
}

describe('a slideshow', { skip: withoutChromium }, () => {
  before(async () => {
    gallery = await openGallery({ files: 12 })
    page = gallery.page
  })

  beforeEach(async () => {
    await page.evaluate(() => localStorage.removeItem('tagstead-slideshow-random'))
  })

  after(() => gallery?.close())

  it('fills the screen with the open file, steps both ways, and ends where it is', async () => {
    const [first, second] = gallery.ids
    const last = gallery.ids.at(-1)!
    await start(first!)
    await eventually(isFull)
    assert.equal(await page.locator('.viewer').count(), 0)
    const box = await slideshow().boundingBox()
    assert.deepEqual(box, { x: 0, y: 0, width: 1440, height: 900 })
    await assertAccessible(page, 'slideshow')
    await page.keyboard.press('ArrowRight')
    await slide(second!).waitFor()
    await page.keyboard.press('ArrowLeft')
    await slide(first!).waitFor()
    // It goes round, either way.
    await tool('Previous').click()
    await slide(last).waitFor()
    await tool('Next').click()
    await slide(first!).waitFor()
    await page.keyboard.press('ArrowRight')
    await slide(second!).waitFor()
    await end()
    await isAt(`/f/${second}`)
    await page.locator('.viewer .layers img.loaded[alt="picture 2.jpg"]').waitFor()
    await eventually(async () => !(await isFull()))
    await page.keyboard.press('Escape')
    await isAt('/')
    await page.locator(`.grid a[data-id="${second}"]:focus`).waitFor()
  })

  it('ends when the browser leaves the full screen', async () => {
    const [first, second] = gallery.ids
    await start(first!)
    await eventually(isFull)
    await page.keyboard.press('ArrowRight')
    await slide(second!).waitFor()
    await page.evaluate(() => document.exitFullscreen())
    await slideshow().waitFor({ state: 'detached' })
    await isAt(`/f/${second}`)
  })

  it('goes on without the full screen when an Escape was for what is open above it', async () => {
    const [first] = gallery.ids
    await start(first!)
    await eventually(isFull)
    await page.getByRole('button', { name: /s per photo$/ }).click()
    await page.getByRole('menuitemradio', { name: '20 s' }).waitFor()
    await page.evaluate(() => document.exitFullscreen())
    await page.getByRole('menuitemradio', { name: '20 s' }).waitFor({ state: 'hidden' })
    assert.equal(await isFull(), false)
    await page.keyboard.press('?')
    await page.locator('.keysheet').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.keysheet').waitFor({ state: 'detached' })
    await slide(first!).waitFor()
    await end()
  })

  it('begins once at a double click', async () => {
    await page.goto('/')
    await page.locator('.bar').getByRole('button', { name: 'Slideshow' }).dblclick()
    await slide(gallery.ids[0]!).waitFor()
    await eventually(isFull)
    await end()
  })

  it('shows the preview, loads the next one before its turn, and asks for no original', async () => {
    const asked: string[] = []
    const note = (url: string) => asked.push(new URL(url).pathname.split('/').slice(-2).join('/'))
    await page.goto(`/f/${gallery.ids[0]}`)
    await page.locator('.layers img.loaded[alt="picture 1.jpg"]').waitFor()
    page.on('request', (request) => note(request.url()))
    await start(gallery.ids[4]!)
    await eventually(() => asked.includes(`${gallery.ids[5]}/preview`))
    await page.keyboard.press('ArrowRight')
    await slide(gallery.ids[5]!).waitFor()
    await eventually(() => asked.includes(`${gallery.ids[6]}/preview`))
    await end()
    assert.deepEqual(
      asked.filter((path) => /content|full$/.test(path)),
      [],
    )
  })

  it('goes on by itself after the chosen time, and stands still while it is paused', async () => {
    const [first, second, third, fourth] = gallery.ids
    await page.clock.install()
    await start(first!)
    await page.clock.fastForward(5000)
    await slide(second!).waitFor()
    await shown()
    await page.mouse.move(300, 300)
    await tool('5 s per photo').click()
    await page.getByRole('menuitemradio', { name: '20 s' }).click()
    assert.equal(await page.evaluate(() => localStorage.getItem('tagstead-slideshow-pace')), '20')
    // A timer is set anew after the next frame.
    await page.clock.runFor(100)
    await page.clock.fastForward(8000)
    assert.equal(await shown(), second)
    await page.clock.fastForward(12_000)
    await slide(third!).waitFor()
    await page.keyboard.press('Space')
    await tool('Continue').waitFor()
    // The timer is cleared after the next frame.
    await page.clock.runFor(100)
    await page.clock.fastForward(60_000)
    assert.equal(await shown(), third)
    await page.keyboard.press('Space')
    await tool('Pause').waitFor()
    await page.clock.fastForward(20_000)
    await slide(fourth!).waitFor()
    await page.keyboard.press('r')
    await tool('Random order').and(page.locator('[aria-pressed=true]')).waitFor()
    await page.mouse.move(400, 300)
    await tool('20 s per photo').click()
    await page.getByRole('menuitemradio', { name: '5 s', exact: true }).click()
    await end()
  })

  it('hides its tools and the pointer after two seconds without a movement or a key', async () => {
    const bar = page.locator('.slideshow .tools')
    const isCalm = page.locator('.slideshow.calm')
    const opacity = () => bar.evaluate((element) => getComputedStyle(element).opacity)
    await page.clock.install()
    await start(gallery.ids[0]!)
    await page.mouse.move(200, 200)
    await page.clock.runFor(500)
    assert.equal(await isCalm.count(), 0)
    await page.clock.runFor(1500)
    await isCalm.waitFor()
    assert.equal(await opacity(), '0')
    assert.equal(await isCalm.evaluate((element) => getComputedStyle(element).cursor), 'none')
    for (const stir of [() => page.mouse.move(210, 200), () => page.keyboard.press('ArrowRight')]) {
      await stir()
      await isCalm.waitFor({ state: 'detached' })
      assert.equal(await opacity(), '1')
      await page.clock.runFor(2000)
      await isCalm.waitFor()
    }
    await end()
  })

  it('pauses at a click on the picture', async () => {
    await page.clock.install()
    await start(gallery.ids[0]!)
    await page.mouse.click(300, 300)
    await page.clock.runFor(400)
    await tool('Continue').waitFor()
    await end()
  })

  it('fades one picture into the next, and cuts where motion is reduced', async () => {
    const fades = () =>
      page.locator('.slide').evaluateAll((all) => all.map((one) => one.getAnimations().length))
    await start(gallery.ids[0]!)
    await page.keyboard.press('ArrowRight')
    await slide(gallery.ids[1]!).waitFor()
    assert.deepEqual(await fades(), [0])
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.keyboard.press('ArrowRight')
    await slide(gallery.ids[2]!).waitFor()
    assert.equal(
      await slide(gallery.ids[2]!).evaluate(
        (image) => getComputedStyle(image.closest('.slide')!).animationName,
      ),
      'appear',
    )
    // The one below goes once the other has appeared.
    assert.equal(await shown(), gallery.ids[2])
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await end()
  })

  it('shows all files once in random order, and then the same ones again', async () => {
    await start(gallery.ids[3]!)
    await page.keyboard.press('r')
    const ids = await walk(gallery.ids.length)
    assert.equal(ids[0], gallery.ids[3])
    assert.deepEqual([...ids].sort(), [...gallery.ids].sort())
    await page.keyboard.press('ArrowRight')
    await slide(ids[0]!).waitFor()
    // In the files' own order it goes on from there.
    await page.keyboard.press('r')
    await page.keyboard.press('ArrowRight')
    await slide(gallery.ids[4]!).waitFor()
    await end()
  })

  it('skips what was removed meanwhile', async () => {
    const [, , , , , one, gone, next] = gallery.ids
    await start(gallery.ids[4]!)
    await gallery.call('DELETE', `/files/${gone}`)
    await page.keyboard.press('ArrowRight')
    await slide(one!).waitFor()
    await page.keyboard.press('ArrowRight')
    await slide(next!).waitFor()
    await end()
    await gallery.call('POST', `/files/${gone}/restore`)
  })

  it('waits for a lost connection, and goes on when it is back', async () => {
    const isAhead = page.waitForResponse((answer) =>
      answer.url().endsWith(`/files/${gallery.ids[3]}`),
    )
    await start(gallery.ids[2]!)
    await isAhead
    await gallery.context.setOffline(true)
    await page.keyboard.press('ArrowRight')
    await slide(gallery.ids[3]!).waitFor()
    await page.keyboard.press('ArrowRight')
    await slideshow().getByText('No connection').waitFor()
    assert.equal(await shown(), gallery.ids[3])
    await gallery.context.setOffline(false)
    await slide(gallery.ids[4]!).waitFor()
    await end()
  })

  it('shows a day alone, and the browser’s back leads to the grid', async () => {
    await page.goto('/')
    const day = page.locator('.part').filter({ hasText: '13 July 2018' })
    await day.hover()
    await day.getByRole('button', { name: 'Slideshow: Friday, 13 July 2018' }).click()
    assert.deepEqual(await walk(5), gallery.ids.slice(5, 10))
    await page.keyboard.press('ArrowRight')
    await slide(gallery.ids[5]!).waitFor()
    await page.goBack()
    await slideshow().waitFor({ state: 'detached' })
    await isAt('/')
    assert.equal(await page.locator('.viewer').count(), 0)
    await eventually(async () => !(await isFull()))
  })

  it('shows what a filter finds, from its bar and by a key', async () => {
    const tag = await makeTags(gallery, 1)
    const found = [1, 4, 6].map((place) => gallery.ids[place]!)
    const body = { file_ids: found, action: 'add', tag_ids: [tag.Arezzo] }
    await gallery.call('POST', '/files/bulk/tags', body)
    await page.goto(`/?filter=${encodeURIComponent(`{t=${tag.Arezzo}}`)}`)
    await page.locator('.bar').getByRole('button', { name: 'Slideshow' }).click()
    assert.deepEqual(await walk(3), found)
    await end()
    await page.keyboard.press('Escape')
    await page.locator(`.grid a[data-id="${found[2]}"]:focus`).waitFor()
    assert.match(page.url(), /filter=/)
    await page.keyboard.press('Shift+Space')
    await slide(found[2]!).waitFor()
    await page.keyboard.press('ArrowRight')
    await slide(found[0]!).waitFor()
    await end()
  })

  it('shows an album in its own order, also at two clicks in a row', async () => {
    const order = [7, 2, 9].map((place) => gallery.ids[place]!)
    const pool = await makePool(gallery, 'Walks', order)
    await page.goto(`/albums/${pool}`)
    await page.getByRole('button', { name: 'Slideshow', exact: true }).evaluate((button) => {
      for (let click = 0; click < 2; click++) (button as HTMLElement).click()
    })
    assert.deepEqual(await walk(3), order)
    await end()
    await isAt(`/f/${order[2]}`)
    await page.keyboard.press('Escape')
    await isAt(`/albums/${pool}`)
  })

  it('shows a selection', async () => {
    await page.goto('/')
    for (const place of [3, 8]) {
      const cell = page.locator(`.cell:has(a[data-id="${gallery.ids[place]}"])`)
      await cell.hover()
      await cell.locator('.tick').click()
    }
    await page.getByText('2 selected').waitFor()
    await page.locator('.select').getByRole('button', { name: 'Slideshow' }).click()
    assert.deepEqual(await walk(2), [gallery.ids[3], gallery.ids[8]])
    await page.keyboard.press('ArrowRight')
    await slide(gallery.ids[3]!).waitFor()
    await end()
  })

  it('plays a film to its end, as it is turned, and shows a picture of one that the browser can’t play', {
    skip: withoutEncoder('libx264') || withoutEncoder('mpeg2video'),
  }, async () => {
    const film = await sendFilm('sea.mp4', 'libx264')
    await gallery.call('PATCH', `/files/${film}`, { rotation: 90 })
    const refused = await sendFilm('disc.mpg', 'mpeg2video')
    const pool = await makePool(gallery, 'At the sea', [film, refused, gallery.ids[0]!])
    await page.clock.install()
    await page.goto(`/albums/${pool}`)
    await page.getByRole('button', { name: 'Slideshow', exact: true }).click()
    const video = page.locator(`.slide[data-id="${film}"] video`)
    await video.waitFor()
    await eventually(() => video.evaluate((one: HTMLVideoElement) => one.currentTime > 0))
    // A quarter turn clockwise, about the middle.
    const matrix = await video.evaluate((one) => getComputedStyle(one).transform)
    assert.match(matrix, /^matrix\(0, 1, -1, 0,/)
    await page.keyboard.press('Space')
    await eventually(() => video.evaluate((one: HTMLVideoElement) => one.paused))
    const isOver = video.evaluate(
      (one: HTMLVideoElement) =>
        new Promise((resolve) => {
          one.addEventListener('ended', () => resolve(one.currentTime >= one.duration))
        }),
    )
    await page.keyboard.press('Space')
    assert.ok(await isOver)
    await page.locator(`.slide[data-id="${refused}"] img`).waitFor()
    await page.locator('.slide video').waitFor({ state: 'detached' })
    await page.clock.fastForward(5000)
    await slide(gallery.ids[0]!).waitFor()
    await end()
  })
})

describe('a slideshow on a phone', { skip: withoutChromium }, () => {
  before(async () => {
    gallery = await openGallery({ files: 6, size: { width: 390, height: 844 }, isTouch: true })
    page = gallery.page
  })

  after(() => gallery?.close())

  /** Moves a finger over the picture. */
  async function swipe(x: number, y: number): Promise<void> {
    await page.locator('.slides').evaluate(
      (element, [x, y]) => {
        const touch = (type: string, far: number) =>
          element.dispatchEvent(
            new PointerEvent(type, {
              bubbles: true,
              pointerId: 1,
              pointerType: 'touch',
              clientX: 195 + x! * far,
              clientY: 300 + y! * far,
            }),
          )
        element.setPointerCapture = () => {}
        touch('pointerdown', 0)
        touch('pointermove', 0.5)
        touch('pointerup', 1)
      },
      [x, y],
    )
  }

  it('is started from the open file, whose buttons stand in one line', async () => {
    await page.goto(`/f/${gallery.ids[1]}`)
    await page.locator('.layers img.loaded[alt="picture 2.jpg"]').waitFor()
    await page.locator('.viewer .top').getByRole('button', { name: 'Move to the trash' }).waitFor()
    for (const width of [320, 360, 390]) {
      await page.setViewportSize({ width, height: 844 })
      const tops = await page
        .locator('.viewer .top > .tool:visible')
        .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)))
      assert.deepEqual(tops, Array(8).fill(tops[0]), `${width} pixels`)
    }
    assert.deepEqual(await missedByFingers(page, '.viewer .top'), [])
    await page.locator('.viewer .top').getByRole('button', { name: 'More', exact: true }).tap()
    await page.getByRole('menuitem', { name: 'Slideshow' }).tap()
    await slide(gallery.ids[1]!).waitFor()
    await eventually(isFull)
    assert.deepEqual(await missedByFingers(page, '.slideshow'), [])
    await assertAccessible(page, 'slideshow on a phone')
  })

  it('pauses at a tap, steps by swipes, and ends at a swipe down', async () => {
    await page.locator('.slides').tap({ position: { x: 195, y: 300 } })
    await tool('Continue').waitFor()
    const first = gallery.ids.indexOf(await shown())
    const next = gallery.ids[first + 1]!
    await swipe(-150, 0)
    await slide(next).waitFor()
    await swipe(150, 0)
    await slide(gallery.ids[first]!).waitFor()
    await tool('Next').tap()
    await slide(next).waitFor()
    await swipe(0, 200)
    await slideshow().waitFor({ state: 'detached' })
    await isAt(`/f/${next}`)
    await page.locator(`.viewer .layers img.loaded[alt="picture ${first + 2}.jpg"]`).waitFor()
  })

  it('covers everything where the browser has no full screen', async () => {
    await page.addInitScript('delete Element.prototype.requestFullscreen')
    await page.goto('/')
    await page.locator('.cell img[src]').first().waitFor()
    await page.locator('.tabs').getByText('More').tap()
    await page.getByRole('menuitem', { name: 'Slideshow' }).tap()
    await slide(gallery.ids[0]!).waitFor()
    assert.deepEqual(await slideshow().boundingBox(), { x: 0, y: 0, width: 390, height: 844 })
    await tool('End the slideshow').tap()
    await isAt(`/f/${gallery.ids[0]}`)
  })
})

describe('a slideshow of many files', { skip: withoutChromium }, () => {
  before(async () => {
    gallery = await openGallery({ files: 4 })
    page = gallery.page
    addLargeLibrary(gallery.dataDir, { count: 3000 })
  })

  after(() => gallery?.close())

  it('counts each step that is made before all of them are known', async () => {
    const [first, , , fourth] = gallery.ids
    await page.goto(`/f/${first}`)
    await page.locator('.layers img.loaded[alt]:not([alt=""])').waitFor()
    const { held, letGo } = await hold(page, { method: 'GET', path: '/files/ids' })
    await page.keyboard.press('Shift+Space')
    await slide(first!).waitFor()
    await held
    // It would go on by itself.
    await page.keyboard.press('Space')
    for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowRight')
    await letGo()
    await slide(fourth!).waitFor()
  })
})
