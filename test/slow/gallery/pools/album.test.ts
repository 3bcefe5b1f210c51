import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import { drop } from '../../../web/support/drop.ts'
import { press } from '../../../web/support/keys.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  PASSWORD,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { cellOf, makePool, openPool, orderOf, select } from '../../../web/support/pool.ts'

const NAME = 'Alps 2021'
const LONG = 'W'.repeat(256)

let gallery: OpenGallery
/** The page of the admin, who made the album. */
let page: Page
let ids: string[]
let album: string
/** The ids of those who see it: Grandma looks, Ben may edit. */
let grandma: number
let ben: number

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: 8 })
  page = gallery.page
  ids = gallery.ids
  for (const [place, id] of ids.entries()) {
    const body = { content_datetime: `2021-02-${String(13 - place).padStart(2, '0')}T12:00:00Z` }
    await gallery.call('PATCH', `/files/${id}`, body)
  }
  const add = async (name: string) =>
    (await gallery.call<{ id: number }>('POST', '/users', { name, password: PASSWORD })).id
  grandma = await add('Grandma')
  ben = await add('Ben')
  album = await makePool(gallery, NAME, ids.slice(0, 4))
  await gallery.call('PATCH', `/pools/${album}`, { metadata: { trip: 7 } })
  await gallery.call('PUT', `/acl/pool/${album}`, {
    permissions: [{ user_id: grandma }, { user_id: ben, can_edit: true }],
  })
})

after(() => gallery?.close())

const head = (of: Page) => of.locator('.album')
const toast = (text: string) => page.locator('.toast', { hasText: text })
const pool = () => gallery.call<Record<string, unknown>>('GET', `/pools/${album}`)

/** Waits until a page shows a file as the cover of an album, on its card or its own page. */
async function hasCover(of: Page, file: string, where = '.album'): Promise<void> {
  await of.locator(`${where} .cover img[src*="${file}"]`).waitFor()
}

/** Signs somebody in to a browser of their own, and notes what the server refuses from then on. */
async function pageOf(name: string): Promise<{ of: Page; refused: string[] }> {
  const of = await gallery.stranger()
  await of.goto('/')
  await enter(of, name)
  const refused: string[] = []
  of.on('response', (answer) => {
    const { pathname } = new URL(answer.url())
    if (answer.status() >= 400) refused.push(`${answer.request().method()} ${pathname}`)
  })
  return { of, refused }
}

describe('the page of an album', { skip: withoutChromium }, () => {
  it('is found where pools were, in the order of the address', async () => {
    await page.goto(`/pools/${album}?sort=created`)
    await head(page).getByRole('heading', { name: NAME }).waitFor()
    const { pathname, search } = new URL(page.url())
    assert.equal(pathname + search, `/albums/${album}?sort=created`)
  })

  it('says when it was, how much it holds, who sees it, and shows the newest picture', async () => {
    await openPool(page, album)
    await head(page).getByText('10–13 February 2021').waitFor()
    await head(page).getByText('4 photos').waitFor()
    await head(page).getByText('Ben, Grandma').or(head(page).getByText('Grandma, Ben')).waitFor()
    await hasCover(page, ids[0]!)
    await assertAccessible(page, 'an album')
  })

  it('has a description, which whoever may edit writes', async () => {
    await page.getByRole('button', { name: 'More about this album' }).click()
    await page.getByRole('menuitem', { name: 'Name and description' }).click()
    await page.getByRole('textbox', { name: 'Description' }).fill('A week of snow')
    await assertAccessible(page, 'describing an album')
    await page.getByRole('button', { name: 'Save' }).click()
    await head(page).getByText('A week of snow').waitFor()
    assert.equal((await pool()).notes, 'A week of snow')
  })

  it('shows the picture that was chosen, and the newest once that is taken back', async () => {
    await select(page, ids[2]!)
    await page.getByRole('button', { name: 'In this album' }).click()
    await page.getByRole('menuitem', { name: 'Use as cover' }).click()
    await toast('This photo is the cover now').waitFor()
    await hasCover(page, ids[2]!)
    assert.deepEqual((await pool()).metadata, { trip: 7, cover: ids[2] })
    await press(page, 'Control+z')
    await hasCover(page, ids[0]!)
    assert.deepEqual((await pool()).metadata, { trip: 7 })
  })

  it('has the same cover in the list, and the newest when the chosen one has left', async () => {
    await gallery.call('PATCH', `/pools/${album}`, { metadata: { cover: ids[3] } })
    await page.goto('/albums')
    await hasCover(page, ids[3]!, '.pools')
    await gallery.call('POST', `/pools/${album}/files/remove`, { file_ids: [ids[3]] })
    await page.goto('/albums')
    await hasCover(page, ids[0]!, '.pools')
    await openPool(page, album)
    await hasCover(page, ids[0]!)
    await head(page).getByText('11–13 February 2021').waitFor()
  })

  it('shows who only looks what they see of it, without a tool, and refuses no request', async () => {
    // Of the pictures in it Grandma sees one, which is neither the newest nor the chosen one.
    const permissions = [{ user_id: grandma }, { user_id: ben }]
    await gallery.call('PUT', `/acl/file/${ids[1]}`, { permissions })
    await gallery.call('PATCH', `/pools/${album}`, { metadata: { cover: ids[2] } })
    const { of, refused } = await pageOf('Grandma')
    await of.getByRole('link', { name: 'Albums' }).click()
    await hasCover(of, ids[1]!, '.pools')
    await of.getByText(NAME).click()
    await hasCover(of, ids[1]!)
    await head(of).getByText('12 February 2021').waitFor()
    await head(of).getByText('1 photo', { exact: true }).waitFor()
    await head(of).getByText('You, from admin').waitFor()
    await of.getByRole('button', { name: 'More about this album' }).click()
    assert.deepEqual(await of.getByRole('menuitem').allTextContents(), ['Filter this album'])
    await assertAccessible(of, 'an album of another')
    assert.deepEqual(refused, [])
    await of.context().close()
  })

  it('has the same head whatever is filtered, which counts what is put in and taken out', async () => {
    await openPool(page, album)
    await hasCover(page, ids[2]!)
    const cover = page.locator('.album .cover img')
    // One that is taken away and shown again doesn't have it.
    await cover.evaluate((image) => image.setAttribute('data-same', ''))
    await page.getByRole('button', { name: 'Filter this album' }).click()
    await press(page, ...'xyz', 'Enter')
    await page.locator('.void').waitFor()
    assert.notEqual(await cover.getAttribute('data-same'), null)
    await head(page).getByText('3 photos').waitFor()
    await openPool(page, album)
    await select(page, ids[0]!)
    await page.getByRole('button', { name: 'In this album' }).click()
    await page.getByRole('menuitem', { name: 'Remove from the album' }).click()
    await head(page).getByText('2 photos').waitFor()
    await press(page, 'Control+z')
    await head(page).getByText('3 photos').waitFor()
  })

  it('counts what moves to the trash in the viewer, and is put back by an undo', async () => {
    await openPool(page, album)
    await head(page).getByText('3 photos').waitFor()
    await cellOf(page, ids[0]!).click()
    await page.locator('.viewer .layers img.loaded').first().waitFor()
    await press(page, 'Delete')
    await toast('In the trash').waitFor()
    await press(page, 'Escape')
    await head(page).getByText('2 photos').waitFor()
    await press(page, 'Control+z')
    await head(page).getByText('3 photos').waitFor()
  })

  it('is changed by who may edit it, for all', async () => {
    const { of, refused } = await pageOf('Ben')
    await openPool(of, album)
    await select(of, ids[1]!)
    await of.getByRole('button', { name: 'In this album' }).click()
    await of.getByRole('menuitem', { name: 'Use as cover' }).click()
    await of.getByText('This photo is the cover now').waitFor()
    assert.deepEqual((await pool()).metadata, { cover: ids[1] })
    assert.deepEqual(refused, [])
    await of.context().close()
    await openPool(page, album)
    await hasCover(page, ids[1]!)
  })
})

describe('adding to an album that shares its files', { skip: withoutChromium }, () => {
  before(async () => {
    await gallery.call('PUT', `/acl/pool/${album}`, { permissions: [{ user_id: grandma }] })
    await gallery.call('PATCH', `/pools/${album}`, { shares_files: true })
  })

  it('takes what an editor who only looks sees, and says to both what it doesn’t share', async () => {
    const permissions = [{ user_id: grandma }, { user_id: ben, can_edit: true }]
    await gallery.call('PUT', `/acl/pool/${album}`, { permissions })
    await gallery.call('PUT', `/acl/file/${ids[4]}`, { permissions: [{ user_id: ben }] })
    const { of, refused } = await pageOf('Ben')
    await select(of, ids[4]!)
    await of.getByRole('button', { name: 'Album', exact: true }).click()
    await of.getByRole('option', { name: NAME }).click()
    const told = `1 photo is in “${NAME}”. 1 belongs to somebody else. The album doesn’t share it.`
    await of.getByText(told).waitFor()
    assert.ok((await orderOf(gallery, album)).includes(ids[4]!))
    await of.goto(`/f/${ids[4]}`)
    await of.getByRole('button', { name: 'Add to an album' }).first().waitFor()
    // While nothing of the album is being loaded, which would be refused.
    await of.goto('/about')
    await gallery.call('PUT', `/acl/pool/${album}`, { permissions: [{ user_id: grandma }] })
    await of.goto(`/f/${ids[4]}`)
    await of.locator('.viewer').waitFor()
    await of.getByRole('button', { name: 'Add to an album' }).waitFor({ state: 'detached' })
    assert.deepEqual(refused, [])
    await of.context().close()

    await openPool(page, album)
    const gap = page.locator('.gap', { hasText: '1 photo here is not shared' })
    await gap.getByText('Grandma').waitFor()
    await gap.getByRole('button', { name: 'Share them' }).click()
    await gap.waitFor({ state: 'detached' })
  })

  it('says who sees them now, and takes them back', async () => {
    const before = await orderOf(gallery, album)
    await page.goto('/')
    await cellOf(page, ids[5]!).waitFor()
    await select(page, ids[5]!, ids[6]!)
    await press(page, 'p', ...'alp', 'Enter')
    const told = toast('2 photos are in “Alps 2021”. Grandma sees them now.')
    await told.waitFor()
    assert.deepEqual(await orderOf(gallery, album), [...before, ids[5], ids[6]])
    const undone = page.waitForResponse(/operations\/\d+\/undo$/)
    await told.getByRole('button', { name: 'Take back' }).click()
    assert.ok((await undone).ok())
    assert.deepEqual(await orderOf(gallery, album), before)
    const asked = { file_ids: [ids[5], ids[6]], user_ids: [grandma] }
    const reach = await gallery.call<{ users: { seen: number }[] }>('POST', '/files/reach', asked)
    assert.equal(reach.users[0]!.seen, 0)
  })

  it('says so before an upload as well', async () => {
    await drop(page, [{ name: 'ski.jpg' }])
    await page.getByRole('heading', { name: '1 of 1' }).waitFor()
    const stored = page.waitForResponse(/\/pools\/.+\/files$/)
    await page.getByRole('button', { name: 'Add to an album' }).click()
    await press(page, ...'alp', 'Enter')
    assert.equal((await stored).status(), 201)
    await page.getByText('Grandma sees what you add.').waitFor()
  })

  it('fits into the window of a phone with the longest name', async () => {
    await gallery.call('PATCH', `/pools/${album}`, { name: LONG, notes: `${LONG}\n${LONG}` })
    for (const theme of ['light', 'dark'] as const) {
      const size = { width: 390, height: 844 }
      const of = await gallery.stranger({ size, theme, isTouch: true })
      await of.goto('/')
      await enter(of)
      for (const path of ['/albums', `/albums/${album}`]) {
        await of.goto(path)
        await of.locator('.cover img').first().waitFor()
        await assertAccessible(of, path)
        const wide = await of.evaluate(() => document.documentElement.scrollWidth)
        assert.equal(wide, size.width)
      }
      const bar = (await of.locator('.poolbar').boundingBox())!
      assert.ok(bar.height < size.height / 3, `${bar.height}`)
      await of.goto(`/f/${ids[7]}`)
      await of.locator('.viewer').waitFor()
      await of.getByRole('button', { name: 'Add to an album' }).first().click()
      await of.getByRole('option').first().click()
      const told = of.locator('.toast', { hasText: 'Grandma sees it now.' })
      const box = (await told.boundingBox())!
      assert.ok(box.x >= 0 && box.x + box.width <= size.width, `${box.x} ${box.width}`)
      await told.getByRole('button', { name: 'Take back' }).click()
      await of.getByText('Undone').waitFor()
      await of.context().close()
    }
  })
})
