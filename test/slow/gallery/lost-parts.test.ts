import assert from 'node:assert/strict'
import { build } from 'esbuild'
import type { Page, Route } from 'playwright-core'
import { BUNDLE } from '../../../src/web/bundle.ts'
import { eventually } from '../../support/eventually.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { drop } from '../../web/support/drop.ts'
import { assertKept, untilLoadedAnew } from '../../web/support/leaving.ts'
import { type OpenGallery, openGallery, withoutChromium } from '../../web/support/open-gallery.ts'

const TOLD = 'Part of the page could not be loaded.'

let gallery: OpenGallery
/** The paths of the scripts of what is loaded on demand, by what it is. */
let parts: Map<string, string>

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: 1 })
  const { outputs } = (await build(BUNDLE)).metafile
  const entries = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint)
  parts = new Map(
    entries.map(([name, { entryPoint }]) => [
      entryPoint!.split('/gallery/').at(-1)!,
      `/web/assets/${name}`,
    ]),
  )
})

after(() => gallery?.close())

/**
 * Opens a page whose time can go on faster, and which gets all scripts but one as they are. It names
 * others before its own: the first of `others` at first, the next one when it is loaded anew.
 */
async function openPage(
  part: string,
  answer: (route: Route) => Promise<void>,
  // As extensions of browsers do.
  others = ['/of-an-extension.js'],
): Promise<Page> {
  const page = await gallery.context.newPage()
  await page.clock.install()
  await page.route(`**${parts.get(part)}`, answer)
  const left = [...others]
  await page.route(/\/(about|trash)$/, async (route) => {
    const other = route.request().isNavigationRequest() && left.shift()
    if (!other) return route.continue()
    const response = await route.fetch()
    const head = `<head><script type="text/plain" src="${other}"></script>`
    await route.fulfill({ response, body: (await response.text()).replace('<head>', head) })
  })
  await page.goto('/about')
  await page.getByText('Runs on').waitFor()
  await page.evaluate('globalThis.kept = true')
  return page
}

/** Lets the time of a page go on until it shows a text. */
async function untilShown(page: Page, text: string): Promise<void> {
  const found = page.getByText(text)
  await eventually(async () => {
    if ((await found.count()) > 0) return true
    await page.clock.runFor(1000)
    return false
  })
}

/** Waits until errors were told to the console, and takes them out of what has gone wrong. */
async function takeProblems(): Promise<string[]> {
  await eventually(() => gallery.problems.length > 0)
  return gallery.problems.splice(0)
}

describe('a part of the page that stays lost', { skip: withoutChromium }, () => {
  it('is told, lets the page load itself anew once, and is no longer told when it comes', async () => {
    let isRefused = true
    const page = await openPage('trash/index.tsx', (route) =>
      isRefused ? route.abort() : route.continue(),
    )
    await page.getByRole('link', { name: 'Trash' }).click()
    await untilShown(page, TOLD)
    assert.match((await takeProblems()).join(), /^error: Failed to fetch dynamically imported/)
    await untilLoadedAnew(page)
    await page.evaluate('globalThis.kept = true')
    await untilShown(page, TOLD)
    await assertKept(page)
    assert.match((await takeProblems()).join(), /^error: Failed to fetch dynamically imported/)
    isRefused = false
    await untilShown(page, 'The trash is empty')
    assert.equal(await page.locator('.banner').count(), 0)
    await page.close()
  })

  it('keeps the page from no later version', async () => {
    const page = await openPage('trash/index.tsx', (route) => route.abort())
    let isLater = false
    await page.route('**/api/v1/files/cells?*', async (route) => {
      const response = await route.fetch()
      const headers = { ...response.headers(), 'tagstead-version': '999.0.0' }
      await route.fulfill(isLater ? { response, headers } : { response })
    })
    await page.getByRole('link', { name: 'Trash' }).click()
    await untilShown(page, TOLD)
    await untilLoadedAnew(page)
    await page.evaluate('globalThis.kept = true')
    await untilShown(page, TOLD)
    await takeProblems()
    isLater = true
    await page.getByRole('link', { name: 'Photos' }).click()
    await page.getByText('The server has a new version.').waitFor()
    await untilLoadedAnew(page)
    await page.close()
  })

  it('is loaded when somebody says so', async () => {
    let isRefused = true
    const page = await openPage('trash/index.tsx', (route) =>
      isRefused ? route.abort() : route.continue(),
    )
    await page.getByRole('link', { name: 'Trash' }).click()
    await untilShown(page, TOLD)
    await takeProblems()
    isRefused = false
    await page.locator('.banner').getByRole('button', { name: 'Reload' }).click()
    await page.getByText('The trash is empty').waitFor()
    assert.equal(await page.evaluate('globalThis.kept'), undefined)
    await page.close()
  })

  it('is told while it has something to do, which keeps the page', async () => {
    let isRefused = true
    const page = await openPage('shell/uploads.tsx', (route) =>
      isRefused ? route.abort() : route.continue(),
    )
    await drop(page, [{ name: 'dropped.jpg' }])
    await untilShown(page, TOLD)
    await takeProblems()
    await assertKept(page)
    isRefused = false
    await untilShown(page, '1 of 1')
    assert.equal(await page.locator('.banner').count(), 0)
    await page.close()
  })

  it('is told of what somebody opens, and why, when its script fails', async () => {
    const page = await openPage('shell/key-sheet.tsx', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("of a test")' }),
    )
    await page.keyboard.press('?')
    await page.getByRole('alert').getByText(TOLD).waitFor()
    assert.equal(await page.locator('.banner').count(), 0)
    await page.keyboard.press('?')
    await page.locator('.banner').getByText(TOLD).waitFor()
    assert.deepEqual(await takeProblems(), ['error: of a test'])
    await page.close()
  })
})

describe('parts of a page that an older build has made', { skip: withoutChromium }, () => {
  it('let it load itself anew for each build of one version', async () => {
    let isRefused = true
    const builds = ['/web/assets/of-a-build.js', '/web/assets/of-the-next.js']
    const answer = (route: Route) => (isRefused ? route.abort() : route.continue())
    const page = await openPage('trash/index.tsx', answer, builds)
    await page.getByRole('link', { name: 'Trash' }).click()
    for (const _ of builds) {
      await page.getByText('The server has a new version.').waitFor()
      await page.evaluate('globalThis.kept = true')
      await untilLoadedAnew(page)
    }
    isRefused = false
    await untilShown(page, 'The trash is empty')
    assert.equal(await page.locator('.banner').count(), 0)
    await page.close()
  })

  it('ask for the page together, and no more once it is known', async () => {
    const page = await gallery.context.newPage()
    await page.clock.install()
    const own = await (await fetch(gallery.url)).text()
    await page.route('**/web/assets/**', (route) =>
      own.includes(new URL(route.request().url()).pathname) ? route.continue() : route.abort(),
    )
    let asked = 0
    await page.route(`${gallery.url}/`, async (route) => {
      if (route.request().isNavigationRequest()) return route.continue()
      asked++
      await route.fulfill({ headers: { 'x-request-id': 'made up' }, body: 'of another build' })
    })
    await page.goto('/')
    await page.getByText('The server has a new version.').waitFor()
    // One for the tools, which are three parts, and one for the uploads.
    assert.ok(asked <= 2, `${asked} requests`)
    const before = asked
    for (let round = 0; round < 2; round++) {
      const lost = page.waitForEvent('requestfailed')
      await page.clock.runFor(5000)
      await lost
    }
    assert.equal(asked, before)
    await page.close()
  })
})
