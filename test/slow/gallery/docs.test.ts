import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'
import { after, before, describe, it } from '../../support/test.ts'
import {
  type OpenGallery,
  openGallery,
  PASSWORD,
  withoutChromium,
} from '../../web/support/open-gallery.ts'
import { madeUpPictures } from '../../web/support/pictures.ts'

const SCREEN = { width: 1280, height: 800 }

/** What the page has asked of the API: a request's address and fields of its form. */
interface Asked {
  url: string
  authorization: string | undefined
  fields: string[]
}

/** What Swagger UI gives to fetch. */
interface Sent {
  url?: string
  headers?: Record<string, string>
  body?: unknown
}

describe('the page of the documentation', { skip: withoutChromium }, () => {
  let gallery: OpenGallery
  let page: Page

  before(async () => {
    gallery = await openGallery({ files: 2, isSignedIn: false, size: SCREEN })
    page = gallery.page
    page.setDefaultTimeout(60_000)
    // A browser doesn't tell what a form with a file in it has.
    await page.addInitScript(() => {
      const own = globalThis.fetch
      const asked: Asked[] = []
      const watched = (input: string | URL | Request, init?: Sent) => {
        const { headers, body } = init ?? {}
        const fields = body instanceof FormData ? [...body.keys()] : []
        const url = init?.url ?? String(input)
        asked.push({ url, authorization: headers?.Authorization, fields })
        return own(input, init as RequestInit)
      }
      Object.assign(globalThis, { asked, fetch: watched })
    })
    await page.goto('/docs')
    await page.locator('.opblock').first().waitFor()
  })
  after(() => gallery?.close())

  /** Opens an operation, and shows nothing beside it that the filter can hide. */
  async function open(id: string): Promise<Locator> {
    await page.locator('.operation-filter-input').fill(id)
    const block = page.locator(`.opblock[id$="-${id}"]`)
    const control = block.locator('.opblock-summary-control')
    if ((await control.getAttribute('aria-expanded')) !== 'true') await control.click()
    await block.locator('.execute').waitFor()
    return block
  }

  /** Sends the request of an operation, and returns what was asked and the status of the answer. */
  async function execute(block: Locator): Promise<Asked & { status: string }> {
    const clear = block.locator('.btn-clear')
    if (await clear.isVisible()) await clear.click()
    await block.locator('.execute').click()
    const status = block.locator('.live-responses-table .response-col_status').last()
    await status.waitFor()
    const asked = await page.evaluate(() => (globalThis as unknown as { asked: Asked[] }).asked)
    return { ...asked.at(-1)!, status: (await status.innerText()).slice(0, 3) }
  }

  async function signIn(): Promise<void> {
    if ((await page.getByRole('status').innerText()).includes('signed in')) return
    const login = await open('login')
    await login.locator('textarea').fill(JSON.stringify({ name: 'admin', password: PASSWORD }))
    assert.equal((await execute(login)).status, '200')
  }

  const shown = () =>
    page.locator('.opblock-summary-path').evaluateAll((all) => all.map((one) => one.textContent))

  it('has Authorize, the filter and the first operation in the first screen', async () => {
    for (const selector of ['.btn.authorize', '.operation-filter-input', '.opblock']) {
      const box = (await page.locator(selector).first().boundingBox())!
      assert.ok(box.y >= 0 && box.y + box.height <= SCREEN.height, `${selector} ${box.y}`)
    }
  })

  it('keeps the introduction behind a line', async () => {
    const filters = page.getByRole('heading', { name: 'Filters' })
    assert.equal(await filters.isVisible(), false)
    await page.locator('.introduction summary').click()
    await filters.waitFor()
    assert.equal(await filters.count(), 1)
  })

  it('finds operations by words, in any order and wherever they stand', async () => {
    const filter = page.locator('.operation-filter-input')
    // Of so many as there are, those in sight are drawn.
    assert.equal((await shown())[0], '/health')
    for (const [words, wanted] of [
      ['upload FILE', '/api/v1/files'],
      ['automatically pool 400', '/api/v1/pools/{pool_id}/files/reorder'],
      ['similar', '/api/v1/files/similar'],
      ['post login', '/api/v1/auth/login'],
      ['commonTags', '/api/v1/files/bulk/common-tags'],
    ] as const) {
      await filter.fill(words)
      await eventually(async () => {
        const found = (await shown()).map((path) => path!.replaceAll('\u200b', ''))
        return found.includes(wanted) && !found.includes('/health')
      })
    }
    await filter.fill('nosuchword')
    await page.getByText('No operation has these words.').waitFor()
    await filter.fill('')
    await page.locator('.opblock').first().waitFor()
    await eventually(async () => (await shown())[0] === '/health')
  })

  it('sends a token in the address when it has no other', async () => {
    const content = await open('getFileContent')
    await content.getByPlaceholder('file_id').fill(gallery.ids[0]!)
    await content.getByPlaceholder('access_token').fill(gallery.token)
    const { url, status } = await execute(content)
    assert.equal(status, '200')
    assert.equal(new URL(url).searchParams.get('access_token'), gallery.token)
  })

  it('is authorized by signing in, and says so', async () => {
    const told = page.getByRole('status')
    assert.equal(await told.innerText(), '')
    const before = await execute(await open('getSelf'))
    assert.deepEqual([before.status, before.authorization], ['401', undefined])
    await signIn()
    assert.equal(
      await told.innerText(),
      'You are signed in: this page sends your token with each request.',
    )
    const { status, authorization } = await execute(await open('getSelf'))
    assert.equal(status, '200')
    assert.match(authorization!, /^Bearer ey/)
  })

  it('puts no token into an address when the header has one', async () => {
    await signIn()
    const content = await open('getFileContent')
    await content.getByPlaceholder('file_id').fill(gallery.ids[0]!)
    await content.getByPlaceholder('access_token').fill(gallery.token)
    await content.getByPlaceholder('inline').fill('1')
    const { url, status, authorization } = await execute(content)
    assert.equal(status, '200')
    assert.match(authorization!, /^Bearer /)
    assert.equal(url, `${gallery.url}/api/v1/files/${gallery.ids[0]}/content?inline=1`)
  })

  it('offers filters that can be chosen, of which none is sent at first', async () => {
    await signIn()
    const list = await open('listFiles')
    const plain = await execute(list)
    assert.deepEqual([...new URL(plain.url).searchParams.keys()], ['direction', 'limit', 'trash'])
    const choice = list.locator('.examples-select-element').first()
    const names = await choice.locator('option').allInnerTexts()
    assert.ok(names.length >= 5, names.join())
    for (const name of names.slice(1)) {
      await choice.selectOption({ label: name })
      const { url, status } = await execute(list)
      assert.equal(status, '200', name)
      assert.match(new URL(url).searchParams.get('filter')!, /^\{.+\}$/, name)
    }
  })

  it('sends no field of a form that is empty', async () => {
    await signIn()
    const upload = await open('uploadFile')
    assert.equal(await upload.getByText('Send empty value').count(), 0)
    const [picture] = await madeUpPictures(1)
    const buffer = Buffer.from(picture!.bytes)
    const file = { name: 'a.jpg', mimeType: 'image/jpeg', buffer }
    await upload.locator('input[type=file]').setInputFiles(file)
    const first = await execute(upload)
    assert.deepEqual([first.fields, first.status], [['file'], '201'])
    await upload.getByPlaceholder('notes').fill('By the sea')
    await upload.locator('input[type=file]').setInputFiles(file)
    assert.deepEqual((await execute(upload)).fields.sort(), ['file', 'notes'])
  })

  it('is not authorized any more after signing out, and says so', async () => {
    await signIn()
    assert.equal((await execute(await open('logout'))).status, '204')
    assert.equal(await page.getByRole('status').innerText(), 'You are signed out.')
    const { status, authorization } = await execute(await open('getSelf'))
    assert.deepEqual([status, authorization], ['401', undefined])
  })
})
