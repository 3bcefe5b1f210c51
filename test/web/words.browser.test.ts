import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { type OpenGallery, openGallery, withoutChromium } from './support/open-gallery.ts'
import { speakPseudo, unmarkedTexts } from './support/pseudo.ts'

let gallery: OpenGallery
let page: Page

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: 3, isSignedIn: false })
  page = gallery.page
  await speakPseudo(page, gallery.url)
})

after(() => gallery?.close())

// What is no word of ours: names, and what Intl makes of numbers, units and dates.
const DAYS = '(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day'
const MONTHS = 'July|Jul'
const NAMES = 'Tagstead|admin|picture \\d+\\.jpg|bun|node|English|Deutsch|JPEG|image/jpeg'
const UNITS = 'bytes?|[kMGT]B|MP|mm|ISO|f'
const KNOWN = new RegExp(`\\b(${NAMES}|${UNITS}|${DAYS}|${MONTHS}|A|at|[A-Z])\\b`, 'g')

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
    const open = [
      ['/', 'main .bar input'],
      [`/f/${gallery.ids[0]}`, 'dialog'],
      ['/inbox', 'main :is(img, h1, h2)'],
      ['/trash', 'main :is(h1, h2)'],
      ['/settings', 'main h1'],
      ['/about', 'main dd'],
    ] as const
    for (const [path, selector] of open) {
      await page.goto(path)
      await page.locator(selector).first().waitFor()
      assert.deepEqual(await strangeWords(), [], path)
    }
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    assert.deepEqual(await strangeWords(), [], 'keys')
  })
})
