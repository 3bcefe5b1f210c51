import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, describe, it } from '../../support/test.ts'
import { watchRequests } from '../../web/support/drive.ts'
import { type OpenGallery, openGallery, withoutChromium } from '../../web/support/open-gallery.ts'
import { makeTags } from '../../web/support/tags.ts'

const CHANGES = 10

let gallery: OpenGallery
let page: Page
let ids: Record<string, string>

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: 3 })
  page = gallery.page
  ids = await makeTags(gallery, 20)
})

after(() => gallery?.close())

describe('many quick changes', { skip: withoutChromium }, () => {
  it('let what they may have changed be read once, when they are over', async () => {
    // Settings and the status are asked for by themselves, a while after the page.
    const isRead = (one: { method(): string; url(): string }) =>
      one.method() === 'GET' && /\/api\/v1\/(?!users\/me\/settings$|status$)/.test(one.url())
    const isCount = (one: { url(): string }) => /r%3D1/.test(one.url())
    const first = page.waitForResponse(isCount)
    await page.goto(`/tags?at=${ids.Arezzo}`)
    await first
    const panel = page.getByRole('complementary', { name: 'Arezzo' })
    await panel.getByText('Only you').waitFor()
    await panel.locator('.rules').getByText('0 photos have it').nth(1).waitFor()
    const requests = watchRequests(page)
    await requests.idle()

    const reads: string[] = []
    page.on('request', (one) => {
      if (isRead(one)) reads.push(decodeURIComponent(one.url()))
    })
    let changes = 0
    page.on('response', (one) => {
      if (one.request().method() === 'PATCH' && one.ok()) changes++
    })
    const counted = page.waitForResponse(isCount)
    await panel.locator('.swatches').evaluate((box, count) => {
      const colors = box.querySelectorAll('input')
      for (let at = 0; at < count; at++) colors[at % 8]!.click()
    }, CHANGES)
    await counted
    await requests.idle()
    assert.equal(changes, CHANGES)
    // The tag's files, who sees it, both numbers of each of two rules, and what is to be reviewed.
    assert.equal(reads.length, 7, reads.join('\n'))
    assert.equal(new Set(reads).size, reads.length, reads.join('\n'))
  })
})
