import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, describe, it } from '../../support/test.ts'
import { lookAgain, makeLookAlikes } from '../../web/support/look-alikes.ts'
import {
  type OpenGallery,
  openGallery,
  PASSWORD,
  withoutChromium,
} from '../../web/support/open-gallery.ts'
import { makePool } from '../../web/support/pool.ts'
import { speakPseudo, unmarkedTexts } from '../../web/support/pseudo.ts'

let gallery: OpenGallery
let page: Page
const tags: string[] = []

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: 3, isSignedIn: false })
  page = gallery.page
  await makeLookAlikes(gallery, { count: 2, copyings: ['same', 'smaller'] })
  await lookAgain(gallery)
  // By names that are known not to be words of the page.
  const category = await gallery.call<{ id: string }>('POST', '/categories', { name: 'Tagstead' })
  for (const name of ['bun', 'node']) {
    const body = { name, category_id: category.id }
    tags.push((await gallery.call<{ id: string }>('POST', '/tags', body)).id)
  }
  await gallery.call('POST', `/tags/${tags[0]}/rules`, { then_tag_id: tags[1], is_active: false })
  await gallery.call('POST', '/users', { name: 'Anna', password: PASSWORD })
  await speakPseudo(page, gallery.url)
})

after(() => gallery?.close())

// What is no word of ours: names, and what Intl makes of numbers, units and dates.
const DAYS = '(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day'
const MONTHS =
  'January|February|March|April|May|June|July|August|September|October|November|December|Jul'
const NAMES = 'Tagstead|admin|Anna|picture \\d+\\.jpg|Bun|bun|node|English|Deutsch|JPEG|image/jpeg'
const LOOK_ALIKES = 'IMG_\\d+( \\(1\\))?\\.jpg|Anna|garden|holiday|Italy|Jonas|Spring|Summer'
const UNITS = 'bytes?|[kMGT]B|MP|mm|ISO|f'
const KNOWN = new RegExp(
  `\\b(${NAMES}|${LOOK_ALIKES}|now|today|yesterday|${UNITS}|${DAYS}|${MONTHS}|A|at|[A-Z])\\b`,
  'g',
)

async function strangeWords(): Promise<string[]> {
  const texts = await unmarkedTexts(page)
  return texts
    .map((text) => text.replaceAll(KNOWN, '').trim())
    .filter((text) => /\p{L}/u.test(text))
}

describe('every word of the page', { skip: withoutChromium }, () => {
  it('stands in the language files', async () => {
    await page.goto('/')
    await page.getByRole('button', { name: '⟦Sign in⟧' }).waitFor()
    assert.deepEqual(await strangeWords(), [])
    await page.getByLabel('⟦Name⟧', { exact: true }).fill('admin')
    await page.getByLabel('⟦Password⟧', { exact: true }).fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByText('⟦Name or password is wrong.⟧').waitFor()
    await page.getByLabel('⟦Password⟧', { exact: true }).fill('a password for tests')
    await page.keyboard.press('Enter')
    await page.locator('.shell').waitFor()
    // A name without letters, which would be nobody's words.
    const pool = await makePool(gallery, '36', gallery.ids.slice(0, 2))
    const open = [
      ['/', 'main .bar input'],
      [`/f/${gallery.ids[0]}`, 'dialog'],
      ['/inbox', 'main :is(img, h1, h2)'],
      ['/albums', '.pools .names'],
      [`/albums/${pool}`, '.album .names'],
      [`/albums/${pool}?sort=content_datetime`, '.day'],
      [`/albums/${gallery.ids[0]}`, '.void h1'],
      ['/map', '.world > p'],
      ['/duplicates', '.opened dl, main h2'],
      ['/duplicates?at=one-by-one', '.dups table, main h2'],
      ['/trash', 'main :is(h1, h2)'],
      ['/keep/import', 'main .tree'],
      ['/keep/users', 'main li'],
      ['/keep/audit', 'main .deeds li'],
      ['/settings', 'main li'],
      ['/tags', '.cats li'],
      [`/tags?at=${tags[0]}`, '.rules [role=switch]'],
      ['/about', 'main dd'],
    ] as const
    for (const [path, selector] of open) {
      await page.goto(path)
      await page.locator(selector).first().waitFor()
      if (path === '/keep/audit') {
        // Names divide these sentences into texts with half of the marks; the tests of sentences have them all.
        await page.locator('.deeds p').evaluateAll((all) => {
          for (const one of all) one.remove()
        })
      }
      assert.deepEqual(await strangeWords(), [], path)
    }
    await page.goto(`/f/${gallery.ids[0]}`)
    await page.getByRole('button', { name: '⟦Share⟧' }).click()
    await page.getByRole('combobox', { name: '⟦Share with⟧' }).fill('anna')
    await page.locator('.sees .after b').waitFor()
    await page.getByRole('switch').click()
    assert.deepEqual(await strangeWords(), [], 'sharing')
    await page.goto('/')
    await page.locator('main .bar input').first().waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    assert.deepEqual(await strangeWords(), [], 'keys')
  })
})
