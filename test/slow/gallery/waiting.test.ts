import assert from 'node:assert/strict'
import type { Page, Request } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'
import { filmBytes } from '../../support/media/film.ts'
import { withoutEncoder } from '../../support/media/media.ts'
import { after, before, beforeEach, describe, it } from '../../support/test.ts'
import { assertAccessible } from '../../web/support/axe.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../web/support/open-gallery.ts'
import { type GalleryProxy, startProxy } from '../../web/support/proxy.ts'

let gallery: OpenGallery
let page: Page
let proxy: GalleryProxy

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({
    files: 40,
    before: async (url) => {
      proxy = await startProxy(url)
      return proxy
    },
  })
  page = gallery.page
})

beforeEach(async () => {
  if (withoutChromium) return
  await gallery.context.setOffline(false)
  await page.setViewportSize({ width: 1440, height: 900 })
})

after(() => gallery?.close())

const stage = () => page.locator('.layers img.loaded[alt]:not([alt=""])')

/** The pictures that can be seen, and are none. */
const brokenPictures = () =>
  page.evaluate(
    () =>
      [...document.querySelectorAll<HTMLImageElement>('.viewer img')].filter(
        (image) =>
          image.complete && image.naturalWidth === 0 && getComputedStyle(image).opacity !== '0',
      ).length,
  )

/** The elements of the page that lie under another one in the middle, by what a person does with them. */
const covered = (selectors: string[]) =>
  page.evaluate(
    (all) =>
      all.filter((selector) => {
        const element = document.querySelector(selector)!
        const { x, y, width, height } = element.getBoundingClientRect()
        const top = document.elementFromPoint(x + width / 2, y + height / 2)
        return !element.contains(top) && !top?.contains(element)
      }),
    selectors,
  )

/** Asserts that what the banner says lies over nothing, and pushes what is below it. */
async function assertCoversNothing(selectors: string[]): Promise<void> {
  const banner = page.locator('.banner')
  await banner.waitFor()
  assert.deepEqual(await covered(selectors), [])
  const { y, height } = (await banner.boundingBox())!
  for (const selector of selectors) {
    const box = (await page.locator(selector).first().boundingBox())!
    assert.ok(box.y >= y + height || box.y + box.height <= y, `${selector} lies under the banner`)
  }
}

describe('a lost connection', { skip: withoutChromium }, () => {
  it('is told above the page and the viewer, over nothing of either', async () => {
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size)
      await page.goto(`/f/${gallery.ids[0]}`)
      await stage().waitFor()
      await page.locator('.filter input').waitFor({ state: 'attached' })
      await gallery.context.setOffline(true)
      await page.keyboard.press('ArrowRight')
      await assertCoversNothing(['.viewer .top .title', '.viewer .top a.tool'])
      await page.keyboard.press('Escape')
      await assertCoversNothing(['.filter input', '.bar .btn.primary'])
      await gallery.context.setOffline(false)
      await page.locator('.banner').waitFor({ state: 'detached' })
    }
  })

  it('leaves the viewer with a word and no broken picture, and it heals by itself', async () => {
    await page.goto(`/f/${gallery.ids[0]}`)
    await stage().waitFor()
    await page.locator('.strip .loaded').nth(6).waitFor()
    await gallery.stopServer('SIGKILL')
    for (let n = 0; n < 14; n++) await page.keyboard.press('ArrowRight')
    await page.waitForURL(`**/f/${gallery.ids[14]}*`)
    await page.locator('.show').getByText('No connection', { exact: true }).waitFor()
    assert.equal(await stage().count(), 0)
    assert.equal(await brokenPictures(), 0)
    // The thumbnail is the one that the grid has shown.
    await page.locator('.layers img.loaded[alt=""]').waitFor()
    await gallery.startServer()
    await stage().waitFor()
    await page.waitForFunction(
      () => document.querySelectorAll('.strip img:not(.loaded)').length === 0,
    )
    await page.locator('.facts').waitFor()
    assert.equal(await page.locator('.show .refused').count(), 0)
  })

  it('lets a file of which nothing is known come by itself', async () => {
    await gallery.stopServer('SIGKILL')
    // As the browser's forward does.
    await page.evaluate((id) => {
      history.pushState(null, '', `/f/${id}?search=picture`)
      dispatchEvent(new PopStateEvent('popstate'))
    }, gallery.ids[39]!)
    await page.locator('.show').getByText('No connection', { exact: true }).waitFor()
    await gallery.startServer()
    await stage().waitFor()
    await page.locator('.facts').getByText('picture 40.jpg').waitFor()
  })

  it('lets a film come by itself, which Space then plays and pauses', {
    skip: withoutEncoder('libx264'),
  }, async () => {
    const options = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p']
    const bytes = await filmBytes('long.mp4', options, 'testsrc=size=320x240:duration=60:rate=10')
    const form = new FormData()
    form.set('file', new Blob([Uint8Array.from(bytes)]), 'long.mp4')
    form.set('content_datetime', '2030-01-01T12:00:00Z')
    const { id } = await gallery.call<{ id: string }>('POST', '/files', form)
    await page.goto(`/f/${gallery.ids[1]}`)
    await stage().waitFor()
    await page.keyboard.press('Escape')
    const cell = page.locator(`.grid a[data-id="${id}"]`)
    // The grid is read when the viewer has closed: without it there is nothing to press.
    await cell.waitFor()
    await gallery.stopServer('SIGKILL')
    await cell.click()
    await page.locator('.show').getByText('No connection', { exact: true }).waitFor()
    // The same is said before the file is known, and the film is tried once it is.
    await page.locator('video').waitFor({ state: 'detached' })
    await gallery.startServer()
    await page.waitForFunction(() => document.querySelector('video')?.videoWidth === 320)
    assert.equal(await page.getByText('can’t be played').count(), 0)
    const isPaused = (wanted: boolean) =>
      page.waitForFunction((is) => document.querySelector('video')!.paused === is, wanted)
    await page.evaluate(() => {
      document.querySelector('video')!.muted = true
    })
    await isPaused(true)
    await page.keyboard.press('Space')
    await isPaused(false)
    // The browser's own controls mean the same by it.
    await page.locator('video').focus()
    await page.keyboard.press('Space')
    await isPaused(true)
    await gallery.call('DELETE', `/files/${id}`)
  })
})

describe('an answer that takes long', { skip: withoutChromium }, () => {
  it('is told by a bar after a second, in the viewer, too, and not before', async () => {
    await page.goto('/')
    await page.locator('.cell').first().waitFor()
    const bar = page.getByRole('progressbar', { name: 'Waiting for the server' })
    const underWay = new Set<Request>()
    page.on('request', (request) => underWay.add(request))
    for (const end of ['requestfinished', 'requestfailed'] as const) {
      page.on(end as 'requestfinished', (request) => underWay.delete(request))
    }
    // What was begun by the browser's own clock could not be ended by this one.
    await page.clock.install()
    await page.reload()
    await page.locator('.cell').first().waitFor()
    for (const open of [
      () => page.getByRole('link', { name: 'Albums' }).click(),
      () => page.goBack().then(() => page.locator('.cell a').first().click()),
    ]) {
      // The clock leaps, and what is under way then would be late at once.
      await eventually(() => underWay.size === 0)
      const now = await page.evaluate(() => Date.now())
      await page.clock.pauseAt(now + 60_000)
      const held = proxy.hold('GET /api/v1/')
      await open()
      const goOn = await held
      await page.clock.runFor(900)
      assert.equal(await bar.count(), 0)
      await page.clock.runFor(200)
      await bar.waitFor()
      // It stands outside of landmarks, where only what is read out by itself may be.
      assert.equal(await bar.getAttribute('aria-live'), 'polite')
      goOn()
      await page.clock.resume()
      await bar.waitFor({ state: 'detached' })
      await page.clock.resume()
    }
  })
})

describe('the picture that is open', { skip: withoutChromium }, () => {
  it('is read again whenever its tab comes to the front', async () => {
    const id = gallery.ids[2]!
    await page.goto(`/f/${id}`)
    await page.locator('.facts').waitFor()
    const tag = await gallery.call<{ id: string }>('POST', '/tags', { name: 'seaside' })
    await page.reload()
    await page.locator('.facts').waitFor()
    await gallery.call('PUT', `/files/${id}/tags/${tag.id}`)
    await gallery.call('PATCH', `/files/${id}`, { notes: 'by somebody else' })
    assert.equal(await page.getByText('by somebody else').count(), 0)
    await page.evaluate(() => {
      dispatchEvent(new Event('blur'))
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await page.getByText('by somebody else').waitFor()
    await page.locator('.tagging .chip', { hasText: 'seaside' }).waitFor()
  })
})

describe('the browser’s back', { skip: withoutChromium }, () => {
  it('leads from the grid to where one came from, whatever was opened and closed', async () => {
    await page.goto('/about')
    await page.getByText('Runs on').waitFor()
    await page.getByRole('link', { name: 'Photos' }).click()
    for (const place of [0, 2]) {
      await page.locator('.cell a').nth(place).click()
      await stage().waitFor()
      await page.keyboard.press('ArrowRight')
      await page.waitForURL(`**/f/${gallery.ids[place + 1]}*`)
      await page.keyboard.press('Escape')
      await page.waitForURL(`**/?at=${gallery.ids[place + 1]}`)
      await page.waitForFunction(
        (id) => document.activeElement?.getAttribute('data-id') === id,
        gallery.ids[place + 1],
      )
    }
    await page.goBack()
    await page.getByText('Runs on').waitFor()
  })

  it('leads there from a file that was not opened from its listing, too', async () => {
    await page.goto('/about')
    await page.getByText('Runs on').waitFor()
    await page.goto(`/f/${gallery.ids[5]}`)
    await stage().waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(`**/?at=${gallery.ids[5]}`)
    await page.goBack()
    await page.getByText('Runs on').waitFor()
  })
})

describe('an unknown address', { skip: withoutChromium }, () => {
  it('shows a way home, whether or not somebody is signed in', async () => {
    const stranger = await gallery.stranger()
    for (const tab of [page, stranger]) {
      for (const path of ['/nope', '/tags/xyz', '/keep/nope']) {
        const response = await tab.goto(path)
        assert.equal(response?.status(), 404)
        await tab.getByRole('heading', { name: 'There is nothing here' }).waitFor()
      }
      await assertAccessible(tab, 'an unknown address')
      await tab.getByRole('link', { name: 'Go to the photos' }).click()
      await tab.waitForURL('**/')
    }
    await page.locator('.cell').first().waitFor()
    await enter(stranger)
    await stranger.close()
  })
})

describe('a first visit', { skip: withoutChromium }, () => {
  it('is answered without an error, and so are signing in and what follows', async () => {
    const stranger = await gallery.stranger()
    const refused: string[] = []
    stranger.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
    })
    const told: string[] = []
    stranger.on('console', (message) => told.push(message.text()))
    await stranger.goto('/settings')
    await enter(stranger)
    await stranger.getByRole('heading', { name: 'Settings' }).waitFor()
    await stranger.getByRole('link', { name: 'Photos' }).click()
    await stranger.locator('.cell a').first().click()
    await stranger.locator('.facts').waitFor()
    await stranger.waitForLoadState('networkidle')
    assert.deepEqual([refused, told], [[], []])
    await stranger.close()
  })
})
