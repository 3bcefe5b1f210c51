import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Download, Page } from 'playwright-core'
import { after, before, describe, it } from '../../../support/test.ts'
import { unzippedBytes, withoutUnzip } from '../../../support/zip.ts'
import { press } from '../../../web/support/keys.ts'
import {
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'

let gallery: OpenGallery
let page: Page

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: 12 })
  page = gallery.page
})

after(() => gallery?.close())

const tick = (index: number) =>
  page.locator('.cell').nth(index).locator('.tick').click({ force: true })
const toast = (text: string) => page.locator('.toast', { hasText: text })

async function choose(name: string): Promise<void> {
  await page.getByRole('button', { name: 'Download' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

/** Chooses a way to download, and returns what the browser fetches then. */
async function fetched(way = 'Download'): Promise<Download> {
  const download = page.waitForEvent('download')
  await choose(way)
  return download
}

const names = async (download: Download) =>
  unzippedBytes(await readFile(await download.path())).map(({ name }) => name)

describe('downloading what is selected', { skip: withoutChromium || withoutUnzip }, () => {
  it('fetches several files as one ZIP', async () => {
    await tick(0)
    await tick(2)
    const download = await fetched()
    assert.match(download.suggestedFilename(), /\.zip$/)
    assert.deepEqual((await names(download)).sort(), ['picture 1.jpg', 'picture 3.jpg'])
    await toast('2 photos as one ZIP of').waitFor()
  })

  it('asks for all of a listing by what it is', async () => {
    await page.goto('/')
    await page.locator('.cell img[src]').first().waitFor()
    await press(page, 'Control+a')
    // Who names no files has no need of their ids; those to review are counted by them, too.
    const idsAsked = () =>
      page.evaluate(() => {
        const asked = performance.getEntriesByType('resource').map(({ name }) => new URL(name))
        const lists = asked.filter(({ pathname }) => pathname.endsWith('/files/ids'))
        return lists.filter(({ searchParams }) => searchParams.get('filter') !== '{r=1}').length
      })
    await page.getByText('12 selected').waitFor()
    const download = await fetched()
    assert.equal(await idsAsked(), 0)
    assert.equal((await names(download)).length, 12)
  })

  it('fetches all that a search finds', async () => {
    await page.goto('/?search=picture%201')
    await page.locator('.cell img[src]').first().waitFor()
    await press(page, 'Control+a')
    await page.getByText('4 selected').waitFor()
    assert.equal((await names(await fetched())).length, 4)
  })

  it('says so when files are gone meanwhile', async () => {
    const { call, ids } = gallery
    await page.goto('/')
    await page.locator('.cell img[src]').first().waitFor()
    await tick(0)
    await tick(1)
    await call('POST', '/files/bulk/delete', { file_ids: [ids[0]] })
    const download = await fetched()
    assert.deepEqual(await names(download), ['picture 2.jpg'])
    await toast('1 of 2 photos as a ZIP of').waitFor()
    await call('POST', '/files/bulk/delete', { file_ids: [ids[1]] })
    await choose('Download')
    await toast('These photos are all gone.').waitFor()
  })

  it('fetches one file as it is', async () => {
    await page.goto('/')
    await page.locator('.cell img[src]').first().waitFor()
    await tick(0)
    assert.equal((await fetched()).suggestedFilename(), 'picture 3.jpg')
  })

  it('puts sidecars beside one file, and beside all of a listing', async () => {
    await page.goto('/')
    await page.locator('.cell img[src]').first().waitFor()
    await tick(0)
    const withSidecars = 'Download with sidecars (XMP)'
    const one = await names(await fetched(withSidecars))
    assert.deepEqual(one, ['picture 3.jpg', 'picture 3.jpg.xmp'])
    await press(page, 'Control+a')
    await page.getByText('10 selected').waitFor()
    const all = await names(await fetched(withSidecars))
    assert.equal(all.filter((name) => name.endsWith('.jpg.xmp')).length, 10)
    assert.equal(all.length, 20)
  })
})
