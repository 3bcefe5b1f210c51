import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import { putSource } from '../../../web/support/import-folder.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { madeUpPictures } from '../../../web/support/pictures.ts'

const KEYWORD = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
  xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
  xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject><rdf:Bag><rdf:li>sunset</rdf:li></rdf:Bag>
  </dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>`

let gallery: OpenGallery
let page: Page

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery()
  page = gallery.page
  const [lake, dome, tower] = await madeUpPictures(3)
  await put('trip/lake.jpg', lake!.bytes)
  await put('trip/Rome/IMG-20180703-WA0001.jpg', dome!.bytes)
  await put('trip/Rome/again.jpg', dome!.bytes)
  await put('trip/Rome/notes.docx', 'no picture')
  await put('trip/Rome/Forum/tower.jpg', await sharp(tower!.bytes).withXmp(KEYWORD).toBuffer())
  await gallery.call('POST', '/tags', { name: 'rome' })
})

after(() => gallery?.close())

const put = (path: string, content: string | Uint8Array) =>
  putSource(gallery.dataDir, path, content)
const card = (name: string, on = page) => on.getByRole('region', { name })
const button = (name: string | RegExp) => page.getByRole('button', { name })
const sources = async () =>
  (await readdir(join(gallery.dataDir, 'import', 'trip'), { recursive: true })).sort()
const tallies = async (on = page) =>
  (await on.locator('dl.tally > div').allInnerTexts()).map((text) => text.split('\n'))
const refused = async (on = page) => {
  const rows = await on.locator('.refused-files li').allInnerTexts()
  return rows.map((text) => text.split('\n')).sort()
}

interface Told {
  original_name: string
  content_datetime: string
  tags: { name: string }[]
}

/** Returns the files of the library with the names of their tags, and the day that they are of. */
async function library(): Promise<[name: string, tags: string[], day: string][]> {
  const { items } = await gallery.call<{ items: Told[] }>('GET', '/files?limit=100')
  const told = items.map(
    ({ original_name, tags, content_datetime }): [string, string[], string] => [
      original_name,
      tags.map(({ name }) => name).sort(),
      content_datetime.slice(0, 10),
    ],
  )
  return told.sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Turns switches by keys. */
async function choose(...names: string[]): Promise<void> {
  for (const name of names) await page.getByRole('switch', { name }).press('Space')
}

describe('an import in another way than the usual one', { skip: withoutChromium }, () => {
  it('is tried first, which other browsers see too, and which changes nothing', async () => {
    const before = await sources()
    const other = await gallery.stranger()
    await other.goto('/keep/import')
    await enter(other)
    await page.goto('/keep/import')
    await button(/^trip/).click()
    const sentence =
      '4 photos and videos in 3 folders will be copied; nothing is taken out of the folder.'
    await page.getByText(sentence, { exact: true }).waitFor()
    await button('More options').press('Enter')
    await assertAccessible(page, 'an import with options')
    await button('Dry run').press('Enter')
    await page.getByText('3 photos would be imported').waitFor()
    for (const on of [page, other]) {
      const last = card('Last dry run', on)
      await last.getByText('3 JPEG; ').waitFor()
      await last.getByText('1 photo has the same content as one that is already here').waitFor()
      assert.deepEqual(await tallies(on), [
        ['3', 'new'],
        ['2', 'skipped'],
        ['0', 'failed'],
      ])
      await card('Would not be imported', on).waitFor()
      assert.deepEqual(await refused(on), [
        ['Rome/again.jpg', 'already here'],
        ['Rome/notes.docx', 'not a photo or video'],
      ])
      assert.equal(await on.getByRole('link', { name: 'Review them' }).count(), 0)
    }
    await card('Last dry run: trip').waitFor()
    await assertAccessible(page, 'an import that was tried')
    await other.close()
    assert.deepEqual(await library(), [])
    assert.deepEqual(await sources(), before)
  })

  it('goes into subfolders, makes tags, and leaves the files where they are', async () => {
    const before = await sources()
    // What was chosen for the try is still chosen.
    await choose('Tags from folders', 'Tags from keywords', 'Dates from names')
    await button('Import this folder').press('Enter')
    await page.getByText('3 photos are copied here').waitFor()
    await card('Last import: trip').getByText('the files stay where they are').waitFor()
    const names = (await library()).map(([name, tags]) => [name, tags])
    // Of a tag that differs only in upper case, there is no second one.
    await page.locator('.tags').getByText('Forum').waitFor()
    assert.deepEqual(names, [
      ['IMG-20180703-WA0001.jpg', ['rome']],
      ['lake.jpg', []],
      ['tower.jpg', ['Forum', 'rome', 'sunset']],
    ])
    assert.equal((await library())[0]![2], '2018-07-03')
    assert.deepEqual(await sources(), before)

    await button('Import this folder').press('Enter')
    await page.getByText('0 photos are copied here').waitFor()
    assert.deepEqual(await refused(), [
      ['Rome/Forum/tower.jpg', 'imported before'],
      ['Rome/IMG-20180703-WA0001.jpg', 'imported before'],
      ['Rome/again.jpg', 'already here'],
      ['Rome/notes.docx', 'not a photo or video'],
      ['lake.jpg', 'imported before'],
    ])
  })

  it('makes new tags for everybody, or for oneself alone if one has chosen that', async () => {
    const isPublic = async () => {
      const { items } = await gallery.call<{ items: { name: string; is_public: boolean }[] }>(
        'GET',
        '/tags',
      )
      return Object.fromEntries(items.map(({ name, is_public }) => [name, is_public]))
    }
    assert.deepEqual(await isPublic(), { Forum: true, rome: false, sunset: true })
    await page.goto('/settings')
    const kept = page.waitForResponse((response) => response.request().method() === 'PUT')
    await page.getByLabel('Only me', { exact: true }).check({ force: true })
    await kept
    await put('trip/Secret/dome.jpg', (await madeUpPictures(4))[3]!.bytes)
    await page.goto('/keep/import')
    await button(/^trip/).click()
    await button('More options').click()
    await choose('Tags from folders')
    await button('Import this folder').press('Enter')
    await page.getByText('1 photo is copied here').waitFor()
    assert.equal((await isPublic()).Secret, false)
  })

  it('takes the files away once that is chosen', async () => {
    await choose('Keep the originals')
    await page.getByText('5 photos and videos will be moved out of the folder.').waitFor()
    await button('Import this folder').press('Enter')
    await page.getByText('0 photos are imported').waitFor()
    const left = await sources()
    assert.deepEqual(left, [
      'Rome',
      'Rome/Forum',
      join('Rome', 'again.jpg'),
      join('Rome', 'notes.docx'),
      'Secret',
    ])
    assert.equal((await library()).length, 4)
  })

  it('says that a folder in which a library keeps its files is refused', async () => {
    await put('disk/.library', 'a'.repeat(32))
    await put('disk/lake.jpg', 'of another library')
    await page.reload()
    await button(/^disk/).click()
    await button('Import this folder').click()
    await page
      .getByText(/^Not started. The server says: .*"[^"]*\/disk" is another library$/)
      .waitFor()
  })
})
