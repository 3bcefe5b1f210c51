import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { closeBrowser, openBrowser, withoutChromium } from '../../support/browser/chromium.ts'
import { form, picture } from '../../support/harness.ts'
import { filmBytes } from '../../support/media/film.ts'
import { withoutEncoder } from '../../support/media/media.ts'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { signIn } from '../../torture/upload.ts'

const skip = withoutChromium || withoutEncoder('libvpx')
const SCRIPT =
  '<html><body><script>document.title="ran";alert("ran")</script><img src=x onerror=alert("ran")>'

let server: SpawnedServer
let browser: BrowserContext
let token: string
before(async () => {
  if (skip) return
  server = await spawnServer()
  token = await signIn(server)
  browser = await (await openBrowser()).newContext()
  browser.setDefaultTimeout(60_000)
})
after(async () => {
  if (skip) return
  await browser.close()
  await closeBrowser()
  await server.stop()
})

const call = (path: string, body?: FormData) =>
  fetch(`${server.url}/api/v1/files${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    ...(body && { body }),
  })

/** Opens a page; `dialogs` gets the texts of those that it opens. */
async function open(url: string): Promise<{ page: Page; dialogs: string[] }> {
  const page = await browser.newPage()
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.accept()
  })
  await page.goto(url)
  return { page, dialogs }
}

/** Uploads a file and opens it in a tab by its content link. */
async function show(bytes: Uint8Array, name: string) {
  const uploaded = await call('', form(bytes, name))
  assert.equal(uploaded.status, 201)
  const { id } = (await uploaded.json()) as { id: string }
  const link = (await (await call(`/${id}/content-token`)).json()) as { token: string }
  const query = `inline=1&access_token=${link.token}`
  return open(`${server.url}/api/v1/files/${id}/content?${query}`)
}

/** Returns ten seconds of moving picture, as WebM. */
const film = () =>
  filmBytes('film.webm', ['-c:v', 'libvpx'], 'testsrc=duration=10:size=64x48:rate=10')

describe('a content link that is opened in a tab', { skip }, () => {
  it('plays a video', async () => {
    const { page } = await show(await film(), 'film.webm')
    const moved = await page.evaluate<number>(`new Promise((resolve, reject) => {
      const video = document.querySelector('video')
      video.muted = true
      video.ontimeupdate = () => video.currentTime > 0.3 && resolve(video.currentTime)
      video.play().catch((error) => reject(String(error)))
    })`)
    assert.ok(moved > 0.3)
    await page.close()
  })

  it('shows a picture', async () => {
    const { page } = await show(await picture(1), 'picture.jpg')
    const width = await page.evaluate<number>("document.querySelector('img').naturalWidth")
    const { width: expected } = await sharp(await picture(1)).metadata()
    assert.equal(width, expected)
    await page.close()
  })

  it('runs no script that hides in a picture or a video', async () => {
    const html = Buffer.from(SCRIPT)
    const plain = await picture(2)
    const gif = await sharp(plain).gif().toBuffer()
    const comment = Buffer.from([0xff, 0xfe, 0, html.length + 2])
    const polyglots: [name: string, bytes: Buffer][] = [
      ['end.html', Buffer.concat([plain, html])],
      ['comment.html', Buffer.concat([plain.subarray(0, 2), comment, html, plain.subarray(2)])],
      ['gif.html', Buffer.concat([gif, html])],
      ['film.html', Buffer.concat([await film(), html])],
    ]
    const bare = await open(`data:text/html,${encodeURIComponent(SCRIPT)}`)
    assert.ok(bare.dialogs.includes('ran'), 'as a page it would run')
    await bare.page.close()
    for (const [name, bytes] of polyglots) {
      const { page, dialogs } = await show(bytes, name)
      assert.deepEqual(dialogs, [], name)
      assert.notEqual(await page.evaluate('document.title'), 'ran', name)
      assert.equal(await page.evaluate('document.scripts.length'), 0, name)
      await page.close()
    }
  })

  it('is none for an SVG, which is no picture here', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert("ran")</script></svg>`
    assert.equal((await call('', form(Buffer.from(svg), 'drawing.svg'))).status, 415)
  })
})
