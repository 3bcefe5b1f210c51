import assert from 'node:assert/strict'
import type { Schemas } from '../../../../src/client/index.ts'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import { lookAgain, makeLookAlikes, shownPair } from '../../../web/support/look-alikes.ts'
import {
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'

let gallery: OpenGallery

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ size: { width: 390, height: 844 }, isTouch: true })
  await makeLookAlikes(gallery, { count: 2, copyings: ['smaller'] })
  await lookAgain(gallery)
})

after(() => gallery?.close())

describe('two copies on a phone', { skip: withoutChromium }, () => {
  it('are called upper and lower, and a tap marks the one to keep', async () => {
    const { page } = gallery
    await page.goto('/duplicates?at=one-by-one')
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await button('Keep the upper').waitFor()
    await assertAccessible(page, 'two copies on a phone')
    const isMarked = (place: number) =>
      page.locator('.pair figure').nth(place).and(page.locator('.kept')).waitFor()
    for (const [place, name] of [
      [1, 'Keep the lower'],
      [0, 'Keep the upper'],
      [1, 'Keep the lower'],
    ] as const) {
      await page.locator('.pair .photo').nth(place).tap()
      await isMarked(place)
      await button(name).and(page.locator('.primary')).waitFor()
    }
    const [upper, lower] = await shownPair(page)
    const answered = page.waitForResponse((one) => one.url().endsWith('/duplicates/resolve'))
    await button('Keep the lower').tap()
    assert.ok((await answered).ok())
    const isDeleted = async (id: string) =>
      (await gallery.call<Schemas['File']>('GET', `/files/${id}`)).is_deleted
    assert.deepEqual([await isDeleted(upper!), await isDeleted(lower!)], [true, false])
  })
})
