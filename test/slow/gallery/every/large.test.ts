import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '../../../support/eventually.ts'
import { after, before, describe, it } from '../../../support/test.ts'
import { whatRunsOut } from '../../../web/support/boxes.ts'
import {
  countAdded,
  dragTo,
  dropMany,
  openCosts,
  seeMany,
  settled,
  tallest,
  watchedJump,
  watchRequests,
} from '../../../web/support/drive.ts'
import { addLargeLibrary, addTagsAndAlbums } from '../../../web/support/large-library.ts'
import {
  type BrowserOptions,
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { makeTags } from '../../../web/support/tags.ts'

// What the gallery may cost where there is much of everything; too long for each run of the suite.
const PICTURES = 5
const FILES = 100_000
const SEEN = 40_000
const TRASHED = 10_000
const TAGS = 5000
const ALBUMS = 400

/** Milliseconds that what takes many steps may take on a busy machine; each step has its own limit. */
const LONG = 600_000

const NODES = 2500
/** Bytes of the script's memory. */
const HEAP = 20e6
/** Pixels of any element. */
const HEIGHT = 4_000_000

let gallery: OpenGallery
let page: Page
/** The id of an album with a tenth of all files. */
let album: string

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: PICTURES, isSignedIn: true })
  page = gallery.page
  await makeTags(gallery, TAGS)
  addLargeLibrary(gallery.dataDir, { count: FILES - PICTURES, ofOneDay: 0.3 * FILES })
  addLargeLibrary(gallery.dataDir, { count: TRASHED, isTrashed: true })
  album = addTagsAndAlbums(gallery.dataDir, ALBUMS)
})

after(() => gallery?.close())

async function open(own: Page, path = '/'): Promise<void> {
  await own.goto(path)
  await settled(own)
}

const cellAt = (own: Page, position: number) => own.locator(`.cell[data-position="${position}"]`)

/** Scrolls to the middle of a list, which grows until all of it has come, and waits for the link that is there then. */
function scrollTo(list: Locator, name: RegExp): Promise<true> {
  const link = list.getByRole('link', { name })
  return eventually(async () => {
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2))
    return link.isVisible()
  })
}

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

  it(`keeps little of ${SEEN} files that were seen`, { timeout: LONG }, async () => {
    await page.evaluate(() => localStorage.setItem('tagstead-density', 'dense'))
    const requests = watchRequests(page)
    await open(page)
    await seeMany(page, SEEN)
    await requests.idle()
    const measure = await openCosts(page)
    // What a picture holds that is still being decoded is freed once it is.
    await eventually(async () => {
      const { heap, nodes } = await measure({ clean: true })
      return heap <= HEAP && nodes < NODES
    })
    await page.evaluate(() => localStorage.clear())
  })
})

describe('long lists', { skip: withoutChromium }, () => {
  it(`are short in the document: ${TAGS} tags at the side`, async () => {
    await open(page)
    const side = page.getByRole('navigation', { name: 'Tags' })
    await side.getByRole('link').first().waitFor()
    assert.ok((await nodesOf(page)) < NODES)
    await scrollTo(side, /^tag 2500 /)
    assert.ok((await nodesOf(page)) < NODES)
  })

  it(`are short in the document, and at no time longer: ${TAGS} tags to be changed`, async () => {
    const list = page.locator('.cats')
    await page.goto('/about')
    await page.locator('main h1').waitFor()
    const added = await countAdded(page)
    await page.getByRole('link', { name: 'Edit tags' }).click()
    await list.getByRole('link', { name: 'Arezzo' }).waitFor()
    assert.ok((await added()) < NODES)
    assert.ok((await nodesOf(page)) < NODES)
    await scrollTo(list, /^tag 2500 /)
    assert.ok((await nodesOf(page)) < NODES)
  })

  it(`are short in the document: ${TRASHED} files in the trash`, async () => {
    await open(page, '/trash')
    await page.getByText('10,000 photos').waitFor()
    assert.ok((await nodesOf(page)) < NODES)
  })

  it('are short in the document: 10,000 files on their way up', { timeout: LONG }, async () => {
    await open(page)
    // None of them arrives.
    await page.route('**/api/v1/files', () => {})
    const drop = await dropMany(page, 10_000)
    await drop()
    const panel = page.getByRole('region', { name: 'Upload' })
    await panel.getByRole('heading', { name: '0 of 10,000' }).waitFor()
    assert.ok((await nodesOf(page)) < NODES)
    await page.goto('about:blank')
  })
})

const SIZES: Record<string, BrowserOptions> = {
  '320 px': { size: { width: 320, height: 640 }, isTouch: true },
  '1440 px': { size: { width: 1440, height: 900 } },
}
/** The address of each screen, and what is there once it is shown. */
const SCREENS: Record<string, [path: () => string, shows: string]> = {
  photos: [() => '/', '.cell img'],
  'photos of a tag': [() => '/?filter={!,t=00000000-0000-0000-0000-000000000000}', '.cell img'],
  inbox: [() => '/inbox', 'main img'],
  albums: [() => '/albums', '.pools li'],
  'an album': [() => `/albums/${album}`, '.cell img'],
  tags: [() => '/tags', '.cats li'],
  trash: [() => '/trash', '.cell img'],
  activity: [() => '/keep/audit', '.deeds li'],
}

for (const [size, browser] of Object.entries(SIZES)) {
  describe(`with ${FILES} files, ${TAGS} tags and ${ALBUMS} albums, in ${size}`, {
    skip: withoutChromium,
  }, () => {
    let own: Page
    const complaints: string[] = []
    before(async () => {
      own = await gallery.stranger(browser)
      await own.goto('/')
      await enter(own)
      own.on('console', (message) => complaints.push(message.text()))
      own.on('response', (response) => {
        if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`)
      })
    })
    after(() => own?.context().close())

    for (const [name, [path, shows]] of Object.entries(SCREENS)) {
      it(`shows ${name}, nothing outside its box, and the console says nothing`, async () => {
        complaints.length = 0
        await own.goto(path())
        await own.locator(shows).first().waitFor({ state: 'attached' })
        await own.waitForLoadState('networkidle')
        assert.deepEqual(await whatRunsOut(own), [])
        assert.deepEqual(complaints, [])
      })
    }
  })
}
