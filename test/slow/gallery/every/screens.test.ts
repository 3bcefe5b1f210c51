import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { randomNumbers } from '../../../support/file-rows.ts'
import { SEED } from '../../../support/property.ts'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import { lookAgain, makeLookAlikes } from '../../../web/support/look-alikes.ts'
import {
  type BrowserOptions,
  type OpenGallery,
  openGallery,
  PASSWORD,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { makePool } from '../../../web/support/pool.ts'
import { makeTags } from '../../../web/support/tags.ts'

interface Things {
  ids: string[]
  pool: string
  tag: string
}

const SIZES = {
  desktop: { size: { width: 1440, height: 900 } },
  phone: { size: { width: 390, height: 844 }, isTouch: true },
}
const THEMES = ['light', 'dark'] as const
const LANGUAGES = ['en-GB', 'de-DE']
const DENSITIES = ['airy', 'medium', 'dense']
/** How many cells a run has that is not given all of them. */
const SAMPLE = 52

type Screen = [name: string, path: (at: Things) => string, selector: string]

/** Each screen of who may do everything: its address, and what is there once it is shown. */
const SCREENS: Screen[] = [
  ['photos', () => '/', 'main img'],
  ['a picture', ({ ids }) => `/f/${ids[1]}`, 'dialog img'],
  ['inbox', () => '/inbox', 'main img'],
  ['pools', () => '/albums', '.pools img'],
  ['a pool', ({ pool }) => `/albums/${pool}`, 'main img'],
  ['a pool by date', ({ pool }) => `/albums/${pool}?sort=content_datetime&order=asc`, '.day'],
  ['the map', () => '/map', '.world canvas'],
  ['duplicates', () => '/duplicates', '.opened dl'],
  ['duplicates one by one', () => '/duplicates?at=one-by-one', '.dups table'],
  ['trash', () => '/trash', 'main :is(h1, h2)'],
  ['import', () => '/keep/import', 'main .tree'],
  ['users', () => '/keep/users', 'main li'],
  ['audit', () => '/keep/audit', 'main .deeds li'],
  ['tags', () => '/tags', '.cats li'],
  ['a tag', ({ tag }) => `/tags?at=${tag}`, '.rules [role=switch]'],
  ['settings', () => '/settings', 'main h1'],
  ['about', () => '/about', 'main dd'],
]
/** Those of who only looks at what is shared. */
const LOOKED_AT = [
  'photos',
  'a picture',
  'pools',
  'a pool',
  'a pool by date',
  'the map',
  'settings',
  'about',
]
const ROLES: Record<string, Screen[]> = {
  admin: SCREENS,
  grandmother: [
    ...SCREENS.filter(([name]) => LOOKED_AT.includes(name)),
    ['favourites', () => '/?filter={f=1}', 'main img'],
    ['the work of others', () => '/inbox', '.void h1'],
  ],
}

interface Visit {
  browser: BrowserOptions
  role: string
}

const VISITS = new Map(
  Object.keys(ROLES).flatMap((role) =>
    Object.entries(SIZES).flatMap(([name, size]) =>
      THEMES.flatMap((theme) =>
        LANGUAGES.map((language): [string, Visit] => [
          `${name}, ${theme}, ${language}, ${role}`,
          { browser: { ...size, theme, language }, role },
        ]),
      ),
    ),
  ),
)

/** All cells where MATRIX=all, else a sample by the seed of the run; by who looks with what. */
function chosen(): Map<string, Screen[]> {
  const all = [...VISITS].flatMap(([name, { role }]) =>
    ROLES[role]!.map((screen): [string, Screen] => [name, screen]),
  )
  const random = randomNumbers(SEED)
  const shuffled = all.map((cell) => ({ cell, at: random(2 ** 30) })).sort((a, b) => a.at - b.at)
  const taken = new Set(
    process.env.MATRIX === 'all' ? all : shuffled.slice(0, SAMPLE).map(({ cell }) => cell),
  )
  return new Map(
    [...VISITS.keys()].flatMap((name) => {
      const own = all.filter((cell) => taken.has(cell) && cell[0] === name)
      return own.length > 0 ? [[name, own.map(([, screen]) => screen)]] : []
    }),
  )
}

describe('the gallery', { skip: withoutChromium }, () => {
  let gallery: OpenGallery
  let pool: string
  let tags: Record<string, string>

  before(async () => {
    gallery = await openGallery({ files: 12 })
    tags = await makeTags(gallery, 40)
    // These take the tags that there are.
    await makeLookAlikes(gallery, { count: 3, copyings: ['same', 'smaller', 'brightened'] })
    await lookAgain(gallery)
    await gallery.call('POST', '/users', { name: 'Anna', password: PASSWORD })
    pool = await makePool(gallery, 'A week in Arezzo', gallery.ids)
    await makePool(gallery, 'Nothing yet')
    await shareWithGrandmother()
  })

  after(() => gallery.close())

  /** Somebody who may look at one pool and what is in it, has a favourite there, and may add nothing. */
  async function shareWithGrandmother(): Promise<void> {
    const account = { name: 'grandmother', password: PASSWORD }
    const { id } = await gallery.call<{ id: number }>('POST', '/users', account)
    await gallery.call('PATCH', `/pools/${pool}`, { shares_files: true })
    const permissions = [{ user_id: id, can_edit: false }]
    await gallery.call('PUT', `/acl/pool/${pool}`, { permissions })
    await gallery.call('PUT', `/acl/tag/${tags.Arezzo}`, { permissions })
    const tagged = { action: 'add', file_ids: gallery.ids, tag_ids: [tags.Arezzo] }
    await gallery.call('POST', '/files/bulk/tags', tagged)
    const page = await open({}, 'grandmother')
    await page.goto(`/f/${gallery.ids[0]}`)
    await page.locator('dialog img').first().waitFor()
    const marked = page.waitForResponse((response) => response.url().includes('favourite'))
    await page.keyboard.press('f')
    assert.equal((await marked).status(), 200)
    await page.context().close()
  }

  /** Returns a page of such a browser, in which somebody is signed in. */
  async function open(browser: BrowserOptions, name = 'admin'): Promise<Page> {
    const page = await gallery.stranger(browser)
    await page.goto('/')
    await page.locator('input[type=password]').waitFor()
    await page.locator('input[autocomplete=username]').fill(name)
    await page.locator('input[type=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.locator('.shell').waitFor()
    return page
  }

  const overflowOf = (page: Page) =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

  for (const [name, screens] of chosen()) {
    describe(`on a ${name}`, () => {
      let page: Page
      before(async () => {
        const { browser, role } = VISITS.get(name)!
        page = await open(browser, role)
      })
      after(() => page.context().close())

      for (const [screen, path, selector] of screens) {
        it(`shows ${screen} so that everybody can use it, and within its window`, async () => {
          const address = path({ ids: gallery.ids, pool, tag: tags.Arezzo! })
          await page.goto(address)
          await page.locator(selector).first().waitFor()
          await assertAccessible(page, address)
          assert.equal(await overflowOf(page), 0, `${address} is wider than its window`)
        })
      }
    })
  }

  for (const [name, size] of Object.entries(SIZES)) {
    for (const theme of THEMES) {
      it(`can be shared from by everybody: ${name}, ${theme}`, async () => {
        const page = await open({ ...size, theme })
        await page.goto(`/f/${gallery.ids[1]}`)
        await page.getByRole('button', { name: 'Share' }).click()
        await page.getByRole('combobox', { name: 'Share with' }).fill('an')
        await page.getByText('Anna sees it.').waitFor()
        await assertAccessible(page, 'sharing')
        const overflow = await page
          .locator('.dialog.share')
          .evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)
        assert.equal(overflow, 0)
      })
    }

    it(`shows more pictures in a row the denser they are: ${name}`, async () => {
      const page = await open(size)
      const heights: number[] = []
      for (const density of DENSITIES) {
        await page.goto('/settings')
        await page.evaluate((value) => localStorage.setItem('tagstead-density', value), density)
        await page.goto('/')
        const picture = page.locator('main img').first()
        await picture.waitFor()
        heights.push((await picture.boundingBox())!.height)
      }
      assert.deepEqual(
        heights,
        [...heights].sort((a, b) => b - a),
      )
      assert.ok(heights[0]! > heights[2]!, String(heights))
    })
  }
})
