import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { untilLoadedAnew } from './support/leaving.ts'
import { type OpenGallery, openGallery, withoutChromium } from './support/open-gallery.ts'

let gallery: OpenGallery

before(async () => {
  if (!withoutChromium) gallery = await openGallery()
})

after(() => gallery?.close())

describe('waiting for a page to load itself anew', { skip: withoutChromium }, () => {
  it('fails when the page stays', async () => {
    await gallery.page.clock.install()
    await gallery.page.evaluate('globalThis.kept = true')
    await assert.rejects(untilLoadedAnew(gallery.page), /has not loaded itself anew/)
  })
})
