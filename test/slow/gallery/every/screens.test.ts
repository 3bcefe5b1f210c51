import assert from 'node:assert/strict'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import { lookAgain, makeLookAlikes } from '../../../web/support/look-alikes.ts'
import {
  type OpenGallery,
  openGallery,
  PASSWORD,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { makePool } from '../../../web/support/pool.ts'
import { makeTags } from '../../../web/support/tags.ts'

// Every screen at each size, in each theme and density: too long for each run of the suite.
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
const THEMES = ['light', 'dark'] as const
const DENSITIES = ['airy', 'medium', 'dense']

for (const [name, size] of Object.entries(SIZES)) {
  for (const theme of THEMES) {
    describe(`the gallery on a ${name}, ${theme}`, { skip: withoutChromium }, () => {
      let gallery: OpenGallery
      let pool: string
      let tags: Record<string, string>

      before(async () => {
        gallery = await openGallery({ files: 12, size, theme, isTouch: name === 'phone' })
        tags = await makeTags(gallery, 40)
        // These take the tags that there are.
        await makeLookAlikes(gallery, { count: 3, copyings: ['same', 'smaller', 'brightened'] })
        await lookAgain(gallery)
        await gallery.call('POST', '/users', { name: 'Anna', password: PASSWORD })
        pool = await makePool(gallery, 'A week in Arezzo', gallery.ids)
        await makePool(gallery, 'Nothing yet')
      })

      after(() => gallery.close())

      const screens = () => [
        ['/', 'main img'],
        [`/f/${gallery.ids[1]}`, 'dialog img'],
        ['/inbox', 'main img'],
        ['/pools', '.pools img'],
        [`/pools/${pool}`, 'main img'],
        [`/pools/${pool}?sort=content_datetime&order=asc`, '.day'],
        ['/duplicates', '.opened dl'],
        ['/duplicates?at=one-by-one', '.dups table'],
        ['/trash', 'main :is(h1, h2)'],
        ['/keep/import', 'main .tree'],
        ['/keep/users', 'main li'],
        ['/keep/audit', 'main .deeds li'],
        ['/tags', 'main h1'],
        ['/tags', '.cats li'],
        [`/tags?at=${tags.Arezzo}`, '.rules [role=switch]'],
        ['/settings', 'main h1'],
        ['/about', 'main dd'],
      ]

      it('can be used by everybody, and fits its window', async () => {
        const { page } = gallery
        for (const [path, selector] of screens()) {
          await page.goto(path!)
          await page.locator(selector!).first().waitFor()
          await assertAccessible(page, path!)
          const overflow = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          )
          assert.equal(overflow, 0, `${path} is wider than its window`)
        }
      })

      it('can be shared from by everybody', async () => {
        const { page, ids } = gallery
        await page.goto(`/f/${ids[1]}`)
        await page.getByRole('button', { name: 'Share' }).click()
        await page.getByRole('combobox', { name: 'Share with' }).fill('an')
        await page.getByText('Anna sees it.').waitFor()
        await assertAccessible(page, 'sharing')
        const overflow = await page
          .locator('.dialog.share')
          .evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)
        assert.equal(overflow, 0)
      })

      it('shows more pictures in a row the denser they are', async () => {
        const { page } = gallery
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
    })
  }
}
