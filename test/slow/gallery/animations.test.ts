import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import type { Schemas } from '../../../src/client/index.ts'
import { eventually } from '../../support/eventually.ts'
import { filmBytes } from '../../support/media/film.ts'
import { withoutEncoder } from '../../support/media/media.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { type OpenGallery, openGallery, withoutChromium } from '../../web/support/open-gallery.ts'

let gallery: OpenGallery
let page: Page

/** Two colours, a fifth of a second each. */
const SHOWS = 'color=red:s=160x120:r=5:d=2,drawbox=c=blue:t=fill:enable=mod(n\\,2)'
const WRITTEN: Record<string, string[]> = {
  'moving.gif': [],
  'moving.webp': ['-c:v', 'libwebp_anim', '-loop', '0'],
  'moving.png': ['-c:v', 'apng', '-f', 'apng', '-plays', '0'],
  'moving.avif': ['-pix_fmt', 'yuv420p', '-c:v', 'libaom-av1', '-cpu-used', '8'],
}

async function send(name: string, bytes: Uint8Array): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([Uint8Array.from(bytes)]), name)
  return (await gallery.call<Schemas['File']>('POST', '/files', form)).id
}

/** Returns once the picture on the screen has been red and blue. */
async function changes(selector: string): Promise<void> {
  const looks = new Set<string>()
  await eventually(async () => {
    const shot = await page.locator(selector).last().screenshot()
    const { r, b } = (await sharp(shot).stats()).dominant
    if (Math.abs(r - b) > 100) looks.add(r > b ? 'red' : 'blue')
    return looks.size === 2
  })
}

describe('a picture with several frames', {
  skip:
    withoutChromium ||
    withoutEncoder('apng') ||
    withoutEncoder('libwebp_anim') ||
    withoutEncoder('libaom-av1'),
}, () => {
  before(async () => {
    gallery = await openGallery({ files: 1 })
    page = gallery.page
  })

  after(() => gallery?.close())

  it('moves in the viewer and in the slideshow, whatever its type', async () => {
    for (const [name, options] of Object.entries(WRITTEN)) {
      const id = await send(name, await filmBytes(name, options, SHOWS))
      await page.goto(`/f/${id}`)
      await changes('.viewer .layers img')
      await page.keyboard.press('Shift+Space')
      await page.locator(`.slide[data-id="${id}"] img`).waitFor()
      await changes(`.slide[data-id="${id}"] img`)
      await page.keyboard.press('Escape')
      await page.locator('.slide').waitFor({ state: 'detached' })
    }
  })

  it('is its preview as long as it has one frame', async () => {
    const picture = sharp({ create: { width: 160, height: 120, channels: 3, background: '#285' } })
    for (const format of ['png', 'avif'] as const) {
      const id = await send(`still.${format}`, await picture.toFormat(format).toBuffer())
      const asked: string[] = []
      page.on('response', (response) => {
        const { pathname } = new URL(response.url())
        if (pathname.includes(id)) asked.push(`${response.status()} ${pathname.split('/').at(-1)}`)
      })
      await page.goto(`/f/${id}`)
      await page.locator(`.layers img.loaded[alt="still.${format}"]`).waitFor()
      await eventually(() => asked.includes('206 full'))
      await page.locator('.viewer .facts').waitFor()
      assert.ok(asked.includes('200 preview'))
      assert.ok(!asked.includes('200 full'))
      assert.equal(await page.locator('.viewer .layers img').count(), 2)
    }
  })
})
