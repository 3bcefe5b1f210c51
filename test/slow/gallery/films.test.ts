import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Schemas } from '../../../src/client/index.ts'
import { filmBytes } from '../../support/media/film.ts'
import { withoutEncoder } from '../../support/media/media.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { assertAccessible } from '../../web/support/axe.ts'
import { type OpenGallery, openGallery, withoutChromium } from '../../web/support/open-gallery.ts'

type File = Schemas['File']

const MPEG_TS = ['-f', 'mpegts', '-mpegts_m2ts_mode', '1']

/** How a film of each type is made, and what the type is. `plays` is of those that Chromium must play. */
const FILMS = [
  { name: 'camera.mp4', codec: 'libx264', type: 'video/mp4', plays: true },
  { name: 'recorder.webm', codec: 'libvpx', type: 'video/webm', plays: true },
  { name: 'itunes.m4v', codec: 'libx264', type: 'video/x-m4v' },
  { name: 'iphone.mov', codec: 'libx265', type: 'video/quicktime', more: ['-tag:v', 'hvc1'] },
  { name: 'old.avi', codec: 'mpeg4', type: 'video/x-msvideo' },
  { name: 'camcorder.mts', codec: 'libx264', type: 'video/mp2t', more: MPEG_TS },
  { name: 'ripped.mkv', codec: 'libx264', type: 'video/x-matroska' },
  { name: 'phone.3gp', codec: 'h263', type: 'video/3gpp', more: ['-s', '352x288'] },
  { name: 'disc.mpg', codec: 'mpeg2video', type: 'video/mpeg' },
]

let gallery: OpenGallery
let page: Page

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery()
  page = gallery.page
})

after(async () => {
  await gallery?.close()
})

async function send(name: string, codec: string, more: string[] = []): Promise<File> {
  const options = ['-c:v', codec, '-pix_fmt', 'yuv420p', ...more]
  const bytes = await filmBytes(name, options, 'testsrc=size=320x240:duration=2:rate=10')
  const form = new FormData()
  form.set('file', new Blob([Uint8Array.from(bytes)]), name)
  return gallery.call<File>('POST', '/files', form)
}

/** Plays the film that is open, and returns whether its time moves, or it was said that it can't. */
async function outcome(): Promise<string> {
  const found = await page.waitForFunction(() => {
    if (document.querySelector('.viewer .refused')) return 'refused'
    const film = document.querySelector('video')
    if (film?.paused) {
      film.muted = true
      // Why it can't be played is heard by the viewer.
      film.play().catch(() => {})
    }
    return film && film.currentTime > 0.1 ? 'plays' : null
  })
  return String(await found.jsonValue())
}

/** Asserts that a still picture of the film is shown, with a sentence, and the film to take home. */
async function assertOffered({ original_name, width }: File): Promise<void> {
  await page.getByText('This video can’t be played here.').waitFor()
  await page.waitForFunction(
    () => document.querySelector<HTMLImageElement>('.photo > img')?.complete,
  )
  const poster = await page
    .locator('.photo > img')
    .evaluate((image: HTMLImageElement) => image.naturalWidth)
  assert.equal(poster, width)
  const download = page.waitForEvent('download')
  await page.locator('.refused').getByRole('link', { name: 'Download' }).click()
  assert.equal((await download).suggestedFilename(), original_name)
  await assertAccessible(page, 'a film that can’t be shown')
}

describe('films in the viewer', { skip: withoutChromium }, () => {
  for (const { name, codec, type, plays, more } of FILMS) {
    it(`are played or offered: ${name}`, { skip: withoutEncoder(codec) }, async (t) => {
      const file = await send(name, codec, more)
      assert.equal(file.mime_type, type)
      await page.goto(`/f/${file.id}`)
      const found = await outcome()
      t.diagnostic(`${type}, ${codec}: ${found}`)
      if (plays) assert.equal(found, 'plays')
      if (found === 'refused') await assertOffered(file)
    })
  }
})
