import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { openDatabase } from '../../../../src/db/client.ts'
import { newId } from '../../../../src/db/ids.ts'
import { write } from '../../../../src/db/write.ts'
import { dataFolder } from '../../../../src/media/data-folder.ts'
import { insertPool } from '../../../support/object-rows.ts'
import { after, before, describe, it } from '../../../support/test.ts'
import { countAdded } from '../../../web/support/drive.ts'
import { press } from '../../../web/support/keys.ts'
import {
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'

const POOLS = 2000
const NODES = 2500

let gallery: OpenGallery
let page: Page

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery()
  page = gallery.page
  const { id: owner } = await gallery.call<{ id: number }>('GET', '/users/me')
  const db = openDatabase(dataFolder(gallery.dataDir).database)
  write(db, { now: Date.now() }, (tx) => {
    for (let number = 0; number < POOLS; number++) {
      insertPool(tx, { id: newId(tx, 'pools'), name: `pool ${number}`, owner, files: [] })
    }
  })
  db.close()
})

after(() => gallery?.close())

const card = (name: string) => page.locator('.pools').getByText(name, { exact: true })
const nodes = () => page.evaluate(() => document.querySelectorAll('*').length)
const scrollTo = (share: number) =>
  page.locator('.page').evaluate((box, at) => box.scrollTo(0, box.scrollHeight * at), share)

describe(`${POOLS} pools`, { skip: withoutChromium }, () => {
  it('are there with few of them in the document, and at no time more', async () => {
    await page.goto('/about')
    await page.locator('main h1').waitFor()
    const added = await countAdded(page)
    await page.getByRole('link', { name: 'Albums' }).click()
    await card('pool 1999').waitFor()
    assert.ok((await added()) < NODES, `${await added()} nodes were added`)
    assert.ok((await nodes()) < NODES, `${await nodes()} nodes`)
  })

  it('are all there when somebody scrolls', async () => {
    await page.getByLabel('Name', { exact: true }).check()
    await card('pool 0').waitFor()
    await scrollTo(0.5)
    await card('pool 1000').waitFor()
    assert.ok((await nodes()) < NODES, `${await nodes()} nodes`)
    await scrollTo(1)
    await card('pool 1999').waitFor()
    assert.ok((await nodes()) < NODES, `${await nodes()} nodes`)
  })

  it('are found from wherever one is in the list', async () => {
    await press(page, '/', ...'pool 12', 'Enter')
    await page.locator('.bar h1', { hasText: /^pool 12$/ }).waitFor()
  })
})
