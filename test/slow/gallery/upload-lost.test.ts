import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import type { Schemas } from '../../../src/client/index.ts'
import { eventually } from '../../support/eventually.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { drop } from '../../web/support/drop.ts'
import { hold } from '../../web/support/hold.ts'
import { asksAtLeaving, untilLoadedAnew } from '../../web/support/leaving.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  PASSWORD,
  withoutChromium,
} from '../../web/support/open-gallery.ts'
import { type GalleryProxy, startProxy } from '../../web/support/proxy.ts'
import { garble } from '../../web/support/refuse.ts'

type File = Schemas['File']

let gallery: OpenGallery
let page: Page
let proxy: GalleryProxy
/** Where the server itself is, for what the proxy doesn't hold. */
let server: string

before(async () => {
  if (withoutChromium) return
  const before = async (url: string) => {
    server = url
    proxy = await startProxy(url)
    return proxy
  }
  gallery = await openGallery({ files: 1, before })
  page = gallery.page
})

after(() => gallery?.close())

const heading = (words: string, of = page) => of.getByRole('heading', { name: words, exact: true })

const names = (what: string) => Array.from({ length: 8 }, (_, n) => `${what} ${n}.jpg`)

/**
 * Drops eight files, of which one is large, and lets nothing through from the fourth on. Returns how
 * to let it.
 */
async function sendHalf(what: string): Promise<() => void> {
  const held = proxy.hold(`filename="${what} 3.jpg"`)
  const files = names(what).map((name, n) => ({ name, more: n === 6 ? 5e6 : 20_000 }))
  await drop(page, files)
  return held
}

/** Waits until all of them are there, clears the list, and returns their names as the server has them. */
async function arrived(what: string): Promise<string[]> {
  await heading('8 of 8').waitFor()
  await clear()
  return (await filesOf(what)).map(({ original_name }) => original_name!).sort()
}

async function clear(): Promise<void> {
  await page.getByRole('button', { name: 'Clear the list' }).click()
  await page.locator('.ups').waitFor({ state: 'detached' })
}

async function filesOf(what: string): Promise<File[]> {
  const { items } = await gallery.call<{ items: File[] }>('GET', '/files?limit=100')
  return items.filter(({ original_name }) => original_name?.startsWith(what))
}

/** Returns how many tags each file has whose name begins so. */
async function tagsOf(what: string): Promise<number[]> {
  return (await filesOf(what)).map(({ tags }) => tags.length)
}

/** Ends all sessions but that of the test. */
async function endSessions(): Promise<void> {
  type Session = { id: number; is_current: boolean }
  const { items } = await gallery.call<{ items: Session[] }>('GET', '/auth/sessions')
  for (const { id, is_current } of items) {
    if (!is_current) await gallery.call('DELETE', `/auth/sessions/${id}`)
  }
}

describe('uploads that are interrupted', { skip: withoutChromium }, () => {
  it('go on when the server is there again', async () => {
    const goOn = await sendHalf('restart')
    await gallery.stopServer('SIGKILL')
    goOn()
    await page.getByText('No connection to the server').waitFor()
    await gallery.startServer()
    assert.deepEqual(await arrived('restart'), names('restart'))
  })

  it('are not sent twice when only the answer was lost, and follow the list, but for those given up', async () => {
    const { id } = await gallery.call<{ id: string }>('POST', '/tags', { name: 'lake' })
    await page.reload()
    const onTag = `.tags [data-tag="${id}"]`
    await page.locator(onTag).waitFor()
    const muted = proxy.mute('filename="answer')
    // An é of two characters, as macOS writes it.
    const sent = [{ name: 'answer given up.jpg' }, { name: 'answer to Ame\u0301lie.jpg' }]
    await drop(page, sent, onTag)
    const lose = await muted
    await eventually(async () => (await filesOf('answer')).length === 2)
    await page.locator('.ups').getByRole('button', { name: 'Leave lake out' }).click()
    await gallery.stopServer('SIGKILL')
    lose()
    await page.getByText('No connection to the server').waitFor()
    const { held, letGo } = await hold(page, { method: 'GET', path: '/api/v1/files' })
    await gallery.startServer()
    await held
    await page.getByRole('button', { name: 'Leave answer given up.jpg out' }).click()
    const untagged = page.waitForResponse(/bulk\/tags$/)
    await letGo()
    await heading('1 of 1').waitFor()
    assert.ok((await untagged).ok())
    await clear()
    assert.deepEqual([await tagsOf('answer to'), await tagsOf('answer given')], [[0], [1]])
  })

  it('go on when the password was given for a session that ended elsewhere', async () => {
    const goOn = await sendHalf('password')
    await endSessions()
    goOn()
    await page.getByRole('alertdialog').getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    assert.deepEqual(await arrived('password'), names('password'))
  })

  it('don’t wait for the answer about known ones, nor get the tag that the next ones fall on', async () => {
    const known = names('password').map((name) => ({ name, more: 20_000 }))
    const [{ id }] = (await filesOf('password 1')) as [File]
    await gallery.call('DELETE', `/files/${id}`)
    await gallery.call('DELETE', `/files/${id}/permanent`)
    const { held, letGo } = await hold(page, { method: 'POST', path: '/files/bulk/update' })
    await drop(page, known.slice(0, 3))
    await held
    await drop(page, [{ name: 'new.jpg' }, { name: 'new.jpg' }], '.tags [data-tag]')
    await heading('1 of 1').waitFor()
    assert.equal(await asksAtLeaving(page), true)
    await letGo()
    await heading('2 of 2').waitFor()
    const told = await page.getByText('already here').innerText()
    assert.equal(told, '3 photos are already here and were skipped')
    assert.deepEqual([await tagsOf('new'), await tagsOf('password 1')], [[1], [0]])
  })

  it('tell of a mistake of the page as such, in its console too, and may be tagged again', async () => {
    const mend = await garble(page, { method: 'POST', path: '/bulk/tags' })
    const mistake = page.waitForEvent('pageerror')
    for (const key of ['l', 'a', 'k', 'Enter']) await page.keyboard.press(key)
    assert.equal((await mistake).name, 'SyntaxError')
    gallery.problems.pop()
    const told = page.getByRole('alert').filter({ hasText: 'Something went wrong on this page.' })
    await mend()
    const tagged = page.waitForResponse(/bulk\/tags$/)
    await told.getByRole('button', { name: 'Try again' }).click()
    assert.ok((await tagged).ok())
    await clear()
  })

  it('are tried again after the answer of another program, or a mistake of the page', async () => {
    const tab = await gallery.stranger()
    let answer: Parameters<Route['fulfill']>[0] | null = null
    await tab.route('**/api/v1/files', (route) =>
      answer ? route.fulfill(answer) : route.continue(),
    )
    await tab.goto('/')
    await enter(tab)
    const panel = tab.locator('.ups')
    const answers = [{ contentType: 'text/html', body: '<p>Welcome' }, { body: '' }, { json: {} }]
    for (const [n, other] of answers.entries()) {
      answer = other
      await drop(tab, [{ name: `odd ${n}.jpg` }])
      await panel.getByText(/try \d+ in/).waitFor()
      answer = null
      await panel.getByRole('button', { name: `Send odd ${n}.jpg again` }).click()
      await heading(`${n + 1} of ${n + 1}`, tab).waitFor()
    }
    await tab.evaluate(`{
      globalThis.whole = XMLHttpRequest.prototype.send
      XMLHttpRequest.prototype.send = () => whole.nothing()
    }`)
    const mistake = tab.waitForEvent('pageerror')
    await drop(tab, [{ name: 'odd 3.jpg' }])
    assert.equal((await mistake).name, 'TypeError')
    gallery.problems.pop()
    await panel.getByText('Something went wrong on this page.').waitFor()
    await tab.evaluate('XMLHttpRequest.prototype.send = whole')
    await panel.getByRole('button', { name: 'Retry all failed' }).click()
    await heading('4 of 4', tab).waitFor()
    assert.deepEqual(await tagsOf('odd'), [0, 0, 0, 0])
    await tab.close()
  })

  it('are asked about before a page is left that reads a folder', async () => {
    await page.evaluate(() => {
      const readEntries = (tell: (entries: []) => void) => {
        Object.assign(globalThis, { endFolder: () => tell([]) })
      }
      const folder = { isDirectory: true, createReader: () => ({ readEntries }) }
      const ofFiles = DataTransferItem.prototype.webkitGetAsEntry
      DataTransferItem.prototype.webkitGetAsEntry = () => {
        DataTransferItem.prototype.webkitGetAsEntry = ofFiles
        return folder as unknown as FileSystemEntry
      }
    })
    await drop(page, [{ name: 'a folder' }])
    await page.waitForFunction(() => 'endFolder' in globalThis)
    assert.equal(await asksAtLeaving(page), true)
    await page.evaluate('endFolder()')
    await page.waitForFunction(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))
  })

  it('are never sent as somebody else, who is not asked about them either', async () => {
    const anna = { name: 'Anna', password: 'a password of Anna' }
    const { id } = await gallery.call<{ id: number }>('POST', '/users', {
      ...anna,
      can_create: true,
    })
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    // Pages that nobody has touched don't ask.
    await page.locator('.mark').first().click()
    const goOn = await sendHalf('other')
    const signedIn = await gallery.context.request.post(`${server}/web/session`, {
      data: anna,
      headers: { 'X-Tagstead': '1' },
    })
    assert.equal(signedIn.status(), 200)
    await endSessions()
    goOn()
    await page.locator('.me', { hasText: 'Anna' }).waitFor()
    await drop(page, [{ name: 'of anna.jpg' }])
    await heading('1 of 1').waitFor()
    assert.deepEqual(asked, [])
    const creators = (await filesOf('other')).map(({ creator_id }) => creator_id)
    assert.ok(!creators.includes(id) && creators.length < 8, String(creators))
  })

  it('are kept once they have failed, also from the page that loads itself anew', async () => {
    const wanda = { name: 'wanda', password: 'a password of hers' }
    const { id } = await gallery.call<{ id: number }>('POST', '/users', {
      ...wanda,
      can_create: true,
    })
    const allow = (can_create: boolean) => gallery.call('PATCH', `/users/${id}`, { can_create })
    const other = await gallery.stranger()
    await other.goto('/')
    await enter(other, wanda.name, wanda.password)
    await other.clock.install()
    await other.route('**/web/session/refresh', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, headers: { ...response.headers(), 'tagstead-version': '9' } })
    })
    await other.reload()
    await other.getByText('The server has a new version.').waitFor()
    await other.unroute('**/web/session/refresh')
    await other.evaluate('globalThis.kept = true')
    await allow(false)
    await drop(other, [{ name: 'of wanda.jpg' }])
    const retry = other.getByRole('button', { name: 'Retry all failed' })
    await retry.waitFor()
    assert.equal(await asksAtLeaving(other), true)
    await other.clock.runFor(25_000)
    assert.equal(await other.evaluate('globalThis.kept'), true)
    await allow(true)
    await retry.click()
    await heading('1 of 1', other).waitFor()
    assert.equal(await asksAtLeaving(other), false)
    await untilLoadedAnew(other)
  })
})
