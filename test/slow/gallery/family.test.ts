import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { press } from '../../web/support/keys.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../web/support/open-gallery.ts'
import { join, type Somebody } from '../../web/support/somebody.ts'

// A day of four people in one house: what one of them does, another sees on a screen of their own.

const PHONE = { size: { width: 390, height: 844 }, isTouch: true }
const DESKTOP = { size: { width: 1440, height: 900 } }
const AT_FIRST = 36
const LATER = 10

let gallery: OpenGallery
let mother: Somebody
let child: Somebody
let father: Somebody
/** Who may add nothing. */
let grandma: Somebody
/** The page of the mother, on a desktop. */
let page: Page
/** Requests that a page was refused. */
const refused: string[] = []
let own: string[]
let later: string[]
let album: string

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ isSignedIn: false, ...DESKTOP })
  mother = await join(gallery, 'Mother')
  child = await join(gallery, 'Kid')
  father = await join(gallery, 'Father')
  grandma = await join(gallery, 'Grandma')
  await gallery.call('PATCH', `/users/${grandma.id}`, { can_create: false })
  own = await mother.upload(AT_FIRST)
  page = await pageOf('Mother', DESKTOP)
})

after(async () => {
  await gallery?.close()
  assert.deepEqual(refused, [])
})

/** Signs somebody in with a browser of their own. */
async function pageOf(name: string, browser: typeof PHONE | typeof DESKTOP): Promise<Page> {
  const theirs = await gallery.stranger(browser)
  theirs.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${name}: ${response.status()} ${response.url()}`)
  })
  await theirs.goto('/')
  await enter(theirs, name)
  return theirs
}

const toast = (text: RegExp | string) => page.locator('.toast', { hasText: text })

/** Selects what the page shows, and waits until that is so many. */
async function selectAll(count: number): Promise<void> {
  await page.locator('.cell img[src]').first().waitFor()
  // By then keys have their meaning.
  await page.getByRole('combobox', { name: 'Filter' }).waitFor()
  await press(page, 'Control+a')
  await page.getByText(`${count} selected`).waitFor()
}

/** Returns the names of the tags of a file, as somebody sees them. */
async function tagsOf(who: Somebody, id: string): Promise<string[]> {
  const { tags } = await who.call<{ tags: { name: string }[] }>('GET', `/files/${id}`)
  return tags.map(({ name }) => name)
}

describe('four people of one house', { skip: withoutChromium }, () => {
  it('have one word: the mother makes it, and the child puts it on a picture of its own', async () => {
    await selectAll(AT_FIRST)
    await press(page, 't', 'holiday', 'Enter')
    await page.getByRole('form', { name: 'Create “holiday”' }).waitFor()
    await press(page, 'Enter')
    await toast('holiday').waitFor()
    assert.deepEqual(await tagsOf(mother, own.at(-1)!), ['holiday'])
    const [picture] = await child.upload(1)
    const theirs = await pageOf('Kid', PHONE)
    await theirs.goto(`/f/${picture}`)
    await theirs.getByRole('button', { name: 'Tags and details' }).tap()
    await theirs.getByRole('combobox', { name: 'Add a tag' }).fill('hol')
    await theirs.getByRole('option', { name: 'holiday' }).tap()
    await theirs.locator('.tagging .chip', { hasText: 'holiday' }).waitFor()
    // The chip is there before the server knows.
    await eventually(async () => String(await tagsOf(child, picture!)) === 'holiday')
    await theirs.context().close()
    const { items } = await child.call<{ items: { id: string; name: string }[] }>('GET', '/tags')
    assert.deepEqual(
      items.map(({ name }) => name),
      ['holiday'],
    )
    const filter = encodeURIComponent(`{t=${items[0]!.id}}`)
    assert.deepEqual(await child.sees(`&filter=${filter}`), new Set([picture]))
    assert.deepEqual(await mother.sees(`&filter=${filter}`), new Set(own))
  })

  it('have an album that the mother shares with the grandmother, with what follows', async () => {
    await page.goto('/')
    await selectAll(AT_FIRST)
    await press(page, 'p', 'Alps 2021')
    await page.getByText('Create “Alps 2021”').waitFor()
    await press(page, 'Enter')
    await toast(`${AT_FIRST} photos are in “Alps 2021”`).waitFor()
    const { items } = await mother.call<{ items: { id: string }[] }>('GET', '/pools')
    album = items[0]!.id
    await page.goto(`/albums/${album}`)
    await page.locator('.album .cover img').waitFor()
    await page.getByRole('button', { name: 'Share' }).first().click()
    await page.getByRole('switch', { name: 'Photos added later, too' }).waitFor()
    await press(page, 'gra')
    await page.getByText('Grandma sees').first().waitFor()
    await press(page, 'Enter')
    await toast('Grandma sees the album and all its 36 photos.').waitFor()
    assert.deepEqual(await grandma.sees(), new Set(own))
    assert.equal((await father.sees()).size, 0)

    later = await mother.upload(LATER)
    await page.goto('/?sort=created')
    await page.locator('.cell img[src]').first().waitFor()
    await page.locator(`.cell:has(a[data-id="${later[0]}"])`).hover()
    for (const id of later) {
      const cell = page.locator(`.cell:has(a[data-id="${id}"])`)
      await cell.hover()
      await cell.locator('.tick').click()
    }
    await page.getByText(`${LATER} selected`).waitFor()
    await press(page, 'p', 'alp', 'Enter')
    await toast(`${LATER} photos are in “Alps 2021”. Grandma sees them now.`).waitFor()
    assert.deepEqual(await grandma.sees(), new Set([...own, ...later]))
  })

  for (const [device, browser] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
    it(`show the grandmother all of it on a ${device}, with its tags and without a tool`, async () => {
      const theirs = await pageOf('Grandma', browser)
      await theirs.goto(`/albums/${album}`)
      await theirs.locator('.cell img[src]').first().waitFor()
      await theirs
        .getByText(`${AT_FIRST + LATER} photos`, { exact: true })
        .first()
        .waitFor()
      for (const name of ['Inbox', 'Duplicates', 'Trash', 'Edit tags', 'Upload', 'Share']) {
        assert.equal(await theirs.getByText(name, { exact: true }).count(), 0, name)
        assert.equal(await theirs.getByRole('button', { name, exact: true }).count(), 0, name)
      }
      await theirs.goto(`/f/${own[0]}`)
      await theirs.locator('.layers img.loaded').first().waitFor()
      const details = theirs.locator('.top').getByRole('button', { name: 'Tags and details' })
      if ((await details.getAttribute('aria-pressed')) === 'false') await details.click()
      await theirs.locator('.tagging').getByRole('link', { name: 'holiday' }).click()
      await theirs.locator('.cell img[src]').first().waitFor()
      await theirs.getByText(`${AT_FIRST} photos`, { exact: true }).first().waitFor()
      await theirs.context().close()
    })
  }

  it('are as before when the album is shared no longer', async () => {
    await page.goto(`/albums/${album}`)
    await page.locator('.album .cover img').waitFor()
    await page.getByRole('button', { name: 'Share' }).first().click()
    await page.getByRole('button', { name: 'Remove Grandma' }).click()
    await page.getByText('The photos are unshared as well').waitFor()
    await page.getByRole('button', { name: /^Change/ }).click()
    await toast('Grandma').waitFor()
    assert.deepEqual(await grandma.sees(), new Set())
    const theirs = await pageOf('Grandma', PHONE)
    await theirs.getByText('Nothing has been shared with you yet.').waitFor()
    await theirs.context().close()
    assert.equal((await mother.sees()).size, AT_FIRST + LATER)
  })
})
