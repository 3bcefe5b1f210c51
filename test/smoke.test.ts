import assert from 'node:assert/strict'
import { eventually } from './support/eventually.ts'
import { picture } from './support/harness.ts'
import { runToEnd, type SpawnedServer, spawnServer } from './support/spawn.ts'
import { after, before, describe, it } from './support/test.ts'
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
    const headers = {
      Authorization: `Bearer ${((await login.json()) as { access_token: string }).access_token}`,
    }
    const form = new FormData()
    form.set('file', new Blob([Uint8Array.from(bytes)]), 'beach.jpg')
    const uploaded = await call('/files', { method: 'POST', headers, body: form })
    const { id } = (await uploaded.json()) as { id: string }
    const content = await call(`/files/${id}/content`, { headers })
    assert.deepEqual(new Uint8Array(await content.arrayBuffer()), Uint8Array.from(bytes))
    assert.equal(await server.stop(), 0)
  })
})

describe('a command', () => {
  it('tells what is set, and refuses what it does not know', async () => {
    const { code, stdout } = await runToEnd(['config'], { env: { DATA_DIR: '/nowhere' } })
    assert.equal(code, 0)
    assert.match(stdout, /^DATA_DIR +environment +\/nowhere$/m)
    assert.equal((await runToEnd(['nonsense'])).code, 2)
  })
})

describe('the gallery', { skip: withoutChromium }, () => {
  let gallery: OpenGallery

  before(async () => {
    gallery = await openGallery({ files: 3 })
  })

  after(() => gallery.close())

  it('signs in, shows pictures, tags one by keys, and takes that back', async () => {
    const { page, ids } = gallery
    const tagsOf = async () => {
      const path = `/files/${ids[0]}/tags`
      return (await gallery.call<{ name: string }[]>('GET', path)).map(({ name }) => name)
    }
    await page.locator('.cell img[src]').nth(2).waitFor()
    await page.locator('.cell .tick').first().click({ force: true })
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('t')
    await page.getByRole('combobox', { name: 'Add a tag' }).waitFor()
    await page.keyboard.type('beach')
    await page.getByText('Create “beach”').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Create and add' }).click()
    await page.locator('.tagging .chip', { hasText: 'beach' }).waitFor()
    await eventually(async () => (await tagsOf()).includes('beach'))
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+z')
    await eventually(async () => (await tagsOf()).length === 0)
  })
})
