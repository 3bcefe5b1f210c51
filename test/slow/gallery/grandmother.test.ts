import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, describe, it } from '../../support/test.ts'
import { assertAccessible } from '../../web/support/axe.ts'
import {
  type BrowserOptions,
  enter,
  type OpenGallery,
  openGallery,
  PASSWORD,
  withoutChromium,
} from '../../web/support/open-gallery.ts'
import { cellOf, makePool, select } from '../../web/support/pool.ts'
import { makeTags } from '../../web/support/tags.ts'
import { missedByFingers } from '../../web/support/touch.ts'

const DESKTOP: BrowserOptions = { size: { width: 1440, height: 900 } }
const PHONE: BrowserOptions = { size: { width: 390, height: 844 }, isTouch: true }

/** Words of work, of tools and of what others have not allowed. */
const WORK =
  /inbox|review|duplicat|look.?alike|trash|import|activity|audit|people|users|untagged|^upload|add (a tag$|a note|to)|edit|rename|delete|history|what was done|into a|one-key|drag|belongs to|let you|can’t change|not allowed|no tags/i

let gallery: OpenGallery
let alps: string
let grandmother: number
/** Those of the album that she sees, the first of which has a tag, and its tag. */
let seen: string[]
let holiday: string

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: 12 })
  const { call, ids } = gallery
  const account = { name: 'grandmother', password: PASSWORD }
  grandmother = (await call<{ id: number }>('POST', '/users', account)).id
  seen = ids.slice(0, 8)
  holiday = (await makeTags(gallery, 9)).holiday!
  const tag_ids = [holiday]
  await call('POST', '/files/bulk/tags', { file_ids: [seen[0]], action: 'add', tag_ids })
  alps = await makePool(gallery, 'Alps', ids)
  await may('pool', alps)
  await may('tag', holiday)
  await call('POST', '/files/bulk/share', { file_ids: seen, add: [{ user_id: grandmother }] })
})

after(() => gallery?.close())

/** Lets her see an object, or edit it, too. */
async function may(type: 'pool' | 'tag' | 'file', id: string, can_edit = false): Promise<void> {
  const permissions = [{ user_id: grandmother, can_edit }]
  await gallery.call('PUT', `/acl/${type}/${id}`, { permissions })
}

/** Returns her page, and what it has been refused or has complained of since she signed in. */
async function visit(
  browser: BrowserOptions,
  name = 'grandmother',
): Promise<{ page: Page; complaints: string[] }> {
  const page = await gallery.stranger(browser)
  await page.goto('/')
  await enter(page, name)
  const complaints: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`)
  })
  page.on('console', (message) => complaints.push(message.text()))
  await page.reload()
  return { page, complaints }
}

/** Returns the words of work that stand anywhere on a page, or are the names of what does. */
async function work(page: Page): Promise<string[]> {
  await page.waitForLoadState('networkidle')
  const said = await page.evaluate(() => {
    const named = [...document.querySelectorAll('[aria-label], [title], [placeholder]')]
    const attributes = ['aria-label', 'title', 'placeholder']
    return [
      ...document.body.innerText.split('\n'),
      ...named.flatMap((element) => attributes.map((name) => element.getAttribute(name) ?? '')),
    ]
  })
  return said.filter((text) => WORK.test(text))
}

const tool = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const noTools = async (page: Page, where: string) => assert.deepEqual(await work(page), [], where)

/** Opens a file with its tags and details. */
async function open(page: Page, id: string): Promise<void> {
  await page.goto(`/f/${id}`)
  await page.locator('.layers img.loaded').first().waitFor()
  const details = page.locator('.top').getByRole('button', { name: 'Tags and details' })
  if ((await details.getAttribute('aria-pressed')) === 'false') await details.click()
  await page.locator('.facts').waitFor()
}

for (const [device, browser] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
  describe(`who only looks, on a ${device}`, { skip: withoutChromium }, () => {
    let page: Page
    let complaints: string[]
    const isPhone = browser.isTouch === true
    // A phone selects by a long press, or as here.
    const choose = async (id: string) => {
      if (!isPhone) return select(page, id)
      await cellOf(page, id).click({ modifiers: ['Shift'] })
      await page.getByText('1 selected').waitFor()
    }

    before(async () => {
      const visited = await visit(browser)
      page = visited.page
      complaints = visited.complaints
    })

    after(async () => {
      await page?.context().close()
      assert.deepEqual(complaints, [])
    })

    it('finds photos, albums, favourites, a map and settings, and no work', async () => {
      await page.locator('.cell img[src]').first().waitFor()
      await noTools(page, 'the photos')
      assert.equal(await page.locator('.cell .new').count(), 0)
      const links = page.locator(isPhone ? '.tabs > :is(a, button)' : '.side .nav:not(.quick) a')
      const names = (await links.allInnerTexts()).map((name) => name.trim())
      const named = isPhone ? ['Photos', 'Albums', 'Tags', 'Favourites', 'More'] : null
      assert.deepEqual(names, named ?? ['Photos', 'Albums', 'Favourites', 'Map'])
      if (isPhone) {
        await page.locator('.tabs').getByText('Tags').tap()
        await page.getByRole('dialog').getByRole('link', { name: 'holiday' }).waitFor()
        await noTools(page, 'the tags')
        await page.getByRole('button', { name: 'Close' }).tap()
      }
      await (isPhone ? page.locator('.tabs').getByText('More') : page.locator('.me')).click()
      await page.getByRole('menuitem', { name: 'Settings' }).waitFor()
      await noTools(page, 'the menu')
      await page.keyboard.press('Escape')
      for (const screen of ['/settings', '/about', '/albums']) {
        await page.goto(screen)
        await page.locator('main h1').waitFor()
        await noTools(page, screen)
      }
    })

    it('finds the way home where the work of others is', async () => {
      const screens = ['inbox', 'duplicates', 'trash', 'tags', 'keep/import', 'keep/users']
      for (const screen of [...screens, 'keep/audit', `f/${seen[0]}?trash=true`]) {
        await page.goto(`/${screen}`)
        await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
        await noTools(page, screen)
      }
      await page.getByRole('link', { name: 'Go to the photos' }).click()
      await page.locator('.cell img[src]').first().waitFor()
    })

    it('sees a picture with its tags, which find others, and no tool', async () => {
      const changes: string[] = []
      page.on('request', (request) => {
        if (request.method() !== 'GET') changes.push(request.url())
      })
      await open(page, seen[1]!)
      await noTools(page, 'a picture')
      assert.equal(await page.locator('.tagging').count(), 0)
      await open(page, seen[0]!)
      await noTools(page, 'a picture with tags')
      await assertAccessible(page, 'a picture of others')
      if (isPhone) assert.deepEqual(await missedByFingers(page, 'dialog'), [])
      for (const key of ['t', 'n', 'p', 's', 'Shift+F', '0', '1', 'Delete'])
        await page.keyboard.press(key)
      assert.equal(await page.locator('dialog:not(.viewer)').count(), 0)
      await page.locator('.tagging').getByRole('link', { name: 'holiday' }).click()
      await page.waitForURL((url) => (url.searchParams.get('filter') ?? '').includes(holiday))
      await cellOf(page, seen[0]!).waitFor()
      assert.equal(await page.locator('.cell').count(), 1)
      assert.deepEqual(
        changes.filter((url) => !/settings|views|refresh/.test(url)),
        [],
      )
    })

    it('takes pictures along from an album, and changes nothing in it', async () => {
      await page.goto(`/albums/${alps}`)
      await cellOf(page, seen[0]!).locator('img[src]').waitFor()
      await choose(seen[0]!)
      await noTools(page, 'a selection')
      for (const key of ['t', 'r', 'p', 'd', 's', 'Delete']) await page.keyboard.press(key)
      assert.equal(await page.getByRole('dialog').count(), 0)
      const bar = page.getByRole('region', { name: 'Selected photos' })
      assert.equal(await bar.getByRole('button').count(), 3)
      await tool(page, 'Favourite').waitFor()
      await tool(page, 'Download').waitFor()
      await tool(page, 'Select nothing').click()
    })

    it('is told only of keys that work', { skip: isPhone && 'a phone has none' }, async () => {
      await page.keyboard.press('?')
      const sheet = page.getByRole('dialog', { name: 'Keys' })
      await sheet.getByRole('heading', { name: 'Slideshow' }).waitFor()
      await noTools(page, 'the keys')
      await page.keyboard.press('Escape')
    })

    it('has the tools of an album and of a file that somebody lets her edit', async () => {
      await may('pool', alps, true)
      await may('file', seen[2]!, true)
      await page.goto(`/albums/${alps}`)
      await cellOf(page, seen[0]!).locator('img[src]').waitFor()
      await choose(seen[0]!)
      await page.locator('.select .inpool').waitFor()
      assert.equal(await page.getByRole('link', { name: 'Inbox' }).count(), 0)
      await open(page, seen[2]!)
      await page.getByRole('combobox', { name: 'Add a tag' }).waitFor()
      await open(page, seen[1]!)
      assert.equal(await page.getByRole('combobox', { name: 'Add a tag' }).count(), 0)
      await may('pool', alps)
      await may('file', seen[2]!)
    })
  })
}

describe('who only looks, and has been shown nothing yet', { skip: withoutChromium }, () => {
  it('is told so in one line', async () => {
    await gallery.call('POST', '/users', { name: 'aunt', password: PASSWORD })
    const { page, complaints } = await visit(DESKTOP, 'aunt')
    await page.getByText('Nothing has been shared with you yet.').waitFor()
    await noTools(page, 'no photos')
    await page.goto('/albums')
    await page.locator('main .void').waitFor()
    await noTools(page, 'no albums')
    await page.context().close()
    assert.deepEqual(complaints, [])
  })
})

describe('who may add, too', { skip: withoutChromium }, () => {
  it('has all rooms from the next look at who they are', async () => {
    const { page } = await visit(DESKTOP)
    await page.locator('.cell img[src]').first().waitFor()
    assert.equal(await page.getByRole('link', { name: 'Inbox' }).count(), 0)
    await gallery.call('PATCH', `/users/${grandmother}`, { can_create: true })
    await page.reload()
    for (const name of ['Inbox', 'Duplicates', 'Trash', 'Edit tags']) {
      await page.getByRole('link', { name }).waitFor()
    }
    await page.locator('.cell .new').first().waitFor()
    await open(page, seen[0]!)
    await page.getByText('This belongs to admin. You can’t change it.').waitFor()
    await page.context().close()
  })
})
