import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { build } from 'esbuild'
import type { Page, Route } from 'playwright-core'
import { BUNDLE } from '../../src/web/bundle.ts'
import { untilLoadedAnew } from './support/leaving.ts'
import { type OpenGallery, openGallery, withoutChromium } from './support/open-gallery.ts'

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
      entryPoint!.split('/app/').at(-1)!,
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
  while ((await found.count()) === 0) await page.clock.runFor(1000)
}

describe('parts of a page that an older build has made', { skip: withoutChromium }, () => {
  it('let it load itself anew for each build of one version', async () => {
    let isRefused = true
    const builds = ['/web/assets/of-a-build.js', '/web/assets/of-the-next.js']
    const answer = (route: Route) => (isRefused ? route.abort() : route.continue())
    const page = await openPage('trash/index.ts', answer, builds)
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
})
