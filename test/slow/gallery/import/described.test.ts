import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
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
  const [picture] = await madeUpPictures(1)
  await putSource(gallery.dataDir, 'trip/a.jpg', picture!.bytes)
  const said = xmpText({ tags: ['France/Paris', 'Texas/Paris'], people: ['Anna'] })
  await putSource(gallery.dataDir, 'trip/a.jpg.xmp', said)
  await gallery.call('POST', '/users', { name: 'kid', password: 'a password of kid' })
})
after(() => gallery?.close())

describe('the tags that files bring along', { skip: withoutChromium }, () => {
  it('are listed by a dry run, and left out where they are unticked, for whom is chosen', async () => {
    await page.goto('/keep/import')
    await page.getByRole('button', { name: /^trip/ }).click()
    await page.getByRole('button', { name: 'More options' }).press('Enter')
    await page.getByRole('switch', { name: 'Tags from keywords' }).press('Space')
    await page.getByLabel('Whose photos they become').selectOption('kid')
    await page.getByRole('button', { name: 'Dry run' }).press('Enter')
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
    await page.getByRole('button', { name: 'Import this folder' }).press('Enter')
    await page.getByText('1 photo is copied here').waitFor()
    const { items } = await gallery.call<{
      items: { creator_name: string; tags: { name: string }[] }[]
    }>('GET', '/files')
    assert.deepEqual(
      items.map(({ creator_name, tags }) => [creator_name, tags.map(({ name }) => name).sort()]),
      [['kid', ['Anna', 'France', 'Paris']]],
    )
  })
})
