import assert from 'node:assert/strict'
import type { Schemas } from '../../../src/client/index.ts'
import { corners } from '../../support/media/corners.ts'
import { filmBytes } from '../../support/media/film.ts'
import { samsungTrailer } from '../../support/media/living.ts'
import { withoutEncoder } from '../../support/media/media.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { type OpenGallery, openGallery, withoutChromium } from '../../web/support/open-gallery.ts'

const skip = withoutChromium || withoutEncoder('libx264')
const MOTION_PHOTO = 0x0a30

let gallery: OpenGallery
before(async () => {
  if (!skip) gallery = await openGallery()
})
after(() => gallery?.close())

describe('a picture with a film behind its pixels', { skip }, () => {
  it('is played from there by one request, says where that fails, and can’t be taken apart', async () => {
    const { page, call } = gallery
    const options = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p']
    const film = await filmBytes('behind.mp4', options, 'testsrc=size=320x240:duration=2:rate=10')
    const trailer = samsungTrailer([MOTION_PHOTO, 'MotionPhoto_Data', film])
    const form = new FormData()
    const bytes = Buffer.concat([await corners(640, 480), trailer])
    form.set('file', new Blob([Uint8Array.from(bytes)]), 'motion.jpg')
    const { id, size, exif } = await call<Schemas['File']>('POST', '/files', form)
    assert.equal(size, bytes.length)
    const { film_start: start, film_length: length } = exif
    assert.deepEqual([start, length], [bytes.indexOf(film), film.length])
    await page.goto(`/f/${id}`)
    await page.getByRole('button', { name: 'Live: play the film' }).waitFor()
    await page.locator('.facts').waitFor()
    assert.equal(await page.getByText('Take photo and film apart').count(), 0)
    const asked = page.waitForRequest((request) => request.headers().range !== undefined)
    await page.keyboard.press('v')
    const last = Number(start) + Number(length) - 1
    assert.equal((await asked).headers().range, `bytes=${start}-${last}`)
    const video = page.locator('.layers video.loaded')
    await video.waitFor()
    assert.match((await video.getAttribute('src'))!, /^blob:/)
    assert.equal(await video.evaluate((film: HTMLVideoElement) => film.videoWidth), 320)
    await video.waitFor({ state: 'detached' })
    await page.route('**/content*', (route) => route.fulfill({ status: 404 }))
    await page.keyboard.press('v')
    await page.locator('.toast', { hasText: 'can’t be played here' }).waitFor()
    await page.locator('.live[aria-pressed="false"]').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.viewer').waitFor({ state: 'detached' })
  })
})
