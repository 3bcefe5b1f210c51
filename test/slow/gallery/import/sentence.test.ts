import assert from 'node:assert/strict'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { putExported, putLines } from '../../../support/exported.ts'
import { after, before, describe, it } from '../../../support/test.ts'
import { xmpText } from '../../../support/xmp-text.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import { putSource } from '../../../web/support/import-folder.ts'
import {
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { madeUpPictures } from '../../../web/support/pictures.ts'

let gallery: OpenGallery
let page: Page

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery()
  page = gallery.page
  const pictures = await madeUpPictures(4)
  await mkdir(join(gallery.dataDir, 'import', 'empty'), { recursive: true })
  await putSource(gallery.dataDir, 'texts/a.docx', 'no picture')
  await putSource(gallery.dataDir, 'one/lake.jpg', pictures[0]!.bytes)
  for (let n = 0; n < 202; n++) {
    const folder = ['many', 'many/a', 'many/b', 'many/b/c'][n % 4]!
    await putSource(gallery.dataDir, `${folder}/${n}.jpg`, pictures[1]!.bytes)
  }
  await putSource(gallery.dataDir, 'trip/a.jpg', pictures[2]!.bytes)
  const said = xmpText({ tags: ['France/Paris', 'Texas/Paris'], people: ['Anna'] })
  await putSource(gallery.dataDir, 'trip/a.jpg.xmp', said)
  const moved = join(gallery.dataDir, 'import', 'moved')
  const names = join(gallery.dataDir, 'import', 'names')
  for (const folder of [moved, names]) await mkdir(folder)
  putLines(names, [{ type: 'tag', name: 'Bergen', creator: 'mia', is_public: true }])
  const line = putExported(moved, pictures[3]!.bytes, {
    path: '2019/2019-07/b.jpg',
    creator: 'mia',
  })
  const tag = { type: 'tag', name: 'Oslo', creator: 'mia', is_public: true } as const
  putLines(moved, [{ type: 'user', name: 'mia' }, tag, line])
  await gallery.call('POST', '/users', { name: 'kid', password: 'a password of kid' })
})

after(() => gallery?.close())

const button = (name: string | RegExp) => page.getByRole('button', { name })
const isSaid = (text: string) => page.getByText(text, { exact: true }).waitFor()
const sources = async () =>
  (await readdir(join(gallery.dataDir, 'import'), { recursive: true })).sort()

describe('what an import says before it begins', { skip: withoutChromium }, () => {
  it('is in one sentence what will happen, with numbers', async () => {
    await page.goto('/keep/import')
    for (const folder of [/^empty/, /^texts/]) {
      await button(folder).click()
      await isSaid('There are no photos or videos here.')
      assert.equal(await button('Import this folder').isDisabled(), true)
    }
    await button(/^one/).click()
    await isSaid('1 photo or video will be copied; nothing is taken out of the folder.')
    await button(/^many/).click()
    const folders = '202 photos and videos in 4 folders'
    await isSaid(`${folders} will be copied; nothing is taken out of the folder.`)
    assert.equal(await page.getByRole('switch').count(), 2)
    await page.getByRole('switch', { name: 'Keep the originals' }).press('Space')
    await isSaid(`${folders} will be moved out of the folder.`)
    await page.getByRole('switch', { name: 'Subfolders too' }).press('Space')
    await isSaid('51 photos and videos will be moved out of the folder.')
    await button('More options').press('Enter')
    assert.equal(await page.getByRole('switch').count(), 10)
    await assertAccessible(page, 'an import with all options')
  })

  it('is what happens: the folder keeps its files, and they are not counted again', async () => {
    const before = await sources()
    await page.reload()
    await button(/^one/).click()
    await isSaid('1 photo or video will be copied; nothing is taken out of the folder.')
    await button('Import this folder').click()
    await page.getByText('1 photo is copied here').waitFor()
    await isSaid(
      'By its name, the only photo or video here has been imported before. The import looks closer.',
    )
    assert.deepEqual(await sources(), before)
  })

  it('lists the tags that files bring along, and leaves out what is unticked, for whom is chosen', async () => {
    await page.reload()
    await button(/^trip/).click()
    await button('More options').press('Enter')
    await page.getByRole('switch', { name: 'Tags from keywords' }).press('Space')
    await page.getByLabel('Whose photos they become').selectOption('kid')
    await button('Dry run').press('Enter')
    const found = page.getByRole('region', { name: 'Tags from the files' })
    await found.waitFor()
    assert.deepEqual(
      (await found.locator('li').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')),
      [
        'France new 1',
        'France / Paris new 1',
        'People / Anna new 1',
        'Texas new 1',
        'Texas / Paris new, becomes “Paris (Texas)” 1',
      ],
    )
    await assertAccessible(page, 'the tags that an import would give')
    await found.getByRole('checkbox', { name: 'Texas new' }).press('Space')
    const below = found.getByRole('checkbox', { name: 'Texas / Paris' })
    assert.deepEqual([await below.isChecked(), await below.isDisabled()], [false, true])
    await button('Import this folder').press('Enter')
    await page.getByText('1 photo is copied here').waitFor()
    const { items } = await gallery.call<{
      items: { creator_name: string; tags: { name: string }[] }[]
    }>('GET', '/files')
    const ofKid = items.filter(({ creator_name }) => creator_name === 'kid')
    assert.deepEqual(
      ofKid.map(({ tags }) => tags.map(({ name }) => name).sort()),
      [['Anna', 'France', 'Paris']],
    )
  })

  it('offers to add the people of an exported library, where one is', async () => {
    await page.reload()
    const add = page.getByRole('switch', { name: 'Add the people of this exported library' })
    await button(/^one/).click()
    await isSaid(
      'By its name, the only photo or video here has been imported before. The import looks closer.',
    )
    assert.equal(await add.count(), 0)
    await button(/^moved/).click()
    await add.press('Space')
    await button('Import this folder').press('Enter')
    await page.getByText('1 photo is copied here').waitFor()
    await page.getByRole('navigation').getByText('Oslo').waitFor()
    const { items } = await gallery.call<{ items: { creator_name: string }[] }>('GET', '/files')
    assert.equal(items.filter(({ creator_name }) => creator_name === 'mia').length, 1)
    await button(/^names/).click()
    await isSaid('There are no photos or videos here.')
    await button('Import this folder').press('Enter')
    await page.getByRole('navigation').getByText('Bergen').waitFor()
  })
})
