import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { type Browser, startBrowser, withoutChromium } from '../../support/browser/chromium.ts'
import { form, picture } from '../../support/harness.ts'
import { withoutEncoder } from '../../support/media/media.ts'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { signIn } from '../../torture/upload.ts'

const skip = withoutChromium || withoutEncoder('libvpx')
const SCRIPT =
  '<html><body><script>document.title="ran";alert("ran")</script><img src=x onerror=alert("ran")>'

let folder: string
let server: SpawnedServer
let browser: Browser
let token: string
before(async () => {
  if (skip) return
  folder = mkdtempSync(join(tmpdir(), 'tagstead-in-browser-'))
  server = await spawnServer()
  token = await signIn(server)
  browser = await startBrowser()
})
after(async () => {
  if (skip) return
  await browser.close()
  await server.stop()
  rmSync(folder, { recursive: true })
})

const call = (path: string, body?: FormData) =>
  fetch(`${server.url}/api/v1/files${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    ...(body && { body }),
  })

/** Uploads a file and opens it in a tab by its content link. */
async function show(bytes: Uint8Array, name: string) {
  const uploaded = await call('', form(bytes, name))
  assert.equal(uploaded.status, 201)
  const { id } = (await uploaded.json()) as { id: string }
  const link = (await (await call(`/${id}/content-token`)).json()) as { token: string }
  const query = `inline=1&access_token=${link.token}`
  return browser.open(`${server.url}/api/v1/files/${id}/content?${query}`)
}

/** Returns ten seconds of moving picture, as WebM. */
function film(): Buffer {
  const path = join(folder, 'film.webm')
  const source = ['-f', 'lavfi', '-i', 'testsrc=duration=10:size=64x48:rate=10']
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...source, '-c:v', 'libvpx', path])
  return readFileSync(path)
}

describe('a content link that is opened in a tab', { skip }, () => {
  it('plays a video', { timeout: 60_000 }, async () => {
    const page = await show(film(), 'film.webm')
    const moved = await page.evaluate<number>(`new Promise((resolve, reject) => {
      const video = document.querySelector('video')
      video.muted = true
      video.ontimeupdate = () => video.currentTime > 0.3 && resolve(video.currentTime)
      video.play().catch((error) => reject(String(error)))
    })`)
    assert.ok(moved > 0.3)
    await page.close()
  })

  it('shows a picture', { timeout: 60_000 }, async () => {
    const page = await show(await picture(1), 'picture.jpg')
    const width = await page.evaluate<number>("document.querySelector('img').naturalWidth")
    const { width: expected } = await sharp(await picture(1)).metadata()
    assert.equal(width, expected)
    await page.close()
  })

  it('runs no script that hides in a picture or a video', { timeout: 60_000 }, async () => {
    const html = Buffer.from(SCRIPT)
    const plain = await picture(2)
    const gif = await sharp(plain).gif().toBuffer()
    const comment = Buffer.from([0xff, 0xfe, 0, html.length + 2])
    const polyglots: [name: string, bytes: Buffer][] = [
      ['end.html', Buffer.concat([plain, html])],
      ['comment.html', Buffer.concat([plain.subarray(0, 2), comment, html, plain.subarray(2)])],
      ['gif.html', Buffer.concat([gif, html])],
      ['film.html', Buffer.concat([film(), html])],
    ]
    const bare = await browser.open(`data:text/html,${encodeURIComponent(SCRIPT)}`)
    assert.ok(bare.dialogs.includes('ran'), 'as a page it would run')
    await bare.close()
    for (const [name, bytes] of polyglots) {
      const page = await show(bytes, name)
      assert.deepEqual(page.dialogs, [], name)
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
