import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, describe, it } from '../../../support/test.ts'
import {
  dragTo,
  dropMany,
  openCosts,
  seeMany,
  settled,
  tallest,
  watchedJump,
  watchRequests,
} from '../../../web/support/drive.ts'
import { addLargeLibrary } from '../../../web/support/large-library.ts'
import {
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { makeTags } from '../../../web/support/tags.ts'

// What the gallery may cost where there is much of everything; too long for each run of the suite.
const PICTURES = 5
const FILES = 61_000
const SEEN = 60_000
const TRASHED = 10_000
const TAGS = 5000

const NODES = 2500
/** The page's script until a long list is there, to what it takes to make as many bare links. */
const SCRIPT = 10
/** Bytes of the script's memory. */
const HEAP = 20e6
/** Pixels of any element. */
const HEIGHT = 4_000_000

let gallery: OpenGallery
let page: Page

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: PICTURES, isSignedIn: true })
  page = gallery.page
  await makeTags(gallery, TAGS)
  addLargeLibrary(gallery.dataDir, { count: FILES - PICTURES, ofOneDay: 0.3 * FILES })
  addLargeLibrary(gallery.dataDir, { count: TRASHED, isTrashed: true })
})

after(() => gallery?.close())

async function open(own: Page, path = '/'): Promise<void> {
  await own.goto(path)
  await settled(own)
}

const cellAt = (own: Page, position: number) => own.locator(`.cell[data-position="${position}"]`)

/** Has the page's script make that many links and lay them aside: what the cost of a list is held against. */
const makeLinks = (own: Page, count: number) =>
  own.evaluate<void>(`new Promise((done) => setTimeout(() => {
    const list = document.createElement('div')
    for (let at = 0; at < ${count}; at++) {
      const link = document.createElement('a')
      link.href = '/tags?at=' + at
      link.textContent = 'tag ' + at
      list.append(link)
    }
    document.body.append(list)
    list.remove()
    done()
  }))`)

async function nodesOf(own: Page): Promise<number> {
  return (await (await openCosts(own))({ clean: true })).nodes
}

describe(`the grid of ${FILES} files`, { skip: withoutChromium }, () => {
  it('goes anywhere with at most 3 requests, and asks for no picture that is not there then', async () => {
    const requests = watchRequests(page)
    await open(page)
    for (const share of [0.5, 0.31, 0.97, 0.02]) {
      const { calls, others } = await watchedJump(page, share, requests)
      assert.ok(calls <= 3, `${calls} requests to ${share}`)
      assert.equal(others, 0)
    }
  })

  it('has no element that is higher than browsers can draw, and reaches both ends', async () => {
    const context = await gallery.context.browser()!.newContext({
      baseURL: gallery.url,
      viewport: { width: 390, height: 844 },
      deviceScaleFactor: 2,
      hasTouch: true,
      storageState: await gallery.context.storageState(),
    })
    context.setDefaultTimeout(60_000)
    const phone = await context.newPage()
    await phone.addInitScript("localStorage.setItem('tagstead-density', 'airy')")
    await open(phone)
    for (const share of [0.5, 1, 0.7, 0]) {
      await dragTo(phone, share)
      assert.ok((await tallest(phone)) <= HEIGHT)
      if (share === 1) await cellAt(phone, FILES - 1).waitFor()
    }
    await cellAt(phone, 0).waitFor()
    await context.close()
  })

  it(`keeps little of ${SEEN} files that were seen`, async () => {
    await page.evaluate(() => localStorage.setItem('tagstead-density', 'dense'))
    const requests = watchRequests(page)
    await open(page)
    await seeMany(page, SEEN)
    await requests.idle()
    const { heap, nodes } = await (await openCosts(page))({ clean: true })
    assert.ok(heap <= HEAP, `${heap} bytes`)
    assert.ok(nodes < NODES, `${nodes} nodes`)
    await page.evaluate(() => localStorage.clear())
  })
})

describe('long lists', { skip: withoutChromium }, () => {
  it(`are short in the document: ${TAGS} tags at the side`, async () => {
    await open(page)
    const side = page.getByRole('navigation', { name: 'Tags' })
    await side.getByRole('link').first().waitFor()
    assert.ok((await nodesOf(page)) < NODES)
    await side.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2))
    await side.getByRole('link', { name: 'tag 2500 0' }).waitFor()
    assert.ok((await nodesOf(page)) < NODES)
  })

  it(`are short in the document, and soon there: ${TAGS} tags to be changed`, async () => {
    const list = page.locator('.cats')
    const ofList: number[] = []
    const ofLinks: number[] = []
    for (let round = 0; round < 3; round++) {
      await page.goto('/about')
      await page.locator('main h1').waitFor()
      const costs = await openCosts(page)
      const before = await costs()
      await page.getByRole('link', { name: 'Edit tags' }).click()
      await list.getByRole('link', { name: 'Arezzo' }).waitFor()
      const between = await costs()
      await makeLinks(page, TAGS)
      const { script } = await costs()
      ofList.push(between.script - before.script)
      ofLinks.push(script - between.script)
    }
    const ratio = Math.min(...ofList) / Math.min(...ofLinks)
    assert.ok(ratio <= SCRIPT, `${ofList} ms to ${ofLinks} ms`)
    assert.ok((await nodesOf(page)) < NODES)
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2))
    await list.getByRole('link', { name: 'tag 2500 0' }).waitFor()
    assert.ok((await nodesOf(page)) < NODES)
  })

  it(`are short in the document: ${TRASHED} files in the trash`, async () => {
    await open(page, '/trash')
    await page.getByText('10,000 files').waitFor()
    assert.ok((await nodesOf(page)) < NODES)
  })

  it('are short in the document: 10,000 files on their way up', async () => {
    await open(page)
    // None of them arrives.
    await page.route('**/api/v1/files', () => {})
    const drop = await dropMany(page, 10_000)
    await drop()
    const panel = page.getByRole('region', { name: 'Upload' })
    await panel.getByRole('heading', { name: '0 of 10,000' }).waitFor({ timeout: 60_000 })
    assert.ok((await nodesOf(page)) < NODES)
    await page.goto('about:blank')
  })
})
