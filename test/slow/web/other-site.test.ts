import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import { closeBrowser, openBrowser, withoutChromium } from '../../support/browser/chromium.ts'
import { form, picture } from '../../support/harness.ts'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { signIn } from '../../torture/upload.ts'

const skip = withoutChromium

let server: SpawnedServer
let browser: BrowserContext
/** Another site, on the same machine: its pages may load and send what they like. */
let elsewhere: Server
let token: string
let id: string
before(async () => {
  if (skip) return
  server = await spawnServer()
  token = await signIn(server)
  const headers = { Authorization: `Bearer ${token}` }
  const body = form(await picture(1), 'a.jpg')
  const uploaded = await fetch(`${server.url}/api/v1/files`, { method: 'POST', headers, body })
  id = ((await uploaded.json()) as { id: string }).id
  elsewhere = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>elsewhere</title>')
  })
  await once(elsewhere.listen(0, 'localhost'), 'listening')
  browser = await (await openBrowser()).newContext()
  browser.setDefaultTimeout(60_000)
})
after(async () => {
  if (skip) return
  await browser.close()
  await closeBrowser()
  elsewhere.close()
  await server.stop()
})

const PAGE = "{ 'Content-Type': 'application/json', 'X-Tagstead': '1' }"
const credentials = () => JSON.stringify({ name: 'admin', password: server.adminPassword })

async function open(url: string): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(url)
  return page
}

/** Returns how wide a picture is that a page shows, 0 when it is not shown. */
const widthOf = (page: Page, src: string) =>
  page.evaluate<number>(`new Promise((resolve) => {
    const image = new Image()
    image.onload = () => resolve(image.naturalWidth)
    image.onerror = () => resolve(0)
    image.src = ${JSON.stringify(src)}
  })`)
const logins = async () => {
  const headers = { Authorization: `Bearer ${token}` }
  const answer = await fetch(`${server.url}/api/v1/audit?action=user_login`, { headers })
  return ((await answer.json()) as { total: number }).total
}

describe('in a browser that is signed in', { skip }, () => {
  it('the page shows pictures, and another site can do nothing', async () => {
    const own = await open(`${server.url}/docs`)
    const { media } = await own.evaluate<{ media: string }>(
      `fetch('/web/session', { method: 'POST', headers: ${PAGE}, body: ${JSON.stringify(credentials())} })
        .then((answer) => answer.json())`,
    )
    const src = `${server.url}/web/media/${media}/${id}/thumbnail`
    assert.equal(await widthOf(own, src), 48)
    assert.equal(await own.evaluate<string>('document.cookie'), '')
    const before = await logins()

    const { port } = elsewhere.address() as AddressInfo
    const other = await open(`http://localhost:${port}/`)
    assert.equal(await widthOf(other, src), 0)
    const send = (path: string, options: string) =>
      other.evaluate<string>(
        `fetch('${server.url}${path}', { credentials: 'include', ${options} })
          .then((answer) => answer.type, (error) => error.name)`,
      )
    const body = `body: ${JSON.stringify(credentials())}`
    const asText = `method: 'POST', mode: 'no-cors', headers: { 'Content-Type': 'text/plain' }, ${body}`
    for (const path of ['/web/session', '/web/session/refresh']) {
      // A preflight asks first, and gets no leave.
      assert.equal(await send(path, `method: 'POST', headers: ${PAGE}, ${body}`), 'TypeError')
      // This one is sent, but not as the routes want it.
      await send(path, asText)
    }
    assert.equal(await send('/web/session', `method: 'DELETE', headers: ${PAGE}`), 'TypeError')
    await other.evaluate(`new Promise((resolve) => {
      const frame = Object.assign(document.createElement('iframe'), { name: 'answer', onload: resolve })
      const form = Object.assign(document.createElement('form'), {
        action: '${server.url}/web/session', method: 'post', enctype: 'text/plain', target: 'answer',
      })
      const input = Object.assign(document.createElement('input'), {
        name: ${JSON.stringify(credentials().replace(/}$/, ',"x":"'))}, value: '"}',
      })
      form.append(input)
      document.body.append(frame, form)
      form.submit()
    })`)
    assert.equal(await logins(), before)
    assert.equal(
      await own.evaluate<number>(
        `fetch('/web/session/refresh', { method: 'POST', headers: ${PAGE}, body: '{}' })
          .then((answer) => answer.status)`,
      ),
      200,
    )

    await own.evaluate(`fetch('/web/session', { method: 'DELETE', headers: ${PAGE} })`)
    assert.equal(await widthOf(own, `${src}?v=again`), 0)
    await other.close()
    await own.close()
  })
})
