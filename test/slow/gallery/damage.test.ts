import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openDatabase } from '../../../src/db/client.ts'
import { storedContents } from '../../support/contents.ts'
import { eventually } from '../../support/eventually.ts'
import { contentsIn } from '../../support/scrubbing.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { assertAccessible } from '../../web/support/axe.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../web/support/open-gallery.ts'

const SETTINGS = '/api/v1/users/me/settings'
const STATUS = '/api/v1/status'

describe('damaged files', { skip: withoutChromium }, () => {
  let gallery: OpenGallery
  let blob: string
  let bytes: Uint8Array
  before(async () => {
    gallery = await openGallery({ files: 3, env: { SCRUB_INTERVAL: '1s' } })
    const [path] = storedContents(gallery.dataDir)
    blob = path!.split('/')[1]!
    bytes = readFileSync(join(gallery.dataDir, 'files', path!))
    contentsIn(gallery.dataDir).flip(blob)
    await known(1)
  })
  after(() => gallery?.close())

  /** Waits in the database itself: each request would put off the scrub. */
  const known = (damages: number) =>
    eventually(() => {
      const db = openDatabase(join(gallery.dataDir, 'tagstead.sqlite'))
      try {
        return db.get<{ n: number }>('SELECT count(*) AS n FROM damages')!.n === damages
      } finally {
        db.close()
      }
    })
  const pathsOf = (page: Page) => {
    const paths: string[] = []
    page.on('request', (one) => paths.push(new URL(one.url()).pathname))
    return paths
  }
  const banner = (page: Page) =>
    page.getByRole('link', { name: '1 photo is damaged on the server' })

  it('are told to admins on each page, once it is there, by one request', async () => {
    const { page } = gallery
    const paths = pathsOf(page)
    await page.goto('/')
    await page.locator('.cell img').first().waitFor()
    assert.ok(!paths.includes(STATUS))
    await banner(page).waitFor()
    await assertAccessible(page, 'damaged files')
    const top = (await banner(page).boundingBox())!
    const bar = (await page.locator('.main .bar').boundingBox())!
    assert.ok(bar.y >= top.y + top.height)
    await page.getByRole('link', { name: 'Trash' }).click()
    await page.locator('.bar h1', { hasText: 'Trash' }).waitFor()
    assert.equal(await banner(page).count(), 1)
    assert.equal(paths.filter((path) => path === STATUS).length, 1)
  })

  it('are listed where the banner leads to', async () => {
    const { page } = gallery
    await banner(page).click()
    await page.waitForURL('**/keep/audit?action=content_damaged')
    const deed = page.locator('.deeds > li')
    await deed.getByText(/found .* damaged/).waitFor()
    assert.equal(await deed.count(), 1)
    assert.match(await deed.innerText(), /the server/i)
    assert.equal(await deed.getByRole('button').count(), 0)
  })

  it('are told on the page about the server, with the time of the last look', async () => {
    const { page } = gallery
    await page.goto('/about')
    const told = page.locator('dd', { hasText: '1 photo is damaged on the server' })
    await told.waitFor()
    assert.match(await told.innerText(), /today|just now|minute|\d{4}|\d\d:\d\d/i)
    assert.equal(await page.locator('dt', { hasText: 'Photos last checked' }).count(), 1)
    await assertAccessible(page, 'about damaged files')
  })

  it('are nothing to others, who ask for nothing', async () => {
    const bob = { name: 'Bob', password: 'a password for Bob', can_create: true }
    await gallery.call('POST', '/users', bob)
    const page = await gallery.stranger()
    const paths = pathsOf(page)
    await page.goto('/')
    const settings = page.waitForResponse((one) => new URL(one.url()).pathname === SETTINGS)
    await enter(page, bob.name, bob.password)
    await settings
    await page.getByRole('link', { name: 'Trash' }).click()
    await page.locator('.bar h1', { hasText: 'Trash' }).waitFor()
    assert.deepEqual([paths.includes(STATUS), await banner(page).count()], [false, 0])
    await page.close()
  })

  it('are no more told of once they are well', async () => {
    const { page } = gallery
    contentsIn(gallery.dataDir).restore(blob, bytes)
    await known(0)
    const status = page.waitForResponse((one) => new URL(one.url()).pathname === STATUS)
    await page.goto('/')
    assert.equal((await (await status).json()).damaged, 0)
    await page.getByRole('link', { name: 'Trash' }).click()
    await page.locator('.bar h1', { hasText: 'Trash' }).waitFor()
    assert.equal(await banner(page).count(), 0)
  })
})
