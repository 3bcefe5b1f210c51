import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { randomNumbers } from '../../../support/file-rows.ts'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import { whatRunsOut } from '../../../web/support/boxes.ts'
import {
  type Amount,
  type LongNames,
  longName,
  openLongNames,
} from '../../../web/support/long-names.ts'
import {
  type BrowserOptions,
  PASSWORD,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { type MadeUp, madeUpPictures } from '../../../web/support/pictures.ts'

/**
 * Every screen, of libraries in which all names are as long as they may be: whether something runs out
 * of its box or of the window, what axe finds, what the console says, what the server refuses. Where
 * SHOTS names a folder, a picture of each screen is put there.
 */

/** 200 % of a window of 1440 pixels is one of 720. */
const SIZES: Record<string, BrowserOptions> = {
  '320 px': { size: { width: 320, height: 640 }, isTouch: true },
  '390 px': { size: { width: 390, height: 844 }, isTouch: true },
  '768 px': { size: { width: 768, height: 1024 }, isTouch: true },
  '1440 px': { size: { width: 1440, height: 900 } },
  '2560 px': { size: { width: 2560, height: 1440 } },
  '200 %': { size: { width: 720, height: 450 } },
}
const THEMES = ['light', 'dark'] as const
const LANGUAGES = ['en-GB', 'de-DE']
const AMOUNTS: Amount[] = ['nothing', 'one', 'many']
/** How many screens are looked at by a run that isn't to look at all. */
const SAMPLE = 52
// The sample is the same in each run, unless another is asked for.
const SEED = Number(process.env.LONG_NAMES_SEED ?? 1)

interface Screen {
  path(at: LongNames): string | Promise<string>
  /** What is there once it is shown. */
  shows?: string
  /** What is done there before it is looked at. */
  act?(page: Page, at: LongNames): Promise<void>
  /** The library that has it, or a larger one; else any. */
  from?: Amount
}

const seen = (page: Page, selector: string) =>
  page.locator(selector).filter({ visible: true }).first()
const press = (key: string, shows: string) => async (page: Page) => {
  await page.keyboard.press(key)
  await seen(page, shows).waitFor()
}
const click = (selector: string, shows: string) => async (page: Page) => {
  await seen(page, selector).click()
  await seen(page, shows).waitFor()
}
/** On phones it is closed at first. */
const openPanel = async (page: Page) => {
  if (!(await seen(page, '.tagging').isVisible())) await page.keyboard.press('i')
  await seen(page, '.tagging input').waitFor()
}
const file = ({ file }: LongNames) => `/f/${file}`
const pool = ({ pool }: LongNames) => `/albums/${pool}`
const VIEWER = 'dialog.viewer :is(.layers img.loaded, .panel)'

let deleted = 0

const SCREENS: Record<string, Screen> = {
  photos: { path: () => '/' },
  'the menu': { path: () => '/', act: click('.me, .tabs > button', '.menu, .sheet') },
  'the keys': { path: () => '/', act: press('?', '.keysheet') },
  'photos of a tag': {
    path: ({ tag }) => `/?filter={t=${tag}}`,
    shows: '.filter .chip',
    from: 'one',
  },
  'what is searched for': { path: () => `/?search=${'x'.repeat(120)}`, shows: '.filter .chip' },
  'tags that match': {
    path: () => '/',
    from: 'one',
    async act(page) {
      await page.locator('.filter input').fill('o')
      await page.locator('.filter [role=option]').first().waitFor()
    },
  },
  'a selection': {
    path: () => '/',
    from: 'one',
    async act(page) {
      await press('Control+A', '.select')(page)
      await press('t', '.above .chip')(page)
    },
  },
  'a picture': { path: file, shows: VIEWER, from: 'one', act: openPanel },
  'the tags of a picture': {
    path: file,
    shows: VIEWER,
    from: 'many',
    async act(page) {
      await openPanel(page)
      await page.keyboard.press('t')
      await page.locator('.tagging input').fill('o')
      await page.locator('.tagging [role=option]').first().waitFor()
    },
  },
  'sharing a picture': { path: file, shows: VIEWER, from: 'one', act: press('s', '.dialog.share') },
  'the albums for a picture': {
    path: file,
    shows: VIEWER,
    from: 'one',
    act: press('p', '.dialog.pooling [role=option]'),
  },
  'what looks like a picture': {
    path: file,
    shows: VIEWER,
    from: 'one',
    act: press('m', '.alike'),
  },
  inbox: { path: () => '/inbox' },
  albums: { path: () => '/albums' },
  'a new album': { path: () => '/albums', act: click('.bar .btn.primary', 'dialog.dialog') },
  'an album': { path: pool, shows: '.poolbar h1', from: 'one' },
  'the menu of an album': {
    path: pool,
    shows: '.poolbar h1',
    from: 'one',
    act: click('.poolbar [aria-haspopup=menu]', '[role=menuitem]'),
  },
  'the name of an album': {
    path: pool,
    shows: '.poolbar h1',
    from: 'one',
    async act(page) {
      await click('.poolbar [aria-haspopup=menu]', '[role=menuitem]')(page)
      await page.getByRole('menuitem').nth(1).click()
      await page.locator('dialog.dialog').waitFor()
    },
  },
  duplicates: { path: () => '/duplicates' },
  'duplicates one by one': {
    path: () => '/duplicates?at=one-by-one',
    shows: '.dups table',
    from: 'many',
  },
  tags: { path: () => '/tags' },
  'a new tag': { path: () => '/tags', act: press('n', '.newtag, dialog input, .edit input') },
  'a tag': { path: ({ tag }) => `/tags?at=${tag}`, shows: '.edit h2', from: 'one' },
  'a category': { path: ({ category }) => `/tags?at=${category}`, shows: '.edit h2', from: 'one' },
  'a tag that is deleted': {
    async path({ gallery }) {
      const { id } = await gallery.call<{ id: string }>('POST', '/tags', {
        name: longName(256, deleted % 2 === 0, 100 + deleted++),
      })
      return `/tags?at=${id}`
    },
    shows: '.edit h2',
    from: 'many',
    act: click('.edit .last .btn', '.toast .btn'),
  },
  trash: { path: () => '/trash' },
  uploads: {
    path: () => '/',
    from: 'one',
    async act(page) {
      // They are there already, so nothing is sent, and the library stays as it is.
      const [{ bytes }] = (await madeUpPictures(1)) as [MadeUp]
      const names = [false, true].map((isInWords) => `${longName(251, isInWords)}.jpg`)
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles(
          names.map((name) => ({ name, mimeType: 'image/jpeg', buffer: Buffer.from(bytes) })),
        )
      await seen(page, '.ups li').waitFor()
    },
  },
  import: { path: () => '/keep/import', shows: '.tree' },
  people: { path: () => '/keep/users', shows: 'main li' },
  'a person': {
    path: () => '/keep/users',
    shows: 'main li',
    act: click('main li:last-child button', 'dialog.dialog'),
  },
  'a new person': { path: () => '/keep/users', act: click('.bar .btn.primary', 'dialog.dialog') },
  activity: { path: () => '/keep/audit', shows: '.deeds li' },
  settings: { path: () => '/settings' },
  about: { path: () => '/about', shows: 'main dd' },
}

interface Cell {
  amount: Amount
  browser: string
  screen: string
}

const BROWSERS = new Map<string, BrowserOptions>(
  Object.entries(SIZES).flatMap(([name, size]) =>
    THEMES.flatMap((theme) =>
      LANGUAGES.map((language): [string, BrowserOptions] => [
        `${name}, ${theme}, ${language}`,
        { ...size, theme, language },
      ]),
    ),
  ),
)

/** All cells where MATRIX=all, else a sample. */
function chosen(): Cell[] {
  const all = AMOUNTS.flatMap((amount) =>
    [...BROWSERS.keys()].flatMap((browser) =>
      Object.entries(SCREENS)
        .filter(([, { from }]) => AMOUNTS.indexOf(from ?? 'nothing') <= AMOUNTS.indexOf(amount))
        .map(([screen]): Cell => ({ amount, browser, screen })),
    ),
  )
  if (process.env.MATRIX === 'all') return all
  const random = randomNumbers(SEED)
  const shuffled = all.map((cell) => ({ cell, at: random(2 ** 30) })).sort((a, b) => a.at - b.at)
  return shuffled.slice(0, SAMPLE).map(({ cell }) => cell)
}

const cells = chosen()

for (const amount of AMOUNTS) {
  describe(`a library of ${amount} with long names, seed ${SEED}`, {
    skip: withoutChromium,
  }, () => {
    let at: LongNames
    before(async () => {
      at = await openLongNames(amount)
    })
    after(() => at?.gallery.close())

    for (const [name, options] of BROWSERS) {
      const own = cells.filter((cell) => cell.amount === amount && cell.browser === name)
      if (own.length === 0) continue
      describe(`in ${name}`, () => {
        let page: Page
        const refused: string[] = []

        before(async () => {
          page = await at.gallery.stranger(options)
          await page.goto('/')
          await page.locator('input[type=password]').waitFor()
          assert.deepEqual(await whatRunsOut(page), [], 'the page to sign in')
          await page.locator('input[autocomplete=username]').fill('admin')
          await page.locator('input[type=password]').fill(PASSWORD)
          await page.keyboard.press('Enter')
          await page.locator('.shell').waitFor()
          page.on('response', (response) => {
            if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
          })
          page.on('console', (message) => refused.push(message.text()))
        })
        after(() => page.context().close())

        for (const { screen } of own) {
          it(`shows ${screen}, and nothing runs out of its box`, async () => {
            refused.length = 0
            const { path, shows = 'main h1, main h2', act } = SCREENS[screen]!
            await page.goto(await path(at))
            await page.locator(shows).first().waitFor({ state: 'attached' })
            await page.waitForLoadState('networkidle')
            await act?.(page, at)
            await page.waitForLoadState('networkidle')
            if (process.env.SHOTS) await page.screenshot({ path: shotOf(amount, name, screen) })
            assert.deepEqual(await whatRunsOut(page), [])
            await assertAccessible(page, screen)
            assert.deepEqual(refused, [])
          })
        }
      })
    }
  })
}

const shotOf = (...words: string[]) =>
  `${process.env.SHOTS}/${words.join(' ').replaceAll(/[^\w]+/g, '-')}.png`
