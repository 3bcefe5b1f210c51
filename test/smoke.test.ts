import assert from 'node:assert/strict'
import { after, before, describe, it } from './support/test.ts'
import { picture } from './support/harness.ts'
import { runToEnd, type SpawnedServer, spawnServer } from './support/spawn.ts'
import { type OpenGallery, openGallery, withoutChromium } from './web/support/open-gallery.ts'

// One look at each thing that is a process of its own; test/slow/ has the rest.

describe('the server as a process', () => {
  let server: SpawnedServer

  before(async () => {
    server = await spawnServer()
  })

  it('takes a picture, gives it back byte for byte, and ends in order', async () => {
    const bytes = await picture(1)
    const call = async (path: string, init: RequestInit) => {
      const response = await fetch(`${server.url}/api/v1${path}`, init)
      assert.ok(response.ok, `${path}: ${response.status}`)
      return response
    }
    const login = await call('/auth/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'admin', password: server.adminPassword }),
    })
    const headers = { Authorization: `Bearer ${(await login.json()).access_token}` }
    const form = new FormData()
    form.set('file', new Blob([Uint8Array.from(bytes)]), 'beach.jpg')
    const { id } = await (await call('/files', { method: 'POST', headers, body: form })).json()
    const content = await call(`/files/${id}/content`, { headers })
    assert.deepEqual(new Uint8Array(await content.arrayBuffer()), Uint8Array.from(bytes))
    assert.equal(await server.stop(), 0)
  })
})

describe('a command', () => {
  it('tells what is set, and refuses what it does not know', async () => {
    const { code, stdout } = await runToEnd(['config'], { env: { DATA_DIR: '/nowhere' } })
    assert.equal(code, 0)
    assert.match(stdout, /^DATA_DIR +\/nowhere/m)
    assert.equal((await runToEnd(['nonsense'])).code, 2)
  })
})

describe('the gallery', { skip: withoutChromium }, () => {
  let gallery: OpenGallery

  before(async () => {
    gallery = await openGallery({ files: 3 })
  })

  after(() => gallery.close())

  it('signs in, shows pictures, tags one by a key, and takes that back', async () => {
    const { page, ids } = gallery
    const tagsOf = async () => {
      const { tags } = await gallery.call<{ tags: { name: string }[] }>('GET', `/files/${ids[0]}`)
      return tags.map(({ name }) => name)
    }
    await page.locator('main img').first().click()
    await page.locator('dialog img').first().waitFor()
    await page.keyboard.press('t')
  })
})
