import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../../../support/eventually.ts'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import { press } from '../../../web/support/keys.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { join, type Somebody } from '../../../web/support/somebody.ts'

let gallery: OpenGallery
let page: Page
let kid: Somebody
/** Pictures of the kid. */
let own: string[]

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ isSignedIn: false })
  page = gallery.page
  kid = await join(gallery, 'kid')
  own = await kid.upload(2)
  // What the admin has made without the gallery is for the admin alone.
  for (const name of ['holiday', 'trip', 'trip (kid)'])
    await gallery.call('POST', '/tags', { name })
  await gallery.call('POST', '/categories', { name: 'Places' })
  await page.goto('/tags')
  await enter(page, 'kid')
})

after(() => gallery?.close())

interface Named {
  id: string
  name: string
  is_public: boolean
}

const toast = (text: string) => page.locator('.toast', { hasText: text })
const dialog = () => page.getByRole('dialog')
const offered = (name: string) => page.getByRole('button', { name: `Use “${name}”` })

/** Whether everybody may see a tag or category; undefined if there is none. */
async function isOpen(name: string, list = 'tags'): Promise<boolean | undefined> {
  const { items } = await gallery.call<{ items: Named[] }>('GET', `/${list}?limit=100`)
  return items.find((one) => one.name === name)?.is_public
}

async function openTags(own = page): Promise<void> {
  await own.goto('/tags')
  await own.getByRole('heading', { name: 'Tags', exact: true }).waitFor()
}

async function make(kind: 'tag' | 'category', name: string): Promise<void> {
  await page
    .getByRole('button', { name: `New ${kind}` })
    .first()
    .click()
  await dialog().getByLabel('Name').fill(name)
  await page.keyboard.press('Enter')
}

describe('the name of a tag that is hidden', { skip: withoutChromium }, () => {
  it('leads to a name of one’s own in the box, by one key', async () => {
    await page.goto(`/f/${own[0]}`)
    await page.getByRole('button', { name: 'Share' }).waitFor()
    await press(page, 't', 'holiday', 'Enter')
    await page.getByRole('form', { name: 'Create “holiday”' }).waitFor()
    await press(page, 'Enter')
    await page.getByText('“holiday” is the name of a tag that you can’t see.').waitFor()
    await offered('holiday (kid)').waitFor()
    await assertAccessible(page, 'a name that is taken')
    await press(page, 'Enter')
    await page.locator('.tagging .chip', { hasText: 'holiday (kid)' }).waitFor()
    assert.equal(await isOpen('holiday (kid)'), true)
    assert.equal(await isOpen('holiday'), false)
  })

  it('leads to another one where that is hidden as well, for a new one and a renamed one', async () => {
    await openTags()
    await make('tag', 'trip')
    await dialog().getByText('“trip” is the name of a tag that you can’t see.').waitFor()
    await offered('trip (kid)').click()
    await dialog().getByText('“trip (kid)” is the name of a tag').waitFor()
    await offered('trip (kid) 2').click()
    await page.locator('.edit').getByRole('heading', { name: 'trip (kid) 2' }).waitFor()
    assert.equal(await isOpen('trip (kid) 2'), true)

    await page.locator('.edit').getByLabel('Name').fill('holiday')
    await page.keyboard.press('Enter')
    await toast('trip (kid) 2 stays as it was: “holiday” is the name').waitFor()
    await offered('holiday (kid) 2').click()
    await page.locator('.edit').getByRole('heading', { name: 'holiday (kid) 2' }).waitFor()
    await page
      .getByRole('link', { name: /^holiday \(kid\) 2/ })
      .first()
      .waitFor()
    await eventually(async () => (await isOpen('trip (kid) 2')) === undefined)
  })

  it('is as well the name of a category, and one that can be seen is only taken', async () => {
    await openTags()
    await make('category', 'Places')
    await dialog().getByText('“Places” is the name of a category that you can’t see.').waitFor()
    await offered('Places (kid)').click()
    await page.locator('.edit').getByRole('heading', { name: 'Places (kid)' }).waitFor()
    assert.equal(await isOpen('Places (kid)', 'categories'), true)

    await make('category', 'Places (kid)')
    await dialog().getByText('This name is already taken.').waitFor()
    assert.equal(await page.getByRole('button', { name: /^Use/ }).count(), 0)
    await page.keyboard.press('Escape')
  })

  it('puts a tag on that somebody else has made for everybody meanwhile', async () => {
    await page.goto(`/f/${own[1]}`)
    await page.getByRole('button', { name: 'Share' }).waitFor()
    await press(page, 't', 'sea', 'Enter')
    await page.getByRole('form', { name: 'Create “sea”' }).waitFor()
    await gallery.call('POST', '/tags', { name: 'sea', is_public: true })
    await press(page, 'Enter')
    await page.locator('.tagging .chip', { hasText: 'sea' }).waitFor()
  })
})

describe('who sees new tags', { skip: withoutChromium }, () => {
  it('is everybody, or the user alone on all of their devices', async () => {
    await page.goto('/settings')
    const chosen = page.waitForResponse((response) => response.request().method() === 'PUT')
    await page.getByLabel('Only me', { exact: true }).check({ force: true })
    assert.equal((await chosen).status(), 200)
    const { new_tags } = await kid.call<{ new_tags: string }>('GET', '/users/me/settings')
    assert.equal(new_tags, 'me')

    const phone = await gallery.stranger()
    await phone.goto('/settings')
    await enter(phone, 'kid')
    await phone.getByLabel('Only me', { exact: true }).and(phone.locator(':checked')).waitFor()
    await phone.close()

    await openTags()
    await make('tag', 'diary')
    await page.locator('.edit').getByRole('heading', { name: 'diary' }).waitFor()
    assert.equal(await isOpen('diary'), false)
    await make('category', 'Secrets')
    await page.locator('.edit').getByRole('heading', { name: 'Secrets' }).waitFor()
    assert.equal(await isOpen('Secrets', 'categories'), false)
    // Nobody is asked to open what they want for themselves.
    assert.equal(await page.getByText('Not everybody here sees').count(), 0)
  })

  it('is not what another user of the browser has chosen', async () => {
    await page.locator('.me').click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await enter(page)
    await page.goto('/settings')
    await page.getByLabel('Everybody', { exact: true }).and(page.locator(':checked')).waitFor()
  })
})

describe('tags that were for their maker alone', { skip: withoutChromium }, () => {
  const notice = () => page.getByText('Not everybody here sees 4 of your tags and categories.')

  it('are offered once, none ticked, to be opened', async () => {
    await openTags()
    await notice().waitFor()
    await page.getByRole('button', { name: 'Choose which to open' }).click()
    const list = dialog().getByRole('listitem')
    assert.deepEqual(await list.allInnerTexts(), [
      'Places\nCategory',
      'holiday',
      'trip',
      'trip (kid)',
    ])
    assert.equal(await dialog().getByRole('checkbox', { checked: true }).count(), 0)
    assert.equal(
      await dialog().getByRole('button', { name: 'Show 0 to everybody' }).isDisabled(),
      true,
    )
    await assertAccessible(page, 'opening tags')
    await dialog().getByRole('checkbox', { name: 'holiday' }).check()
    await dialog().getByRole('checkbox', { name: 'Places' }).check()
    const kept = page.waitForResponse(
      (answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/settings'),
    )
    await dialog().getByRole('button', { name: 'Show 2 to everybody' }).click()
    await toast('2 are now visible to everybody').waitFor()
    assert.equal(await isOpen('holiday'), true)
    assert.equal(await isOpen('Places', 'categories'), true)
    assert.equal(await isOpen('trip'), false)
    assert.equal(await page.getByText('Not everybody here sees').count(), 0)
    assert.equal((await kept).status(), 200)
  })

  it('are not offered again, and one undo closes them', async () => {
    await page.keyboard.press('Control+z')
    await toast('Undone').waitFor()
    assert.equal(await isOpen('holiday'), false)
    assert.equal(await isOpen('Places', 'categories'), false)
    const phone = await gallery.stranger()
    await phone.goto('/tags')
    await enter(phone)
    await phone
      .getByRole('link', { name: /^holiday/ })
      .first()
      .waitFor()
    assert.equal(await phone.getByText('Not everybody here sees').count(), 0)
    await phone.close()
  })
})
