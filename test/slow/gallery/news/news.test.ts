import assert from 'node:assert/strict'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { refuse } from '../../../web/support/refuse.ts'
import { join, type Somebody } from '../../../web/support/somebody.ts'

let gallery: OpenGallery
let mother: Somebody
let grandma: Somebody
let files: string[]
let album: string

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: 1, isSignedIn: false })
  mother = await join(gallery, 'Mother')
  grandma = await join(gallery, 'Grandma')
  files = await mother.upload(3)
  const body = { name: 'Alps', shares_files: true }
  album = (await mother.call<{ id: string }>('POST', '/pools', body)).id
  const permissions = [{ user_id: grandma.id }]
  await mother.call('PUT', `/acl/pool/${album}`, { permissions })
  await mother.call('POST', `/pools/${album}/files`, { file_ids: files })
})
after(() => gallery?.close())

describe('what is new', { skip: withoutChromium }, () => {
  it('is said once on top of the photos, with its pictures and its album', async () => {
    const { page } = gallery
    const note = page.getByRole('region', { name: 'New for you' })
    const kept = () =>
      page.waitForResponse((answer) => {
        const request = answer.request()
        return request.method() === 'PUT' && request.url().endsWith('/users/me/settings')
      })
    const first = kept()
    await page.goto('/')
    await enter(page, 'Grandma')
    await first
    assert.equal(await note.count(), 0)

    const settings = await grandma.call<object>('GET', '/users/me/settings')
    const seen_until = '2020-03-03T12:00:00.000Z'
    await grandma.call('PUT', '/users/me/settings', { ...settings, seen_until })
    await page.reload()
    await note.getByText('3 new for you since 3 March 2020, from Mother').waitFor()
    await assertAccessible(page, 'photos with what is new')
    assert.equal(
      await note.getByRole('link', { name: 'Alps (3)' }).getAttribute('href'),
      `/albums/${album}`,
    )
    const pictures = note.getByRole('link', { name: /^Open new photo/ })
    const shown = await pictures.evaluateAll((links) =>
      links.map((one) => one.getAttribute('href')),
    )
    assert.deepEqual(shown.toSorted(), files.map((id) => `/f/${id}`).toSorted())

    const asked = page.waitForResponse((answer) => answer.url().includes('/files/new?'))
    await page.reload()
    assert.equal(((await (await asked).json()) as { files: number }).files, 0)
    await page.locator('.cell img[src]').first().waitFor()
    assert.equal(await note.count(), 0)
  })

  it('is looked for again when somebody comes back after a while', async () => {
    const page = await gallery.context.newPage()
    const asked = () => page.waitForResponse((answer) => answer.url().includes('/files/new?'))
    const comeBack = async () => {
      await page.clock.fastForward('03:01')
      await page.evaluate(() => ['blur', 'focus'].map((name) => dispatchEvent(new Event(name))))
    }
    await page.clock.install()
    await Promise.all([asked(), page.goto('/')])
    const body = { file_ids: await mother.upload(2) }
    await mother.call('POST', `/pools/${album}/files`, body)
    const allow = await refuse(page, {
      method: 'GET',
      path: '/files/new',
      status: 500,
      code: 'internal',
    })
    await comeBack()
    await page.locator('.cell img[src]').first().waitFor()
    await allow()
    await Promise.all([asked(), comeBack()])
    const note = page.getByRole('region', { name: 'New for you' })
    await note.getByText(/^2 new for you since /).waitFor()
    await page.close()
  })
})
